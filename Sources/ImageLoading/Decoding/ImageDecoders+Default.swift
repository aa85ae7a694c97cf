// The decoder that pipelines use if no other one is registered: all formats of the library, with previews.

internal import Threading

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ImageDecoders {
  /// Decodes all formats that the library decodes.
  ///
  /// Keeps a session between the parts it receives: each byte is decoded once, and the final image reuses the work
  /// done for the previews. For animations the first frame is decoded; the data of a GIF is attached so that its frames
  /// can be rendered.
  public final class Default: ImageDecoding {
    private let settings: Settings
    private let state: Mutex<State>

    /// The session between two calls. A call moves it out while it uses it: decoders and callers' code never run under
    /// the lock.
    private struct State {
      var session: StoredSession?
      /// The number of images decoded. A preview of an earlier image is out of date.
      var imageCount = 0
    }

    /// Creates a decoder for one image.
    ///
    /// - Parameters:
    ///   - options: the decoding options.
    ///   - colorConversion: whether colours are converted.
    ///   - typesWithData: the types whose data is attached to the final container. Default: GIF only.
    ///   - attachesInfo: whether ``ImageContainer/UserInfoKey/imageInfoKey`` is attached to the final container.
    ///   - formats: the formats to decode.
    public convenience init(
      options: DecodingOptions = DecodingOptions(), colorConversion: ColorConversion = .keep,
      attachingDataFor typesWithData: Set<AssetType> = [.gif], attachingInfo attachesInfo: Bool = false,
      formats: ImageFormatRegistry = .shared
    ) {
      self.init(
        Settings(
          options: options, colorConversion: colorConversion, typesWithData: typesWithData, attachesInfo: attachesInfo,
          formats: formats))
    }

    /// Creates a decoder for the image of a context, with the scale and thumbnail of its request, its preview policy
    /// and its cancellation.
    public convenience init?(context: ImageDecodingContext) {
      self.init(context: context, options: DecodingOptions())
    }

    /// Creates a decoder for the image of a context, with the scale and thumbnail of its request and its preview
    /// policy, that decodes with the given options, such as the limits for untrusted images.
    ///
    /// - Parameters:
    ///   - context: the request and the type of the data.
    ///   - options: the decoding options. A thumbnail request overrides their target size.
    ///   - colorConversion: whether colours are converted.
    ///   - formats: the formats to decode.
    public convenience init(
      context: ImageDecodingContext, options: DecodingOptions, colorConversion: ColorConversion = .keep,
      formats: ImageFormatRegistry = .shared
    ) {
      var settings = Settings(options: options, colorConversion: colorConversion, formats: formats)
      settings.scale = Double(context.request.scale)
      settings.thumbnail = context.request.thumbnail
      settings.policy = context.previewPolicy
      settings.options.shouldCancel = either(options.shouldCancel, context.shouldCancel)
      settings.attachesInfo = context.request.userInfo[.attachesImageInfoKey] as? Bool == true
      self.init(settings)
    }

    private init(_ settings: Settings) {
      self.settings = settings
      state = Mutex(State(session: StoredSession(Session(settings))))
    }

    /// Returns `true`: all work on pixels is done while decoding.
    public var isAsynchronous: Bool { true }

    /// Decodes the complete data.
    ///
    /// - Throws: ``ImageDecodingError/codec(_:)``.
    public func decode(_ data: Data) throws -> ImageContainer {
      var session = takeSession().session?.take() ?? Session(settings)
      // Whatever the outcome, the next image starts with a new session.
      defer { putBack(StoredSession(Session(settings)), ofImage: nil) }
      do throws(CodecError) {
        return try session.finish(data)
      } catch {
        throw ImageDecodingError.codec(error)
      }
    }

    /// Returns a preview if more of the image can be shown than in the last one. Returns `nil` while another thread
    /// decodes.
    public func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? {
      if settings.policy == .disabled { return nil }
      return withSession { $0.preview(data) } ?? nil
    }

    /// Calls a closure with the session, unless another thread decodes.
    private func withSession<Value: Sendable>(_ body: (inout sending Session) -> Value) -> Value? {
      let (stored, imageCount) = takeSession()
      guard var session = stored?.take() else { return nil }
      let value = body(&session)
      putBack(StoredSession(session), ofImage: imageCount)
      return value
    }

    private func takeSession() -> (session: StoredSession?, imageCount: Int) {
      state.withLock { state in
        let taken = state.session
        state.session = nil
        return (taken, state.imageCount)
      }
    }

    /// Stores a session for the next call.
    ///
    /// - Parameter imageCount: for a session that continues, the count when it was moved out; `nil` for a new image.
    private func putBack(_ session: StoredSession, ofImage imageCount: Int?) {
      state.withLock { state in
        if let imageCount, imageCount != state.imageCount { return }
        if imageCount == nil { state.imageCount += 1 }
        state.session = session
      }
    }
  }
}

extension ImageDecoders.Default: ImageDecoderRegistering {
  /// Creates a decoder for the complete data of a context.
  public convenience init?(data: Data, context: ImageDecodingContext) {
    self.init(context: context)
  }

  /// Creates a decoder for the first part of the data of a context.
  public convenience init?(partiallyDownloadedData data: Data, context: ImageDecodingContext) {
    self.init(context: context)
  }
}

extension ImageDecoders.Default: ChunkDecoding {
  /// The search for an embedded thumbnail needs all data for each attempt.
  var receivedByteCount: Int? {
    settings.policy == .thumbnail ? nil : withSession { $0.decoding.receivedByteCount }
  }

  func receive(_ chunk: Data, wantsPreview: Bool) -> ImageContainer? {
    let preview = withSession { session in
      session.decoding.receive(chunk.span)
      return wantsPreview ? session.nextPreview() : nil
    }
    return preview ?? nil
  }
}

extension ImageDecoders.Default {
  /// The parameters that a decoder was created with.
  private struct Settings: Sendable {
    var options = DecodingOptions()
    var colorConversion = ColorConversion.keep
    var typesWithData: Set<AssetType> = [.gif]
    var attachesInfo = false
    var formats = ImageFormatRegistry.shared
    var scale = 1.0
    var thumbnail: ImageRequest.ThumbnailOptions?
    var policy = ImagePreviewPolicy.incremental

    var decodingOptions: DecodingOptions { thumbnail?.decodingOptions(from: options) ?? options }
  }

  /// A session in transfer between threads.
  private final class StoredSession: Sendable {
    private let session: Mutex<Session?>

    init(_ session: consuming sending Session) {
      self.session = Mutex(session)
    }

    /// Returns the session on the first call, `nil` afterwards.
    func take() -> Session? {
      session.withLock { $0.take() }
    }
  }

  /// The state of a decoder between parts.
  private struct Session: ~Copyable {
    let settings: Settings
    var decoding: ChunkedDecoding
    var thumbnailSearch: ThumbnailSearch
    var previewCount = 0

    init(_ settings: Settings) {
      self.settings = settings
      let options = settings.decodingOptions
      decoding = ChunkedDecoding(
        formats: settings.formats, options: options, colorConversion: settings.colorConversion)
      thumbnailSearch = ThumbnailSearch(
        options: options, colorConversion: settings.colorConversion, formats: settings.formats)
    }

    mutating func finish(_ data: Data) throws(CodecError) -> ImageContainer {
      var image = try decodeOrMakeThumbnail(data)
      image.bitmap.scale = settings.scale
      var container = ImageContainer(image: image.bitmap, type: image.info.type)
      if settings.typesWithData.contains(image.info.type) { container.data = data }
      if settings.attachesInfo { container.userInfo[.imageInfoKey] = image.info }
      if !image.diagnostics.isEmpty { container.userInfo[.diagnosticsKey] = image.diagnostics }
      if previewCount > 0, image.info.type != .gif {
        container.userInfo[.scanNumberKey] = previewCount
      }
      return container
    }

    private mutating func decodeOrMakeThumbnail(_ data: Data) throws(CodecError) -> DecodedImage {
      guard let thumbnail = settings.thumbnail else { return try decoding.finish(data) }
      let file = try ImageFile(
        data, options: settings.options, colorConversion: settings.colorConversion, formats: settings.formats)
      guard decoding.hasBegun else { return try thumbnail.makeThumbnail(of: file) }
      var decoding = decoding
      return try thumbnail.makeThumbnail(of: file) { () throws(CodecError) in try decoding.finish(data) }
    }

    mutating func preview(_ data: Data) -> ImageContainer? {
      let bytes = data.span
      if settings.policy == .thumbnail, settings.formats.type(of: bytes) != .gif { return embeddedThumbnail(bytes) }
      decoding.receive(upTo: bytes)
      return nextPreview()
    }

    /// Returns a preview if more of the image can be shown than in the last one.
    mutating func nextPreview() -> ImageContainer? {
      guard var image = decoding.nextPreview(), let type = decoding.type else { return nil }
      previewCount += 1
      image.scale = settings.scale
      var container = ImageContainer(image: image, type: type, isPreview: true)
      if type != .gif {
        container.userInfo[.scanNumberKey] = previewCount
        if decoding.info?.isProgressive == true {
          container.userInfo[.completedScanCountKey] = decoding.progress.completedScanCount
        }
      }
      return container
    }

    /// Returns the thumbnail embedded in the file, once.
    private mutating func embeddedThumbnail(_ bytes: Span<UInt8>) -> ImageContainer? {
      guard previewCount == 0, var image = thumbnailSearch.next(in: bytes)?.bitmap else { return nil }
      previewCount = 1
      image.scale = settings.scale
      return ImageContainer(
        image: image, type: thumbnailSearch.type, isPreview: true, userInfo: [.scanNumberKey: previewCount])
    }
  }
}

/// Returns a condition that is met if one of two is.
private func either(
  _ first: (@Sendable () -> Bool)?, _ second: (@Sendable () -> Bool)?
) -> (@Sendable () -> Bool)? {
  guard let first, let second else { return first ?? second }
  return { first() || second() }
}
