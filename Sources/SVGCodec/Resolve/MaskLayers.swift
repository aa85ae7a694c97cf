// The layers of `mask` and `background`: elements, gradients and pictures (CSS Masking 1, section 7).

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics

extension TreeBuilder {
  /// Returns the mask that an element's properties specify; `nil` if there is none, in which case nothing is masked.
  mutating func mask(
    _ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame
  ) throws(CodecError) -> RenderTree.Index? {
    guard style.hasMask else { return nil }
    let value = style.mask
    try draft.account.budget.chargeWork(count: value.images.count, unitsEach: Self.workPerMaskLayer)
    if let element = value.element {
      return element == .none ? nil : try clipping.mask(element, frame, &draft)
    }
    var layers: [RenderTree.MaskLayer] = []
    var isEmpty = true
    for layer in value.layers {
      let source = try source(of: layer, node, style, frame)
      if case .empty = source {} else { isEmpty = false }
      layers.append(RenderTree.MaskLayer(source: source, compositing: layer.compositing))
    }
    // Without any image there is no mask.
    if isEmpty { return nil }
    try draft.account.hold(
      MemoryLayout<RenderTree.MaskResource>.stride * 2 + layers.count * MemoryLayout<RenderTree.MaskLayer>.stride)
    draft.tree.masks.append(
      RenderTree.MaskResource(
        rect: Rect(x: 0, y: 0, width: 0, height: 0), units: .userSpace, contentUnits: .userSpace, source: .alpha,
        layers: layers))
    return Int32(draft.tree.masks.count - 1)
  }

  /// The work units of resolving a layer of a mask and of drawing through it, besides its pixels.
  private static var workPerMaskLayer: Int { 1_000 }

  private mutating func source(
    of layer: ImageLayers.Layer, _ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame
  ) throws(CodecError) -> RenderTree.MaskLayer.Source {
    let source: Mask.Source? = layer.usesLuminance.map { $0 ? .luminance : .alpha }
    if case .element(let reference) = layer.image {
      guard let mask = try clipping.mask(reference, frame, &draft) else { return .empty }
      return .element(mask, source)
    }
    guard let image = try image(of: layer, node, style, frame) else { return .empty }
    return .image(image, source ?? .alpha)
  }

  /// Returns a layer whose image is a picture or a gradient; `nil` if it has none.
  mutating func image(
    of layer: ImageLayers.Layer, _ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame
  ) throws(CodecError) -> RenderTree.ImageLayer? {
    try draft.spendReference()
    let image: RenderTree.ImageLayer.Image
    switch layer.image {
    case .none, .element: return nil
    case .picture(let url):
      guard let content = try images.content(url, node, &draft) else { return nil }
      image = .picture(content, isSmooth: style.imageRendering == .smooth)
    case .gradient(let gradient):
      try draft.account.hold(
        gradient.stops.count * (MemoryLayout<CSSGradient.Stop>.stride + MemoryLayout<Color?>.stride))
      try draft.account.budget.chargeWork(count: gradient.stops.count, unitsEach: 100)
      image = .gradient(
        gradient, gradient.stops.map { $0.color?.resolved(style.color, isDark: style.isDark) })
    }
    if layer.origin == .stroke || layer.area == .box(.stroke) { draft.tree.usesStrokeBoxes = true }
    return RenderTree.ImageLayer(
      image: image, position: layer.position, size: layer.size, repetition: layer.repetition, origin: layer.origin,
      area: layer.area, lengths: draft.lengths(style, frame.viewport))
  }

  /// Appends the background of the root element.
  mutating func appendBackground(
    _ root: NodeIndex, _ style: ComputedStyle, _ rect: Rect, _ frame: Frame
  ) throws(CodecError) {
    if let color = style.backgroundColor, color.alpha > 0 {
      let paint = RenderTree.ShapePaint(source: .color(color), opacity: 1, context: nil)
      try draft.append(
        RenderTree.Shape(
          path: Path(rect), transform: .identity, fill: paint, fillRule: .nonZero, stroke: nil,
          strokeStyle: StrokeStyle(), isStrokeFirst: false, isAntialiased: true, context: nil, bounds: rect))
    }
    guard style.hasBackgroundImage else { return }
    for layer in style.background.layers.reversed() {
      if case .element = layer.image {
        draft.note(root, "elements as backgrounds have no effect")
        continue
      }
      guard let image = try image(of: layer, root, style, frame) else { continue }
      draft.tree.images.append(
        RenderTree.ImageNode(
          content: .layer(image), transform: .identity, clip: rect, bounds: rect, isSmooth: true))
      try draft.append(.image(Int32(draft.tree.images.count - 1)))
    }
  }
}
