// The drawing of splines (ISO/IEC 18181-1, K.4.4).

internal import ImageCoding

/// Adds the splines of a frame to its colours.
struct SplineStage: Sendable {
  private let dictionary: SplineDictionary
  private let correlation: ColorCorrelation
  private let colorCount: Int

  /// The greatest length of all curves, in relation to the size of the frame and at least.
  private static let maximumLength: (perSample: Float, minimum: Float) = (8, 1_048_576)

  init(_ dictionary: SplineDictionary, _ correlation: ColorCorrelation, colorCount: Int) {
    (self.dictionary, self.correlation, self.colorCount) = (dictionary, correlation, colorCount)
  }

  /// A dot of a curve, and the samples that it changes.
  struct Dot: Sendable {
    fileprivate var position: SIMD2<Float>
    fileprivate var color: SIMD3<Float>
    fileprivate var sigma: Float
    fileprivate var columns: Range<Int>
    private(set) var rows: Range<Int>
  }

  /// Adds all splines to a whole frame.
  func run(on frame: inout RenderedFrame, budget: inout ResourceBudget) throws(CodecError) {
    let size = PixelSize(width: frame.width, height: frame.height)
    try forEachDot(size, &budget) { (dot, budget) throws(CodecError) in
      try draw(dot, on: &frame, x: 0, y: 0, &budget)
    }
  }

  /// Adds dots to a part of a frame, whose place is given.
  func draw(
    _ dots: [Dot], on part: inout RenderedFrame, x: Int, y: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWorkInParts(count: dots.count, unitsEach: 4)
    for dot in dots { try draw(dot, on: &part, x: x, y: y, &budget) }
  }

  /// Returns the dots of all splines, in the order in which they are added. Their memory is charged.
  func dots(_ size: PixelSize, budget: inout ResourceBudget) throws(CodecError) -> [Dot] {
    var dots: [Dot] = []
    try forEachDot(size, &budget) { (dot, budget) throws(CodecError) in
      try budget.allocate(MemoryLayout<Dot>.stride)
      dots.append(dot)
    }
    return dots
  }

  private func forEachDot(
    _ size: PixelSize, _ budget: inout ResourceBudget,
    _ body: (Dot, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    var total: Float = 0
    let limit = max(Float(size.width) * Float(size.height) * Self.maximumLength.perSample, Self.maximumLength.minimum)
    for spline in dictionary.splines {
      let curve = SplineCurve(spline, adjustment: dictionary.quantizationAdjustment, correlation)
      guard !curve.hasRepeatedPoints else { throw CodecError(malformed: "consecutive points of a spline are equal") }
      total += curve.lengthBound
      guard total <= limit else { throw CodecError(malformed: "the splines of a frame are too long") }
      // Each place needs 124 cosines.
      let places = Int(min(curve.lengthBound, 1e9))
      try budget.chargeWorkInParts(count: places, unitsEach: 4000)
      let (byteCount, isHuge) = (places + 16 * spline.points.count).multipliedReportingOverflow(by: 24)
      try budget.allocate(isHuge ? .max : byteCount)
      try forEachDot(curve, size, &budget, body)
      budget.release(byteCount)
    }
  }

  private func forEachDot(
    _ curve: SplineCurve, _ size: PixelSize, _ budget: inout ResourceBudget,
    _ body: (Dot, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    let places = curve.places()
    let length = Float(places.count - 2) + (places.last?.length ?? 0)
    guard length > 0 else { return }
    for (index, place) in places.enumerated() {
      let progress = min(1, Float(index) / length)
      let values = curve.values(at: 31 * progress)
      let sigma = values.w
      let color = SIMD3(values.x, values.y, values.z) * place.length
      guard sigma.isFinite, sigma != 0, color.x.isFinite, color.y.isFinite, color.z.isFinite, (1 / sigma).isFinite
      else { continue }
      let strongest = max(0.01, max(abs(color.x), max(abs(color.y), abs(color.z))))
      let reach = 2 * (3 * Float(2.302585093) + Float(ElementaryFunctions.logarithm(Double(strongest))))
      let radius = abs(sigma) * max(reach, 0).squareRoot()
      func range(_ center: Float, _ count: Int) -> Range<Int> {
        let low = max(0, min((center - radius + 0.5).rounded(.down), Float(count)))
        let high = max(low, min((center + radius + 1.5).rounded(.down), Float(count)))
        return Int(low)..<Int(high)
      }
      let (columns, rows) = (range(place.position.x, size.width), range(place.position.y, size.height))
      guard !columns.isEmpty, !rows.isEmpty else { continue }
      try body(Dot(position: place.position, color: color, sigma: sigma, columns: columns, rows: rows), &budget)
    }
  }

  /// Adds the samples of a dot that are in a part of a frame.
  private func draw(
    _ dot: Dot, on part: inout RenderedFrame, x left: Int, y top: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let columns = dot.columns.clamped(to: left..<left + part.width)
    for y in dot.rows.clamped(to: top..<top + part.height) where !columns.isEmpty {
      try budget.chargeWork(count: columns.count, unitsEach: 60)
      for x in columns {
        let offset = SIMD2(Float(x), Float(y)) - dot.position
        let distance = (offset.x * offset.x + offset.y * offset.y).squareRoot()
        let outer = ErrorFunction.value((0.5 * distance + 0.35355339) / dot.sigma)
        let factor = outer - ErrorFunction.value((0.5 * distance - 0.35355339) / dot.sigma)
        let intensity = 0.25 * dot.sigma * factor * factor
        let place = (y - top) * part.width + x - left
        for plane in 0..<colorCount { part.planes[plane][place] += dot.color[plane] * intensity }
      }
    }
  }
}

/// The error function.
enum ErrorFunction {
  /// Returns the integral of the normal distribution, approximated as in the reference decoder, to about three digits
  /// (Abramowitz and Stegun, 7.1.27).
  static func value(_ x: Float) -> Float {
    let z = abs(x)
    let sum = (((0.0777394369 * z + 0.000205260015) * z + 0.232120216) * z + 0.277820801) * z + 1
    let square = sum * sum
    let result = 1 - 1 / (square * square)
    return x < 0 ? -result : result
  }
}
