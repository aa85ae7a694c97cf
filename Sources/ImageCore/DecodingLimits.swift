// The budget of one decode: checked before the allocation or the loop that it guards.

/// Bounds on what an untrusted image may cost. They are on by default in every entry point.
public struct DecodingLimits: Hashable, Sendable {
  /// The most pixels an image, a canvas or a frame may have. Default 100 million.
  public var maximumPixelCount: Int
  /// The most bytes that one decode may hold for pixels and intermediate planes. Default 512 MiB.
  public var maximumByteCount: Int
  /// The most scans of a progressive image. Default 100.
  public var maximumScanCount: Int
  /// The most frames of an animation. Default 10,000.
  public var maximumFrameCount: Int
  /// The most bytes of one piece of metadata, after decompression; a larger one is skipped. Default 8 MB.
  public var maximumMetadataChunkByteCount: Int
  /// The most bytes of all metadata together; what comes after is skipped. Default 32 MB.
  public var maximumMetadataByteCount: Int
  /// The most pieces of metadata that are kept; what comes after is skipped. Default 1,000.
  public var maximumMetadataChunkCount: Int

  /// Creates limits; every bound left out has its default.
  public init(
    maximumPixelCount: Int = 100_000_000,
    maximumByteCount: Int = 512 << 20,
    maximumScanCount: Int = 100,
    maximumFrameCount: Int = 10_000,
    maximumMetadataChunkByteCount: Int = 8_000_000,
    maximumMetadataByteCount: Int = 32_000_000,
    maximumMetadataChunkCount: Int = 1_000
  ) {
    self.maximumPixelCount = maximumPixelCount
    self.maximumByteCount = maximumByteCount
    self.maximumScanCount = maximumScanCount
    self.maximumFrameCount = maximumFrameCount
    self.maximumMetadataChunkByteCount = maximumMetadataChunkByteCount
    self.maximumMetadataByteCount = maximumMetadataByteCount
    self.maximumMetadataChunkCount = maximumMetadataChunkCount
  }

  /// 100 megapixels, 512 MiB, 100 scans, 10,000 frames.
  public static let `default` = DecodingLimits()
  /// For uploads from strangers: 40 megapixels, 256 MiB.
  public static let server = DecodingLimits(maximumPixelCount: 40_000_000, maximumByteCount: 256 << 20)
  /// No bounds but those of the address space. For images that you made yourself.
  public static let unlimited = DecodingLimits(
    maximumPixelCount: .max, maximumByteCount: .max, maximumScanCount: .max, maximumFrameCount: .max,
    maximumMetadataChunkByteCount: .max, maximumMetadataByteCount: .max, maximumMetadataChunkCount: .max)
}

extension DecodingLimits {
  /// The bytes of `width` × `height` pixels, after checking both bounds. This is the one place where untrusted
  /// dimensions are multiplied.
  ///
  /// - Throws: ``DecodeError/Kind/limitExceeded`` when the product overflows or passes a bound.
  public func checkedByteCount(
    width: Int, height: Int, bytesPerPixel: Int, format: AssetType? = nil, byteOffset: Int? = nil
  ) throws(DecodeError) -> Int {
    let (pixels, pixelOverflow) = width.multipliedReportingOverflow(by: height)
    guard width >= 0, height >= 0, !pixelOverflow, pixels <= maximumPixelCount else {
      throw DecodeError(
        .limitExceeded, "\(width) × \(height) is more than \(maximumPixelCount) pixels", format: format,
        byteOffset: byteOffset)
    }
    let (bytes, byteOverflow) = pixels.multipliedReportingOverflow(by: bytesPerPixel)
    guard !byteOverflow, bytes <= maximumByteCount else {
      throw DecodeError(
        .limitExceeded, "\(width) × \(height) needs more than \(maximumByteCount) bytes", format: format,
        byteOffset: byteOffset)
    }
    return bytes
  }
}
