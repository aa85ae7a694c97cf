// The methods of files and bitmaps as asynchronous functions.
//
// They compute on separate threads, one for each processor, so that the threads of Swift concurrency remain
// free for other tasks. Calls beyond that number wait for one another.

internal import Threading

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// At least two threads, so that a short call does not always wait for a long one.
private let computingThreads = BackgroundThreads(maximumCount: max(2, ProcessInfo.processInfo.activeProcessorCount))

extension ImageFile {
  /// Calls a method with options that end it once the current task is cancelled.
  private func inBackground<Result: Sendable>(
    _ body: @escaping @Sendable (ImageFile) throws(CodecError) -> Result
  ) async throws(CodecError) -> Result {
    try await withTaskCancellation(options) { (options) throws(CodecError) in
      var file = self
      file.options = options
      return try body(file)
    }
  }

  /// Reads the headers. Waits for the other asynchronous calls if there are as many as processors.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled, and the errors of the synchronous method.
  public func info(indexesFrames: Bool = false) async throws(CodecError) -> ImageInfo {
    try await inBackground { (file) throws(CodecError) in try file.info(indexesFrames: indexesFrames) }
  }

  /// Reads the metadata.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled, and the errors of the synchronous method.
  public func metadata() async throws(CodecError) -> ImageMetadata {
    try await inBackground { (file) throws(CodecError) in try file.metadata() }
  }

  /// Decodes the image.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled, and the errors of the synchronous method.
  public func decode() async throws(CodecError) -> DecodedImage {
    try await inBackground { (file) throws(CodecError) in try file.decode() }
  }

  /// Lists the times at which the key frames of a video are shown; `nil` if the file is not a video.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled, and the errors of the synchronous method.
  public func keyFrameTimes() async throws(CodecError) -> [Duration]? {
    try await inBackground { (file) throws(CodecError) in try file.keyFrameTimes() }
  }

  /// Opens the frames of an animation; `nil` for a still image. The cancellation of the task ends only the opening.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled, and the errors of the synchronous method.
  public func animation() async throws(CodecError) -> (any AnimatedImageSource)? {
    let opened = try await inBackground { (file) throws(CodecError) in try file.animation() }
    return opened
  }

  /// Decodes the thumbnail that is embedded in the file; `nil` if there is none, or it cannot be decoded.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled.
  public func embeddedThumbnail() async throws(CodecError) -> DecodedImage? {
    let thumbnail = try await inBackground { (file) throws(CodecError) in file.embeddedThumbnail() }
    // A search that is cancelled finds nothing.
    if thumbnail == nil, Task.isCancelled {
      throw CodecError(.cancelled, "the task is cancelled", format: type)
    }
    return thumbnail
  }

  /// Decodes the gain map; `nil` if there is none.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled, and the errors of the synchronous method.
  public func gainMap() async throws(CodecError) -> GainMap? {
    try await inBackground { (file) throws(CodecError) in try file.gainMap() }
  }

  /// Makes a thumbnail.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled, and the errors of the synchronous method.
  public func thumbnail(_ request: Thumbnail) async throws(CodecError) -> DecodedImage {
    try await inBackground { (file) throws(CodecError) in try file.thumbnail(request) }
  }

  /// Makes a thumbnail that is at most this large: upright, in sRGB, with samples of 8 bits.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled, and the errors of the synchronous method.
  public func thumbnail(width: Int? = nil, height: Int? = nil) async throws(CodecError) -> DecodedImage {
    try await thumbnail(Thumbnail(width: width, height: height))
  }

  /// Makes several thumbnails of one decode.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled, and the errors of the synchronous method.
  public func thumbnails(_ requests: [Thumbnail]) async throws(CodecError) -> [DecodedImage] {
    try await inBackground { (file) throws(CodecError) in try file.thumbnails(requests) }
  }

  /// Makes a thumbnail and encodes it.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled, and the errors of the synchronous method.
  public func encodedThumbnail(
    _ request: Thumbnail, as format: EncodingFormat
  ) async throws(CodecError) -> EncodedThumbnail {
    try await inBackground { (file) throws(CodecError) in try file.encodedThumbnail(request, as: format) }
  }

  /// Makes the ThumbHash of the image.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled, and the errors of the synchronous method.
  public func placeholder() async throws(CodecError) -> ThumbHash {
    try await inBackground { (file) throws(CodecError) in try file.placeholder() }
  }

  /// Returns the file without its metadata.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled, and the errors of the synchronous method.
  public func stripped(removing content: StrippingOptions = []) async throws(CodecError) -> [UInt8] {
    try await inBackground { (file) throws(CodecError) in try file.stripped(removing: content) }
  }

  /// Returns the file with other metadata.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled, and the errors of the synchronous method.
  public func replacingMetadata(with metadata: ImageMetadata) async throws(CodecError) -> [UInt8] {
    try await inBackground { (file) throws(CodecError) in try file.replacingMetadata(with: metadata) }
  }

  /// Returns the JPEG file that this JPEG XL file was made from.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled, and the errors of the synchronous method.
  public func reconstructedJPEG() async throws(CodecError) -> [UInt8] {
    try await inBackground { (file) throws(CodecError) in try file.reconstructedJPEG() }
  }
}

extension Bitmap {
  /// Encodes the image within limits.
  ///
  /// - Throws: `CodecError.Kind.cancelled` if the task is cancelled, and the errors of the synchronous method.
  public func encoded(
    as format: EncodingFormat, metadata: ImageMetadata? = nil, limits: DecodingLimits? = nil
  ) async throws(CodecError) -> [UInt8] {
    try await withTaskCancellation(DecodingOptions()) { (options) throws(CodecError) in
      try encoded(as: format, metadata: metadata, limits: limits, shouldCancel: options.shouldCancel)
    }
  }
}

/// Runs a call on one of a limited number of threads, with options that end it once the current task is cancelled.
private func withTaskCancellation<Result: Sendable>(
  _ options: DecodingOptions, _ body: @escaping @Sendable (DecodingOptions) throws(CodecError) -> Result
) async throws(CodecError) -> Result {
  let isCancelled = CancellationFlag()
  var options = options
  let shouldCancel = options.shouldCancel
  options.shouldCancel = { isCancelled.value || shouldCancel?() == true }
  let cancellable = options
  let result = await withTaskCancellationHandler {
    await computingThreads.perform {
      Swift.Result { () throws(CodecError) in
        if isCancelled.value { throw CodecError(.cancelled, "the task is cancelled") }
        return try body(cancellable)
      }
    }
  } onCancel: {
    isCancelled.set()
  }
  return try result.get()
}
