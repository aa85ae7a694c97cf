// Declared to computed values: parsing, `inherit` and `initial`, relative font sizes, currentColor. A value that cannot
// be parsed is treated as not declared (CSS Cascade 4, section 4.2).

internal import VectorGraphics

extension ComputedStyle {
  /// Computes the style of an element whose parent has the style `parent`.
  init(
    of node: XMLDocument.NodeIndex, in document: borrowing StyledDocument, parent: borrowing ComputedStyle,
    rootFontSize: Double
  ) {
    self = parent.inherited()
    let values = document.declaredValues(of: node)
    if values.isEmpty { return }
    let text = document.xml.text.span
    // `em` and currentColor depend on these two.
    for value in values where value.property == .color || value.property == .fontSize {
      apply(value.property, value.value, text, parent, rootFontSize)
    }
    for value in values where value.property != .color && value.property != .fontSize {
      apply(value.property, value.value, text, parent, rootFontSize)
    }
  }

  private mutating func apply(
    _ property: AttributeName, _ slice: TextSlice, _ text: Span<UInt8>, _ parent: ComputedStyle, _ rootFontSize: Double
  ) {
    let bytes = text.extracting(slice.range)
    if isKeyword(bytes, "inherit") {
      copy(property, from: parent)
    } else if isKeyword(bytes, "initial") {
      copy(property, from: .initial(fontSize: mediumFontSize))
    } else {
      set(property, bytes, slice, parent, rootFontSize)
    }
  }

  private mutating func copy(_ property: AttributeName, from other: ComputedStyle) {
    switch property {
    case .color: color = other.color
    case .fontSize: fontSize = other.fontSize
    case .fill: fill = other.fill
    case .fillOpacity: fillOpacity = other.fillOpacity
    case .fillRule: fillRule = other.fillRule
    case .stroke: stroke = other.stroke
    case .strokeOpacity: strokeOpacity = other.strokeOpacity
    case .strokeWidth: strokeWidth = other.strokeWidth
    case .strokeLinecap: strokeCap = other.strokeCap
    case .strokeLinejoin: strokeJoin = other.strokeJoin
    case .strokeMiterlimit: strokeMiterLimit = other.strokeMiterLimit
    case .strokeDasharray: strokeDashes = other.strokeDashes
    case .strokeDashoffset: strokeDashOffset = other.strokeDashOffset
    case .clipRule: clipRule = other.clipRule
    case .visibility: isVisible = other.isVisible
    case .markerStart: markerStart = other.markerStart
    case .markerMid: markerMid = other.markerMid
    case .markerEnd: markerEnd = other.markerEnd
    case .paintOrder: paintOrder = other.paintOrder
    case .shapeRendering: shapeRendering = other.shapeRendering
    case .imageRendering: imageRendering = other.imageRendering
    case .colorInterpolation: usesLinearColor = other.usesLinearColor
    case .opacity: opacity = other.opacity
    case .vectorEffect: hasFixedStroke = other.hasFixedStroke
    case .display: isDisplayed = other.isDisplayed
    case .overflow: overflow = other.overflow ?? .visible
    case .clipPath: clipPath = other.clipPath
    case .mask: mask = other.mask
    case .filter: filter = other.filter
    case .mixBlendMode: blendMode = other.blendMode
    case .isolation: isIsolated = other.isIsolated
    case .maskType: isAlphaMask = other.isAlphaMask
    case .stopColor: stopColor = other.stopColor
    case .stopOpacity: stopOpacity = other.stopOpacity
    case .transform: transform = other.transform
    case .transformOrigin: transformOrigin = other.transformOrigin
    case .transformBox: usesFillBox = other.usesFillBox
    case .backgroundColor: backgroundColor = other.backgroundColor
    default: copyText(property, from: other)
    }
  }

  private mutating func set(
    _ property: AttributeName, _ bytes: Span<UInt8>, _ slice: TextSlice, _ parent: ComputedStyle,
    _ rootFontSize: Double
  ) {
    switch property {
    case .color: if let value = ColorParser.parse(bytes) { color = value.resolved(parent.color) }
    case .fontSize: setFontSize(bytes, parent, rootFontSize)
    case .fill: if let value = paint(bytes, slice) { fill = value }
    case .fillOpacity: if let value = opacityValue(bytes) { fillOpacity = value }
    case .fillRule: if let value = rule(bytes) { fillRule = value }
    case .clipRule: if let value = rule(bytes) { clipRule = value }
    case .visibility: isVisible = !(isKeyword(bytes, "hidden") || isKeyword(bytes, "collapse"))
    case .markerStart: if let value = reference(bytes, slice) { markerStart = value }
    case .markerMid: if let value = reference(bytes, slice) { markerMid = value }
    case .markerEnd: if let value = reference(bytes, slice) { markerEnd = value }
    case .paintOrder: setPaintOrder(bytes)
    case .shapeRendering:
      shapeRendering = isKeyword(bytes, "crispedges") || isKeyword(bytes, "optimizespeed") ? .crisp : .smooth
    case .imageRendering:
      imageRendering =
        isKeyword(bytes, "optimizespeed") || isKeyword(bytes, "pixelated") || isKeyword(bytes, "crisp-edges")
        ? .crisp : .smooth
    case .colorInterpolation: usesLinearColor = isKeyword(bytes, "linearrgb")
    default:
      if !setStroke(property, bytes, slice, rootFontSize), !setOwn(property, bytes, slice) {
        setText(property, bytes, slice, parent, rootFontSize)
      }
    }
  }

  private mutating func setStroke(
    _ property: AttributeName, _ bytes: Span<UInt8>, _ slice: TextSlice, _ rootFontSize: Double
  ) -> Bool {
    switch property {
    case .stroke: if let value = paint(bytes, slice) { stroke = value }
    case .strokeOpacity: if let value = opacityValue(bytes) { strokeOpacity = value }
    case .strokeWidth:
      // A negative width disables the stroke, as in resvg.
      if let value = Length(parsing: bytes) { strokeWidth = absolute(value, rootFontSize) }
    case .strokeLinecap:
      if isKeyword(bytes, "butt") { strokeCap = .butt }
      if isKeyword(bytes, "round") { strokeCap = .round }
      if isKeyword(bytes, "square") { strokeCap = .square }
    case .strokeLinejoin:
      if isKeyword(bytes, "miter") { strokeJoin = .miter }
      if isKeyword(bytes, "miter-clip") { strokeJoin = .miterClip }
      if isKeyword(bytes, "round") { strokeJoin = .round }
      if isKeyword(bytes, "bevel") { strokeJoin = .bevel }
      if isKeyword(bytes, "arcs") { strokeJoin = .arcs }
    case .strokeMiterlimit: if let value = numberValue(bytes) { strokeMiterLimit = value }
    case .strokeDasharray: setDashes(bytes, rootFontSize)
    case .strokeDashoffset: if let value = Length(parsing: bytes) { strokeDashOffset = absolute(value, rootFontSize) }
    default: return false
    }
    return true
  }

  /// Sets properties that are not inherited.
  private mutating func setOwn(_ property: AttributeName, _ bytes: Span<UInt8>, _ slice: TextSlice) -> Bool {
    switch property {
    case .opacity: if let value = opacityValue(bytes) { opacity = value }
    case .vectorEffect: hasFixedStroke = isKeyword(bytes, "non-scaling-stroke")
    case .display: isDisplayed = !isKeyword(bytes, "none")
    case .overflow: overflow = isKeyword(bytes, "visible") || isKeyword(bytes, "auto") ? .visible : .hidden
    case .clipPath: clipPath = reference(bytes, slice) ?? .none
    case .mask: mask = reference(bytes, slice) ?? .none
    case .filter: filter = isKeyword(bytes, "none") ? nil : slice
    case .mixBlendMode: blendMode = BlendMode.allCases.first { isEqual(bytes, $0.rawValue) } ?? .normal
    case .isolation: isIsolated = isKeyword(bytes, "isolate")
    case .maskType: isAlphaMask = isKeyword(bytes, "alpha")
    case .stopColor: if let value = ColorParser.parse(bytes) { stopColor = value.resolved(color) }
    case .stopOpacity: if let value = opacityValue(bytes) { stopOpacity = value }
    case .transform: transform = slice
    case .transformOrigin: transformOrigin = TransformOrigin(parsing: bytes)
    case .transformBox: usesFillBox = isKeyword(bytes, "fill-box") || isKeyword(bytes, "content-box")
    case .backgroundColor: backgroundColor = ColorParser.parse(bytes)?.resolved(color)
    default: return false
    }
    return true
  }

  // MARK: Values

  private func isEqual(_ bytes: Span<UInt8>, _ word: String) -> Bool {
    guard bytes.count == word.utf8.count else { return false }
    var index = 0
    for byte in word.utf8 {
      if lowercased(bytes[index]) != byte { return false }
      index += 1
    }
    return true
  }

  private func paint(_ bytes: Span<UInt8>, _ slice: TextSlice) -> PaintValue? {
    // currentColor is inherited as a keyword (CSS Color 4, section 6.4).
    PaintValue(parsing: bytes, offset: Int(slice.start))
  }

  private func reference(_ bytes: Span<UInt8>, _ slice: TextSlice) -> Reference? {
    if isKeyword(bytes, "none") { return Reference.none }
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    guard let id = parseReference(&scanner) else { return nil }
    return .id(TextSlice(Int(slice.start) + id.lowerBound..<Int(slice.start) + id.upperBound))
  }

  private func rule(_ bytes: Span<UInt8>) -> Fill.Rule? {
    isKeyword(bytes, "evenodd") ? .evenOdd : isKeyword(bytes, "nonzero") ? .nonZero : nil
  }

  private func numberValue(_ bytes: Span<UInt8>) -> Double? {
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    guard let value = scanner.number() else { return nil }
    scanner.skipSpace()
    return scanner.isAtEnd ? value : nil
  }

  /// Parses a number or a percentage, clamped to 0…1.
  private func opacityValue(_ bytes: Span<UInt8>) -> Double? {
    parseFraction(bytes).map { min(max($0, 0), 1) }
  }

  /// Converts font-relative lengths to user units, since they depend on this element's font.
  func absolute(_ length: Length, _ rootFontSize: Double) -> Length {
    switch length.unit {
    case .em, .ex, .ch, .ic, .rem, .lineHeight:
      let context = LengthContext(
        fontSize: fontSize, rootFontSize: rootFontSize, viewportWidth: 0, viewportHeight: 0)
      return Length(context.resolve(length, .other))
    default: return length
    }
  }

  private mutating func setFontSize(_ bytes: Span<UInt8>, _ parent: ComputedStyle, _ rootFontSize: Double) {
    if let length = Length(parsing: bytes) {
      let context = LengthContext(
        fontSize: parent.fontSize, rootFontSize: rootFontSize, viewportWidth: 0, viewportHeight: 0)
      let size =
        length.unit == .percent
        ? length.value / 100 * parent.fontSize + length.userUnits : context.resolve(length, .other)
      if size >= 0 { fontSize = size }
      return
    }
    // Each size is 1.2 times the previous one (CSS 1, section 5.2.6), as in resvg.
    let names: [(StaticString, Double)] = [
      ("xx-small", 1 / 1.728), ("x-small", 1 / 1.44), ("small", 1 / 1.2), ("medium", 1), ("large", 1.2),
      ("x-large", 1.44), ("xx-large", 1.728),
    ]
    for (name, factor) in names where isKeyword(bytes, name) { fontSize = mediumFontSize * factor }
    if isKeyword(bytes, "larger") { fontSize = parent.fontSize * 1.2 }
    if isKeyword(bytes, "smaller") { fontSize = parent.fontSize / 1.2 }
  }

  private mutating func setDashes(_ bytes: Span<UInt8>, _ rootFontSize: Double) {
    if isKeyword(bytes, "none") {
      strokeDashes = []
      return
    }
    var scanner = TextScanner(bytes)
    var list: [Length] = []
    scanner.skipSpace()
    while !scanner.isAtEnd, list.count < 10_000 {
      guard let length = Length(scanning: &scanner) else { return }
      list.append(absolute(length, rootFontSize))
      scanner.skipSpaceAndComma()
    }
    strokeDashes = list
  }

  private mutating func setPaintOrder(_ bytes: Span<UInt8>) {
    let normal: [PaintLayer] = [.fill, .stroke, .markers]
    var scanner = TextScanner(bytes)
    var order: [PaintLayer] = []
    scanner.skipSpace()
    while !scanner.isAtEnd {
      let word = scanner.word()
      let layer: PaintLayer
      if isKeyword(word, "fill") {
        layer = .fill
      } else if isKeyword(word, "stroke") {
        layer = .stroke
      } else if isKeyword(word, "markers") {
        layer = .markers
      } else {
        order = []
        break
      }
      if order.contains(layer) {
        order = []
        break
      }
      order.append(layer)
      scanner.skipSpace()
    }
    for layer in normal where !order.contains(layer) { order.append(layer) }
    paintOrder = order
  }
}
