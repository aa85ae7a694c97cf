// Layers of masks and backgrounds whose images are known, but not the boxes that they fill.

internal import CSSStyles
internal import VectorGraphics

extension RenderTree {
  /// An image that fills a box.
  struct ImageLayer: Sendable {
    enum Image: Sendable {
      case picture(ImageNode.Content, isSmooth: Bool)
      /// A gradient with its colours; hints have none.
      case gradient(CSSGradient, [Color?])
    }

    var image: Image
    var position: ImagePosition
    var size: ImageSizing
    var repetition: (x: ImageRepetition, y: ImageRepetition)
    /// The box in which the image is placed, and the area to which it is cut.
    var origin: OwnStyle.ReferenceBox
    var area: ImageLayers.Area
    /// The context of lengths; its viewport is the box `view-box`.
    var lengths: LengthContext

    /// Returns a box of an element; `nil` if the element has none.
    func box(_ box: OwnStyle.ReferenceBox, _ bounds: Rect?, strokeBounds: Rect?) -> Rect? {
      switch box {
      case .fill: bounds
      case .stroke: strokeBounds
      case .view: Rect(x: 0, y: 0, width: lengths.viewportWidth, height: lengths.viewportHeight)
      }
    }
  }

  /// A layer of a mask.
  struct MaskLayer: Sendable {
    enum Source: Sendable {
      /// A mask element, of which alpha or luminance may be used instead of what it states.
      case element(Index, Mask.Source?)
      case image(ImageLayer, Mask.Source)
      /// Nothing, which masks everything.
      case empty
    }

    var source: Source
    var compositing: MaskCompositing
  }
}
