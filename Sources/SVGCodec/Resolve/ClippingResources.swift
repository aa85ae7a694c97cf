// Clip paths and masks: attributes are read at once, the content is converted later (CSS Masking 1).

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

/// The key of a resolved resource: its element and, because percentages refer to it, the viewport of the element that
/// uses it.
struct ResourceKey: Hashable {
  private let node: XMLDocument.NodeIndex
  private let width: Double
  private let height: Double

  init(_ node: XMLDocument.NodeIndex, _ frame: TreeBuilder.Frame) {
    self.node = node
    width = frame.viewport.width
    height = frame.viewport.height
  }
}

/// The clip paths and masks that have been resolved.
struct ClippingResources {
  typealias NodeIndex = XMLDocument.NodeIndex
  typealias Frame = TreeBuilder.Frame

  private var clips: [ResourceKey: RenderTree.Index] = [:]
  private var masks: [ResourceKey: RenderTree.Index] = [:]

  // MARK: Clip paths

  /// Returns the clip path to which an element refers; `nil` if there is none, in which case nothing is clipped.
  mutating func clip(
    _ reference: ElementReference, _ frame: Frame, _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.Index? {
    guard let node = try draft.element(reference), draft.document.xml[node].element == .clipPath else { return nil }
    try draft.spendReference()
    let key = ResourceKey(node, frame)
    if let known = clips[key] { return known }
    let style = try draft.documentStyle(of: node)
    let transform = draft.transform(of: style, frame.viewport)
    draft.tree.clips.append(
      RenderTree.ClipResource(
        units: draft.units(draft.document.xml.value(.clipPathUnits, of: node), default: .userSpace),
        transform: transform))
    let index = Int32(draft.tree.clips.count - 1)
    clips[key] = index
    // With a singular transform, everything is clipped.
    if transform.isFinite, transform.inverted != nil {
      draft.pending.append(
        TreeBuilder.Pending(
          kind: .clip(index), node: node, viewport: draft.isInNestedViewport(node) ? frame.viewport : draft.rootViewport
        )
      )
    }
    return index
  }

  /// Returns the clip path of a basic shape, or of a box if there is no shape.
  mutating func clip(
    _ shape: BasicShape?, _ box: OwnStyle.ReferenceBox, _ style: ComputedStyle, _ frame: Frame,
    _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.Index? {
    try draft.spendReference()
    try draft.account.hold(MemoryLayout<RenderTree.ClipResource>.stride * 2)
    if box == .stroke { draft.tree.usesStrokeBoxes = true }
    if case .path(let path, _) = shape { try draft.account.hold(path) }
    if case .polygon(let points, _) = shape {
      try draft.account.budget.chargeWork(count: points.count, unitsEach: 80)
    }
    draft.tree.clips.append(
      RenderTree.ClipResource(
        units: .userSpace, transform: .identity,
        shape: RenderTree.ClipShape(shape: shape, box: box, lengths: draft.lengths(style, frame.viewport))))
    return Int32(draft.tree.clips.count - 1)
  }

  // MARK: Masks

  /// Returns the mask to which an element refers; `nil` if there is none, in which case nothing is masked.
  mutating func mask(
    _ reference: ElementReference, _ frame: Frame, _ draft: inout TreeDraft
  ) throws(CodecError) -> RenderTree.Index? {
    guard let node = try draft.element(reference), draft.document.xml[node].element == .mask else { return nil }
    try draft.spendReference()
    let key = ResourceKey(node, frame)
    if let known = masks[key] { return known }
    let style = try draft.documentStyle(of: node)
    // Fonts are those of the mask, the viewport is that of the masked element.
    var frame = frame
    frame.style = style
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
    masks[key] = index
    if rect.width > 0, rect.height > 0, rect.isFinite {
      draft.pending.append(
        TreeBuilder.Pending(
          kind: .mask(index), node: node, viewport: draft.isInNestedViewport(node) ? frame.viewport : draft.rootViewport
        )
      )
    }
    return index
  }
}
