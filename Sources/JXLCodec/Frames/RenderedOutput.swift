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
    let colorCount = image.outputEncoding.channelCount
    var planes = Array(0..<colorCount)
    var depths = [BitDepth](repeating: image.bitDepth, count: colorCount)
    if let index = image.alphaIndex {
      planes.append((image.isXYB ? 3 : colorCount) + index)
      depths.append(image.extraChannels[index].bitDepth)
    }
    (self.planes, self.depths) = (planes, depths)
    isLossless = !image.isXYB
  }

  /// Writes a row of pixels.
  func write(_ frame: RenderedFrame, row y: Int, into pixels: inout MutableSpan<UInt8>) {
    let step = planes.count
    for (offset, plane) in planes.enumerated() {
      let samples = frame.planes[plane]
      let row = samples.span.extracting(y * frame.width..<(y + 1) * frame.width)
      let maximum = Float((1 << min(16, depths[offset].bitCount)) - 1)
      let conversion = SampleConversion(depths[offset])
      let isExact = isLossless && !depths[offset].isFloatingPoint && depths[offset].bitCount <= 16
      for x in 0..<row.count {
        let (value, index) = (row[x], x &* step &+ offset)
        switch natural.sampleType {
        case .uint8:
          pixels[index] = UInt8(truncatingIfNeeded: Self.integer(value, 255, maximum, isExact, conversion))
        case .uint16:
          let sample = Self.integer(value, 65535, maximum, isExact, conversion)
          storeNativeUInt16(UInt16(truncatingIfNeeded: sample), into: &pixels, at: index &* 2)
        case .float16: storeNativeUInt16(value.halfPrecisionBits, into: &pixels, at: index &* 2)
        case .float32: storeNativeUInt32(value.bitPattern, into: &pixels, at: index &* 4)
        }
      }
    }
  }

  /// Returns a sample as an integer. Samples that are integers of the file's depth, but for rounding, are scaled as
  /// such, so that frames that are only placed remain lossless.
  @inline(__always)
  private static func integer(
    _ value: Float, _ full: Int64, _ maximum: Float, _ isExact: Bool, _ conversion: SampleConversion
  ) -> Int64 {
    let clamped = value > 0 ? min(value, 1) : 0
    let stored = clamped * maximum
    let nearest = (stored + 0.5).rounded(.down)
    if isExact, abs(stored - nearest) < 1 / 128 {
      return conversion.integer(Int32(nearest), maximum: full)
    }
    return Int64(clamped * Float(full) + 0.5)
  }
}
