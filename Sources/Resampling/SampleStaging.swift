// Rows of any format as floating-point samples, premultiplied and, on request, in linear light; and back.

internal import ImageCore

/// Converts rows to and from the samples of ``FloatResampler``.
///
/// Samples of integer formats are 0…65535, those of floating-point formats fractions of a full sample.
struct SampleStaging {
  let format: PixelFormat
  private let isLinear: Bool
  private let channels: Int
  private let colorCount: Int
  /// The value of a full sample.
  private let full: Float
  /// Staged samples per pixel: the format's, rounded up to a multiple of four.
  let lanes: Int

  private let linear8: [Float]
  private let encoded8: [UInt8]
  private let linear16: [Float]

  init(_ format: PixelFormat, light: ResamplingLight) {
    self.format = format
    isLinear = light == .linear && format.colorModel != .cmyk
    channels = format.samplesPerPixel
    colorCount = format.colorModel.sampleCount
    full = format.sampleType.isFloatingPoint ? 1 : 65535
    lanes = (channels + 3) & ~3
    linear8 = isLinear && format.sampleType == .uint8 ? TransferTables.linear8 : []
    encoded8 = isLinear && format.sampleType == .uint8 ? TransferTables.encoded8 : []
    linear16 = isLinear && format.sampleType == .uint16 ? TransferTables.linear16 : []
  }

  /// The work per pixel of converting there and back.
  var workPerPixel: Int {
    let powers = isLinear && format.sampleType != .uint8 ? colorCount * 40 : 0
    return channels * 4 + powers
  }

  // MARK: Bytes to samples

  func load(_ row: Span<UInt8>, into samples: inout MutableSpan<Float>) {
    switch format.sampleType {
    case .uint8: load(row, into: &samples) { Float(UInt32(row[$0]) &* 257) }
    case .uint16: load(row, into: &samples) { Float(nativeUInt16(row, at: $0 &* 2)) }
    case .float16: load(row, into: &samples) { Float(halfPrecisionBits: nativeUInt16(row, at: $0 &* 2)) }
    case .float32: load(row, into: &samples) { Float(bitPattern: nativeUInt32(row, at: $0 &* 4)) }
    }
    if isLinear || format.alpha == .straight { finishLoading(&samples) }
  }

  @inline(__always)
  private func load(_ row: Span<UInt8>, into samples: inout MutableSpan<Float>, _ sample: (Int) -> Float) {
    var source = 0
    var target = 0
    let pixelCount = samples.count / lanes
    for _ in 0..<pixelCount {
      for channel in 0..<channels { samples[target &+ channel] = sample(source &+ channel) }
      source &+= channels
      target &+= lanes
    }
  }

  private func finishLoading(_ samples: inout MutableSpan<Float>) {
    var pixel = 0
    while pixel < samples.count {
      let alpha = format.hasAlpha ? samples[pixel &+ colorCount] : full
      for index in pixel..<pixel &+ colorCount {
        var sample = samples[index]
        if isLinear {
          if format.alpha == .premultiplied { sample = divide(sample, by: alpha) }
          sample = linear(sample)
        }
        samples[index] = format.hasAlpha && (isLinear || format.alpha == .straight) ? sample * (alpha / full) : sample
      }
      pixel &+= lanes
    }
  }

  /// The linear light of a staged sample.
  private func linear(_ sample: Float) -> Float {
    switch format.sampleType {
    case .uint8: linear8[Int(clamp(sample) / 257 + 0.5)]
    case .uint16: linear16[Int(clamp(sample) + 0.5)]
    case .float16, .float32: Float(SRGBTransfer.linear(Double(sample)))
    }
  }

  // MARK: Samples to bytes

  func store(_ samples: inout MutableSpan<Float>, into row: inout MutableSpan<UInt8>) {
    if isLinear || format.alpha == .straight { prepareStoring(&samples) }
    let source = samples.span
    switch format.sampleType {
    case .uint8:
      store(source) { row[$0] = UInt8(truncatingIfNeeded: Int32(clamp($1) * (1 / 257) + 0.5)) }
    case .uint16:
      store(source) { storeNativeUInt16(UInt16(truncatingIfNeeded: Int32(clamp($1) + 0.5)), into: &row, at: $0 &* 2) }
    case .float16: store(source) { storeNativeUInt16($1.halfPrecisionBits, into: &row, at: $0 &* 2) }
    case .float32: store(source) { storeNativeUInt32($1.bitPattern, into: &row, at: $0 &* 4) }
    }
  }

  @inline(__always)
  private func store(_ samples: Span<Float>, _ body: (Int, Float) -> Void) {
    var source = 0
    var target = 0
    while source < samples.count {
      for channel in 0..<channels { body(target &+ channel, samples[source &+ channel]) }
      source &+= lanes
      target &+= channels
    }
  }

  private func prepareStoring(_ samples: inout MutableSpan<Float>) {
    var pixel = 0
    while pixel < samples.count {
      var alpha = full
      if format.hasAlpha {
        // Filters with negative weights overshoot.
        alpha = clamp(samples[pixel &+ colorCount])
        samples[pixel &+ colorCount] = alpha
      }
      for index in pixel..<pixel &+ colorCount {
        var sample = format.hasAlpha ? divide(samples[index], by: alpha) : samples[index]
        if isLinear {
          sample = encoded(sample)
          if format.alpha == .premultiplied { sample *= alpha / full }
        }
        samples[index] = sample
      }
      pixel &+= lanes
    }
  }

  /// The encoded sample of a staged linear light.
  private func encoded(_ light: Float) -> Float {
    switch format.sampleType {
    case .uint8: Float(UInt32(encoded8[Int(clamp(light) + 0.5)]) * 257)
    case .uint16: Float(SRGBTransfer.encoded(Double(clamp(light)) / 65535) * 65535)
    case .float16, .float32: Float(SRGBTransfer.encoded(Double(light)))
    }
  }

  /// The sample within 0 and a full sample; 0 if it is not a number.
  @inline(__always)
  private func clamp(_ sample: Float) -> Float { sample > 0 ? (sample < full ? sample : full) : 0 }

  @inline(__always)
  private func divide(_ sample: Float, by alpha: Float) -> Float { alpha > 0 ? sample * (full / alpha) : 0 }
}
