// The bands of a tile's component, at the resolutions that are needed.

internal import ImageCoding

/// A component of a tile while it is decoded.
struct ComponentBands<Kind: Wavelet>: Sendable {
  /// The windows of all resolutions that are decoded, from the lowest.
  let windows: [ResolutionWindow]
  /// By resolution and band.
  let blocks: [[BandBlocks]]
  /// The coefficients that have been decoded, likewise.
  private(set) var strips: [[SampleStrips<Kind.Sample>]]
  /// The samples of the highest resolution that has been reconstructed.
  private(set) var lower: SampleStrips<Kind.Sample>
  /// The values that samples can have.
  let range: SampleRange

  /// - Parameters:
  ///   - top: the highest resolution that is needed.
  ///   - wanted: the samples of it that are needed.
  ///   - depth: the number of bits per sample.
  init(
    _ component: TileComponent, top: Int, wanted: GridArea, depth: Int, _ packets: TilePackets,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    range = SampleRange(depth: depth)
    var windows: [ResolutionWindow] = []
    var samples = wanted
    for number in (0...top).reversed() {
      windows.append(ResolutionWindow(component.resolutions[number].area, samples: samples, reach: Kind.stepCount))
      samples = windows[windows.count - 1].lower
    }
    windows.reverse()
    self.windows = windows
    var blocks: [[BandBlocks]] = []
    for number in 0...top {
      var bands: [BandBlocks] = []
      for (index, band) in component.resolutions[number].bands.enumerated() {
        let window =
          number == 0
          ? windows[0].samples
          : windows[number].band(isHighX: band.orientation.isHighX, isHighY: band.orientation.isHighY)
        bands.append(
          try BandBlocks(
            component, band, index: index, packets.resolutions[component.index][number], window: window, &budget))
      }
      blocks.append(bands)
    }
    self.blocks = blocks
    strips = blocks.map { bands in bands.map { SampleStrips($0.grid) } }
    lower = SampleStrips(StripGrid(windows[0].samples, height: 1 << 30))
  }

  /// The number of the highest resolution.
  var top: Int { windows.count - 1 }

  /// A resolution with all that has been decoded for it.
  func level(_ number: Int) -> ResolutionBands<Kind.Sample> {
    ResolutionBands(
      windows[number], lower: number > 1 ? lower : strips[0][0], bands: number == 0 ? [] : strips[number])
  }

  /// Stores the coefficients of a strip.
  mutating func set(_ samples: [Kind.Sample], resolution: Int, band: Int, strip: Int) {
    strips[resolution][band].set(samples, strip: strip)
  }

  /// Stores the samples of a resolution in place of the coefficients that they were reconstructed from, and returns the
  /// number of bytes of the latter.
  mutating func set(_ samples: SampleStrips<Kind.Sample>, resolution number: Int) -> Int {
    var byteCount = number > 1 ? lower.removeRows(above: .max) : strips[0][0].removeRows(above: .max)
    for band in strips[number].indices { byteCount += strips[number][band].removeRows(above: .max) }
    lower = samples
    return byteCount
  }

  /// Returns the strips of a band of the highest resolution that some of its rows depend on.
  func neededStrips(_ rows: Range<Int64>, band: Int) -> Range<Int> {
    let grid = blocks[top][band].grid
    guard grid.count > 0 else { return 0..<0 }
    let needed = neededRows(rows, band: band)
    guard needed.lowerBound < needed.upperBound else { return 0..<0 }
    return grid.index(ofRow: needed.lowerBound)..<grid.index(ofRow: needed.upperBound - 1) + 1
  }

  /// Removes coefficients of the highest resolution that no row from `y` on depends on, and returns the number of their
  /// bytes.
  mutating func removeCoefficients(above y: Int64) -> Int {
    var byteCount = 0
    for band in strips[top].indices where y < windows[top].samples.y1 {
      let rows = neededRows(y..<windows[top].samples.y1, band: band)
      byteCount += strips[top][band].removeRows(above: rows.lowerBound)
    }
    return byteCount
  }

  private func neededRows(_ rows: Range<Int64>, band: Int) -> Range<Int64> {
    guard top > 0 else { return rows }
    let part = GridArea(
      x0: windows[top].samples.x0, y0: rows.lowerBound, x1: windows[top].samples.x1, y1: rows.upperBound)
    // HL has low frequencies of columns.
    let area = ResolutionWindow(windows[top].area, samples: part, reach: Kind.stepCount)
      .band(isHighX: false, isHighY: band > 0)
    return area.y0..<max(area.y0, area.y1)
  }
}
