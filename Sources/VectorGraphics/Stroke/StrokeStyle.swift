// The style of a stroke.

/// The width, caps, joins and dashes of a stroke, in the units of the path.
package struct StrokeStyle: Hashable, Sendable {
  /// The shape of the ends of open subpaths and dashes.
  package enum Cap: Hashable, Sendable {
    /// Ends exactly at the end point.
    case butt
    /// A semicircle.
    case round
    /// Half of a square.
    case square
  }

  /// The shape of the outer side of a corner.
  package enum Join: Hashable, Sendable {
    /// The edges are extended until they meet; beyond the miter limit, a bevel.
    case miter
    /// The edges are extended until they meet, or up to half the width times the miter limit.
    case miterClip
    /// A circular sector.
    case round
    /// A straight cut.
    case bevel
    /// SVG 2's `arcs`; drawn as `miter`, as the specification allows.
    case arcs
  }

  /// The maximum number of dashes in a path; a path that would have more is drawn solid.
  package static let maximumDashCount = 1_000_000

  /// The distance between the two edges. Nothing is drawn unless it is positive and finite.
  package var width: Double
  /// The shape of the ends of open subpaths and dashes.
  package var cap: Cap
  /// The shape of corners.
  package var join: Join
  /// The maximum ratio of the miter length to the width; at least 1.
  package var miterLimit: Double
  /// Alternating lengths of dashes and gaps; an odd number of entries is repeated once. The stroke is solid if there
  /// are none, if one is negative or not finite, or if all are zero.
  package var dashes: [Double]
  /// The offset into the dash pattern at which a subpath starts. May be negative.
  package var dashOffset: Double

  /// Creates a style; by default a solid stroke of width 1.
  package init(
    width: Double = 1, cap: Cap = .butt, join: Join = .miter, miterLimit: Double = 4, dashes: [Double] = [],
    dashOffset: Double = 0
  ) {
    self.width = width
    self.cap = cap
    self.join = join
    self.miterLimit = miterLimit
    self.dashes = dashes
    self.dashOffset = dashOffset
  }
}
