// Diagnostics for features of a document that are ignored or rendered differently, one per feature, so that differences
// need not be found by comparing images. Features that omit something are recorded where that happens.

internal import ImageCore

/// Records unsupported styles and attributes of a document.
struct UnsupportedFeatures {
  private var seen: Set<String> = []

  /// Adds a diagnostic for each unsupported feature in a document, with the position of its first use.
  static func note(in document: inout StyledDocument) {
    var features = UnsupportedFeatures()
    for node in 0..<XMLDocument.NodeIndex(document.xml.nodes.count) {
      guard document.xml[node].namespace == .svg, let element = document.xml[node].element else { continue }
      for declared in document.declaredValues(of: node) {
        let reason = features.reason(declared.property, declared.value, element, document.xml)
        if let reason { features.add(reason, node, &document) }
      }
      if element.isFilterPart { features.checkPrimitive(node, &document) }
    }
  }

  private mutating func add(_ reason: String, _ node: XMLDocument.NodeIndex, _ document: inout StyledDocument) {
    guard seen.insert(reason).inserted else { return }
    document.note(ImageDiagnostic(.warning, reason, byteOffset: Int(document.xml[node].byteOffset)))
  }

  private func reason(
    _ property: AttributeName, _ value: TextSlice, _ element: ElementName, _ xml: XMLDocument
  ) -> String? {
    func isValue(_ keyword: StaticString) -> Bool { isKeyword(xml.text.span.extracting(value.range), keyword) }
    switch property {
    case .strokeLinejoin: return isValue("arcs") ? "joins of the kind arcs are drawn as miters" : nil
    case .vectorEffect:
      return isValue("none") || isValue("non-scaling-stroke") || isValue("inherit") || isValue("initial")
        ? nil : "vector-effect has no effect but non-scaling-stroke"
    case .fontSizeAdjust: return isValue("none") ? nil : "font-size-adjust has no effect"
    case .colorInterpolation:
      let isGradient = element == .linearGradient || element == .radialGradient
      return isGradient && isValue("linearrgb") ? "gradients are interpolated in sRGB" : nil
    case .overflow:
      return element == .pattern && (isValue("visible") || isValue("auto")) ? "patterns are cut to their tiles" : nil
    case .opacity, .filter, .mask, .clipPath:
      return [.tspan, .textPath, .tref].contains(element) && !isValue("none") && !isValue("1")
        ? "\(property.rawValue) has no effect on parts of a text" : nil
    default: return nil
    }
  }

  private mutating func checkPrimitive(_ node: XMLDocument.NodeIndex, _ document: inout StyledDocument) {
    if document.xml.value(.kernelUnitLength, of: node) != nil {
      add("kernelUnitLength has no effect: kernels have pixels as their unit", node, &document)
    }
    for name in [AttributeName.in, .in2] {
      guard let value = document.xml.value(name, of: node) else { continue }
      for input: StaticString in ["BackgroundImage", "BackgroundAlpha", "FillPaint", "StrokePaint"]
      where document.xml.equals(value, input) {
        add("\(input) is replaced by SourceGraphic", node, &document)
      }
    }
  }
}
