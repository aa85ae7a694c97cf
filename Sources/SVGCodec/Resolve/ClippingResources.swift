// Clip paths and masks: attributes are read at once, the content is converted later (CSS Masking 1).

internal import ImageCore
internal import VectorGraphics

/// The clip paths and masks that have been resolved.
struct ClippingResources {
  typealias NodeIndex = XMLDocument.NodeIndex
  typealias Frame = TreeBuilder.Frame

  private var clips: [NodeIndex: RenderTree.Index] = [:]
  private var masks: [NodeIndex: RenderTree.Index] = [:]

  // MARK: Clip paths

  /// Returns the clip path with an id; `nil` if there is none, in which case nothing is clipped.
  mutating func clip(
    _ id: TextSlice, _ frame: Frame, _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.Index? {
    guard let node = try draft.element(withID: id), draft.document.xml[node].element == .clipPath else { return nil }
    try draft.spendReference()
    if let known = clips[node] { return known }
    let style = try draft.documentStyle(of: node)
    var transform = AffineTransform.identity
    var isValid = true
    if let slice = style.transform {
      if let parsed = TransformParser.parse(draft.document.xml.text.span.extracting(slice.range)) {
        transform = draft.about(style, frame.viewport, nil, parsed)
      } else {
        isValid = false
      }
    }
    draft.tree.clips.append(
      RenderTree.ClipResource(
        units: draft.units(draft.document.xml.value(.clipPathUnits, of: node), default: .userSpace),
        transform: transform))
    let index = Int32(draft.tree.clips.count - 1)
    clips[node] = index
    // With a malformed or singular transform, everything is clipped.
    if isValid, transform.isFinite, transform.inverted != nil {
      draft.pending.append(TreeBuilder.Pending(kind: .clip(index), node: node, viewport: frame.viewport))
    }
    return index
  }

  // MARK: Masks

  /// Returns the mask with an id; `nil` if there is none, in which case nothing is masked.
  mutating func mask(
    _ id: TextSlice, _ frame: Frame, _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.Index? {
    guard let node = try draft.element(withID: id), draft.document.xml[node].element == .mask else { return nil }
    try draft.spendReference()
    if let known = masks[node] { return known }
    let style = try draft.documentStyle(of: node)
    let units = draft.units(draft.document.xml.value(.maskUnits, of: node), default: .boundingBox)
    func value(_ name: AttributeName, _ direction: LengthContext.Direction, _ percent: Double) -> Double {
      draft.resolve(draft.length(name, of: node) ?? .percent(percent), units, frame, direction)
    }
    let rect = Rect(
      x: value(.x, .horizontal, -10), y: value(.y, .vertical, -10), width: value(.width, .horizontal, 120),
      height: value(.height, .vertical, 120))
    draft.tree.masks.append(
      RenderTree.MaskResource(
        rect: rect, units: units,
        contentUnits: draft.units(draft.document.xml.value(.maskContentUnits, of: node), default: .userSpace),
        source: style.isAlphaMask ? .alpha : style.usesLinearColor ? .linearLuminance : .luminance))
    let index = Int32(draft.tree.masks.count - 1)
    masks[node] = index
    if rect.width > 0, rect.height > 0, rect.isFinite {
      draft.pending.append(TreeBuilder.Pending(kind: .mask(index), node: node, viewport: frame.viewport))
    }
    return index
  }
}
