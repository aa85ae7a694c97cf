// The conversion of rows of any sample type, one colour at a time in double precision.

internal import ImageCore

/// Converts rows of straight or absent alpha by ``ConversionSteps``.
struct SampleRows: Sendable {
  let steps: ConversionSteps
  let source: PixelFormat
  let target: PixelFormat

  func convert(_ row: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    let pixelCount = row.count / source.bytesPerPixel
    var from = 0
    var to = 0
    for _ in 0..<pixelCount {
      var samples = SIMD4<Double>()
      for index in 0..<source.colorModel.sampleCount { samples[index] = load(row, from + index) }
      if source.colorModel == .gray { samples = SIMD4(repeating: samples.x) }
      if source.colorModel == .bgr { samples = SIMD4(samples.z, samples.y, samples.x, 0) }
      var result = steps.convert(samples)
      if target.colorModel == .bgr { result = SIMD3(result.z, result.y, result.x) }
      for index in 0..<target.colorModel.sampleCount { store(result[index], &output, to + index) }
      from += source.colorModel.sampleCount
      to += target.colorModel.sampleCount
      if source.hasAlpha {
        store(load(row, from), &output, to)
        from += 1
        to += 1
      }
    }
  }

  private func load(_ row: Span<UInt8>, _ index: Int) -> Double {
    switch source.sampleType {
    case .uint8: Double(row[index]) / 255
    case .uint16: Double(nativeUInt16(row, at: index * 2)) / 65535
    case .float16: Double(Float(halfPrecisionBits: nativeUInt16(row, at: index * 2)))
    case .float32: Double(Float(bitPattern: nativeUInt32(row, at: index * 4)))
    }
  }

  private func store(_ value: Double, _ output: inout MutableSpan<UInt8>, _ index: Int) {
    // The first comparison is false for NaN, which becomes 0.
    let clamped = value > 0 ? min(value, 1) : 0
    switch target.sampleType {
    case .uint8: output[index] = UInt8(clamped * 255 + 0.5)
    case .uint16: storeNativeUInt16(UInt16(clamped * 65535 + 0.5), into: &output, at: index * 2)
    case .float16: storeNativeUInt16(Float(value).halfPrecisionBits, into: &output, at: index * 2)
    case .float32: storeNativeUInt32(Float(value).bitPattern, into: &output, at: index * 4)
    }
  }
}
