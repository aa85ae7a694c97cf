// Patterns: attributes are read at once, the content is converted later (SVG 2, section 14.3).

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

extension PaintServers {
  /// Returns the pattern of an element; `nil` if it paints nothing.
  mutating func pattern(
    _ node: NodeIndex, _ frame: Frame, _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.Index? {
    let key = ResourceKey(node, frame)
    if let known = patterns[key] { return known }
    // Fonts are those of the pattern, the viewport is that of the painted element.
    var frame = frame
    frame.style = try draft.documentStyle(of: node)
    let own: Set<ElementName> = [.pattern]
    let chain = try draft.chain(from: node) { $0 == .pattern }
    let resource = try makePattern(chain, own, frame, &draft)
    guard let resource, let owner = try draft.firstWithElements(chain) else {
      patterns[key] = .some(nil)
      return nil
    }
    try draft.account.hold(MemoryLayout<RenderTree.PatternResource>.stride * 3 / 2)
    draft.tree.patterns.append(resource)
    let index = Int32(draft.tree.patterns.count - 1)
    patterns[key] = index
    let box = resource.viewBox
    let viewport = box.map { TreeBuilder.Viewport(width: $0.width, height: $0.height) } ?? frame.viewport
    draft.pending.append(TreeBuilder.Pending(kind: .pattern(index), node: owner, viewport: viewport))
    return index
  }

  private func makePattern(
    _ chain: [NodeIndex], _ own: Set<ElementName>, _ frame: Frame, _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.PatternResource? {
    let transform = try draft.resourceTransform(chain, frame, own)
    let units = draft.units(draft.inheritedValue(.patternUnits, chain, of: own), default: .boundingBox)
    func value(_ name: AttributeName, _ direction: LengthContext.Direction) -> Double {
      guard let slice = draft.inheritedValue(name, chain, of: own),
        let length = Length(parsing: draft.document.xml.text.span.extracting(slice.range))
      else { return 0 }
      return draft.resolve(length, units, frame, direction)
    }
    let rect = Rect(
      x: value(.x, .horizontal), y: value(.y, .vertical), width: value(.width, .horizontal),
      height: value(.height, .vertical))
    guard rect.width > 0, rect.height > 0, rect.isFinite else { return nil }
    let viewBox = draft.inheritedValue(.viewBox, chain, of: own).flatMap {
      parseViewBox(draft.document.xml.text.span.extracting($0.range))
    }
    let ratio = draft.inheritedValue(.preserveAspectRatio, chain, of: own).flatMap {
      PreserveAspectRatio(parsing: draft.document.xml.text.span.extracting($0.range))
    }
    return RenderTree.PatternResource(
      rect: rect, units: units,
      contentUnits: draft.units(draft.inheritedValue(.patternContentUnits, chain, of: own), default: .userSpace),
      transform: transform, viewBox: viewBox, aspectRatio: ratio ?? PreserveAspectRatio())
  }
}
