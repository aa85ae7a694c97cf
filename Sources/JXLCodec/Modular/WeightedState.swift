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

/// The errors of four sub-predictors in the row above and in the current one, by which they are weighted.
///
/// Arithmetic is that of 64-bit integers; stored errors wrap to 32 bits, as 32-bit samples require.
struct WeightedState: Sendable {
  private let width: Int
  private let p1: Int64
  private let p2: Int64
  private let p3: (Int64, Int64, Int64, Int64, Int64)
  private let weights: SIMD4<UInt32>
  /// The errors of the sub-predictors in the row above, to each of which that of the current row's sample to the left
  /// is added, and those of the current row.
  private var aboveErrors: [SIMD4<UInt32>]
  private var currentErrors: [SIMD4<UInt32>]
  /// The signed errors of the predictor.
  private var aboveTrueErrors: [Int32]
  private var currentTrueErrors: [Int32]
  /// The predictions of the current sample, times eight.
  private var predictions = SIMD4<Int64>()
  private var prediction: Int64 = 0
  /// Property 15 of the current sample: the error of greatest magnitude around it.
  private(set) var largestError: Int32 = 0

  /// The memory for a channel.
  static func byteCount(width: Int) -> Int { 40 * (width + 2) }

  init(_ parameters: WeightedParameters, width: Int) {
    self.width = width
    (p1, p2, weights) = (parameters.p1, parameters.p2, parameters.weights)
    p3 = (parameters.p3[0], parameters.p3[1], parameters.p3[2], parameters.p3[3], parameters.p3[4])
    aboveErrors = [SIMD4<UInt32>](repeating: SIMD4(), count: width + 2)
    currentErrors = aboveErrors
    aboveTrueErrors = [Int32](repeating: 0, count: width + 2)
    currentTrueErrors = aboveTrueErrors
  }

  /// Moves on to the next row.
  mutating func startRow() {
    swap(&aboveErrors, &currentErrors)
    swap(&aboveTrueErrors, &currentTrueErrors)
  }

  /// 2²⁴ divided by 1…64.
  private static let reciprocals: [UInt32] = (0...64).map { $0 == 0 ? 0 : (1 << 24) / UInt32($0) }

  /// Returns the prediction of a sample, and sets ``largestError``.
  @inline(__always)
  mutating func predict(_ neighbours: Neighbours, x: Int) -> Int64 {
    let isLast = x &+ 1 >= width
    let errors =
      aboveErrors[x] &+ aboveErrors[x > 0 ? x &- 1 : x] &+ aboveErrors[isLast ? x : x &+ 1]
    let trueTop = Int64(aboveTrueErrors[x])
    let trueLeft = x > 0 ? Int64(currentTrueErrors[x &- 1]) : 0
    let trueTopLeft = x > 0 ? Int64(aboveTrueErrors[x &- 1]) : trueTop
    let trueTopRight = isLast ? trueTop : Int64(aboveTrueErrors[x &+ 1])
    setLargestError(trueLeft, trueTop, trueTopLeft, trueTopRight)

    let n = Int64(neighbours.top) &<< 3
    let w = Int64(neighbours.left) &<< 3
    let ne = Int64(neighbours.topRight) &<< 3
    let nw = Int64(neighbours.topLeft) &<< 3
    let nn = Int64(neighbours.topTop) &<< 3
    let sum = trueLeft &+ trueTop
    let last =
      (trueTopLeft &* p3.0 &+ trueTop &* p3.1 &+ trueTopRight &* p3.2 &+ (nn &- n) &* p3.3 &+ (nw &- w) &* p3.4) &>> 5
    predictions = SIMD4(
      w &+ ne &- n, n &- (((sum &+ trueTopRight) &* p1) &>> 5), w &- (((sum &+ trueTopLeft) &* p2) &>> 5), n &- last)
    var average = weightedAverage(errors)
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
  private func weightedAverage(_ errors: SIMD4<UInt32>) -> Int64 {
    let reciprocals = Self.reciprocals
    @inline(__always)
    func weight(_ index: Int) -> UInt32 {
      let error = UInt64(errors[index])
      let shift = UInt64(max(0, 58 &- (error &+ 1).leadingZeroBitCount))
      let reciprocal = UInt64(reciprocals[Int(truncatingIfNeeded: error &>> shift &+ 1)])
      return 4 &+ UInt32(truncatingIfNeeded: (UInt64(weights[index]) &* reciprocal) &>> shift)
    }
    var (w0, w1, w2, w3) = (weight(0), weight(1), weight(2), weight(3))
    let total = w0 &+ w1 &+ w2 &+ w3
    // The sum of at least 16 is reduced to 16…31.
    let shift = UInt32(truncatingIfNeeded: 27 &- total.leadingZeroBitCount)
    (w0, w1, w2, w3) = (w0 &>> shift, w1 &>> shift, w2 &>> shift, w3 &>> shift)
    let reduced = w0 &+ w1 &+ w2 &+ w3
    var sum = Int64(reduced &>> 1) &- 1
    sum = sum &+ predictions[0] &* Int64(w0) &+ predictions[1] &* Int64(w1)
    sum = sum &+ predictions[2] &* Int64(w2) &+ predictions[3] &* Int64(w3)
    return (sum &* Int64(reciprocals[Int(truncatingIfNeeded: reduced)])) &>> 24
  }

  /// Takes account of the decoded sample.
  @inline(__always)
  mutating func update(_ value: Int32, x: Int) {
    let exact = Int64(value) &<< 3
    currentTrueErrors[x] = Int32(truncatingIfNeeded: prediction &- exact)
    @inline(__always)
    func error(_ index: Int) -> UInt32 {
      UInt32(truncatingIfNeeded: ((predictions[index] &- exact).magnitude &+ 3) &>> 3)
    }
    let errors = SIMD4<UInt32>(error(0), error(1), error(2), error(3))
    currentErrors[x] = errors
    aboveErrors[x &+ 1] &+= errors
  }
}
