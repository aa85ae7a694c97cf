// Splines: coloured curves that are added to a frame (ISO/IEC 18181-1, K.4).

internal import ImageCoding

/// The quantised splines of a frame.
struct SplineDictionary: Sendable {
  /// A quantised spline.
  struct Spline: Sendable {
    /// The control points in samples.
    var points: [SIMD2<Int64>]
    /// The coefficients of X, Y, B and of the width along the curve, 32 of each.
    var coefficients: [[Int32]]
  }

  private(set) var splines: [Spline] = []
  private(set) var quantizationAdjustment: Int32 = 0

  private static let maximumSplineCount = 1 << 24
  private static let maximumPointCount = 1 << 20
  private static let maximumCoordinate: Int64 = 1 << 23

  init(
    parsing bits: inout BitReader, size: PixelSize, budget: inout ResourceBudget
  ) throws(CodecError) {
    let code = try EntropyCode(parsing: &bits, contextCount: 6, budget: &budget)
    var symbols = SymbolReader(&bits, code)
    let area = UInt64(size.width) * UInt64(size.height)
    let maximumPointCount = Int(min(UInt64(Self.maximumPointCount), area / 2 + 16))
    let splineCount = 1 + UInt64(symbols.read(context: 2, code, &bits))
    guard splineCount <= min(Self.maximumSplineCount, maximumPointCount) else {
      throw bits.error(.malformed, "a frame has \(splineCount) splines")
    }
    var starts: [SIMD2<Int64>] = []
    for index in 0..<Int(splineCount) {
      try budget.chargeWork(30, byteOffset: bits.byteOffset)
      try budget.allocate(16)
      let (x, y) = (symbols.read(context: 1, code, &bits), symbols.read(context: 1, code, &bits))
      if index == 0 {
        starts.append(try Self.checked(SIMD2(Int64(x), Int64(y)), bits))
      } else {
        let previous = starts[index - 1]
        starts.append(try Self.checked(previous &+ SIMD2(Int64(unpackSigned(x)), Int64(unpackSigned(y))), bits))
      }
    }
    quantizationAdjustment = unpackSigned(symbols.read(context: 0, code, &bits))
    var pointCount = Int(splineCount)
    for start in starts {
      let count = Int(symbols.read(context: 3, code, &bits) & 0x7FFF_FFFF)
      guard count <= maximumPointCount - pointCount else {
        throw bits.error(.malformed, "splines have too many points")
      }
      pointCount += count
      var points = [start]
      var delta = SIMD2<Int64>()
      try budget.allocate(count: count + 1, bytesEach: 16)
      for _ in 0..<count {
        try budget.chargeWork(30, byteOffset: bits.byteOffset)
        let x = Int64(unpackSigned(symbols.read(context: 4, code, &bits)))
        let y = Int64(unpackSigned(symbols.read(context: 4, code, &bits)))
        delta = try Self.checked(delta &+ SIMD2(x, y), bits)
        points.append(try Self.checked((points.last ?? start) &+ delta, bits))
      }
      try budget.chargeWork(128 * 15, byteOffset: bits.byteOffset)
      try budget.allocate(128 * 4 + 200)
      var coefficients: [[Int32]] = []
      for _ in 0..<4 {
        var curve: [Int32] = []
        for _ in 0..<32 { curve.append(unpackSigned(symbols.read(context: 5, code, &bits))) }
        coefficients.append(curve)
      }
      splines.append(Spline(points: points, coefficients: coefficients))
      try bits.checkEnd()
    }
    try symbols.finish(&bits, code)
  }

  private static func checked(
    _ point: SIMD2<Int64>, _ bits: borrowing BitReader
  ) throws(CodecError) -> SIMD2<Int64> {
    guard abs(point.x) < maximumCoordinate, abs(point.y) < maximumCoordinate else {
      throw bits.error(.malformed, "a point of a spline is too far away")
    }
    return point
  }
}
