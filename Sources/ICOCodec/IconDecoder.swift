// The public interface of icons and cursors.

internal import BMPCodec
@_exported public import ImageCoding

/// Decodes ICO and CUR files. Each entry is an image; ``IconContainer`` lists them with the hot spots of cursors.
///
/// Bitmap entries have the natural format `rgba8`. Entries of 32 bits per pixel have their own alpha, unless it is zero
/// everywhere; in all other entries the AND mask tells which pixels are transparent. PNG entries are decoded by the
/// decoder that is passed in, in their own format, one nesting level below the file.
///
/// Lenient decoding accepts the following. Strict decoding throws an error for each of them.
///
/// - A length in the directory that is shorter or longer than the picture. A missing AND mask: the pixels are opaque.
/// - A size in the directory other than that of the picture: the picture's own size.
/// - The damage that `BMPDecoder` accepts.
public struct IconDecoder: ImageFormatDecoder {
  /// `com.microsoft.ico`.
  public static let icon: AssetType = "com.microsoft.ico"
  /// `com.microsoft.cur`.
  public static let cursor: AssetType = "com.microsoft.cur"

  private let pngDecoder: AnyImageFormatDecoder?

  /// Creates a decoder.
  ///
  /// - Parameter pngDecoder: the decoder of PNG entries; `nil` by default.
  public init(pngDecoder: AnyImageFormatDecoder? = nil) {
    self.pngDecoder = pngDecoder
  }

  /// `com.microsoft.ico` and `com.microsoft.cur`.
  public var types: [AssetType] { [Self.icon, Self.cursor] }

  /// Recognises the format by the first eight bytes: a reserved field, the type and a number of pictures other than
  /// zero, excluding the boxes of other formats.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    for index in 0..<min(prefix.count, 4) {
      if index == 2 ? prefix[index] != 1 && prefix[index] != 2 : prefix[index] != 0 { return .no }
    }
    guard prefix.count >= 8 else { return .needs(byteCount: 8) }
    // A file type box of 256 or 512 bytes starts with the same bytes as an icon, a TGA file without colour map with
    // those of a cursor without pictures.
    if FourCharacterCode(prefix, at: 4) == "ftyp" || (prefix[4] == 0 && prefix[5] == 0) { return .no }
    return .yes(prefix[2] == 1 ? Self.icon : Self.cursor)
  }

  /// Reads the directory and the headers of the pictures that are in the input. The properties are those of the largest
  /// picture.
  ///
  /// `imageCount` is the number of pictures, which ``IconContainer`` lists.
  public func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    let container = try budget.reading(options.limits, as: Self.icon) { (budget) throws(CodecError) in
      try IconContainer(parsing: bytes, budget: &budget)
    }
    guard let largest = container.largestEntry else {
      throw CodecError(.malformed, "the icon directory is empty", format: Self.icon, byteOffset: 4)
    }
    return container.info(of: largest)
  }
}

extension IconDecoder: WholeFileDecoder {
  package var selectsImage: Bool { true }

  /// Decodes the entry that ``DecodingOptions/imageIndex`` selects. By default that is the smallest one that is at
  /// least as large as ``DecodingOptions/targetSize``, or else the largest.
  package func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    let container = try IconContainer(parsing: bytes, budget: &context.budget)
    let entry = try container.selectedEntry(context.options)
    let picture = EntryDecoder(entry: entry, pngDecoder: pngDecoder)
    let isComplete = try picture.decode(bytes, into: &bitmap, &context)
    var info = container.info(of: entry)
    (info.width, info.height) = (bitmap.width, bitmap.height)
    return DecodingDetails(info: info, isComplete: isComplete)
  }
}
