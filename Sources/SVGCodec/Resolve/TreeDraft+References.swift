// Reference chains of paint servers and filters, and values that are inherited along them (SVG 2, 14.1).

internal import ImageCore
internal import VectorGraphics

extension TreeDraft {
  private static let maximumChainLength = 64

  /// Returns an element followed by the elements in its `href` chain that satisfy a condition.
  ///
  /// Charges reading each of them.
  mutating func chain(
    from node: NodeIndex, while holds: (ElementName) -> Bool
  ) throws(CodecError) -> [NodeIndex] {
    var list = [node]
    try chargeReading(node)
    while list.count < Self.maximumChainLength, let last = list.last, let next = hrefTarget(of: last),
      let element = document.xml[next].element, holds(element), !list.contains(next)
    {
      // About a dozen attributes are looked up on every element.
      try account.budget.chargeWork(count: document.xml.attributes(of: next).count, unitsEach: 20)
      try chargeReading(next)
      list.append(next)
    }
    return list
  }

  /// Returns the value of an attribute on the first element of a chain that has it.
  func inheritedValue(
    _ name: AttributeName, _ chain: [NodeIndex], of elements: Set<ElementName>
  ) -> TextSlice? {
    for node in chain {
      guard let element = document.xml[node].element, elements.contains(element) else { continue }
      if let value = document.xml.value(name, of: node) { return value }
    }
    return nil
  }

  func units(_ slice: TextSlice?, default: RenderTree.Units) -> RenderTree.Units {
    guard let slice else { return `default` }
    if document.xml.equals(slice, "userSpaceOnUse") { return .userSpace }
    return document.xml.equals(slice, "objectBoundingBox") ? .boundingBox : `default`
  }

  /// Returns the transform in an attribute with another name or in the `transform` property. A malformed or singular
  /// transform is ignored, as in resvg.
  func resourceTransform(
    _ name: AttributeName, _ chain: [NodeIndex], _ frame: Frame, _ elements: Set<ElementName>
  ) -> AffineTransform {
    let text = document.xml.text.span
    for node in chain {
      guard let element = document.xml[node].element, elements.contains(element) else { continue }
      guard let slice = document.declaredValue(.transform, of: node) ?? document.xml.value(name, of: node) else {
        continue
      }
      guard let transform = TransformParser.parse(text.extracting(slice.range)), transform.inverted != nil else {
        return .identity
      }
      let style = ComputedStyle(of: node, in: document, parent: styles.initial, rootFontSize: styles.rootFontSize)
      return about(style, frame.viewport, nil, transform)
    }
    return .identity
  }

  /// Returns the first of some elements that has child elements.
  mutating func firstWithElements(_ chain: [NodeIndex]) throws(CodecError) -> NodeIndex? {
    for node in chain {
      var child = document.xml[node].firstChild
      while child != XMLDocument.noNode {
        try account.budget.chargeWork(4)
        if document.xml[child].isElement { return node }
        child = document.xml[child].nextSibling
      }
    }
    return nil
  }

  /// Returns a length in user units, or as a fraction of a bounding box.
  func resolve(
    _ length: Length, _ units: RenderTree.Units, _ frame: Frame, _ direction: LengthContext.Direction
  ) -> Double {
    if units == .boundingBox {
      if length.unit == .percent { return length.value / 100 + length.userUnits }
      if length.unit == .none { return length.value }
    }
    return lengths(frame.style, frame.viewport).resolve(length, direction)
  }
}
