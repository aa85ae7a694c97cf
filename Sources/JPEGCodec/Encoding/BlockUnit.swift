// The blocks of an MCU, and their transform.

/// A block of an MCU.
struct BlockUnit {
  var component: Int
  var table: Int
  /// The block's column in the MCU.
  var column: Int
  /// The block's row in the MCU.
  var row: Int
  /// The number of the component's block columns in an MCU.
  var columnCount: Int
  var blocksPerRow: Int
  /// Whether the block row is not entirely below the image.
  var hasSamples: Bool
  /// The index of the first sample of the block row.
  var start: Int
  var stride: Int
}

/// The samples of a row of MCUs and the divisors, as constants, so that spans of them need no reference counting.
struct TransformInput {
  private let first: [UInt8]
  private let second: [UInt8]
  private let third: [UInt8]
  private let fourth: [UInt8]
  private let divisors: [UInt16]

  /// - Parameters:
  ///   - bands: the samples of one to four components.
  ///   - divisors: the words of a `BlockQuantizer` for each table.
  init(_ bands: [[UInt8]], divisors: [UInt16]) {
    func band(_ index: Int) -> [UInt8] { index < bands.count ? bands[index] : [] }
    (first, second, third, fourth) = (band(0), band(1), band(2), band(3))
    self.divisors = divisors
  }

  /// Transforms and quantises a block.
  ///
  /// - Parameter column: the column of the block in its row.
  /// - Returns: a bit mask of the nonzero coefficients, in natural order.
  @inline(__always)
  func transform(_ unit: BlockUnit, column: Int, into block: inout MutableSpan<Int16>) -> UInt64 {
    let start = unit.start &+ column &* 8
    let words = divisors.span.extracting(unit.table &* 192..<unit.table &* 192 &+ 192)
    switch unit.component {
    case 0: return forwardDCT(first.span, at: start, stride: unit.stride, divisors: words, into: &block)
    case 1: return forwardDCT(second.span, at: start, stride: unit.stride, divisors: words, into: &block)
    case 2: return forwardDCT(third.span, at: start, stride: unit.stride, divisors: words, into: &block)
    default: return forwardDCT(fourth.span, at: start, stride: unit.stride, divisors: words, into: &block)
    }
  }

  /// Transforms a block without quantising it.
  @inline(__always)
  func transformUnquantized(_ unit: BlockUnit, column: Int, into block: inout MutableSpan<Int16>) {
    let start = unit.start &+ column &* 8
    switch unit.component {
    case 0: forwardDCT(first.span, at: start, stride: unit.stride, into: &block)
    case 1: forwardDCT(second.span, at: start, stride: unit.stride, into: &block)
    case 2: forwardDCT(third.span, at: start, stride: unit.stride, into: &block)
    default: forwardDCT(fourth.span, at: start, stride: unit.stride, into: &block)
    }
  }
}
