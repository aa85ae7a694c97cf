// The public interface of Apple's icons.

@_exported public import ImageCoding

/// Decodes Apple icon files (`.icns`). Each picture is an image; ``IconFamily`` lists them with their types and scales.
///
/// Pictures that are stored as PNG or JPEG 2000 files are decoded by the decoders that are passed in, in their own
/// format, one nesting level below the file. All others have the natural format `rgba8`. Those of one bit are black and
/// white, those of 4 and 8 bits have the colours of the system's palettes. Pictures of 4 and 8 bits have the mask of
/// one bit of their size, or else that of eight bits; planes of red, green and blue have that of eight bits, or else
/// that of one. Without a mask they are opaque.
///
/// A file may contain further families of icons for templates, selections and dark backgrounds. They are skipped.
///
/// Lenient decoding accepts the following. Strict decoding throws an error for each of them.
///
/// - A file that ends early: the entries before its end. An entry whose length is less than that of its header, or that
///   extends beyond the stated end of the file; bytes after that end.
/// - A table of contents that differs from the entries; entries of the same type, of which the first one counts.
/// - A picture file of another size than that of its type. Missing zeros at the start of an `it32` picture.
/// - Missing pixels: transparent. Runs that exceed their plane: cut off, as in libicns. Missing pixels of a mask:
///   opaque.
public struct ICNSDecoder: ImageFormatDecoder {
  /// `com.apple.icns`.
  public static let type: AssetType = "com.apple.icns"

  private let pngDecoder: AnyImageFormatDecoder?
  private let jpeg2000Decoder: AnyImageFormatDecoder?

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - pngDecoder: the decoder of PNG files; `nil` by default.
  ///   - jpeg2000Decoder: the decoder of JPEG 2000 files; `nil` by default.
  public init(
    pngDecoder: AnyImageFormatDecoder? = nil, jpeg2000Decoder: AnyImageFormatDecoder? = nil
  ) {
    self.pngDecoder = pngDecoder
    self.jpeg2000Decoder = jpeg2000Decoder
  }

  /// `com.apple.icns`.
  public var types: [AssetType] { [Self.type] }

  /// Recognises the format by its signature.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    ProbeResult(prefix, signatures: [[0x69, 0x63, 0x6E, 0x73]], type: Self.type)
  }

  /// Reads the headers of all entries, or the table of contents, and the headers of the pictures that are in the input.
  /// The properties are those of the largest picture.
  ///
  /// `imageCount` is the number of pictures, which ``IconFamily`` lists.
  public func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    let family = try budget.reading(options.limits, as: Self.type) { (budget) throws(CodecError) in
      var reader = FamilyReader(isWholeFile: false)
      return try reader.read(bytes, &budget)
    }
    guard let largest = family.largestPicture else { throw IconFamily.isEmpty }
    return family.info(of: largest)
  }
}

extension ICNSDecoder: WholeFileDecoder {
  package var selectsImage: Bool { true }

  /// Decodes the picture that ``DecodingOptions/imageIndex`` selects. By default that is the smallest one that is at
  /// least as large as ``DecodingOptions/targetSize``, or else the largest.
  package func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    var reader = FamilyReader(isWholeFile: true)
    let family = try reader.read(bytes, &context.budget)
    for defect in reader.defects { try context.tolerate(defect.error, as: defect.severity) }
    if let unknown = reader.unknownEntry {
      context.note(
        .warning, "an entry of the unknown type “\(unknown.code)” was skipped", byteOffset: unknown.offset)
    }
    let picture = try family.selectedPicture(context.options)
    let decoder = PictureDecoder(
      picture: picture, masks: family.masks, pngDecoder: pngDecoder, jpeg2000Decoder: jpeg2000Decoder)
    let isComplete = try decoder.decode(bytes, into: &bitmap, &context)
    var info = family.info(of: picture)
    (info.width, info.height) = (bitmap.width, bitmap.height)
    return DecodingDetails(info: info, isComplete: isComplete)
  }
}
