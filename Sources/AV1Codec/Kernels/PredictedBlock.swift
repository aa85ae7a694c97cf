// The memory of prediction kernels: a block among the samples, and the row or column of its neighbours.

internal import VectorLanes

/// The location of a predicted block.
package struct PredictedBlock {
  /// The index of the first sample.
  let index: Int
  let stride: Int
  let log2Width: Int
  let log2Height: Int

  package init(index: Int, stride: Int, log2Width: Int, log2Height: Int) {
    (self.index, self.stride, self.log2Width, self.log2Height) = (index, stride, log2Width, log2Height)
  }

  @inline(__always)
  var width: Int { 1 &<< log2Width }
  @inline(__always)
  var height: Int { 1 &<< log2Height }

  /// Calls a function with the rows of the block.
  @inline(__always)
  func withRows(_ samples: inout MutableSpan<UInt16>, _ body: (BlockRows) -> Void) {
    precondition(
      log2Width >= 2 && log2Width <= 6 && log2Height >= 2 && log2Height <= 6 && index >= 0 && stride >= width
        && stride < 1 << 24 && index <= samples.count &- (height &- 1) &* stride &- width, "the block is present")
    // SAFETY: all rows of the block are in the samples by the precondition.
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      unsafe body(BlockRows(base + index, pitch: stride &* 2, width: width, height: height))
    }
  }
}

/// The rows of a block, which are written in groups of eight columns, or of four if it has no more.
@safe struct BlockRows {
  private let base: UnsafeMutableRawPointer
  private let pitch: Int
  let width: Int
  let height: Int

  @inline(__always)
  @unsafe fileprivate init(_ first: UnsafeMutablePointer<UInt16>, pitch: Int, width: Int, height: Int) {
    unsafe base = UnsafeMutableRawPointer(first)
    (self.pitch, self.width, self.height) = (pitch, width, height)
  }

  // SAFETY of both: rows are less than the height and columns are multiples of 8 less than the width, of which all
  // callers' loops are made.

  @inline(__always)
  func store(_ values: Int16x8, row: Int, column: Int) {
    let target = unsafe base + (row &* pitch &+ column &* 2)
    if width == 4 {
      unsafe target.storeBytes(of: values.lowHalf, as: SIMD4<Int16>.self)
    } else {
      unsafe target.storeBytes(of: values, as: Int16x8.self)
    }
  }

  @inline(__always)
  func load(row: Int, column: Int) -> Int16x8 {
    let source = unsafe base + (row &* pitch &+ column &* 2)
    if width == 4 {
      return unsafe Int16x8(lowHalf: source.loadUnaligned(as: SIMD4<Int16>.self), highHalf: SIMD4())
    }
    return unsafe source.loadUnaligned(as: Int16x8.self)
  }

  // SAFETY of both: columns are multiples of 4 less than the width.

  @inline(__always)
  func storeFour(_ values: SIMD4<Int16>, row: Int, column: Int) {
    unsafe (base + (row &* pitch &+ column &* 2)).storeBytes(of: values, as: SIMD4<Int16>.self)
  }

  @inline(__always)
  func loadFour(row: Int, column: Int) -> SIMD4<Int16> {
    unsafe (base + (row &* pitch &+ column &* 2)).loadUnaligned(as: SIMD4<Int16>.self)
  }
}

/// One row or column of neighbours, the corner at index −1.
@safe struct EdgeSamples {
  private let base: UnsafePointer<UInt16>

  /// Samples before index 0.
  static let origin = 16
  /// Samples from the first one on.
  static let count = 320

  @inline(__always)
  @unsafe private init(_ first: UnsafePointer<UInt16>) {
    unsafe base = first + Self.origin
  }

  /// Calls a function with the samples of an edge.
  @inline(__always)
  static func with(_ samples: Span<UInt16>, _ body: (EdgeSamples) -> Void) {
    precondition(samples.count >= count, "the edge is complete")
    unsafe samples.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      unsafe body(EdgeSamples(base))
    }
  }

  // SAFETY of both: indices are limited to those of the edge.

  @inline(__always)
  subscript(index: Int) -> Int {
    unsafe Int(base[min(max(index, 0 &- Self.origin), Self.count &- Self.origin &- 1)])
  }

  /// Loads eight samples.
  @inline(__always)
  func load(_ index: Int) -> Int16x8 {
    let first = min(max(index, 0 &- Self.origin), Self.count &- Self.origin &- 8)
    return unsafe UnsafeRawPointer(base + first).loadUnaligned(as: Int16x8.self)
  }

  /// The sum of the first samples, a multiple of four.
  @inline(__always)
  func sum(_ count: Int) -> Int {
    var sums = Int32x4()
    var index = 0
    while index &+ 8 <= count {
      sums &+= multiplyAddPairs(load(index), Int16x8(repeating: 1))
      index &+= 8
    }
    if index < count { sums &+= multiplyAddPairs(load(index), Int16x8(1, 1, 1, 1, 0, 0, 0, 0)) }
    return Int(sums[0] &+ sums[1] &+ sums[2] &+ sums[3])
  }
}
