// The weighted predictor (ISO/IEC 18181-1, H.5.4).

internal import ImageCoding

/// `WPHeader`: the parameters of the weighted predictor.
struct WeightedParameters: Sendable {
  private(set) var p1: Int64 = 16
  private(set) var p2: Int64 = 10
  private(set) var p3: [Int64] = [7, 7, 7, 0, 0]
  private(set) var weights = SIMD4<UInt32>(13, 12, 12, 12)

  init() {}

  init(parsing bits: inout BitReader) throws(CodecError) {
    if try bits.readFlag() { return }
    p1 = Int64(try bits.readInt(5))
    p2 = Int64(try bits.readInt(5))
    for index in p3.indices { p3[index] = Int64(try bits.readInt(5)) }
    for index in 0..<4 { weights[index] = try bits.readBits(4) }
  }
}

/// The errors of four sub-predictors, by which they are weighted, in the row above and in the current one.
struct WeightedErrors: Sendable {
  /// The errors of the sub-predictors in the row above, to each of which that of the current row's sample to the left
  /// is added, and those of the current row.
  var above: [SIMD4<UInt32>]
  var current: [SIMD4<UInt32>]
  /// The signed errors of the predictor.
  var trueAbove: [Int32]
  var trueCurrent: [Int32]

  /// The memory for a channel.
  static func byteCount(width: Int) -> Int { 40 * (width + 2) }

  init(width: Int) {
    above = [SIMD4<UInt32>](repeating: SIMD4(), count: width + 2)
    current = above
    trueAbove = [Int32](repeating: 0, count: width + 2)
    trueCurrent = trueAbove
  }

  /// Moves on to the next row.
  mutating func startRow() {
    swap(&above, &current)
    swap(&trueAbove, &trueCurrent)
  }
}

/// The weighted predictor of a sample. Its errors are passed as spans, so that loops access them without checks of
/// their ownership.
///
/// Arithmetic is that of 64-bit integers; stored errors wrap to 32 bits, as 32-bit samples require.
struct WeightedPrediction: Sendable {
  private let p1: Int64
  private let p2: Int64
  private let p3: (Int64, Int64, Int64, Int64, Int64)
  private let weights: SIMD4<UInt32>
  /// The predictions of the current sample, times eight.
  private var predictions: (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
  private var prediction: Int64 = 0
  /// Property 15 of the current sample: the error of greatest magnitude around it.
  private(set) var largestError: Int32 = 0

  init(_ parameters: WeightedParameters) {
    (p1, p2, weights) = (parameters.p1, parameters.p2, parameters.weights)
    p3 = (parameters.p3[0], parameters.p3[1], parameters.p3[2], parameters.p3[3], parameters.p3[4])
  }

  /// 2²⁴ divided by 1…64.
  static let reciprocals: [UInt32] = (0...64).map { $0 == 0 ? 0 : (1 << 24) / UInt32($0) }

  /// Returns the prediction of a sample, and sets ``largestError``.
  @inline(__always)
  mutating func predict(
    _ neighbours: Neighbours, x: Int, width: Int, above: borrowing MutableSpan<SIMD4<UInt32>>,
    trueAbove: Span<Int32>, trueCurrent: borrowing MutableSpan<Int32>, reciprocals: Span<UInt32>
  ) -> Int64 {
    let right = x &+ 1 >= width ? x : x &+ 1
    let left = x > 0 ? x &- 1 : x
    let errors = above[x] &+ above[left] &+ above[right]
    let trueTop = Int64(trueAbove[x])
    let trueLeft = x > 0 ? Int64(trueCurrent[left]) : 0
    let trueTopLeft = Int64(trueAbove[left])
    let trueTopRight = Int64(trueAbove[right])
    setLargestError(trueLeft, trueTop, trueTopLeft, trueTopRight)

    let n = Int64(neighbours.top) &<< 3
    let w = Int64(neighbours.left) &<< 3
    let ne = Int64(neighbours.topRight) &<< 3
    let nw = Int64(neighbours.topLeft) &<< 3
    let nn = Int64(neighbours.topTop) &<< 3
    let sum = trueLeft &+ trueTop
    let fromErrors = trueTopLeft &* p3.0 &+ trueTop &* p3.1 &+ trueTopRight &* p3.2
    let fromSamples = (nn &- n) &* p3.3 &+ (nw &- w) &* p3.4
    predictions = (
      w &+ ne &- n, n &- (((sum &+ trueTopRight) &* p1) &>> 5), w &- (((sum &+ trueTopLeft) &* p2) &>> 5),
      n &- ((fromErrors &+ fromSamples) &>> 5)
    )
    var average = weightedAverage(errors, reciprocals)
    if (trueTop ^ trueLeft) | (trueTop ^ trueTopLeft) <= 0 {
      average = max(min(w, n, ne), min(average, max(w, n, ne)))
    }
    prediction = average
    return (average &+ 3) &>> 3
  }

  @inline(__always)
  private mutating func setLargestError(_ w: Int64, _ n: Int64, _ nw: Int64, _ ne: Int64) {
    var largest = w
    if n.magnitude > largest.magnitude { largest = n }
    if nw.magnitude > largest.magnitude { largest = nw }
    if ne.magnitude > largest.magnitude { largest = ne }
    largestError = Int32(truncatingIfNeeded: largest)
  }

  @inline(__always)
  private func weightedAverage(_ errors: SIMD4<UInt32>, _ reciprocals: Span<UInt32>) -> Int64 {
    @inline(__always)
    func weight(_ weight: UInt32, _ error: UInt32) -> UInt32 {
      let error = UInt64(error)
      let shift = UInt64(truncatingIfNeeded: max(0, 58 &- (error &+ 1).leadingZeroBitCount))
      let reciprocal = UInt64(reciprocals[Int(truncatingIfNeeded: error &>> shift &+ 1)])
      return 4 &+ UInt32(truncatingIfNeeded: (UInt64(weight) &* reciprocal) &>> shift)
    }
    var (w0, w1) = (weight(weights[0], errors[0]), weight(weights[1], errors[1]))
    var (w2, w3) = (weight(weights[2], errors[2]), weight(weights[3], errors[3]))
    let total = w0 &+ w1 &+ w2 &+ w3
    // The sum of at least 16 is reduced to 16…31.
    let shift = UInt32(truncatingIfNeeded: 27 &- total.leadingZeroBitCount)
    (w0, w1, w2, w3) = (w0 &>> shift, w1 &>> shift, w2 &>> shift, w3 &>> shift)
    let reduced = w0 &+ w1 &+ w2 &+ w3
    var sum = Int64(reduced &>> 1) &- 1
    sum = sum &+ predictions.0 &* Int64(w0) &+ predictions.1 &* Int64(w1)
    sum = sum &+ predictions.2 &* Int64(w2) &+ predictions.3 &* Int64(w3)
    return (sum &* Int64(reciprocals[Int(truncatingIfNeeded: reduced)])) &>> 24
  }

  /// Takes account of the decoded sample.
  @inline(__always)
  func update(
    _ value: Int32, x: Int, above: inout MutableSpan<SIMD4<UInt32>>, current: inout MutableSpan<SIMD4<UInt32>>,
    trueCurrent: inout MutableSpan<Int32>
  ) {
    let exact = Int64(value) &<< 3
    trueCurrent[x] = Int32(truncatingIfNeeded: prediction &- exact)
    @inline(__always)
    func error(_ prediction: Int64) -> UInt32 {
      UInt32(truncatingIfNeeded: ((prediction &- exact).magnitude &+ 3) &>> 3)
    }
    let errors = SIMD4<UInt32>(
      error(predictions.0), error(predictions.1), error(predictions.2), error(predictions.3))
    current[x] = errors
    above[x &+ 1] &+= errors
  }
}
