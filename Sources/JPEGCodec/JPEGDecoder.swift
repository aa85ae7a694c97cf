// The public face of the JPEG decoder: the formats it reads, and the one-shot and incremental ways to decode.

@_exported public import ImageCore

/// Decodes JPEG (ITU-T T.81): baseline, extended sequential and progressive, Huffman- or arithmetic-coded, with 8-bit
/// samples.
///
/// Pixels are bit-identical to libjpeg-turbo's default decode: accurate integer inverse DCT, triangle filters for
/// chroma of half resolution, replication for other ratios, and inter-block smoothing of incomplete progressive images
/// unless disabled.
public struct JPEGDecoder: ImageFormatDecoder {
  /// The type identifier `public.jpeg`.
  public static let type: AssetType = "public.jpeg"

  /// Whether AC coefficients that an incomplete progressive image lacks are estimated from neighbouring blocks, as in
  /// libjpeg-turbo. Otherwise they are zero, and block edges are visible. Complete images are the same either way.
  public var smoothsIncompleteScans: Bool

  /// Whether progressive images that ``DecodingOptions/targetSize`` reduces to an eighth are decoded from their DC
  /// coefficients only: scans of AC coefficients are skipped, which takes a fraction of the time and memory. Subsampled
  /// chroma then has a lower resolution than in libjpeg-turbo's decode, and damage in those scans is not found. Other
  /// pixels are the same. The default is `false`.
  public var approximatesEighths = false

  /// Creates a decoder that shows incomplete progressive images either smoothed or as received.
  public init(smoothsIncompleteScans: Bool = true) {
    self.smoothsIncompleteScans = smoothsIncompleteScans
  }

  private func core(_ options: DecodingOptions) -> JPEGCore {
    JPEGCore(
      options: options, smoothsIncompleteScans: smoothsIncompleteScans, approximatesEighths: approximatesEighths)
  }

  /// Only `public.jpeg`.
  public var types: [AssetType] { [Self.type] }

  /// Checks the SOI marker and the first byte of the next marker.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    let magic: InlineArray<3, UInt8> = [0xFF, 0xD8, 0xFF]
    for index in 0..<min(prefix.count, 3) where prefix[index] != magic[index] { return .no }
    return prefix.count < 3 ? .needs(byteCount: 3) : .yes(Self.type)
  }

  /// Reads the segments before the first scan. If the frame header leaves the height open, it reads past that scan too.
  ///
  /// A prefix that contains the frame header suffices. Facts from other segments are then known as far as they are
  /// present.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageInfo {
    let options = DecodingOptions(limits: options.limits)
    var context = DecodingContext(options, format: Self.type)
    var core = JPEGCore(extent: .headers, options: options)
    return try core.readInfo(bytes, &context)
  }

  /// Reads the segments before the first scan: EXIF, XMP, IPTC, the ICC profile, density and comments.
  public func metadata(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageMetadata {
    let options = DecodingOptions(limits: options.limits)
    var context = DecodingContext(options, format: Self.type)
    var core = JPEGCore(extent: .headers, options: options)
    do throws(CodecError) {
      _ = try core.readInfo(bytes, &context)
    } catch {
      // Damage further on does not affect the segments before it.
      if error.isInterruption { throw error }
    }
    return core.collector.finish()
  }

  /// Decodes the image.
  ///
  /// The natural format is `gray8`, `rgb8` or, for four inks, `cmyk8`. CMYK requested as RGB is converted without a
  /// profile.
  /// - Throws: ``CodecError/Kind/unsupported``, naming the process, if it is not supported.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    var core = core(options)
    return try core.decode(bytes, into: &bitmap, options: options, budget: &budget)
  }

  /// Decodes the image, passing its rows to a sink as they are decoded.
  public func decode(
    _ bytes: Span<UInt8>, to sink: any ImageRowSink, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    var core = core(options)
    return try core.decode(bytes, to: sink, options: options, budget: &budget)
  }

  /// Creates a session that delivers the rows of sequential images, or the scans of progressive ones, as they arrive.
  public func makeSession(options: DecodingOptions) -> (any IncrementalImageDecoder)? {
    DecodingSession(core(options), options: options)
  }
}

extension JPEGDecoder: RowStreamingDecoder {
  /// Creates a session that passes rows to a sink as they are decoded.
  package func makeSession(
    to sink: any ImageRowSink, options: DecodingOptions, budget: ResourceBudget
  ) -> any RowStreamingSession {
    DecodingSession(core(options), to: sink, options: options, budget: budget)
  }
}
