// The conversion of 8-bit gray: one table.

internal import ImageCore

/// Converts rows of 8-bit gray, with straight alpha or none, to gray or RGB.
struct GrayRows: Sendable {
  /// The samples of the target for each sample of the source.
  private let levels: [UInt8]
  private let outputCount: Int
  private let hasAlpha: Bool

  static func byteCount(_ target: PixelFormat) -> Int { 256 * target.colorModel.sampleCount }

  /// Creates the table, which has an entry for each level of a sample.
  init(_ steps: ConversionSteps, _ source: PixelFormat, _ target: PixelFormat) {
    outputCount = target.colorModel.sampleCount
    hasAlpha = source.hasAlpha
    var levels: [UInt8] = []
    levels.reserveCapacity(256 * outputCount)
    for level in 0...255 {
      let color = steps.convert(SIMD4(repeating: Double(level) / 255))
      for output in 0..<outputCount {
        let value = color[target.colorModel == .bgr ? 2 - output : output]
        // The first comparison is false for NaN.
        levels.append(UInt8((value > 0 ? min(value, 1) : 0) * 255 + 0.5))
      }
    }
    self.levels = levels
  }

  func convert(_ row: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    let levels = levels.span
    var from = 0
    var to = 0
    while from < row.count {
      let level = Int(row[from]) &* outputCount
      for index in 0..<outputCount { output[to &+ index] = levels[level &+ index] }
      from &+= 1
      to &+= outputCount
      if hasAlpha {
        output[to] = row[from]
        from &+= 1
        to &+= 1
      }
    }
  }
}
