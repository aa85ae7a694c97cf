// The blocks of a VarDCT frame and their groups.

internal import ImageCoding

/// The grid of the blocks of 8 × 8 samples, and the reduction of the channels.
struct BlockGrid: Sendable {
  /// The size in blocks. It is a multiple of the largest sampling factor, also if all channels have this factor.
  let columns: Int
  let rows: Int
  /// The binary logarithms of the factors by which the channels X (or Cb), Y and B (or Cr) are reduced.
  let horizontalShifts: [Int]
  let verticalShifts: [Int]
  private let layout: FrameLayout

  /// The binary logarithm of the blocks per side of a group, and of a low-frequency group.
  static let groupShift = 5
  static let lowFrequencyGroupShift = 8
  /// The binary logarithm of the blocks per side of a tile with one correlation of colours.
  static let tileShift = 3

  init(_ header: FrameHeader, _ layout: FrameLayout) {
    self.layout = layout
    let (horizontal, vertical) = (header.horizontalSamplingShifts, header.verticalSamplingShifts)
    let (right, bottom) = (horizontal.max() ?? 0, vertical.max() ?? 0)
    horizontalShifts = horizontal.map { right - $0 }
    verticalShifts = vertical.map { bottom - $0 }
    func blocks(_ length: Int, _ shift: Int) -> Int { ((length - 1) >> (3 + shift) + 1) << shift }
    columns = blocks(layout.size.width, right)
    rows = blocks(layout.size.height, bottom)
  }

  var isReduced: Bool { horizontalShifts.contains { $0 > 0 } || verticalShifts.contains { $0 > 0 } }
  var blockCount: Int { columns * rows }

  /// The size of a channel in blocks.
  func columns(_ channel: Int) -> Int { columns >> horizontalShifts[channel] }
  func rows(_ channel: Int) -> Int { rows >> verticalShifts[channel] }

  /// Whether a channel has a block at a place of a group; reduced channels have fewer.
  @inline(__always)
  func hasBlock(_ channel: Int, x: Int, y: Int) -> Bool {
    x & (1 << horizontalShifts[channel] - 1) == 0 && y & (1 << verticalShifts[channel] - 1) == 0
  }

  /// The blocks of a group.
  func region(ofGroup group: Int) -> PixelRegion { region(group, layout.groupColumns, Self.groupShift) }

  /// The blocks of a low-frequency group.
  func region(ofLowFrequencyGroup group: Int) -> PixelRegion {
    region(group, layout.lowFrequencyColumns, Self.lowFrequencyGroupShift)
  }

  private func region(_ group: Int, _ groupColumns: Int, _ shift: Int) -> PixelRegion {
    let (row, column) = group.quotientAndRemainder(dividingBy: groupColumns)
    let (x, y) = (column << shift, row << shift)
    return PixelRegion(x: x, y: y, width: min(1 << shift, columns - x), height: min(1 << shift, rows - y))
  }
}
