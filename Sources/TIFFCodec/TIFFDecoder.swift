// The public interface of the TIFF decoder.

@_exported public import ImageCoding
internal import MetadataFormats

/// Decodes TIFF and BigTIFF files in both byte orders (TIFF 6.0 and its technical notes): strips and tiles, samples of
/// 1…64 bits, and the compressions PackBits, LZW, Deflate, CCITT and SGI LogLuv; JPEG, WebP and JPEG 2000 by the
/// decoders passed to it.
///
/// Integers of up to 8 bits become 8-bit samples, those of up to 16 bits 16-bit samples, and deeper ones
/// single-precision fractions. Half-precision numbers are kept, and other floating-point numbers become
/// single-precision. Palette, YCbCr and L\*a\*b\* images become RGB. Associated alpha stays associated. LogL and LogLuv
/// become gray and RGB in single precision with a gamma of 2, in which 1 is the white of libtiff and brighter pixels
/// have larger values.
///
/// The first page is decoded, or the one that `DecodingOptions.imageIndex` selects. Of a region, only the strips and
/// tiles that it touches are decoded. A version of reduced resolution is decoded instead if it is at least as large as
/// `DecodingOptions.targetSize`. Features that are not decoded are `CodecError.Kind.unsupported` errors that name
/// them, such as the compression.
public struct TIFFDecoder: ImageFormatDecoder {
  /// `public.tiff`.
  public static let type: AssetType = "public.tiff"

  let jpegDecoder: AnyImageFormatDecoder?
  let webPDecoder: AnyImageFormatDecoder?
  let jpeg2000Decoder: AnyImageFormatDecoder?
  let jpegXLDecoder: AnyImageFormatDecoder?

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - jpegDecoder: the decoder of JPEG-compressed blocks; `nil` by default.
  ///   - webPDecoder: the decoder of WebP-compressed blocks; `nil` by default.
  ///   - jpeg2000Decoder: the decoder of blocks compressed as JPEG 2000; `nil` by default.
  ///   - jpegXLDecoder: the decoder of blocks compressed as JPEG XL; `nil` by default.
  public init(
    jpegDecoder: AnyImageFormatDecoder? = nil, webPDecoder: AnyImageFormatDecoder? = nil,
    jpeg2000Decoder: AnyImageFormatDecoder? = nil, jpegXLDecoder: AnyImageFormatDecoder? = nil
  ) {
    self.jpegDecoder = jpegDecoder
    self.webPDecoder = webPDecoder
    self.jpeg2000Decoder = jpeg2000Decoder
    self.jpegXLDecoder = jpegXLDecoder
  }

  /// `public.tiff`.
  public var types: [AssetType] { [Self.type] }

  /// Recognises the format by the byte order and the version.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    ProbeResult(
      prefix,
      signatures: [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43]],
      type: Self.type)
  }

  /// Reads the first directory, which may be anywhere in the file.
  ///
  /// With `indexesFrames`, pages are counted by following the links between directories. If there are several pages and
  /// they were not counted, `imageCount` is `nil`. A profile beyond the end of a prefix is left out.
  public func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    try budget.reading(options.limits, as: Self.type) { (budget) throws(CodecError) in
      let container = try TIFFContainer(parsing: bytes, indexesPages: options.indexesFrames, budget: &budget)
      return container.info(bytes, budget: &budget)
    }
  }

  /// Returns the first page's resolution, ICC profile, XMP packet and IPTC-IIM records, and its descriptive tags as an
  /// EXIF block.
  public func metadata(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageMetadata {
    try budget.reading(options.limits, as: Self.type) { (budget) throws(CodecError) in
      try TIFFContainer(parsing: bytes, budget: &budget).metadata(bytes, budget: &budget)
    }
  }
}
