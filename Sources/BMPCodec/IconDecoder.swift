// The public interface of icons and cursors, which reads properties. Pixels are not decoded yet.

@_exported public import ImageCore

/// Reads the directory of ICO and CUR files. The properties reported are those of the largest picture.
public struct IconDecoder: ImageFormatDecoder {
  /// `com.microsoft.ico`.
  public static let icon: AssetType = "com.microsoft.ico"
  /// `com.microsoft.cur`.
  public static let cursor: AssetType = "com.microsoft.cur"

  /// Creates a decoder. It has no options.
  public init() {}

  /// `com.microsoft.ico` and `com.microsoft.cur`.
  public var types: [AssetType] { [Self.icon, Self.cursor] }

  /// Recognises the format by the first eight bytes: a reserved field, the type and the number of pictures, excluding
  /// the boxes of other formats.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    for index in 0..<min(prefix.count, 4) {
      if index == 2 ? prefix[index] != 1 && prefix[index] != 2 : prefix[index] != 0 { return .no }
    }
    guard prefix.count >= 8 else { return .needs(byteCount: 8) }
    // A file type box of 256 or 512 bytes starts with the same bytes as an icon.
    if FourCharacterCode(prefix, at: 4) == "ftyp" { return .no }
    return .yes(prefix[2] == 1 ? Self.icon : Self.cursor)
  }

  /// Reads the directory and the headers of the pictures that are in the input.
  ///
  /// `imageCount` is the number of pictures, which ``IconContainer`` lists.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(CodecError) -> ImageInfo {
    let container = try IconContainer(parsing: bytes, limits: options.limits)
    guard let largest = container.largestEntry else {
      throw CodecError(.malformed, "the icon directory is empty", format: Self.icon, byteOffset: 4)
    }
    var info = ImageInfo(
      type: container.isCursor ? Self.cursor : Self.icon, width: largest.size.width, height: largest.size.height,
      bitDepth: largest.bitsPerPixel.map { min($0, 8) },
      colorModel: largest.bitsPerPixel.map { $0 <= 8 && !largest.isPNG ? .palette : .rgb }, hasAlpha: true,
      coding: largest.isPNG ? "PNG" : "BMP")
    info.imageCount = container.entries.count
    return info
  }

  /// Throws ``CodecError/Kind/unsupported``.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    let info = try info(bytes, options: InfoOptions(limits: options.limits))
    throw CodecError(
      .unsupported, "icons and cursors are identified but not decoded (\(info.coding ?? ""))", format: info.type)
  }
}
