// Thumbnails of an image that arrives in parts.

internal import ImageCoding

/// Makes thumbnails of an image while its bytes arrive.
///
/// ```swift
/// let session = try ThumbnailSession([Thumbnail(width: 1200, height: 1200), Thumbnail(width: 320, height: 320)], accepting: [.jpeg, .png])
/// for try await chunk in body where !session.progress.isComplete { try session.append(chunk.span) }
/// let pictures = try session.finish()
/// ```
///
/// JPEG, BMP, PNM, QOI and TGA files are decoded and resized as they arrive, and are not held in memory. Other files
/// are held until they are complete, and so are large progressive JPEGs of which more than an eighth of the size is
/// needed: their bytes take less memory than their coefficients. ``append(_:)`` decodes on the calling thread, which it
/// occupies meanwhile; to end it, set `DecodingOptions.shouldCancel`. The result never depends on how the input was
/// divided. A session must not be used by several threads at a time.
public final class ThumbnailSession {
  private enum Stage {
    /// The format, or the size of the image, is not known yet.
    case starting(neededByteCount: Int)
    case decoding(DecodingSession, ThumbnailSinks)
    /// The file is decoded once it is complete.
    case collecting
    case finished(Result<[DecodedImage], CodecError>)
  }

  private let maker: ThumbnailMaker
  private let acceptedTypes: Set<AssetType>?
  private let formats: ImageFormatRegistry
  private var stage = Stage.starting(neededByteCount: 1)
  /// The bytes received so far, unless they have been decoded.
  private var received: [UInt8] = []

  /// The budget of the attempts to read the headers, if there were any. The decode continues to spend it.
  private var budget: ResourceBudget?

  /// The type of the file, once it is known.
  public private(set) var type: AssetType?
  /// The facts from the headers, once they are known.
  public private(set) var info: ImageInfo?
  /// The progress of the decode. It is complete once the image needs no more bytes, although more may follow.
  public private(set) var progress = DecodingProgress()

  /// Creates a session for one image.
  ///
  /// - Parameters:
  ///   - requests: the thumbnails to make.
  ///   - types: the types to decode; `nil` for all types of `formats`. The first bytes of a file of another type end
  ///     the session with `CodecError.Kind.unsupported`.
  ///   - options: how the image is decoded. The limits are those of the whole session.
  ///   - colorConversion: the conversion of colours, unless a request has its own.
  ///   - formats: the known formats.
  /// - Throws: `CodecError.Kind.invalidArgument` if a request is invalid.
  public init(
    _ requests: [Thumbnail], accepting types: Set<AssetType>? = nil, options: DecodingOptions = DecodingOptions(),
    colorConversion: ColorConversion = .keep, formats: ImageFormatRegistry = .shared
  ) throws(CodecError) {
    maker = try ThumbnailMaker(requests, options, colorConversion)
    acceptedTypes = types
    self.formats = formats
  }

  /// Appends the next bytes of the file.
  ///
  /// - Returns: the progress so far.
  /// - Throws: `CodecError.Kind.unrecognizedFormat` as soon as the bytes are the start of no known format; the errors
  ///   that `ImageFile.thumbnails(_:)` would throw. Every later call throws the same error.
  @discardableResult
  public func append(_ bytes: Span<UInt8>) throws(CodecError) -> DecodingProgress {
    do throws(CodecError) {
      switch stage {
      case .finished(let result): _ = try result.get()
      case .decoding(let session, _): progress = try session.append(bytes)
      case .collecting: try collect(bytes)
      case .starting(let neededByteCount):
        try collect(bytes)
        if received.count >= neededByteCount { try start() }
      }
      return progress
    } catch {
      stage = .finished(.failure(error))
      received = []
      throw error
    }
  }

  private func collect(_ bytes: Span<UInt8>) throws(CodecError) {
    let (byteCount, overflow) = received.count.addingReportingOverflow(bytes.count)
    guard !overflow, byteCount <= maker.options.limits.maximumByteCount else {
      throw CodecError(
        .limitExceeded, "the file exceeds the limit of \(maker.options.limits.maximumByteCount) bytes", format: type,
        limit: .memory)
    }
    received.append(copying: bytes)
  }

  /// Starts to decode if the headers have arrived.
  private func start() throws(CodecError) {
    let bytes = received
    switch formats.match(bytes.span) {
    case .none: _ = try formats.decoder(for: bytes.span)
    case .needs(let byteCount): stage = .starting(neededByteCount: max(byteCount, bytes.count + 1))
    case .found(let decoder, let type):
      self.type = type
      try type.check(isIn: acceptedTypes)
      guard let decoder = ThumbnailMaker.reducing(decoder) as? any CoreDecoder, maker.options.region == nil,
        Self.streamedTypes.contains(type)
      else {
        stage = .collecting
        return
      }
      var budget = takeBudget()
      budget.format = type
      do throws(CodecError) {
        info = try decoder.info(bytes.span, options: maker.headerOptions, budget: &budget)
      } catch {
        guard error.kind == .truncated else { throw error }
        // Headers are read again only after they have grown by a half, so that all reads together cost little.
        stage = .starting(neededByteCount: max(error.neededByteCount ?? 0, bytes.count + bytes.count / 2 + 1))
      }
      if let info { return try decode(bytes, info, decoder, budget) }
      budget.pauseClock()
      self.budget = consume budget
    }
  }

  /// Returns the session's budget with its clock running.
  private func takeBudget() -> ResourceBudget {
    guard var budget = budget.take() else { return ResourceBudget(maker.options) }
    budget.resumeClock()
    return budget
  }

  /// The formats that state the orientation before the pixels, and whose pixels are stored in the order of rows.
  private static let streamedTypes: Set<AssetType> = [.jpeg, .bmp, .pnm, .qoi, .tga]

  private func decode(
    _ bytes: [UInt8], _ info: ImageInfo, _ decoder: any CoreDecoder, _ budget: consuming ResourceBudget
  ) throws(CodecError) {
    let sinks = ThumbnailSinks(of: info, orientation: info.orientation, for: maker)
    let options = sinks.decodingOptions
    let session = DecodingSession(decoder.makeCore(.pixels, options), to: sinks, options: options, budget: budget)
    stage = .decoding(session, sinks)
    received = []
    progress = try session.append(bytes.span)
  }

  /// Declares the input complete and returns the thumbnails in the order of the requests. Later calls return the same
  /// thumbnails or throw the same error.
  ///
  /// - Throws: the errors that `ImageFile.thumbnails(_:)` would throw.
  public func finish() throws(CodecError) -> [DecodedImage] {
    let result = Result { () throws(CodecError) in try finished() }
    stage = .finished(result)
    received = []
    let thumbnails = try result.get()
    (progress.isHeaderComplete, progress.isComplete) = (true, true)
    return thumbnails
  }

  private func finished() throws(CodecError) -> [DecodedImage] {
    switch stage {
    case .finished(let result): return try result.get()
    case .starting, .collecting:
      let file = try ImageFile(
        received, accepting: acceptedTypes, options: maker.options, colorConversion: maker.colorConversion,
        formats: formats)
      type = file.type
      var budget = takeBudget()
      budget.format = type
      // The session holds the file.
      try budget.allocate(received.count)
      let images = try file.thumbnails(maker.requests, budget: &budget)
      try budget.checkpoint()
      return images
    case .decoding(let session, let sinks):
      let details = try session.finish().details
      return try session.spendRest { (budget) throws(CodecError) in
        let images = try maker.finished(try sinks.finish(details, &budget), &budget)
        try budget.checkpoint()
        return images
      }
    }
  }
}
