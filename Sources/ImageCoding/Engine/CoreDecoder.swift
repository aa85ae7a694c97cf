// Decoders that are described by their core. How a file, a part of it or a session is decoded is the same for all of
// them.

internal import ImageCore

/// A decoder whose stages are a ``DecodingCore``. It implements ``makeCore(_:_:)``; the methods of
/// ``ImageFormatDecoder`` are derived from it.
package protocol CoreDecoder: ImageFormatDecoder {
  /// Returns the stages of a decode that has not begun.
  func makeCore(_ goal: DecodingGoal, _ options: DecodingOptions) -> any DecodingCoreObject

  /// Whether files should be read while they are decoded: of most files, the core retains only a small part. The default
  /// is `false`.
  var readsFilesInParts: Bool { get }
}

extension CoreDecoder {
  package var readsFilesInParts: Bool { false }

  /// Reads the headers; with `indexesFrames`, the whole file without decoding pixels.
  public func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    try headerInfo(bytes, options, &budget)
  }

  /// The default implementation of ``ImageFormatDecoder/info(_:options:budget:)``, for decoders that add to it.
  package func headerInfo(
    _ bytes: Span<UInt8>, _ options: InfoOptions, _ budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    let decoding = DecodingOptions(limits: options.limits)
    let core = makeCore(options.indexesFrames ? .index : .headers, decoding)
    try budget.reading(options.limits, as: core.format) { (budget) throws(CodecError) in
      try core.read(bytes, options: decoding, budget: &budget)
    }
    guard let info = core.info else {
      throw CodecError(
        .truncated, "the file ends before the image", format: core.format, byteOffset: bytes.count,
        neededByteCount: core.progress.neededByteCount)
    }
    return info
  }

  /// Reads the metadata. From a damaged file, that before the damage is returned.
  public func metadata(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageMetadata {
    let decoding = DecodingOptions(limits: options.limits)
    let core = makeCore(.metadata, decoding)
    do throws(CodecError) {
      try budget.reading(options.limits, as: core.format) { (budget) throws(CodecError) in
        try core.read(bytes, options: decoding, budget: &budget)
      }
    } catch {
      let isUsable = core.info != nil || core.metadata != ImageMetadata()
      guard !error.isInterruption, isUsable || error.kind == .truncated else { throw error }
    }
    return core.metadata
  }

  /// Decodes the image.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    var decode = ImageDecode(makeCore(.pixels, options))
    return try decode.decode(bytes, into: &bitmap, options: options, budget: &budget)
  }

  /// Decodes the image and passes its rows to a sink.
  public func decode(
    _ bytes: Span<UInt8>, to sink: any ImageRowSink, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    var decode = ImageDecode(makeCore(.pixels, options))
    return try decode.decode(bytes, to: sink, options: options, budget: &budget)
  }

  /// Creates a session that decodes the image as it arrives.
  public func makeSession(options: DecodingOptions) -> any IncrementalImageDecoder {
    DecodingSession(makeCore(.pixels, options), options: options)
  }
}

// MARK: Random access

/// A decoder that needs the whole file, because its parts may be anywhere. It implements ``decode(_:into:_:)``, and
/// reads headers and metadata itself.
package protocol WholeFileDecoder: CoreDecoder {
  /// Decodes a file. The engine then completes the image, as that of ``DecodingCore/finish(into:_:)``.
  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails

  /// Whether the headers can be read before the file is complete. The default is `true`.
  var hasHeaders: Bool { get }
  /// Whether the decoder handles ``DecodingOptions/imageIndex``. The default is `false`: the file has one image.
  var selectsImage: Bool { get }
  /// Whether the decoder handles ``DecodingOptions/region``. The default is `false`: the engine reduces the image to
  /// it.
  var selectsRegion: Bool { get }
  /// Whether the decoder handles ``DecodingOptions/keyFrame``. The default is `false`: the file is not a video.
  var selectsKeyFrame: Bool { get }

  /// Returns the length of a prefix of the file that decodes to a picture, such as the first frame of a video; `nil` if
  /// none but the whole file does. The default is `nil`.
  ///
  /// - Parameter bytes: a prefix that contains the headers.
  /// - Throws: `CodecError.Kind.truncated` with the needed byte count if more bytes are needed to tell.
  func previewByteCount(_ bytes: Span<UInt8>, _ context: inout DecodingContext) throws(CodecError) -> Int?
}

extension WholeFileDecoder {
  package var hasHeaders: Bool { true }
  package var selectsImage: Bool { false }
  package var selectsRegion: Bool { false }
  package var selectsKeyFrame: Bool { false }

  package func previewByteCount(_ bytes: Span<UInt8>, _ context: inout DecodingContext) throws(CodecError) -> Int? {
    nil
  }

  // The compiler of Swift 6.3.1 crashes if it inlines this in optimised Embedded code.
  @inline(never)
  package func makeCore(_ goal: DecodingGoal, _ options: DecodingOptions) -> any DecodingCoreObject {
    DecodingCoreBox(WholeFileCore(self))
  }
}
