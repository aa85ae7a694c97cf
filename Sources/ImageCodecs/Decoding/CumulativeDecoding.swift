// Adapts pipelines, which pass growing prefixes of a file, to sessions, which take every byte once.

/// Passes the new bytes of each prefix to a session of the detected format.
struct CumulativeDecoding {
  private let formats: ImageFormatRegistry
  private let options: DecodingOptions
  private var stage = Stage.identifying(neededByteCount: 1)
  /// The number of bytes that the session has received.
  private var consumedByteCount = 0
  /// The session's progress.
  private(set) var progress = DecodingProgress()
  /// The type of the file, once it is known.
  private(set) var type: AssetType?

  private enum Stage {
    case identifying(neededByteCount: Int)
    case decoding(any IncrementalImageDecoder)
    case failed(CodecError)
    /// The format has no sessions or is not known: only the complete data can be decoded.
    case waiting
  }

  init(formats: ImageFormatRegistry, options: DecodingOptions) {
    self.formats = formats
    self.options = options
  }

  /// Whether a part of the data has been decoded, or has failed to be.
  var hasBegun: Bool {
    switch stage {
    case .decoding, .failed: true
    case .identifying, .waiting: false
    }
  }

  /// The information from the headers, once they have arrived.
  var info: ImageInfo? {
    if case .decoding(let session) = stage { session.info } else { nil }
  }

  /// Passes the new bytes of `data` to the session.
  mutating func receive(_ data: Span<UInt8>) {
    if case .identifying(let needed) = stage, data.count >= needed { identify(data) }
    guard case .decoding(let session) = stage, data.count > consumedByteCount else { return }
    do throws(CodecError) {
      progress = try session.append(data.extracting(consumedByteCount..<data.count))
      consumedByteCount = data.count
    } catch {
      stage = .failed(error)
    }
  }

  private mutating func identify(_ data: Span<UInt8>) {
    switch formats.match(data) {
    case .none: stage = .waiting
    case .needs(let byteCount): stage = .identifying(neededByteCount: max(byteCount, data.count + 1))
    case .found(let decoder, let type):
      self.type = type
      guard let session = decoder.makeSession(options: options.beforeColorConversion) else { return stage = .waiting }
      stage = .decoding(
        options.convertsColors ? ColorConvertingSession(session, options: options) : session)
    }
  }

  /// Returns the part of the image that has arrived.
  func makePreview() -> Bitmap? {
    if case .decoding(let session) = stage { session.makePreview() } else { nil }
  }

  /// Decodes the complete data, continuing the session if there is one.
  mutating func finish(_ data: Span<UInt8>) throws(CodecError) -> DecodedImage {
    switch stage {
    case .failed(let error): throw error
    case .decoding(let session) where data.count >= consumedByteCount:
      let rest = data.extracting(consumedByteCount..<data.count)
      consumedByteCount = data.count
      if !rest.isEmpty { progress = try session.append(rest) }
      return try session.finish()
    default:
      return try DecodedImage(decoding: data, options: options, formats: formats)
    }
  }
}
