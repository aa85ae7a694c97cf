// How a path is stroked.

/// Width, caps, joins and dashes of a stroke, in the units of the path.
package struct StrokeStyle: Hashable, Sendable {
  /// The end of an open subpath or of a dash.
  package enum Cap: Hashable, Sendable {
    /// Cut at the end.
    case butt
    /// A half disc.
    case round
    /// Half of a square.
    case square
  }

  /// The outer side of a corner.
  package enum Join: Hashable, Sendable {
    /// The edges are extended until they meet; bevel beyond the miter limit.
    case miter
    /// The edges are extended until they meet or until half the width times the miter limit.
    case miterClip
    /// A sector of a disc.
    case round
    /// Cut straight.
    case bevel
    /// SVG 2's `arcs`; drawn as `miter`, as the specification allows.
    case arcs
  }

  /// The most dashes of one path; a path that would have more gets none.
  package static let maximumDashCount = 1_000_000

  /// The distance between both edges. Nothing is drawn unless it is positive and finite.
  package var width: Double
  /// The ends of open subpaths and of dashes.
  package var cap: Cap
  /// The corners.
  package var join: Join
  /// The largest ratio of a miter's length to the width; at least 1.
  package var miterLimit: Double
  /// Lengths of dashes and gaps in turn; an odd count is taken twice. Solid when empty, when one is negative or not
  /// finite, or when all are zero.
  package var dashes: [Double]
  /// The distance into the dashes at which a subpath starts. May be negative.
  package var dashOffset: Double

  /// Creates a style.
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
