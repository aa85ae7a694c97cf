// From the samples of a row to pixels: selection of samples, inversion, palettes, YCbCr and L*a*b*.

internal import ImageCoding
internal import MetadataFormats

/// The conversion of rows of samples to pixels of the image's natural format.
struct ColorConversion {
  private enum Method {
    /// Samples are pixels.
    case copy
    /// Some of the samples, by index; inverted except for alpha if white is 0.
    case select([Int], inverts: Bool)
    case palette(Palette, alpha: Int?)
    case yCbCr(YCbCrConversion, alpha: Int?)
    case lab(LabConversion, alpha: Int?)
  }

  /// The format of the pixels.
  let format: PixelFormat
  private let method: Method
  /// The number of samples per pixel in the input.
  let sampleCount: Int
  private let sampleType: SampleType

  /// Creates the conversion of an image.
  ///
  /// - Parameters:
  ///   - sampleCount: the number of samples per pixel in the rows to convert.
  ///   - alpha: the index of alpha among them.
  ///   - unpacking: how they were unpacked.
  init(
    _ layout: ImageLayout, sampleCount: Int, alpha: Int?, _ unpacking: SampleUnpacking,
    _ values: borrowing DirectoryValues, _ context: inout DecodingContext
  ) throws(CodecError) {
    self.sampleCount = sampleCount
    let sampleType = unpacking.sampleType
    self.sampleType = sampleType
    let alphaMode: PixelFormat.Alpha = alpha == nil ? .none : layout.isPremultiplied ? .premultiplied : .straight
    func selection(_ count: Int, inverts: Bool = false) -> Method {
      let indices = Array(0..<count) + (alpha.map { [$0] } ?? [])
      return indices == Array(0..<sampleCount) && !inverts ? .copy : .select(indices, inverts: inverts)
    }
    switch layout.photometric {
    case .whiteIsZero:
      format = PixelFormat(.gray, alpha: alphaMode, sampleType: sampleType)
      method = selection(1, inverts: !unpacking.invertsSamples)
    case .blackIsZero, .logLuminance:
      format = PixelFormat(.gray, alpha: alphaMode, sampleType: sampleType)
      method = selection(1)
    case .rgb, .logLuv:
      format = PixelFormat(.rgb, alpha: alphaMode, sampleType: sampleType)
      method = selection(3)
    case .cmyk:
      format = PixelFormat(.cmyk, alpha: alphaMode, sampleType: sampleType)
      method = selection(4)
    case .palette:
      let keepsAlpha = sampleType == .uint8 && alpha != nil
      format = PixelFormat(.rgb, alpha: keepsAlpha ? alphaMode : .none)
      method = .palette(try Palette(values, bits: layout.maximumBits, &context), alpha: keepsAlpha ? alpha : nil)
    case .yCbCr:
      format = PixelFormat(.rgb, alpha: alphaMode)
      method =
        layout.compression.isEmbeddedImage ? selection(3) : .yCbCr(YCbCrConversion(values), alpha: alpha)
    case .cieLab, .iccLab:
      format = PixelFormat(.rgb, alpha: alphaMode, sampleType: sampleType)
      let conversion = LabConversion(
        isSigned: layout.photometric == .cieLab, whitePoint: values.fractions(.whitePoint, count: 2))
      method = .lab(conversion, alpha: alpha)
    }
  }

  /// Whether samples are pixels, so that rows can be decoded in place.
  var isIdentity: Bool {
    if case .copy = method { true } else { false }
  }

  /// Converts `count` pixels.
  ///
  /// - Parameters:
  ///   - samples: `count * sampleCount` native-endian samples.
  ///   - output: receives `count` pixels.
  func convert(_ samples: Span<UInt8>, count: Int, into output: inout MutableSpan<UInt8>) {
    switch method {
    case .copy:
      let source = samples.extracting(0..<output.count)
      for index in 0..<output.count { output[index] = source[index] }
    case .select(let indices, let inverts):
      select(indices, inverts: inverts, samples, count, &output)
    case .palette(let palette, let alpha):
      if sampleType == .uint8 {
        palette.lookUpBytes(samples, count: count, step: sampleCount, alpha: alpha, into: &output)
      } else {
        palette.lookUpWords(samples, count: count, step: sampleCount, into: &output)
      }
    case .yCbCr(let conversion, let alpha):
      let size = format.samplesPerPixel
      for pixel in 0..<count {
        let from = pixel &* sampleCount
        let (red, green, blue) = conversion.rgb(samples[from], samples[from &+ 1], samples[from &+ 2])
        let to = pixel &* size
        output[to] = red
        output[to &+ 1] = green
        output[to &+ 2] = blue
        if let alpha { output[to &+ 3] = samples[from &+ alpha] }
      }
    case .lab(let conversion, let alpha):
      convertLab(conversion, alpha, samples, count, &output)
    }
  }

  private func select(
    _ indices: [Int], inverts: Bool, _ samples: Span<UInt8>, _ count: Int, _ output: inout MutableSpan<UInt8>
  ) {
    if inverts, sampleType == .uint8, sampleCount == 1 {
      let source = samples.extracting(0..<count)
      var target = output._mutatingExtracting(0..<count)
      for index in 0..<count { target[index] = ~source[index] }
      return
    }
    let alphaPlace = format.hasAlpha ? indices.count - 1 : indices.count
    for (place, index) in indices.enumerated() {
      let invertsThis = inverts && place != alphaPlace
      var from = index
      var to = place
      for _ in 0..<count {
        copySample(samples, from, to, inverts: invertsThis, &output)
        from &+= sampleCount
        to &+= indices.count
      }
    }
  }

  @inline(__always)
  private func copySample(
    _ samples: Span<UInt8>, _ from: Int, _ to: Int, inverts: Bool, _ output: inout MutableSpan<UInt8>
  ) {
    switch sampleType {
    case .uint8: output[to] = inverts ? ~samples[from] : samples[from]
    case .uint16:
      let value = nativeUInt16(samples, at: 2 &* from)
      storeNativeUInt16(inverts ? ~value : value, into: &output, at: 2 &* to)
    case .float16:
      let value = nativeUInt16(samples, at: 2 &* from)
      let stored = inverts ? (1 - Float(halfPrecisionBits: value)).halfPrecisionBits : value
      storeNativeUInt16(stored, into: &output, at: 2 &* to)
    case .float32:
      let value = nativeUInt32(samples, at: 4 &* from)
      let stored = inverts ? (1 - Float(bitPattern: value)).bitPattern : value
      storeNativeUInt32(stored, into: &output, at: 4 &* to)
    }
  }

  private func convertLab(
    _ conversion: LabConversion, _ alpha: Int?, _ samples: Span<UInt8>, _ count: Int,
    _ output: inout MutableSpan<UInt8>
  ) {
    let size = format.samplesPerPixel
    for pixel in 0..<count {
      let from = pixel &* sampleCount
      let to = pixel &* size
      if sampleType == .uint8 {
        let color = conversion.rgb8(samples[from], samples[from &+ 1], samples[from &+ 2])
        for place in 0..<3 { output[to &+ place] = UInt8(truncatingIfNeeded: conversion.encoded(color[place], 255)) }
        if let alpha { output[to &+ 3] = samples[from &+ alpha] }
      } else {
        let color = conversion.rgb16(
          nativeUInt16(samples, at: 2 &* from), nativeUInt16(samples, at: 2 &* from &+ 2),
          nativeUInt16(samples, at: 2 &* from &+ 4))
        for place in 0..<3 {
          let value = UInt16(truncatingIfNeeded: conversion.encoded(color[place], 65535))
          storeNativeUInt16(value, into: &output, at: 2 &* (to &+ place))
        }
        if let alpha {
          storeNativeUInt16(nativeUInt16(samples, at: 2 &* (from &+ alpha)), into: &output, at: 2 &* (to &+ 3))
        }
      }
    }
  }
}
