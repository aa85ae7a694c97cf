// The sizes of blocks (section 6.10.4) and how partitions divide them (section 9.3).

/// A block's columns and rows. The numbers are those of the specification (`BLOCK_4X4` to `BLOCK_64X16`).
package struct BlockSize: Equatable {
  package let rawValue: UInt8

  static let block8x8 = BlockSize(rawValue: 3)
  static let block64x64 = BlockSize(rawValue: 12)
  static let block128x128 = BlockSize(rawValue: 15)

  @inline(__always)
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The size of these logarithms of units of 4 × 4 luma samples, which must differ by two at most.
  @inline(__always)
  package init(log2Columns: Int, log2Rows: Int) {
    rawValue = sizesByLogarithms[(log2Columns &* 6 &+ log2Rows) & 63]
  }

  /// `Mi_Width_Log2` and `Mi_Height_Log2`: the logarithms of units of 4 × 4 luma samples.
  @inline(__always)
  package var log2Columns: Int { Int(blockLog2Columns[Int(rawValue & 31)]) }
  @inline(__always)
  package var log2Rows: Int { Int(blockLog2Rows[Int(rawValue & 31)]) }
  /// `Num_4x4_Blocks_Wide` and `Num_4x4_Blocks_High`.
  @inline(__always)
  var columns: Int { 1 &<< log2Columns }
  @inline(__always)
  var rows: Int { 1 &<< log2Rows }
  /// `Block_Width` and `Block_Height`.
  @inline(__always)
  var width: Int { 4 &<< log2Columns }
  @inline(__always)
  var height: Int { 4 &<< log2Rows }
  /// Whether it has at least eight columns and eight rows, or four of one and sixteen of the other: `BLOCK_8X8` and
  /// those that follow it.
  @inline(__always)
  var isAtLeast8x8: Bool { rawValue >= 3 }

  /// `Max_Tx_Size_Rect`.
  @inline(__always)
  var largestTransform: TransformSize {
    TransformSize(log2Width: min(log2Columns &+ 2, 6), log2Height: min(log2Rows &+ 2, 6))
  }

  /// `Subsampled_Size`: the size of a block's chroma, at least 4 × 4, in its samples.
  @inline(__always)
  func subsampled(_ x: Int, _ y: Int) -> BlockSize {
    BlockSize(log2Columns: max(log2Columns &- x, 0), log2Rows: max(log2Rows &- y, 0))
  }
}

/// The partition of a square block (section 6.10.4).
enum Partition: UInt8 {
  case none
  case horizontal
  case vertical
  case split
  case horizontalA
  case horizontalB
  case verticalA
  case verticalB
  case horizontal4
  case vertical4
}

let blockLog2Columns: InlineArray<32, UInt8> = [
  0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 0, 2, 1, 3, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]
let blockLog2Rows: InlineArray<32, UInt8> = [
  0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5, 2, 0, 3, 1, 4, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]
/// Block sizes by the logarithm of their columns, six for each, and rows. Sizes that do not exist are 0.
private let sizesByLogarithms: InlineArray<64, UInt8> = [
  0, 1, 16, 0, 0, 0,
  2, 3, 4, 18, 0, 0,
  17, 5, 6, 7, 20, 0,
  0, 19, 8, 9, 10, 0,
  0, 0, 21, 11, 12, 13,
  0, 0, 0, 0, 14, 15,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
]
