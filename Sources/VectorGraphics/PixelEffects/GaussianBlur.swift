// Gaussian blur of a layer (Filter Effects 1, section 9.14; independent of SVG). Each axis uses boxes for wide blurs
// and the exact kernel for narrow ones. Only pixels that affect the result are read.

package import ImageCore

/// A blur with a standard deviation for each axis.
package struct GaussianBlur: Hashable, Sendable {
  private enum Method: Hashable {
    case none
    case kernel(GaussianKernel)
    case boxes(BoxBlur)

    /// The standard deviation from which boxes are used.
    static let boxThreshold = 2.0
    /// A smaller standard deviation has no effect.
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
  ///   - x: the standard deviation along rows, in pixels; below 0.05 there is no blur.
  ///   - y: the standard deviation along columns.
  package init(x: Double, y: Double) {
    horizontal = Method(x)
    vertical = Method(y)
  }

  /// Whether the blur has no effect.
  package var isIdentity: Bool { horizontal == .none && vertical == .none }

  /// The pixels on which those of an area depend.
  package func source(of area: PixelRect) -> PixelRect { area.expanded(x: horizontal.reach, y: vertical.reach) }

  /// The pixels processed to blur those of an area, all of which are held in memory.
  ///
  /// - Parameters:
  ///   - bounds: the extent of the pixels to be blurred.
  ///   - region: the area outside of which every step treats pixels as transparent.
  package func work(on bounds: PixelRect, area: PixelRect, region: PixelRect) -> PixelRect {
    // Blurring is symmetric: a pixel depends on exactly the pixels that depend on it.
    source(of: area).intersection(source(of: bounds)).intersection(region)
  }

  /// Returns the blurred pixels of an area. The caller ensures that ``work(on:area:region:)`` is within its budget.
  ///
  /// - Parameters:
  ///   - layer: the pixels to be blurred, surrounded by transparency.
  ///   - area: the pixels to return.
  ///   - region: the area outside of which every step treats pixels as transparent.
  package func apply(
    to layer: Layer, area: PixelRect, region: PixelRect, interruption: Interruption = Interruption()
  ) throws(CodecError) -> Layer {
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
