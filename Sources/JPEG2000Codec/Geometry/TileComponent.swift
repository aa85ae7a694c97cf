// The resolutions and sub-bands of a tile's component (ITU-T T.800, B.3 to B.7).

internal import ImageCoding

/// The part of a component in a tile.
struct TileComponent: Sendable {
  let index: Int
  let style: ComponentCodingStyle
  /// The shift of the region of interest.
  let regionShift: Int
  /// The samples that the tile has of the component.
  let area: GridArea
  /// The resolutions, from the lowest.
  private(set) var resolutions: [Resolution] = []

  /// The number of bytes of a resolution with its bands, at most.
  private static let resolutionByteCount = MemoryLayout<Resolution>.stride + 3 * MemoryLayout<Subband>.stride + 64

  /// Calculates the areas, which are charged before.
  init(
    _ index: Int, _ tile: GridArea, _ component: CodestreamSize.Component, _ style: ComponentCodingStyle,
    _ quantization: Quantization, regionShift: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    self.index = index
    self.style = style
    self.regionShift = regionShift
    area = tile.divided(x: component.dx, y: component.dy)
    let count = style.levelCount + 1
    try budget.allocate(count * Self.resolutionByteCount)
    try budget.chargeWork(count * 100)
    for resolution in 0..<count {
      resolutions.append(
        try Resolution(resolution, area, style, quantization, depth: component.depth, budget: &budget))
    }
  }
}

/// A resolution of a tile's component.
struct Resolution: Sendable {
  /// The samples on the grid of the resolution.
  let area: GridArea
  /// The binary logarithms of the size of precincts.
  let precinctWidthExponent: Int
  let precinctHeightExponent: Int
  let precinctsWide: Int
  let precinctsHigh: Int
  /// The bands that the resolution adds to the one below: LL, or HL, LH and HH.
  let bands: [Subband]

  var precinctCount: Int { precinctsWide * precinctsHigh }
  /// The column and the row of the first precinct on the grid of precincts.
  var firstPrecinctX: Int64 { area.x0 >> Int64(precinctWidthExponent) }
  var firstPrecinctY: Int64 { area.y0 >> Int64(precinctHeightExponent) }

  fileprivate init(
    _ resolution: Int, _ component: GridArea, _ style: ComponentCodingStyle, _ quantization: Quantization, depth: Int,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    area = component.reduced(by: style.levelCount - resolution)
    (precinctWidthExponent, precinctHeightExponent) = style.precinctExponents(resolution: resolution)
    var (wide, high) = (Int64(0), Int64(0))
    if !area.isEmpty {
      wide = area.x1.dividedUp(by: 1 << Int64(precinctWidthExponent)) - area.x0 >> Int64(precinctWidthExponent)
      high = area.y1.dividedUp(by: 1 << Int64(precinctHeightExponent)) - area.y0 >> Int64(precinctHeightExponent)
    }
    let (count, overflow) = wide.multipliedReportingOverflow(by: high)
    guard !overflow, count <= Int64(Int32.max) else {
      throw CodecError(
        .limitExceeded, "there are \(wide) × \(high) precincts", format: JPEG2000Decoder.type, limit: .memory)
    }
    (precinctsWide, precinctsHigh) = (Int(wide), Int(high))
    let levels = resolution == 0 ? style.levelCount : style.levelCount - resolution + 1
    let orientations: [Subband.Orientation] = resolution == 0 ? [.ll] : [.hl, .lh, .hh]
    var bands: [Subband] = []
    for (index, orientation) in orientations.enumerated() {
      let step = quantization.step(resolution: resolution, band: index) ?? Quantization.Step(exponent: 0, mantissa: 0)
      // Bands have half the size of the resolution that they belong to, except for the lowest.
      let halving = resolution == 0 ? 0 : 1
      bands.append(
        Subband(
          orientation: orientation,
          area: component.band(levels: levels, isHighX: orientation.isHighX, isHighY: orientation.isHighY),
          cellWidthExponent: precinctWidthExponent - halving, cellHeightExponent: precinctHeightExponent - halving,
          blockWidthExponent: min(style.blockWidthExponent, precinctWidthExponent - halving),
          blockHeightExponent: min(style.blockHeightExponent, precinctHeightExponent - halving),
          planeCount: quantization.guardBitCount + step.exponent - 1,
          stepSize: Self.stepSize(step, depth: depth + orientation.gain)))
    }
    self.bands = bands
  }

  private static func stepSize(_ step: Quantization.Step, depth: Int) -> Float {
    Float(sign: .plus, exponent: depth - step.exponent, significand: 1 + Float(step.mantissa) / 2048)
  }
}

/// A sub-band of a tile's component.
struct Subband: Sendable {
  /// The frequencies of the rows, then of the columns: L are low ones, H high ones.
  enum Orientation: Sendable {
    case ll
    case hl
    case lh
    case hh

    var isHighX: Bool { self == .hl || self == .hh }
    var isHighY: Bool { self == .lh || self == .hh }
    /// The binary logarithm of the gain of the transform.
    var gain: Int { (isHighX ? 1 : 0) + (isHighY ? 1 : 0) }
  }

  let orientation: Orientation
  /// The coefficients on the grid of the band.
  let area: GridArea
  /// The binary logarithms of the size of a precinct in the band.
  let cellWidthExponent: Int
  let cellHeightExponent: Int
  /// The binary logarithms of the size of code-blocks.
  let blockWidthExponent: Int
  let blockHeightExponent: Int
  /// The number of magnitude bit-planes (Mb), without those of a region of interest.
  let planeCount: Int
  /// The size of a quantisation step.
  let stepSize: Float

  /// The part of a precinct in the band.
  func cell(precinctX: Int64, precinctY: Int64) -> GridArea {
    let (width, height) = (Int64(1) << Int64(cellWidthExponent), Int64(1) << Int64(cellHeightExponent))
    return GridArea(
      x0: precinctX * width, y0: precinctY * height, x1: (precinctX + 1) * width, y1: (precinctY + 1) * height
    ).intersection(area)
  }
}
