// The conversion of gray with integer samples: one table.

internal import ImageCore

/// Converts rows of gray, with straight alpha or none, to gray or RGB.
struct GrayRows: Sendable {
  /// The samples of the target for each sample of the source.
  private let levels: [UInt16]
  private let outputCount: Int
  private let isWide: Bool
  private let hasAlpha: Bool

  static func byteCount(_ source: PixelFormat, _ target: PixelFormat) -> Int {
    (source.sampleType.maximum + 1) * 2 * target.colorModel.sampleCount
  }

  /// Creates the table, which has an entry for each level of a sample.
  init(_ steps: ConversionSteps, _ source: PixelFormat, _ target: PixelFormat) {
    outputCount = target.colorModel.sampleCount
    isWide = source.sampleType == .uint16
    hasAlpha = source.hasAlpha
    let maximum = Double(source.sampleType.maximum)
    let encoders = steps.target.curves.map { curve in SampledFunction(exponent: 0) { curve.sample($0) } }
    var levels: [UInt16] = []
    levels.reserveCapacity((source.sampleType.maximum + 1) * outputCount)
    for level in 0...source.sampleType.maximum {
      let light = steps.light(SIMD4(repeating: Double(level) / maximum))
      for output in 0..<outputCount {
        let component = target.colorModel == .bgr ? 2 - output : output
        let value: Double
        if isWide {
          // A power for each of 65536 levels takes milliseconds.
          let encoder = encoders[min(component, encoders.count - 1)]
          value = Double(SampledFunction.value(Float(min(max(light[component], 0), 1)), in: encoder.span))
        } else {
          value = steps.target.curves[min(component, encoders.count - 1)].sample(light[component])
        }
        // The first comparison is false for NaN.
        levels.append(UInt16((value > 0 ? min(value, 1) : 0) * maximum + 0.5))
      }
    }
    self.levels = levels
  }

  func convert(_ row: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    let levels = levels.span
    var from = 0
    var to = 0
    if isWide {
      let sampleCount = row.count / 2
      while from < sampleCount {
        let level = Int(nativeUInt16(row, at: from &* 2)) &* outputCount
        for index in 0..<outputCount {
          storeNativeUInt16(levels[level &+ index], into: &output, at: (to &+ index) &* 2)
        }
        from &+= 1
        to &+= outputCount
        if hasAlpha {
          storeNativeUInt16(nativeUInt16(row, at: from &* 2), into: &output, at: to &* 2)
          from &+= 1
          to &+= 1
        }
      }
    } else {
      while from < row.count {
        let level = Int(row[from]) &* outputCount
        for index in 0..<outputCount {
          output[to &+ index] = UInt8(truncatingIfNeeded: levels[level &+ index])
        }
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
}
