// Gaussian blur of a layer (Filter Effects 1, section 9.14, knows no SVG): per axis boxes where the curve is wide, the
// curve itself where it is narrow. Only the pixels that the wanted ones depend on are looked at.

package import ImageCore

/// A blur with a standard deviation for each axis.
package struct GaussianBlur: Hashable, Sendable {
  private enum Method: Hashable {
    case none
    case kernel(GaussianKernel)
    case boxes(BoxBlur)

    /// From here on boxes are used.
    static let boxThreshold = 2.0
    /// What is narrower changes nothing.
    static let least = 0.05

    init(_ standardDeviation: Double) {
      if !(standardDeviation >= Self.least) {
        self = .none
      } else if standardDeviation < Self.boxThreshold {
        self = .kernel(GaussianKernel(standardDeviation: standardDeviation))
      } else {
        self = .boxes(BoxBlur(standardDeviation: standardDeviation))
      }
    }

    var reach: Int {
      switch self {
      case .none: 0
      case .kernel(let kernel): kernel.reach
      case .boxes(let boxes): boxes.reach
      }
    }

    func apply(to strip: inout PixelStrip) {
      switch self {
      case .none: break
      case .kernel(let kernel): kernel.apply(to: &strip)
      case .boxes(let boxes): boxes.apply(to: &strip)
      }
    }
  }

  private let horizontal: Method
  private let vertical: Method

  /// - Parameters:
  ///   - x: standard deviation along rows in pixels; what is less than 0.05 does not blur.
  ///   - y: standard deviation along columns.
  package init(x: Double, y: Double) {
    horizontal = Method(x)
    vertical = Method(y)
  }

  /// Whether nothing changes.
  package var isIdentity: Bool { horizontal == .none && vertical == .none }

  /// The pixels on which those of an area depend.
  package func source(of area: PixelRect) -> PixelRect { area.expanded(x: horizontal.reach, y: vertical.reach) }

  /// The pixels that are worked on when the pixels of an area are blurred; as many are held in memory.
  ///
  /// - Parameters:
  ///   - bounds: where there are pixels to be blurred.
  ///   - region: what is outside of it counts as transparent at every step.
  package func work(on bounds: PixelRect, area: PixelRect, region: PixelRect) -> PixelRect {
    // Blurring is symmetric: pixels depend on as many as depend on them.
    source(of: area).intersection(source(of: bounds)).intersection(region)
  }

  /// The blurred pixels of an area. The caller keeps ``work(on:area:region:)`` within its budget.
  ///
  /// - Parameters:
  ///   - layer: the pixels to be blurred; around them there is transparency.
  ///   - area: the pixels that are wanted.
  ///   - region: what is outside of it counts as transparent at every step.
  package func apply(
    to layer: Layer, area: PixelRect, region: PixelRect, interruption: Interruption = Interruption()
  ) throws(DecodeError) -> Layer {
    let work = work(on: layer.bounds, area: area, region: region)
    guard !work.isEmpty, !area.intersection(work).isEmpty else { return Layer(bounds: .empty) }
    var result = layer.extracting(work)
    if horizontal != .none {
      try result.updateStrips(along: .horizontal, interruption) { horizontal.apply(to: &$0) }
    }
    if vertical != .none {
      try result.updateStrips(along: .vertical, interruption) { vertical.apply(to: &$0) }
    }
    let visible = area.intersection(work)
    return visible == work ? result : result.extracting(visible)
  }
}
