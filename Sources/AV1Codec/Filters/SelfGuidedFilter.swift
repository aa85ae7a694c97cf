// The self-guided filter (sections 7.17.2 and 7.17.3).

/// `Sgr_Params`: the radius and the strength of both passes of each set.
private let selfGuidedSets: InlineArray<64, UInt8> = [
  2, 12, 1, 4, 2, 15, 1, 6, 2, 18, 1, 8, 2, 21, 1, 9, 2, 24, 1, 10, 2, 29, 1, 11, 2, 36, 1, 12, 2, 45, 1, 13,
  2, 56, 1, 14, 2, 68, 1, 15, 0, 0, 1, 5, 0, 0, 1, 8, 0, 0, 1, 11, 0, 0, 1, 14, 2, 30, 0, 0, 2, 75, 0, 0,
]

/// The radius of a pass of a set; 0 if the set does not have the pass.
func selfGuidedRadius(_ set: Int, pass: Int) -> Int { Int(selfGuidedSets[(set & 15) * 4 + pass * 2]) }

/// Working memory of the self-guided filter.
package struct SelfGuidedScratch {
  /// Columns of sums, which extend one column to both sides of a part.
  private static let rowStride = 136
  private static let count = rowStride * 70

  /// Sums of samples and of their squares over rows of a box, then over boxes.
  private var sums = [UInt32](repeating: 0, count: count)
  private var squares = [UInt32](repeating: 0, count: count)
  /// A and B of the specification.
  private var scales = [Int32](repeating: 0, count: count)
  private var offsets = [Int32](repeating: 0, count: count)
  /// The results of both passes.
  private var first = [Int32](repeating: 0, count: count)
  private var second = [Int32](repeating: 0, count: count)

  package init() {}

  static let byteCount = 6 * count * 4

  /// Filters a part of a unit.
  package mutating func filter(
    _ window: Span<UInt16>, _ unit: RestorationUnit, _ block: RestorationBlock, bitDepth: Int,
    _ target: inout [UInt16]
  ) {
    let set = Int(unit.set)
    let (radius0, radius1) = (selfGuidedRadius(set, pass: 0), selfGuidedRadius(set, pass: 1))
    if radius0 > 0 {
      measure(window, block, radius: radius0, strength: Int(selfGuidedSets[set * 4 + 1]), bitDepth: bitDepth)
      combineOddRows(window, block)
    }
    if radius1 > 0 {
      measure(window, block, radius: radius1, strength: Int(selfGuidedSets[set * 4 + 3]), bitDepth: bitDepth)
      combineAllRows(window, block)
    }
    let (w0, w1) = (Int32(unit.weights.x), Int32(unit.weights.y))
    let w2 = 128 &- w0 &- w1
    let maximum = (1 as Int32) &<< Int32(truncatingIfNeeded: bitDepth) &- 1
    let firstResults = first.span
    let secondResults = second.span
    var samples = target.mutableSpan
    for y in 0..<block.height {
      let source = (y &+ RestorationWindow.border) &* RestorationWindow.stride &+ RestorationWindow.border
      let target = block.index &+ y &* block.stride
      let line = y &* Self.rowStride
      for x in 0..<block.width {
        let u = Int32(window[source &+ x]) &<< 4
        var v = w1 &* u &+ 1024
        v &+= w0 &* (radius0 > 0 ? firstResults[line &+ x] : u)
        v &+= w2 &* (radius1 > 0 ? secondResults[line &+ x] : u)
        samples[target &+ x] = UInt16(truncatingIfNeeded: min(max(v &>> 11, 0), maximum))
      }
    }
  }

  /// Computes A and B for a part and one row and column around it.
  private mutating func measure(
    _ window: Span<UInt16>, _ block: RestorationBlock, radius: Int, strength: Int, bitDepth: Int
  ) {
    sumRows(window, block, radius: radius)
    let side = UInt32(truncatingIfNeeded: 2 &* radius &+ 1)
    let n = side &* side
    let scaled = n &* n &* UInt32(truncatingIfNeeded: strength)
    let s = ((1 as UInt32) &<< 20 &+ scaled / 2) / scaled
    let reciprocal = (4096 &+ n / 2) / n
    let shift = UInt32(truncatingIfNeeded: bitDepth &- 8)
    let roundSquare = ((1 as UInt32) &<< (2 &* shift)) &>> 1
    let roundSum = ((1 as UInt32) &<< shift) &>> 1
    let (sumValues, squareValues) = (moved(&sums), moved(&squares))
    var (scaleValues, offsetValues) = (moved(&scales), moved(&offsets))
    defer {
      (sums, squares) = (sumValues, squareValues)
      (scales, offsets) = (scaleValues, offsetValues)
    }
    let rowSums = sumValues.span
    let rowSquares = squareValues.span
    var scaleSpan = scaleValues.mutableSpan
    var offsetSpan = offsetValues.mutableSpan
    // Row 0 of A and B is that above the part; the first pass uses rows above odd ones only.
    let step = radius == 2 ? 2 : 1
    for row in stride(from: 0, to: block.height &+ 2, by: step) {
      // Rows of the window that the box spans.
      let top = row &+ 2 &- radius
      for column in 0..<block.width &+ 2 {
        var (sum, square): (UInt32, UInt32) = (0, 0)
        for line in top...top &+ 2 &* radius {
          sum &+= rowSums[line &* Self.rowStride &+ column]
          square &+= rowSquares[line &* Self.rowStride &+ column]
        }
        let a = (square &+ roundSquare) &>> (2 &* shift)
        let d = (sum &+ roundSum) &>> shift
        let (product, mean) = (a &* n, d &* d)
        let p = product > mean ? product &- mean : 0
        let z = (p &* s &+ 1 &<< 19) &>> 20
        let scale = z >= 255 ? 256 : z == 0 ? 1 : (z &<< 8 &+ z / 2) / (z &+ 1)
        let offset = ((256 &- scale) &* sum &* reciprocal &+ 2048) &>> 12
        scaleSpan[row &* Self.rowStride &+ column] = Int32(truncatingIfNeeded: scale)
        offsetSpan[row &* Self.rowStride &+ column] = Int32(truncatingIfNeeded: offset)
      }
    }
  }

  /// Sums the samples of each row of a box, and their squares, for all rows of the window.
  private mutating func sumRows(_ window: Span<UInt16>, _ block: RestorationBlock, radius: Int) {
    var (sumValues, squareValues) = (moved(&sums), moved(&squares))
    defer { (sums, squares) = (sumValues, squareValues) }
    var sumSpan = sumValues.mutableSpan
    var squareSpan = squareValues.mutableSpan
    for row in 0..<block.height &+ 2 &* RestorationWindow.border {
      let source = row &* RestorationWindow.stride &+ 2 &- radius
      for column in 0..<block.width &+ 2 {
        var (sum, square): (UInt32, UInt32) = (0, 0)
        for offset in 0...2 &* radius {
          let value = UInt32(window[source &+ column &+ offset])
          sum &+= value
          square &+= value &* value
        }
        sumSpan[row &* Self.rowStride &+ column] = sum
        squareSpan[row &* Self.rowStride &+ column] = square
      }
    }
  }

  /// The first pass: even rows use those of A and B above and below, odd rows their own.
  private mutating func combineOddRows(_ window: Span<UInt16>, _ block: RestorationBlock) {
    var values = moved(&first)
    defer { first = values }
    var results = values.mutableSpan
    let scales = scales.span
    let offsets = offsets.span
    for y in 0..<block.height {
      let source = (y &+ RestorationWindow.border) &* RestorationWindow.stride &+ RestorationWindow.border
      // Row y of the part is row y + 1 of A and B.
      let above = y &* Self.rowStride
      let own = above &+ Self.rowStride
      for x in 0..<block.width {
        let sample = Int32(window[source &+ x])
        if y & 1 == 0 {
          let below = above &+ 2 &* Self.rowStride
          let a = Self.line(scales, above &+ x, 5, 6) &+ Self.line(scales, below &+ x, 5, 6)
          let b = Self.line(offsets, above &+ x, 5, 6) &+ Self.line(offsets, below &+ x, 5, 6)
          results[above &+ x] = (a &* sample &+ b &+ 256) &>> 9
        } else {
          let a = Self.line(scales, own &+ x, 5, 6)
          let b = Self.line(offsets, own &+ x, 5, 6)
          results[above &+ x] = (a &* sample &+ b &+ 128) &>> 8
        }
      }
    }
  }

  /// The second pass.
  private mutating func combineAllRows(_ window: Span<UInt16>, _ block: RestorationBlock) {
    var values = moved(&second)
    defer { second = values }
    var results = values.mutableSpan
    let scales = scales.span
    let offsets = offsets.span
    for y in 0..<block.height {
      let source = (y &+ RestorationWindow.border) &* RestorationWindow.stride &+ RestorationWindow.border
      let above = y &* Self.rowStride
      let (own, below) = (above &+ Self.rowStride, above &+ 2 &* Self.rowStride)
      for x in 0..<block.width {
        let sample = Int32(window[source &+ x])
        let a =
          Self.line(scales, above &+ x, 3, 4) &+ Self.line(scales, own &+ x, 4, 4)
          &+ Self.line(scales, below &+ x, 3, 4)
        let b =
          Self.line(offsets, above &+ x, 3, 4) &+ Self.line(offsets, own &+ x, 4, 4)
          &+ Self.line(offsets, below &+ x, 3, 4)
        results[above &+ x] = (a &* sample &+ b &+ 256) &>> 9
      }
    }
  }

  /// The weighted sum of three columns.
  @inline(__always)
  private static func line(_ values: Span<Int32>, _ index: Int, _ outer: Int32, _ inner: Int32) -> Int32 {
    (values[index] &+ values[index &+ 2]) &* outer &+ values[index &+ 1] &* inner
  }
}

/// Moves an array out of a property, so that it can be changed together with others.
private func moved<Element>(_ array: inout [Element]) -> [Element] {
  var result: [Element] = []
  swap(&result, &array)
  return result
}
