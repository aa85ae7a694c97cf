// feImage (Filter Effects 1, section 9.15): an image or an element of the document, in the subregion.

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics

struct ImageEffect: FilterEffect {
  enum Content: Sendable {
    /// Elements of the document, with the subregion's corner as the origin of their user space.
    case nodes(Range<RenderTree.Index>)
    case picture(RenderTree.ImageNode.Content, PreserveAspectRatio, isSmooth: Bool)
  }

  let inputs: [FilterInput] = []
  /// The content; if `nil`, the result is transparent.
  var content: Content?

  func cost(in space: FilterSpace) -> Int { 1 }

  func draw(_ step: FilterStep, _ renderer: inout TreeRenderer) throws(CodecError) -> FilterImage {
    guard let content else { return FilterImage(Layer(bounds: .empty), isLinear: false) }
    let scale = step.space.toPixels
    let origin = AffineTransform(
      scale.a, 0, 0, scale.d, Double(step.subregion.minX), Double(step.subregion.minY))
    try renderer.enterResource(levels: TreeRenderer.levelsOfLayers)
    try renderer.pushLayer(step.area)
    switch content {
    case .nodes(let range):
      try renderer.draw(range, transform: origin, clip: Clip(bounds: step.area))
    case .picture(let picture, let aspectRatio, let isSmooth):
      let rect = Rect(
        x: 0, y: 0, width: Double(step.subregion.width) / scale.a, height: Double(step.subregion.height) / scale.d)
      if let node = RenderTree.ImageNode(picture, in: rect, aspectRatio, isSmooth: isSmooth) {
        try renderer.draw(node, origin, Clip(bounds: step.area))
      }
    }
    renderer.resourceDepth -= TreeRenderer.levelsOfLayers
    return FilterImage(try renderer.popLayer(), isLinear: false)
  }
}
