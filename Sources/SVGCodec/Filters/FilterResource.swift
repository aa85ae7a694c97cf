// Resolved filters (Filter Effects 1, section 8): primitives in a flat list, whose inputs are indices of earlier ones.
// All names are resolved and all values are valid.

internal import VectorGraphics

extension RenderTree {
  /// A `filter` element, or one function of the `filter` property.
  struct FilterResource: Sendable {
    /// The filter region; `nil` if it is unlimited.
    var rect: Rect?
    var units: Units
    var primitiveUnits: Units
    /// Whether an element without a bounding box is drawn without the filter instead of being omitted.
    var isOptional: Bool
    /// The extent of the filter beyond its source, if it has no region.
    var overflow = FilterOverflow()
    /// The primitives, of which the last one yields the filter's result.
    var primitives: [FilterPrimitive]
    /// The number of primitives and of their inputs.
    var stepCount = 0
  }
}

/// Distances in user space by which pixels extend outwards.
struct FilterOverflow: Hashable, Sendable {
  var left = 0.0
  var top = 0.0
  var right = 0.0
  var bottom = 0.0

  /// Creates the overflow of a blur with a standard deviation, of both the moved and the original pixels.
  init(moveX: Double = 0, moveY: Double = 0, deviation: Double = 0) {
    // The extent of a Gaussian at 8 bits per sample, with a margin for its approximation by boxes.
    let reach = 4 * deviation
    left = reach + max(0, -moveX)
    top = reach + max(0, -moveY)
    right = reach + max(0, moveX)
    bottom = reach + max(0, moveY)
  }

  /// Returns a rectangle with the overflow added.
  func expand(_ rect: Rect) -> Rect {
    Rect(x: rect.x - left, y: rect.y - top, width: rect.width + left + right, height: rect.height + top + bottom)
  }
}

/// One step of a filter.
struct FilterPrimitive: Sendable {
  var effect: any FilterEffect
  var subregion: FilterSubregion
  /// Whether the effect works on linear light.
  var usesLinearLight: Bool
}

/// The source of a primitive's pixels.
enum FilterInput: Hashable, Sendable {
  /// The element as drawn without the filter.
  case sourceGraphic
  /// The alpha of the element, in black.
  case sourceAlpha
  /// The result of an earlier primitive.
  case result(Int)
}

/// The part of the filter region that a primitive may change; `nil` values are those of the region.
struct FilterSubregion: Hashable, Sendable {
  var x: Double?
  var y: Double?
  var width: Double?
  var height: Double?

  /// Whether the subregion is empty.
  var isEmpty: Bool { !((width ?? 1) > 0 && (height ?? 1) > 0) }
}

extension RenderTree.FilterResource {
  /// Returns the filter region in the user space of an element; `nil` if the element lacks a required bounding box.
  func region(bounds: Rect?) -> FilterRegion? {
    guard let rect else { return hasArea(bounds) ? .unlimited : nil }
    guard units == .boundingBox else { return .rect(rect) }
    guard let bounds, hasArea(bounds) else { return nil }
    return .rect(bounds.part(rect))
  }

  private func hasArea(_ bounds: Rect?) -> Bool { bounds.map { $0.width > 0 && $0.height > 0 } ?? false }
}

/// A filter region in user space.
enum FilterRegion: Hashable, Sendable {
  case rect(Rect)
  case unlimited
}

extension Rect {
  /// Returns a rectangle given in fractions of this one.
  func part(_ fractions: Rect) -> Rect {
    Rect(
      x: x + fractions.x * width, y: y + fractions.y * height, width: fractions.width * width,
      height: fractions.height * height)
  }
}
