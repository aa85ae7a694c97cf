// The pixels of a Modular frame whose samples are those of the image: no filter or colour transform applies.

internal import ImageCoding

/// Converts the integers of a lossless frame to pixels.
struct SampleOutput: Sendable {
  let natural: PixelFormat
  /// The channel of each component, and the depth of its samples.
  private let components: [(channel: Int, depth: BitDepth)]

  init(_ image: ImageHeader) {
    let components = PictureComponents(image)
    natural = PixelFormat(components.colorModel, alpha: components.alpha, sampleType: Self.sampleType(image))
    self.components = components.channels.map { channel in
      switch channel {
      case .color(let index): (index, image.bitDepth)
      case .extra(let index): (image.outputEncoding.channelCount + index, image.extraChannels[index].bitDepth)
      }
    }
  }

  /// Creates an output of an extra channel as grey samples.
  init(_ image: ImageHeader, extraChannel index: Int) {
    let depth = image.extraChannels[index].bitDepth
    components = [(image.outputEncoding.channelCount + index, depth)]
    natural = PixelFormat(.gray, sampleType: Self.sampleType(depth))
  }

  /// The smallest type that holds all samples.
  private static func sampleType(_ image: ImageHeader) -> SampleType {
    // Eight bits of linear light are not enough.
    if image.isXYB, image.colorEncoding.hasICCProfile { return .float32 }
    if image.bitDepth.isFloatingPoint { return sampleType(image.bitDepth) }
    // Eight bits of associated colours are not enough either, unless the file has exactly these.
    let isAssociated =
      image.isXYB && image.alphaIndex.map { image.extraChannels[$0].kind } == .alpha(isAssociated: true)
    if isAssociated, image.bitDepth.bitCount <= 16 { return .uint16 }
    return sampleType(image.bitDepth)
  }

  /// The smallest type that holds all samples of a depth.
  private static func sampleType(_ depth: BitDepth) -> SampleType {
    if depth.isFloatingPoint {
      let isHalf = depth.bitCount <= 16 && depth.exponentBitCount <= 5
      return isHalf && depth.fractionBitCount <= 10 ? .float16 : .float32
    }
    return depth.bitCount <= 8 ? .uint8 : depth.bitCount <= 16 ? .uint16 : .float32
  }

  /// Writes columns of a row of pixels.
  func write(_ frame: ModularImage, row y: Int, columns: Range<Int>, into pixels: inout MutableSpan<UInt8>) {
    for (offset, component) in components.enumerated() {
      write(
        frame.channels[component.channel], y, columns, component.depth, into: &pixels, offset: offset,
        step: components.count)
    }
  }

  private func write(
    _ channel: ModularChannel, _ y: Int, _ columns: Range<Int>, _ depth: BitDepth,
    into pixels: inout MutableSpan<UInt8>, offset: Int, step: Int
  ) {
    let samples = channel.samples.span
    let (start, width) = (y * channel.width + columns.lowerBound, columns.count)
    let conversion = SampleConversion(depth)
    switch natural.sampleType {
    case .uint8:
      let isDirect = depth == BitDepth()
      for x in 0..<width {
        let value = samples[start &+ x]
        let byte = isDirect ? min(max(value, 0), 255) : Int32(conversion.integer(value, maximum: 255))
        pixels[x &* step &+ offset] = UInt8(truncatingIfNeeded: byte)
      }
    case .uint16:
      for x in 0..<width {
        let value = conversion.integer(samples[start &+ x], maximum: 65535)
        storeNativeUInt16(UInt16(truncatingIfNeeded: value), into: &pixels, at: (x &* step &+ offset) &* 2)
      }
    case .float16:
      for x in 0..<width {
        let value = conversion.float(samples[start &+ x]).halfPrecisionBits
        storeNativeUInt16(value, into: &pixels, at: (x &* step &+ offset) &* 2)
      }
    case .float32:
      for x in 0..<width {
        let value = conversion.float(samples[start &+ x]).bitPattern
        storeNativeUInt32(value, into: &pixels, at: (x &* step &+ offset) &* 4)
      }
    }
  }
}

/// Converts samples of a depth to other types.
struct SampleConversion: Sendable {
  private let depth: BitDepth
  private let maximum: Int64

  init(_ depth: BitDepth) {
    self.depth = depth
    maximum = Int64(1) << Int64(depth.bitCount) - 1
  }

  /// Returns the sample as an integer of another maximum, clamped and rounded to nearest.
  @inline(__always)
  func integer(_ value: Int32, maximum other: Int64) -> Int64 {
    if depth.isFloatingPoint {
      let scaled = float(value) * Float(other)
      return scaled > 0 ? Int64(min(scaled, Float(other)) + 0.5) : 0
    }
    let clamped = min(max(Int64(value), 0), maximum)
    return maximum == other ? clamped : (clamped &* other &+ maximum / 2) / maximum
  }

  /// Returns the sample as a fraction of a full sample.
  @inline(__always)
  func float(_ value: Int32) -> Float {
    depth.isFloatingPoint ? floatingPoint(UInt32(bitPattern: value)) : Float(Double(value) / Double(maximum))
  }

  /// Widens a floating-point number with fewer bits to single precision.
  private func floatingPoint(_ bits: UInt32) -> Float {
    if depth.bitCount == 32, depth.exponentBitCount == 8 { return Float(bitPattern: bits) }
    let fractionCount = UInt32(depth.fractionBitCount)
    let exponentCount = UInt32(depth.exponentBitCount)
    let sign = bits >> (exponentCount + fractionCount) & 1
    let exponent = Int(bits >> fractionCount & (1 << exponentCount - 1))
    let fraction = bits & (1 << fractionCount - 1)
    let bias = 1 << (Int(exponentCount) - 1) - 1
    let magnitude: Float
    if exponent == 0 {
      magnitude = Float(sign: .plus, exponent: 1 - bias - Int(fractionCount), significand: Float(fraction))
    } else {
      let pattern = UInt32(truncatingIfNeeded: exponent - bias + 127) << 23 | fraction << (23 - fractionCount)
      magnitude = Float(bitPattern: pattern)
    }
    return sign == 1 ? -magnitude : magnitude
  }
}
