// The pixels of a frame that has been rendered in floating point.

internal import ImageCoding

/// Converts rows of the canvas to pixels.
struct RenderedOutput: Sendable {
  private let natural: PixelFormat
  private let planes: [Int]
  private let depths: [BitDepth]
  /// Whether samples can be integers of the file's depth.
  private let isLossless: Bool

  init(_ image: ImageHeader, _ natural: PixelFormat) {
    self.natural = natural
    let colorCount = image.isXYB ? 3 : image.outputEncoding.channelCount
    let channels = PictureComponents(image).channels
    planes = channels.map { channel in
      switch channel {
      case .color(let index): index
      case .extra(let index): colorCount + index
      }
    }
    depths = channels.map { channel in
      switch channel {
      case .color: image.bitDepth
      case .extra(let index): image.extraChannels[index].bitDepth
      }
    }
    isLossless = !image.isXYB
  }

  /// Creates an output of an extra channel as grey samples.
  init(_ image: ImageHeader, _ natural: PixelFormat, extraChannel index: Int) {
    self.natural = natural
    planes = [(image.isXYB ? 3 : image.outputEncoding.channelCount) + index]
    depths = [image.extraChannels[index].bitDepth]
    // No filter or transform of colours changes extra channels.
    isLossless = true
  }

  /// The number of components of a pixel.
  var componentCount: Int { planes.count }
  var bytesPerPixel: Int { natural.bytesPerPixel }
  /// Whether there is a component after the colours.
  var hasAlpha: Bool { natural.hasAlpha }

  /// Writes columns of a row of pixels.
  func write(
    _ frame: RenderedFrame, row y: Int, columns: Range<Int>, into pixels: inout MutableSpan<UInt8>
  ) {
    let range = y * frame.width + columns.lowerBound..<y * frame.width + columns.upperBound
    if writesVectors {
      let (first, second, third) = (frame.planes[planes[0]], frame.planes[planes[1]], frame.planes[planes[2]])
      PixelInterleaving.write(
        first.span.extracting(range), second.span.extracting(range), third.span.extracting(range), into: &pixels)
      return
    }
    for (component, plane) in planes.enumerated() {
      let samples = frame.planes[plane]
      write(samples.span.extracting(range), component: component, into: &pixels)
    }
  }

  /// Whether pixels consist of three colours of 8 bits, which are written eight at a time.
  var writesVectors: Bool {
    natural.sampleType == .uint8 && planes.count == 3 && depths.allSatisfy { !isExact($0) || $0.bitCount == 8 }
  }

  /// Whether samples of a depth are integers.
  private func isExact(_ depth: BitDepth) -> Bool { isLossless && !depth.isFloatingPoint && depth.bitCount <= 16 }

  /// Writes a component of a row of pixels.
  func write(_ row: Span<Float>, component offset: Int, into pixels: inout MutableSpan<UInt8>) {
    let step = planes.count
    let maximum = Float((1 << min(16, depths[offset].bitCount)) - 1)
    let conversion = SampleConversion(depths[offset])
    let isExact = isExact(depths[offset])
    switch natural.sampleType {
    case .uint8 where !isExact:
      for x in 0..<row.count { pixels[x &* step &+ offset] = UInt8(truncatingIfNeeded: Self.rounded(row[x], 255)) }
    case .uint8:
      for x in 0..<row.count {
        let sample = Self.integer(row[x], 255, maximum, conversion)
        pixels[x &* step &+ offset] = UInt8(truncatingIfNeeded: sample)
      }
    case .uint16:
      for x in 0..<row.count {
        let sample =
          isExact ? Self.integer(row[x], 65535, maximum, conversion) : Int64(Self.rounded(row[x], 65535))
        storeNativeUInt16(UInt16(truncatingIfNeeded: sample), into: &pixels, at: (x &* step &+ offset) &* 2)
      }
    case .float16:
      for x in 0..<row.count {
        storeNativeUInt16(row[x].halfPrecisionBits, into: &pixels, at: (x &* step &+ offset) &* 2)
      }
    case .float32:
      for x in 0..<row.count {
        storeNativeUInt32(row[x].bitPattern, into: &pixels, at: (x &* step &+ offset) &* 4)
      }
    }
  }

  /// Returns a fraction of a full sample as an integer, which is 0 for NaN.
  @inline(__always)
  private static func rounded(_ value: Float, _ full: Float) -> Int32 {
    let clamped = value > 0 ? min(value, 1) : 0
    return Int32(clamped * full + 0.5)
  }

  /// Returns a sample as an integer. Samples that are integers of the file's depth, but for rounding, are scaled as
  /// such, so that frames that are only placed remain lossless.
  @inline(__always)
  private static func integer(
    _ value: Float, _ full: Int64, _ maximum: Float, _ conversion: SampleConversion
  ) -> Int64 {
    let clamped = value > 0 ? min(value, 1) : 0
    let stored = clamped * maximum
    let nearest = (stored + 0.5).rounded(.down)
    if abs(stored - nearest) < 1 / 128 {
      return conversion.integer(Int32(nearest), maximum: full)
    }
    return Int64(rounded(value, Float(full)))
  }
}
