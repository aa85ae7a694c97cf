// The public interface of the BMP module.

@_exported public import ImageCoding

/// Decodes Windows and OS/2 bitmaps of all versions, with a file header (BMP) or without (DIB).
///
/// The natural format is `gray8` for palettes of grays, `rgb8` for other opaque images, `rgba8` for images with an
/// alpha mask or run lengths, and 16 bits per sample if a bit mask has more than 8. Samples of fewer bits are scaled to
/// the full range, rounded to nearest. Pixels that run lengths leave out are transparent, as in browsers. Alpha that an
/// image states is kept, even if it is zero everywhere. Pixels are not scaled by their aspect ratio.
///
/// Lenient decoding accepts the following. Strict decoding throws an error for each of them.
///
/// - A number of planes other than 1; a palette with more colours than the depth allows; a palette that overlaps the
///   pixels; pixels inside the headers or directly after them in place of the palette, which then follow the palette.
/// - Bit masks that overlap, have gaps or are all empty; run lengths from top to bottom.
/// - An index without a colour in the palette: black.
/// - Runs, copied pixels and deltas beyond the end of a row or of the image: cut off at the edge, as in Chromium.
/// - Missing rows: zero.
public struct BMPDecoder: ImageFormatDecoder {
  /// `com.microsoft.bmp`.
  public static let type: AssetType = "com.microsoft.bmp"

  private let embedded: EmbeddedPictures

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - jpegDecoder: the decoder of embedded JPEG files; `nil` by default.
  ///   - pngDecoder: the decoder of embedded PNG files; `nil` by default.
  public init(jpegDecoder: AnyImageFormatDecoder? = nil, pngDecoder: AnyImageFormatDecoder? = nil) {
    embedded = EmbeddedPictures(jpegDecoder: jpegDecoder, pngDecoder: pngDecoder)
  }

  /// `com.microsoft.bmp`.
  public var types: [AssetType] { [Self.type] }

  /// Recognises a file by the two letters at its start, and a bitmap without file header by the size, the number of
  /// planes and the depth in its information header.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    let signature = ProbeResult(prefix, signatures: [[0x42, 0x4D]], type: Self.type)
    return signature == .no ? probeInformationHeader(prefix) : signature
  }

  /// Recognises an information header without file header.
  private func probeInformationHeader(_ prefix: Span<UInt8>) -> ProbeResult {
    let sizes: [UInt8] = [12, 16, 40, 52, 56, 64, 108, 124]
    guard let size = prefix.count > 0 ? prefix[0] : nil, sizes.contains(size) else { return .no }
    for index in 1..<4 where index < prefix.count && prefix[index] != 0 { return .no }
    // One plane, then the bits per pixel.
    let planes = size == 12 ? 8 : 12
    let fields: [[UInt8]] = [[1], [0], [1, 2, 4, 8, 16, 24, 32], [0]]
    for (index, values) in fields.enumerated() where planes + index < prefix.count {
      guard values.contains(prefix[planes + index]) else { return .no }
    }
    return prefix.count >= planes + 4 ? .yes(Self.type) : .needs(byteCount: planes + 4)
  }
}

extension BMPDecoder: CoreDecoder {
  // The compiler of Swift 6.3.1 crashes if it inlines this in optimised Embedded code.
  @inline(never)
  package func makeCore(_ goal: DecodingGoal, _ options: DecodingOptions) -> any DecodingCoreObject {
    DecodingCoreBox(BMPCore(nil, goal: goal, embedded: embedded))
  }
}

extension ImageMetadata {
  /// The metadata of an information header, without the profile.
  init(_ header: BMPHeader) {
    self.init()
    if let x = header.pixelsPerMeterX, let y = header.pixelsPerMeterY, x > 0, y > 0 {
      density = PixelDensity(x: Double(x), y: Double(y), unit: .perMeter)
    }
    sRGBRenderingIntent = header.colorTags.sRGBRenderingIntent
    colorSpace = header.colorTags.colorSpace
  }
}
