// The handle of an image: its bytes, and the decoder of its format, found once.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An image of any known format, in memory or in a file.
///
/// ```swift
/// let file = try ImageFile(upload, accepting: [.jpeg, .png, .webp, .heic], options: DecodingOptions(limits: .server))
/// let info = try file.info()
/// let pictures = try file.thumbnails([Thumbnail(width: 1200, height: 1200), Thumbnail(width: 320, height: 320)])
/// let original = try file.stripped()
/// ```
///
/// Its format is detected when the value is created. Nothing else is kept: each method reads the bytes again, and its
/// total cost is limited by ``options``. All methods but ``decode(to:)`` also have an asynchronous form, which runs on
/// one of a limited number of threads and ends when its task is cancelled. Asynchronous functions call that form.
///
/// Images that are still arriving are decoded by an ``ImageSession`` or a ``ThumbnailSession``.
public struct ImageFile: Sendable {
  enum Source: Sendable {
    case bytes([UInt8])
    case data(Data)
    /// A file on disk, which each method opens again.
    case url(URL)
  }

  /// The type of the file.
  public let type: AssetType
  /// The options of decoding. The limits are those of each call, including the reading of headers and metadata, the
  /// making of thumbnails and the rewriting of the file.
  public var options: DecodingOptions
  /// Whether the colours of pixels are converted, and to which colour space.
  public var colorConversion: ColorConversion

  let source: Source
  let decoder: any ImageFormatDecoder
  let formats: ImageFormatRegistry

  /// Detects the format of an image in memory.
  ///
  /// - Parameters:
  ///   - bytes: the complete file.
  ///   - types: the types to accept; `nil` for all types of `formats`.
  ///   - options: how the image is decoded.
  ///   - colorConversion: whether colours are converted.
  ///   - formats: the known formats.
  /// - Throws: `CodecError.Kind.unrecognizedFormat`; `CodecError.Kind.unsupported` if the type is not accepted.
  public init(
    _ bytes: [UInt8], accepting types: Set<AssetType>? = nil, options: DecodingOptions = DecodingOptions(),
    colorConversion: ColorConversion = .keep, formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    let (decoder, type) = try formats.decoder(for: bytes.span, accepting: types)
    self.init(.bytes(bytes), decoder, type, options, colorConversion, formats)
  }

  /// Detects the format of an image in memory. Throws the same errors as the initialiser for arrays.
  public init(
    _ data: Data, accepting types: Set<AssetType>? = nil, options: DecodingOptions = DecodingOptions(),
    colorConversion: ColorConversion = .keep, formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    let (decoder, type) = try formats.decoder(for: data.span, accepting: types)
    self.init(.data(data), decoder, type, options, colorConversion, formats)
  }

  /// Detects the format of an image file on disk, of which only the beginning is read.
  ///
  /// Methods read the file, or map it into memory; thumbnails of JPEG, PNG, WebP, PNM, QOI and TGA files are made while
  /// the file is read. Videos are always mapped. A mapped file that another process truncates ends this process.
  ///
  /// - Throws: `CodecError.Kind.fileAccessFailed` if the URL is not that of a readable regular file, and the errors
  ///   of the initialiser for arrays.
  public init(
    contentsOf url: URL, accepting types: Set<AssetType>? = nil, options: DecodingOptions = DecodingOptions(),
    colorConversion: ColorConversion = .keep, formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try FileAccess.checkIsFile(url)
    let start = FileParts(path: url.path)?.part ?? []
    let decoder: any ImageFormatDecoder
    let type: AssetType
    if case .found = formats.match(start.span) {
      (decoder, type) = try formats.decoder(for: start.span, accepting: types)
    } else {
      let data = try FileAccess.read(url, limits: options.limits)
      (decoder, type) = try formats.decoder(for: data.span, accepting: types)
    }
    self.init(.url(url), decoder, type, options, colorConversion, formats)
  }

  /// Detects the format of the image file at a path. See the initialiser for URLs.
  public init(
    contentsOfFile path: String, accepting types: Set<AssetType>? = nil, options: DecodingOptions = DecodingOptions(),
    colorConversion: ColorConversion = .keep, formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    try self.init(
      contentsOf: URL(fileURLWithPath: path), accepting: types, options: options, colorConversion: colorConversion,
      formats: formats)
  }

  private init(
    _ source: Source, _ decoder: any ImageFormatDecoder, _ type: AssetType, _ options: DecodingOptions,
    _ colorConversion: ColorConversion, _ formats: ImageFormatRegistry
  ) {
    self.source = source
    self.decoder = decoder
    self.type = type
    self.options = options
    self.colorConversion = colorConversion
    self.formats = formats
  }

  /// Calls a function with all bytes of the file.
  func withBytes<Result>(_ body: (Span<UInt8>) throws(CodecError) -> Result) throws(CodecError) -> Result {
    switch source {
    case .bytes(let bytes): return try body(bytes.span)
    case .data(let data): return try body(data.span)
    case .url(let url):
      // Of a video, which may be larger than memory, only a small part is read.
      let data = type.isMovie ? try FileAccess.map(url) : try FileAccess.read(url, limits: options.limits)
      return try body(data.span)
    }
  }

  /// Runs a call with its budget, and checks the deadline at its end.
  func spending<Result>(
    _ body: (inout ResourceBudget) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    var budget = ResourceBudget(options, format: type)
    let result = try body(&budget)
    try budget.checkpoint()
    return result
  }
}
