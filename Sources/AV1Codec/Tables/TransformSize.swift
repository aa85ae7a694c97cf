// The sizes and types of transforms (sections 6.10.16, 6.10.19 and 9.3).

/// A transform's columns and rows. The numbers are those of the specification (`TX_4X4` to `TX_64X16`).
package struct TransformSize: Equatable {
  package let rawValue: UInt8

  /// The number of sizes.
  static let count = 19

  static let size4x4 = TransformSize(rawValue: 0)
  static let size32x32 = TransformSize(rawValue: 3)
  static let size64x64 = TransformSize(rawValue: 4)

  @inline(__always)
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The number of the size, as an index.
  var number: Int { Int(rawValue) }

  /// The size of these logarithms, 2…6, which must differ by two at most.
  @inline(__always)
  package init(log2Width: Int, log2Height: Int) {
    rawValue = transformsByLogarithms[(log2Width &* 5 &+ log2Height &- 12) & 31]
  }

  /// `Tx_Width_Log2` and `Tx_Height_Log2`.
  @inline(__always)
  package var log2Width: Int { Int(transformLog2Widths[Int(rawValue & 31)]) }
  @inline(__always)
  package var log2Height: Int { Int(transformLog2Heights[Int(rawValue & 31)]) }
  /// `Tx_Width` and `Tx_Height`.
  @inline(__always)
  package var width: Int { 1 &<< log2Width }
  @inline(__always)
  package var height: Int { 1 &<< log2Height }
  /// The columns and rows in units of 4 × 4 samples.
  @inline(__always)
  var columns: Int { 1 &<< (log2Width &- 2) }
  @inline(__always)
  var rows: Int { 1 &<< (log2Height &- 2) }
  /// `Tx_Size_Sqr` and `Tx_Size_Sqr_Up`: the logarithm of the shorter and of the longer side, minus 2.
  @inline(__always)
  var shorterSide: Int { min(log2Width, log2Height) &- 2 }
  @inline(__always)
  var longerSide: Int { max(log2Width, log2Height) &- 2 }

  /// `Split_Tx_Size`.
  @inline(__always)
  var split: TransformSize {
    let (width, height) = (log2Width, log2Height)
    if width == height { return TransformSize(log2Width: max(width &- 1, 2), log2Height: max(height &- 1, 2)) }
    return width > height
      ? TransformSize(log2Width: width &- 1, log2Height: height)
      : TransformSize(log2Width: width, log2Height: height &- 1)
  }
}

private let transformLog2Widths: InlineArray<32, UInt8> = [
  2, 3, 4, 5, 6, 2, 3, 3, 4, 4, 5, 5, 6, 2, 4, 3, 5, 4, 6, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
]
private let transformLog2Heights: InlineArray<32, UInt8> = [
  2, 3, 4, 5, 6, 3, 2, 4, 3, 5, 4, 6, 5, 4, 2, 5, 3, 6, 4, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
]
/// Transform sizes by the logarithm of their width, five for each, and height. Sizes that do not exist are 0.
private let transformsByLogarithms: InlineArray<32, UInt8> = [
  0, 5, 13, 0, 0,
  6, 1, 7, 15, 0,
  14, 8, 2, 9, 17,
  0, 16, 10, 3, 11,
  0, 0, 18, 12, 4,
  0, 0, 0, 0, 0, 0, 0,
]

/// A one-dimensional transform (section 7.13.2).
enum Transform1D: UInt8 {
  case dct
  case adst
  /// The asymmetric discrete sine transform with its output reversed.
  case flippedADST
  case identity
}

/// A transform's type (`DCT_DCT` to `H_FLIPADST`): one one-dimensional transform for columns, one for rows.
package struct TransformType: Equatable {
  package let rawValue: UInt8

  @inline(__always)
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  static let dct = TransformType(rawValue: 0)
  static let identity = TransformType(rawValue: 9)

  /// The transform of each column.
  @inline(__always)
  var vertical: Transform1D { Transform1D(rawValue: verticalTransforms[Int(rawValue & 15)]) ?? .dct }
  /// The transform of each row.
  @inline(__always)
  var horizontal: Transform1D { Transform1D(rawValue: horizontalTransforms[Int(rawValue & 15)]) ?? .dct }

  /// `get_tx_class`: 0 for both dimensions, 1 (`TX_CLASS_HORIZ`) if only rows are transformed, 2 (`TX_CLASS_VERT`) if
  /// only columns are.
  @inline(__always)
  var coefficientClass: Int { rawValue < 10 ? 0 : rawValue & 1 == 1 ? 1 : 2 }
}

private let verticalTransforms: InlineArray<16, UInt8> = [0, 1, 0, 1, 2, 0, 2, 1, 2, 3, 0, 3, 1, 3, 2, 3]
private let horizontalTransforms: InlineArray<16, UInt8> = [0, 0, 1, 1, 0, 2, 2, 2, 1, 3, 3, 0, 3, 1, 3, 2]

/// The transform types that a block may select (`get_tx_set`).
enum TransformSet {
  /// `Tx_Type_Intra_Inv_Set1`, then of set 2, and those of inter blocks.
  static let intra1: InlineArray<8, UInt8> = [9, 0, 10, 11, 3, 1, 2, 0]
  static let intra2: InlineArray<8, UInt8> = [9, 0, 3, 1, 2, 0, 0, 0]
  static let inter1: InlineArray<16, UInt8> = [9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 4, 5, 3, 6, 7, 8]
  static let inter2: InlineArray<16, UInt8> = [9, 10, 11, 0, 1, 2, 4, 5, 3, 6, 7, 8, 0, 0, 0, 0]

  /// The types in each set, a bit for each.
  static let intra1Members: UInt16 = 0b0000_1110_0000_1111
  static let intra2Members: UInt16 = 0b0000_0010_0000_1111
  static let inter2Members: UInt16 = 0b0000_1111_1111_1111
  static let inter3Members: UInt16 = 0b0000_0010_0000_0001
}
