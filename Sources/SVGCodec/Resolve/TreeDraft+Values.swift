// Values of elements: transforms, lengths, references, styles; and notes about what is not drawn.

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

extension TreeDraft {
  /// Returns the transform of an element about its origin: `translate`, `rotate` and `scale`, then `transform`.
  mutating func transform(of style: ComputedStyle, _ viewport: Viewport, box: Rect? = nil) -> AffineTransform {
    if let plain = style.plainTransform { return plain }
    return ElementTransform(style, lengths(style, viewport)).resolved(box: box)
  }

  /// Sets the transform of a group to that of an element, followed by the transform of its content. One that depends
  /// on the bounds of the content is resolved when they are known.
  mutating func setTransform(
    of style: ComputedStyle, _ viewport: Viewport, on group: inout RenderTree.Group,
    outer: AffineTransform = .identity, inner: AffineTransform = .identity
  ) {
    if style.transformBox != .view, style.hasTransform {
      let own = ElementTransform(style, lengths(style, viewport))
      if own.usesStrokeBox { tree.usesStrokeBoxes = true }
      tree.boxTransforms.append(RenderTree.BoxTransform(outer: outer, own: own, inner: inner))
      group.boxTransform = Int32(clamping: tree.boxTransforms.count - 1)
      group.transform = outer * inner
    } else {
      group.transform = outer * transform(of: style, viewport) * inner
    }
  }

  // MARK: Values

  /// Returns the context in which the lengths of an element are resolved.
  mutating func lengths(_ style: ComputedStyle, _ viewport: Viewport) -> LengthContext {
    LengthContext(
      fontSize: style.fontSize, rootFontSize: styles.rootFontSize, viewportWidth: viewport.width,
      viewportHeight: viewport.height, font: styles.font(of: style))
  }

  /// Returns the length of an attribute or of the property of the same name; `nil` if it is missing, malformed or
  /// `auto`.
  mutating func length(_ name: AttributeName, of node: NodeIndex) -> Length? { document.length(name, of: node) }

  /// Returns the length of a geometry property, or else of the attribute of the same name.
  mutating func length(_ name: AttributeName, of node: NodeIndex, _ style: ComputedStyle) -> Length? {
    document.length(name, of: node, style)
  }

  /// Returns the element that a `href` references.
  mutating func hrefTarget(of node: NodeIndex) -> NodeIndex? {
    guard let slice = document.xml.value(.href, of: node) else { return nil }
    let bytes = document.xml.text.span.extracting(slice.range)
    guard let fragment = parseFragment(bytes) else { return nil }
    return document.element(withID: bytes.extracting(fragment))
  }

  /// Returns the element to which a property refers. The lookup is charged, because the reference may be inherited by
  /// many elements.
  mutating func element(_ reference: ElementReference) throws(CodecError) -> NodeIndex? {
    guard case .id(let id) = reference else { return nil }
    try account.budget.chargeWork(id.count + id.count / 2)
    return document.element(withID: id.span)
  }

  /// Returns the error of a limit that is exceeded.
  func error(_ reason: String) -> CodecError { TreeAccount.error(reason) }

  mutating func noteUnsupported(_ feature: String, _ node: NodeIndex) {
    note(node, "\(feature) is not drawn")
  }

  /// Records what is missing because of an element.
  mutating func note(_ node: NodeIndex, _ reason: String) {
    document.note(ImageDiagnostic(.damage, reason, byteOffset: Int(document.xml[node].byteOffset)))
  }

  /// Counts a reference against the limit. The open elements are searched for cycles.
  mutating func spendReference() throws(CodecError) {
    try account.spendReference(openElementCount: frames.count)
  }

  // MARK: Styles

  /// Moves the styles out, so that a change of them copies nothing. They have to be put back.
  mutating func takeStyles() -> ElementStyles {
    let taken = styles
    styles = ElementStyles(replacing: taken)
    return taken
  }

  /// Computes the style of an element. Charges reading the element, which is repeated for each of its instances.
  mutating func style(of node: NodeIndex, parent: ComputedStyle) throws(CodecError) -> ComputedStyle {
    try styles.style(of: node, in: document, parent: parent, &account)
  }

  /// Returns the style of any element, inherited from its ancestors in the document.
  mutating func documentStyle(of node: NodeIndex) throws(CodecError) -> ComputedStyle {
    try styles.documentStyle(of: node, in: document, &account)
  }

  /// Charges reading an element's attributes and declared values once.
  mutating func chargeReading(_ node: NodeIndex) throws(CodecError) {
    try account.chargeReading(node, in: document)
  }

  mutating func viewBox(of node: NodeIndex) -> Rect? {
    guard let slice = document.xml.value(.viewBox, of: node) else { return nil }
    return parseViewBox(document.xml.text.span.extracting(slice.range))
  }

  mutating func aspectRatio(of node: NodeIndex) -> PreserveAspectRatio {
    guard let slice = document.xml.value(.preserveAspectRatio, of: node) else { return PreserveAspectRatio() }
    return PreserveAspectRatio(parsing: document.xml.text.span.extracting(slice.range)) ?? PreserveAspectRatio()
  }

  // MARK: Geometry

  /// Returns the path of a shape, which is charged; empty if it draws nothing.
  mutating func path(
    of node: NodeIndex, _ element: ElementName, _ style: ComputedStyle, _ viewport: Viewport
  ) throws(CodecError) -> Path {
    let path =
      switch element {
      case .path, .polygon, .polyline:
        try document.coordinates(
          of: node, element, style,
          maximumSegmentCount: account.limits.maximumPathSegmentCount - account.segmentCount,
          interruption: account.budget.interruption)
      default: document.geometry(of: node, element, style, lengths(style, viewport))
      }
    try account.hold(path)
    return path
  }
}
