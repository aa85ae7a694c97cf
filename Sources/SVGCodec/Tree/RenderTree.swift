// A resolved document: groups, shapes and images in paint order, and the paint servers, clips, masks and filters to
// which they refer by index. The tree is valid by construction: all references are resolved, and indices never form
// cycles.

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics

/// A resolved document in flat arrays.
struct RenderTree: Sendable {
  typealias Index = Int32

  /// A node in paint order; the children of a group follow it directly.
  enum Node: Sendable {
    /// The group, and the index after its last descendant.
    case group(Index, end: Index)
    case shape(Index)
    case image(Index)
  }

  var nodes: [Node] = []
  var groups: [Group] = []
  var shapes: [Shape] = []
  var images: [ImageNode] = []
  /// The colours of paints whose servers cannot paint.
  var fallbackColors: [Color] = []
  var gradients: [GradientResource] = []
  var patterns: [PatternResource] = []
  var clips: [ClipResource] = []
  var masks: [MaskResource] = []
  var filters: [FilterResource] = []
  /// The transforms that depend on the bounds of groups.
  var boxTransforms: [BoxTransform] = []
  /// The number of elements that serve as context for the paint of others.
  var contextCount = 0
  /// Whether anything refers to a box that includes strokes.
  var usesStrokeBoxes = false
  /// The bounds of the strokes of shapes, in their user spaces; only if strokes are referred to.
  var strokeBoxes: [Index: Rect] = [:]
  /// The number of decoded pictures.
  var pictureCount = 0
  /// The number of segments of all paths.
  var segmentCount = 0
  /// The nodes of the document. Those of patterns, clips and masks follow.
  var content: Range<Index> = 0..<0
  /// The size in user units.
  var width = 0.0
  var height = 0.0
}

extension RenderTree {
  /// The number of nodes of the document and of the documents nested in it, each of which is drawn once.
  var totalNodeCount: Int {
    images.reduce(nodes.count) { count, image in
      if case .document(let document) = image.content { count + document.tree.nodes.count } else { count }
    }
  }

  /// Nodes that are transformed, clipped, masked and blended together.
  struct Group: Sendable {
    /// The transform from the group's user space to its parent's.
    var transform = AffineTransform.identity
    var opacity = 1.0
    var blending = OwnStyle.Blending()
    /// The operator that replaces plain source-over compositing, for layers of colour glyphs.
    var compositeOperator: CompositeOperator?
    var isIsolated = false
    /// A clipping viewport, in the group's user space.
    var clipRect: Rect?
    var clip: Index?
    var mask: Index?
    /// Filters, applied in order, before clip, mask and opacity.
    var filters: [Index] = []
    /// The context to which this group's user space and bounds belong.
    var context: Index?
    /// The transform that depends on the bounds of the group, as an index of ``RenderTree/boxTransforms``.
    var boxTransform: Index?
    /// The box of a text in the group's user space, which depends on font metrics and not on glyph outlines.
    var layoutBounds: Rect?
    /// The bounds of the descendants without and with strokes and filters, in the group's user space.
    var bounds: Rect?
    var strokeBounds: Rect?
    /// The visible bounds of the group: the descendants with strokes, or the filter region.
    var visibleBounds: Rect?

    /// Whether the descendants have to be drawn on a separate layer.
    var needsLayer: Bool {
      opacity < 1 || blending != OwnStyle.Blending() || isIsolated || mask != nil || !filters.isEmpty
        || compositeOperator != nil
    }
  }

  /// A transform whose origin or percentages refer to the bounds of the element.
  struct BoxTransform: Sendable {
    /// The transform from the element's outer space to the parent's.
    var outer = AffineTransform.identity
    var own: ElementTransform
    /// The transform from the group's user space to the element's.
    var inner = AffineTransform.identity

    /// Returns the transform of the group, with its bounds in its user space.
    func resolved(bounds: Rect?, strokeBounds: Rect?) -> AffineTransform {
      let box = own.usesStrokeBox ? strokeBounds : bounds
      return outer * own.resolved(box: box.map { inner.apply($0) } ?? Rect(x: 0, y: 0, width: 0, height: 0)) * inner
    }
  }

  /// The source of a paint's colours.
  enum PaintSource: Sendable {
    case color(Color)
    case gradient(Index)
    case pattern(Index)
  }

  /// A paint source with the properties of the element that specifies it.
  struct ShapePaint: Sendable {
    var source: PaintSource
    var opacity: Double
    /// The context of the paint server if it is not the shape itself.
    var context: Index?
    /// The colour to use if the server cannot paint, because there is no bounding box, as an index of
    /// ``RenderTree/fallbackColors``.
    var fallback: Index?
  }

  struct Shape: Sendable {
    var path: Path
    /// The transform from the shape's user space to its parent's.
    var transform: AffineTransform
    var fill: ShapePaint?
    var fillRule: Fill.Rule
    var stroke: ShapePaint?
    var strokeStyle: StrokeStyle
    var isStrokeFirst: Bool
    var isAntialiased: Bool
    /// The context to which this shape's user space and bounds belong.
    var context: Index?
    /// The path's bounds in its user space.
    var bounds: Rect?
    /// Whether the stroke width is in the document's units, regardless of transforms.
    var hasFixedStroke = false
    /// The number of user units per unit of stroke width; 1 unless the stroke width is fixed.
    var strokeUnit = 1.0
  }

  /// A decoded picture.
  struct Picture: Sendable {
    /// The number of the picture, which images that show the same one share.
    var id: Int
    var layer: Layer
  }

  struct ImageNode: Sendable {
    enum Content: Sendable {
      case bitmap(Picture)
      /// A layer of a background, whose box is the bounds of the image.
      indirect case layer(ImageLayer)
      case document(SVGDocument)
    }

    var content: Content
    /// The transform from the image's pixels or user units to the parent's user space.
    var transform: AffineTransform
    /// The visible part, in the parent's user space.
    var clip: Rect
    /// The rectangle into which the image is fitted, which is its bounding box, in the parent's user space.
    var bounds: Rect
    var isSmooth: Bool
  }

  /// The units of coordinates: user space or fractions of a bounding box.
  enum Units: Sendable {
    case userSpace
    case boundingBox
  }

  struct GradientResource: Sendable {
    enum Geometry: Sendable {
      case linear(Point, Point)
      case radial(center: Point, radius: Double, focus: Point, focusRadius: Double)
      case sweep(center: Point, startAngle: Double, endAngle: Double)
    }

    var geometry: Geometry
    var ramp: GradientRamp
    var units: Units
    var transform: AffineTransform
  }

  struct PatternResource: Sendable {
    var rect: Rect
    var units: Units
    var contentUnits: Units
    var transform: AffineTransform
    var viewBox: Rect?
    var aspectRatio: PreserveAspectRatio
    var content: Range<Index> = 0..<0
  }

  struct ClipResource: Sendable {
    var units: Units
    var transform: AffineTransform
    /// The clip path that is applied to this clip path.
    var clip: Index?
    var content: Range<Index> = 0..<0
    /// The basic shape that is the clip path instead of the content.
    var shape: ClipShape?
  }

  /// A basic shape, which refers to a box of the clipped element.
  struct ClipShape: Sendable {
    /// `nil` for the box itself.
    var shape: BasicShape?
    var box: OwnStyle.ReferenceBox
    /// The context of lengths; its viewport is the box `view-box`.
    var lengths: LengthContext

    /// Returns the outline; empty if there is no box.
    func path(_ bounds: Rect?, strokeBounds: Rect?) -> Path {
      let view = Rect(x: 0, y: 0, width: lengths.viewportWidth, height: lengths.viewportHeight)
      let rect: Rect? =
        switch box {
        case .fill: bounds
        case .stroke: strokeBounds
        case .view: view
        }
      guard let rect else { return Path() }
      return shape.map { $0.path(in: rect, lengths) } ?? Path(rect)
    }
  }

  /// A mask element, or layers of images.
  struct MaskResource: Sendable {
    var rect: Rect
    var units: Units
    var contentUnits: Units
    var source: Mask.Source
    /// The mask that is applied to this mask.
    var mask: Index?
    var content: Range<Index> = 0..<0
    /// The layers that are the mask instead of the content, the top one first; empty for a mask element.
    var layers: [MaskLayer] = []
  }
}
