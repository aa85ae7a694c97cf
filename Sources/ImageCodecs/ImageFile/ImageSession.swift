// An image of any format that arrives in parts.

/// Decodes an image while its bytes arrive. Its decoder is selected once the first bytes tell the format.
///
/// The result never depends on how the input was divided. A session must not be used by several threads at a time.
public final class ImageSession: IncrementalImageDecoder {
  private enum Stage {
    /// The bytes received so far do not tell the format.
    case identifying(neededByteCount: Int)
    case decoding(any IncrementalImageDecoder)
    case failed(CodecError)
  }

  private let acceptedTypes: Set<AssetType>?
  private let options: DecodingOptions
  private let colorConversion: ColorConversion
  private let formats: ImageFormatRegistry
  private var stage = Stage.identifying(neededByteCount: 1)
  /// The bytes received so far, as long as they do not tell the format.
  private var prefix: [UInt8] = []
  /// The progress when ``nextPreview()`` returned the last preview.
  private var shown: DecodingProgress?

  /// The type of the file, once it is known.
  public private(set) var type: AssetType?
  /// The progress of the decode.
  public private(set) var progress = DecodingProgress()

  /// Creates a session for one image.
  ///
  /// - Parameters:
  ///   - types: the types to decode; `nil` for all types of `formats`. The first bytes of a file of another type end
  ///     the session with `CodecError.Kind.unsupported`.
  ///   - options: how the image is decoded. The limits are those of the whole session.
  ///   - colorConversion: whether the colours of the image and of its previews are converted. The limits apply to a
  ///     conversion separately.
  ///   - formats: the known formats.
  public init(
    accepting types: Set<AssetType>? = nil, options: DecodingOptions = DecodingOptions(),
    colorConversion: ColorConversion = .keep, formats: ImageFormatRegistry = .shared
  ) {
    acceptedTypes = types
    self.options = options
    self.colorConversion = colorConversion
    self.formats = formats
  }

  /// Whether the format is known, or the session has failed.
  package var hasBegun: Bool {
    if case .identifying = stage { false } else { true }
  }

  /// The facts from the headers, once they are complete.
  public var info: ImageInfo? { current?.info }

  private var current: (any IncrementalImageDecoder)? {
    if case .decoding(let session) = stage { session } else { nil }
  }

  /// Appends the next bytes of the file.
  ///
  /// - Returns: the progress so far.
  /// - Throws: the error that a one-shot decode would throw: `CodecError.Kind.unrecognizedFormat` as soon as the
  ///   bytes are the start of no known format. Every later call throws the same error.
  @discardableResult
  public func append(_ bytes: Span<UInt8>) throws(CodecError) -> DecodingProgress {
    do throws(CodecError) {
      switch stage {
      case .failed(let error): throw error
      case .decoding(let session): progress = try session.append(bytes)
      case .identifying where prefix.isEmpty: try identify(bytes)
      case .identifying(let neededByteCount):
        let (byteCount, overflow) = prefix.count.addingReportingOverflow(bytes.count)
        guard !overflow, byteCount <= options.limits.maximumByteCount else {
          throw CodecError(.limitExceeded, "the format is not known after \(prefix.count) bytes", limit: .memory)
        }
        prefix.append(copying: bytes)
        guard byteCount >= neededByteCount else { break }
        let all = prefix
        try identify(all.span)
      }
      return progress
    } catch {
      stage = .failed(error)
      throw error
    }
  }

  /// Starts to decode if the bytes received so far tell the format; keeps them otherwise.
  private func identify(_ bytes: Span<UInt8>) throws(CodecError) {
    switch formats.match(bytes) {
    case .found(let decoder, let type): try begin(decoder, type, bytes)
    case .needs(let byteCount):
      if prefix.isEmpty { prefix.append(copying: bytes) }
      stage = .identifying(neededByteCount: max(byteCount, bytes.count + 1))
    case .none: _ = try formats.decoder(for: bytes)
    }
  }

  private func begin(
    _ decoder: any ImageFormatDecoder, _ type: AssetType, _ prefix: Span<UInt8>
  ) throws(CodecError) {
    self.type = type
    try type.check(isIn: acceptedTypes)
    var session = decoder.makeSession(options: options.keepingFormat(if: colorConversion != .keep))
    if colorConversion != .keep {
      session = ColorConvertingSession(session, options: options, conversion: colorConversion)
    }
    stage = .decoding(session)
    self.prefix = []
    progress = try session.append(prefix)
  }

  /// Returns a preview of the image received so far; see `IncrementalImageDecoder.makePreview()`.
  public func makePreview() -> Bitmap? { current?.makePreview() }

  /// Returns a preview if more of the image can be shown than in the last preview that this method returned: each scan
  /// of a progressive image, the first frame of a GIF or a video, new rows of others.
  public func nextPreview() -> Bitmap? {
    guard let session = current, let info = session.info, isMoreToShow(of: info) else { return nil }
    guard let preview = session.makePreview() else { return nil }
    shown = progress
    return preview
  }

  private func isMoreToShow(of info: ImageInfo) -> Bool {
    if info.type == .gif { return shown == nil && progress.completedFrameCount > 0 }
    // A video has one preview, which counts as a scan, and JPEG XL always has stages.
    if info.isProgressive || info.type.isVideo || info.type == .jxl {
      return progress.completedScanCount > shown?.completedScanCount ?? 0
    }
    return progress.completedRowCount > shown?.completedRowCount ?? 0
  }

  /// Declares the input complete and returns the image. Later calls return the same image or throw the same error.
  ///
  /// - Throws: as `IncrementalImageDecoder.finish()`; `CodecError.Kind.unrecognizedFormat`.
  public func finish() throws(CodecError) -> DecodedImage {
    do throws(CodecError) {
      if case .identifying = stage {
        let all = prefix
        let (decoder, type) = try formats.decoder(for: all.span, accepting: nil)
        try begin(decoder, type, all.span)
      }
      if case .failed(let error) = stage { throw error }
      guard let session = current else {
        throw CodecError(.unrecognizedFormat, "the format of the bytes is not known", byteOffset: 0)
      }
      let image = try session.finish()
      (progress.isHeaderComplete, progress.isComplete) = (true, true)
      return image
    } catch {
      stage = .failed(error)
      throw error
    }
  }
}
