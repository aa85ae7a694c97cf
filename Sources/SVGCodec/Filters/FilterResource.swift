// Filters after resolving (Filter Effects 1, section 8): primitives in a flat list, whose inputs are indices of earlier
// ones. Nothing in it needs to be looked up by name or checked again.

internal import VectorGraphics

extension RenderTree {
  /// A `filter` element, or one function of the `filter` property.
  struct FilterResource: Sendable {
    /// What the filter changes; `nil` is not limited.
    var rect: Rect?
    var units: Units
    var primitiveUnits: Units
    /// Whether an element without a bounding box is drawn without the filter, and not left out.
    var isOptional: Bool
    /// How far the filter reaches beyond what it is applied to, where it has no region.
    var overflow = FilterOverflow()
    /// The last one's result is the filter's.
    var primitives: [FilterPrimitive]
    /// The number of primitives and of their inputs.
    var stepCount = 0
  }
}

/// Distances in user space by which pixels move outwards.
struct FilterOverflow: Hashable, Sendable {
  var left = 0.0
  var top = 0.0
  var right = 0.0
  var bottom = 0.0

  /// A blur of a standard deviation, of what was moved and what was not.
  init(moveX: Double = 0, moveY: Double = 0, deviation: Double = 0) {
    // Where bell curves end for pixels of 8 bits, with some room for the boxes that stand for them.
    let reach = 4 * deviation
    left = reach + max(0, -moveX)
    top = reach + max(0, -moveY)
    right = reach + max(0, moveX)
    bottom = reach + max(0, moveY)
  }

  /// What shows of a rectangle.
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

/// Where a primitive takes pixels from.
enum FilterInput: Hashable, Sendable {
  /// The element, as drawn without filter.
  case sourceGraphic
  /// Its alpha, in black.
  case sourceAlpha
  /// What an earlier primitive made.
  case result(Int)
}

/// The part of the filter region that a primitive may change; what is `nil` is the region's.
struct FilterSubregion: Hashable, Sendable {
  var x: Double?
  var y: Double?
  var width: Double?
  var height: Double?

  /// Whether nothing can be inside.
  var isEmpty: Bool { !((width ?? 1) > 0 && (height ?? 1) > 0) }
}

extension RenderTree.FilterResource {
  /// The filter region in the user space of an element; `nil` for one without the bounding box that the filter needs.
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
  /// A rectangle that is given in fractions of this one.
  func part(_ fractions: Rect) -> Rect {
    Rect(
      x: x + fractions.x * width, y: y + fractions.y * height, width: fractions.width * width,
      height: fractions.height * height)
  }
}
