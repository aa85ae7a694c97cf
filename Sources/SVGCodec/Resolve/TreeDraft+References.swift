// Reference chains of paint servers and filters, and values that are inherited along them (SVG 2, 14.1).

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

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
  mutating func inheritedValue(
    _ name: AttributeName, _ chain: [NodeIndex], of elements: Set<ElementName>
  ) -> TextSlice? {
    for node in chain {
      guard let element = document.xml[node].element, elements.contains(element) else { continue }
      if let value = document.xml.value(name, of: node) { return value }
    }
    return nil
  }

  mutating func units(_ slice: TextSlice?, default: RenderTree.Units) -> RenderTree.Units {
    guard let slice else { return `default` }
    if document.xml.equals(slice, "userSpaceOnUse") { return .userSpace }
    return document.xml.equals(slice, "objectBoundingBox") ? .boundingBox : `default`
  }

  /// Returns the transform of a paint server: that of the first element of a chain that declares one. A singular
  /// transform is ignored, as in resvg.
  mutating func resourceTransform(
    _ chain: [NodeIndex], _ frame: Frame, _ elements: Set<ElementName>
  ) throws(CodecError) -> AffineTransform {
    for node in chain {
      guard let element = document.xml[node].element, elements.contains(element),
        document.declares(PropertyTable.transform, node)
      else { continue }
      let transform = transform(of: try documentStyle(of: node), frame.viewport)
      return transform.inverted == nil ? .identity : transform
    }
    return .identity
  }

  /// Returns whether an element is in a viewport other than that of the root element.
  func isInNestedViewport(_ node: NodeIndex) -> Bool {
    var current = document.xml[node].parent
    while current != XMLDocument.noNode, current != document.xml.root {
      if document.xml[current].element == .svg || document.xml[current].element == .symbol { return true }
      current = document.xml[current].parent
    }
    return false
  }

  /// Returns the first of some elements that has child elements.
  mutating func firstWithElements(_ chain: [NodeIndex]) throws(CodecError) -> NodeIndex? {
    for node in chain {
      var child = document.xml[node].firstChild
      while child != XMLDocument.noNode {
        try account.budget.chargeWork(4)
        if let element = document.xml[child].element, !element.isAnimation { return node }
        child = document.xml[child].nextSibling
      }
    }
    return nil
  }

  /// Returns a length in user units, or as a fraction of a bounding box.
  mutating func resolve(
    _ length: Length, _ units: RenderTree.Units, _ frame: Frame, _ direction: LengthContext.Direction
  ) -> Double {
    if units == .boundingBox {
      if length.unit == .none { return length.value }
      let context = LengthContext(
        fontSize: frame.style.fontSize, rootFontSize: styles.rootFontSize, viewportWidth: 1, viewportHeight: 1,
        font: styles.font(of: frame.style))
      if length.unit == .percent || length.unit == .calculated { return context.resolve(length, direction) }
    }
    return lengths(frame.style, frame.viewport).resolve(length, direction)
  }
}
