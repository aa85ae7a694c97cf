// What is left of a document when everything is resolved: groups, shapes and images in paint order, and the paint
// servers, clips, masks and filters that they name by index. Nothing in it needs to be checked again; indices never form cycles.

internal import ImageCore
internal import VectorGraphics

/// A resolved document in flat arrays.
struct RenderTree: Sendable {
  typealias Index = Int32

  /// A node in paint order; the children of a group follow it directly.
  enum Node: Sendable {
    /// The group, and the index behind its last descendant.
    case group(Index, end: Index)
    case shape(Index)
    case image(Index)
  }

  var nodes: [Node] = []
  var groups: [Group] = []
  var shapes: [Shape] = []
  var images: [ImageNode] = []
  var gradients: [GradientResource] = []
  var patterns: [PatternResource] = []
  var clips: [ClipResource] = []
  var masks: [MaskResource] = []
  var filters: [FilterResource] = []
  /// How many elements give their paint to others.
  var contextCount = 0
  /// Segments of all paths.
  var segmentCount = 0
  /// The document's own nodes; those of patterns, clips and masks follow.
  var content: Range<Index> = 0..<0
  /// The size in user units.
  var width = 0.0
  var height = 0.0
}

extension RenderTree {
  /// The nodes of the document and of those in its pictures, which are drawn once each.
  var totalNodeCount: Int {
    images.reduce(nodes.count) { count, image in
      if case .document(let document) = image.content { count + document.tree.nodes.count } else { count }
    }
  }

  /// Nodes that are transformed, clipped, masked, blended together.
  struct Group: Sendable {
    /// From the group's user space to its parent's.
    var transform = AffineTransform.identity
    var opacity = 1.0
    var blendMode = BlendMode.normal
    var isIsolated = false
    /// A viewport outside of which nothing shows, in the group's user space.
    var clipRect: Rect?
    var clip: Index?
    var mask: Index?
    /// Applied one after the other, before clip, mask and opacity.
    var filters: [Index] = []
    /// The context that this group's user space and bounds belong to.
    var context: Index?
    /// The box of a text, which is that of its letters' metrics and not of their outlines, in the group's user space.
    var layoutBounds: Rect?
    /// What the descendants cover without and with strokes and filters, in the group's user space.
    var bounds: Rect?
    var strokeBounds: Rect?
    /// What shows of the group: the descendants with strokes, or the region of its filters.
    var visibleBounds: Rect?

    /// Whether the descendants have to be drawn apart before they meet the backdrop.
    var needsLayer: Bool {
      opacity < 1 || blendMode != .normal || isIsolated || mask != nil || !filters.isEmpty
    }
  }

  /// Where colours come from.
  enum PaintSource: Sendable {
    case color(Color)
    case gradient(Index)
    case pattern(Index)
  }

  /// A source with what belongs to the element that named it.
  struct ShapePaint: Sendable {
    var source: PaintSource
    var opacity: Double
    /// The element that the paint server refers to when it is not the shape itself.
    var context: Index?
    /// What to paint where the server cannot, for want of a bounding box.
    var fallback: Color?
  }

  struct Shape: Sendable {
    var path: Path
    /// From the shape's user space to its parent's.
    var transform: AffineTransform
    var fill: ShapePaint?
    var fillRule: Fill.Rule
    var stroke: ShapePaint?
    var strokeStyle: StrokeStyle
    var isStrokeFirst: Bool
    var isAntialiased: Bool
    /// The context that this shape's user space and bounds belong to.
    var context: Index?
    /// The path's bounds in its user space.
    var bounds: Rect?
    /// Whether the stroke is as wide in the document's units as it says, whatever the transforms.
    var hasFixedStroke = false
    /// User units for a unit of the stroke's width: 1 unless the stroke is fixed.
    var strokeUnit = 1.0
  }

  struct ImageNode: Sendable {
    enum Content: Sendable {
      case bitmap(Layer)
      case document(SVGDocument)
    }

    var content: Content
    /// From the picture's pixels or user units to the parent's user space.
    var transform: AffineTransform
    /// The part that shows, in the parent's user space.
    var clip: Rect
    /// The rectangle that the picture is fitted into, which is its bounding box, in the parent's user space.
    var bounds: Rect
    var isSmooth: Bool
  }

  /// Whether numbers are fractions of a bounding box.
  enum Units: Sendable {
    case userSpace
    case boundingBox
  }

  struct GradientResource: Sendable {
    enum Geometry: Sendable {
      case linear(Point, Point)
      case radial(center: Point, radius: Double, focus: Point, focusRadius: Double)
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
    /// The clip of the clip.
    var clip: Index?
    var content: Range<Index> = 0..<0
  }

  struct MaskResource: Sendable {
    var rect: Rect
    var units: Units
    var contentUnits: Units
    var source: Mask.Source
    /// The mask of the mask.
    var mask: Index?
    var content: Range<Index> = 0..<0
  }
}
