// Values of elements: transforms, lengths, references, styles; and notes about what is not drawn.

internal import ImageCore
internal import VectorGraphics

extension TreeDraft {
  /// Returns the transform of an element about its origin; a malformed one is ignored.
  func transform(of style: ComputedStyle, _ viewport: Viewport, box: Rect? = nil) -> AffineTransform {
    guard let slice = style.transform,
      let transform = TransformParser.parse(document.xml.text.span.extracting(slice.range))
    else { return .identity }
    return about(style, viewport, box, transform)
  }

  /// Returns a transform about the element's `transform-origin`.
  func about(
    _ style: ComputedStyle, _ viewport: Viewport, _ box: Rect?, _ transform: AffineTransform
  ) -> AffineTransform {
    let box = style.usesFillBox ? box : nil
    guard let origin = style.transformOrigin ?? (box == nil ? nil : TransformOrigin())
    else { return transform }
    let reference = box ?? Rect(x: 0, y: 0, width: viewport.width, height: viewport.height)
    let context = LengthContext(
      fontSize: style.fontSize, rootFontSize: styles.rootFontSize, viewportWidth: reference.width,
      viewportHeight: reference.height)
    let x = reference.x + context.resolve(origin.x, .horizontal)
    let y = reference.y + context.resolve(origin.y, .vertical)
    return .translation(x: x, y: y) * transform * .translation(x: -x, y: -y)
  }

  // MARK: Values

  /// Returns the context in which the lengths of an element are resolved.
  func lengths(_ style: ComputedStyle, _ viewport: Viewport) -> LengthContext {
    LengthContext(
      fontSize: style.fontSize, rootFontSize: styles.rootFontSize, viewportWidth: viewport.width,
      viewportHeight: viewport.height)
  }

  /// Returns the length of an attribute or of the property of the same name; `nil` if it is missing, malformed or
  /// `auto`.
  func length(_ name: AttributeName, of node: NodeIndex) -> Length? { document.length(name, of: node) }

  /// Returns the element that a `href` references.
  func hrefTarget(of node: NodeIndex) -> NodeIndex? {
    guard let slice = document.xml.value(.href, of: node) else { return nil }
    let bytes = document.xml.text.span.extracting(slice.range)
    guard let fragment = parseFragment(bytes) else { return nil }
    return document.element(withID: bytes.extracting(fragment))
  }

  /// Returns the element with an id. The lookup is charged, because the reference may be inherited by many elements.
  mutating func element(withID id: TextSlice) throws(CodecError) -> NodeIndex? {
    try account.budget.chargeWork(Int(id.count))
    return document.element(withID: document.xml.text.span.extracting(id.range))
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

  func viewBox(of node: NodeIndex) -> Rect? {
    guard let slice = document.xml.value(.viewBox, of: node) else { return nil }
    return parseViewBox(document.xml.text.span.extracting(slice.range))
  }

  func aspectRatio(of node: NodeIndex) -> PreserveAspectRatio {
    guard let slice = document.xml.value(.preserveAspectRatio, of: node) else { return PreserveAspectRatio() }
    return PreserveAspectRatio(parsing: document.xml.text.span.extracting(slice.range)) ?? PreserveAspectRatio()
  }

  // MARK: Geometry

  mutating func path(
    of node: NodeIndex, _ element: ElementName, _ lengths: LengthContext
  ) throws(CodecError) -> Path {
    let path = document.geometry(
      of: node, element, lengths, maximumSegmentCount: account.limits.maximumPathSegmentCount - account.segmentCount)
    try account.hold(path)
    return path
  }
}
