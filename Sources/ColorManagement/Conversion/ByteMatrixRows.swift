// The conversion of 8-bit RGB between matrix profiles, with integer tables only.

internal import ImageCore

/// Converts rows of 8-bit RGB or BGR, with straight alpha or none, between colour spaces of curves and matrices.
///
/// The contribution of each sample to the linear light of all three outputs is a word of three lanes, so that a pixel
/// costs three table entries, two additions, and one more table entry for each output.
struct ByteMatrixRows: Sendable {
  /// For each of the three samples of a pixel and each level, its contribution: three lanes of 21 bits.
  private let contributions: [UInt64]
  /// For each of the three outputs, the level of each linear light; a single table if the curves are equal.
  private let levels: [UInt8]
  /// The distance of the tables of two outputs in `levels`.
  private let levelStride: Int
  private let samplesPerPixel: Int

  private static let laneWidth = 21
  /// The bits of a lane below those that select a level.
  private static let roundedBits = 5
  private static let levelTableCount = 65536

  static let work = 3 * 256 * 8 + 3 * levelTableCount / 4
  static let byteCount = 3 * 256 * 8 + 3 * levelTableCount

  /// Creates the tables; `nil` if the lanes are too narrow for the matrix, or a curve of the target is not rising.
  init?(_ steps: ConversionSteps, _ format: PixelFormat) {
    guard case .matrix(let source) = steps.source, !source.isGray, !steps.target.isGray, format.sampleType == .uint8
    else { return nil }
    samplesPerPixel = format.samplesPerPixel
    // The order of the samples in a pixel; that of outputs is the same.
    let order = format.colorModel == .bgr ? [2, 1, 0] : [0, 1, 2]
    let matrix = steps.fromXYZ * Matrix3(diagonal: steps.connection.scale) * source.toXYZ
    let offset = steps.fromXYZ * steps.connection.offset
    var light: [SIMD3<Double>] = []
    light.reserveCapacity(768)
    var (low, high) = (offset, offset)
    for component in order {
      let column = matrix * SIMD3(component == 0 ? 1 : 0, component == 1 ? 1 : 0, component == 2 ? 1 : 0)
      let part = (0...255).map { column * source.curves[component].light(Double($0) / 255) }
      low += part.reduce(part[0]) { Self.minimum($0, $1) }
      high -= part.reduce(-part[0]) { Self.minimum($0, -$1) }
      light += part
    }
    let range = max(high.max(), 1) - min(low.min(), 0)
    guard range.isFinite, range < 16 else { return nil }
    // 14 bits of linear light, or fewer for matrices with large coefficients.
    var bits = 14
    while range * Double(1 << bits) > 65530 { bits -= 1 }
    let bias = (1 - min(low.min(), 0) * Double(1 << bits)).rounded(.up)
    let unit = Double(1 << (bits + Self.roundedBits))
    let start = (offset * Double(1 << bits) + bias + 0.5) * Double(1 << Self.roundedBits)
    var words: [UInt64] = []
    words.reserveCapacity(768)
    for (index, value) in light.enumerated() {
      let scaled = value * unit + (index < 256 ? start : SIMD3())
      var word: UInt64 = 0
      for lane in 0..<3 {
        let contribution = Int64(scaled[order[lane]].rounded())
        word = word &+ UInt64(bitPattern: contribution) &<< UInt64(Self.laneWidth * lane)
      }
      words.append(word)
    }
    contributions = words
    let curves = order.map { steps.target.curves[$0] }
    let hasOneCurve = Set(curves).count == 1
    var levels: [UInt8] = []
    for curve in hasOneCurve ? [curves[0]] : curves {
      guard Self.appendLevels(of: curve, bias: Int(bias), unit: Double(1 << bits), to: &levels) else { return nil }
    }
    self.levels = levels
    levelStride = hasOneCurve ? 0 : Self.levelTableCount
  }

  private static func minimum(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    a.replacing(with: b, where: b .< a)
  }

  /// Appends the level of each linear light, from the lights between two levels.
  private static func appendLevels(
    of curve: ToneCurve, bias: Int, unit: Double, to levels: inout [UInt8]
  ) -> Bool {
    let end = levels.count + levelTableCount
    let first = levels.count
    var previous = -Double.infinity
    for level in 0..<255 {
      let limit = curve.light((Double(level) + 0.5) / 255)
      guard limit >= previous else { return false }
      previous = limit
      // The first index whose light is not less than the limit.
      let index = min(max(Int(min(max(limit * unit, -1e6), 1e6).rounded(.up)) + bias, 0), levelTableCount)
      while levels.count - first < index { levels.append(UInt8(level)) }
    }
    while levels.count < end { levels.append(255) }
    return true
  }

  func convert(_ row: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    let contributions = contributions.span
    let levels = levels.span
    let step = samplesPerPixel
    var index = 0
    while index &+ step <= row.count {
      let word =
        contributions[Int(row[index])] &+ contributions[256 &+ Int(row[index &+ 1])]
        &+ contributions[512 &+ Int(row[index &+ 2])]
      output[index] = levels[Int(truncatingIfNeeded: word &>> 5 & 0xFFFF)]
      output[index &+ 1] = levels[levelStride &+ Int(truncatingIfNeeded: word &>> 26 & 0xFFFF)]
      output[index &+ 2] = levels[levelStride &* 2 &+ Int(truncatingIfNeeded: word &>> 47 & 0xFFFF)]
      if step == 4 { output[index &+ 3] = row[index &+ 3] }
      index &+= step
    }
  }
}
