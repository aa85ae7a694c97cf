// Between a pipeline, which shows growing prefixes of a file, and a codec's session, which wants every byte once.

/// Feeds the new part of each prefix to a session of the format that the file starts like.
struct CumulativeDecoding {
  private let formats: ImageFormatRegistry
  private let options: DecodingOptions
  private var stage = Stage.identifying(neededByteCount: 1)
  /// Bytes that the session has seen.
  private var consumedByteCount = 0
  /// How far the session has come.
  private(set) var progress = DecodingProgress()
  /// The type, once it is known.
  private(set) var type: AssetType?

  private enum Stage {
    case identifying(neededByteCount: Int)
    case decoding(any IncrementalImageDecoder)
    case failed(CodecError)
    /// The format has no sessions, or is not known: only the complete data will do.
    case waiting
  }

  init(formats: ImageFormatRegistry, options: DecodingOptions) {
    self.formats = formats
    self.options = options
  }

  /// The facts of the headers, once they have arrived.
  var info: ImageInfo? {
    if case .decoding(let session) = stage { session.info } else { nil }
  }

  /// Takes what is new in `data`.
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
      if let session = decoder.makeSession(options: options) { stage = .decoding(session) } else { stage = .waiting }
    }
  }

  /// The image as far as it has arrived.
  func makePreview() -> Bitmap? {
    if case .decoding(let session) = stage { session.makePreview() } else { nil }
  }

  /// Decodes the complete data, from where the session is.
  ///
  /// - Parameter targetSize: the least size that will do, for a decode from the start.
  mutating func finish(_ data: Span<UInt8>, targetSize: PixelSize? = nil) throws(CodecError) -> DecodedImage {
    switch stage {
    case .failed(let error): throw error
    case .decoding(let session) where data.count >= consumedByteCount:
      let rest = data.extracting(consumedByteCount..<data.count)
      consumedByteCount = data.count
      if !rest.isEmpty { progress = try session.append(rest) }
      return try session.finish()
    default:
      var options = options
      options.targetSize = targetSize ?? options.targetSize
      return try DecodedImage(decoding: data, options: options, formats: formats)
    }
  }
}
