// Decoding and encoding off the caller's actor, with task cancellation.

internal import Threading

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DecodedImage {
  /// Decodes an image of any known format away from the caller's actor.
  ///
  /// - Throws: ``CodecError/Kind/cancelled`` if the task is cancelled, and the errors of
  ///   ``init(decoding:options:formats:)``.
  @concurrent
  public static func decode(
    _ data: Data, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) async throws(CodecError) -> DecodedImage {
    try await withTaskCancellation(options) { options throws(CodecError) in
      try DecodedImage(decoding: data.span, options: options, formats: formats)
    }
  }

  /// Decodes an image file of any known format away from the caller's actor.
  ///
  /// - Throws: ``CodecError/Kind/cancelled`` if the task is cancelled, and the errors of
  ///   ``init(contentsOf:options:formats:)``.
  @concurrent
  public static func decode(
    contentsOf url: URL, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) async throws(CodecError) -> DecodedImage {
    try await withTaskCancellation(options) { options throws(CodecError) in
      try DecodedImage(contentsOf: url, options: options, formats: formats)
    }
  }
}

extension Bitmap {
  /// Decodes an image of any known format away from the caller's actor. For an animation, returns the still image.
  ///
  /// - Throws: ``CodecError/Kind/cancelled`` if the task is cancelled, and the errors of
  ///   ``init(decoding:options:formats:)``.
  @concurrent
  public static func decode(
    _ data: Data, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) async throws(CodecError) -> Bitmap {
    try await DecodedImage.decode(data, options: options, formats: formats).bitmap
  }

  /// Decodes an image file of any known format away from the caller's actor. For an animation, returns the still image.
  ///
  /// - Throws: ``CodecError/Kind/cancelled`` if the task is cancelled, and the errors of
  ///   ``init(contentsOf:options:formats:)``.
  @concurrent
  public static func decode(
    contentsOf url: URL, options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) async throws(CodecError) -> Bitmap {
    try await DecodedImage.decode(contentsOf: url, options: options, formats: formats).bitmap
  }

  /// Encodes the image away from the caller's actor.
  ///
  /// - Throws: the errors of ``encoded(as:metadata:)``.
  @concurrent
  public func encode(as format: EncodingFormat, metadata: ImageMetadata? = nil) async throws(CodecError) -> [UInt8] {
    if Task.isCancelled { throw CodecError(.cancelled, "the task is cancelled", format: format.type) }
    return try encoded(as: format, metadata: metadata)
  }
}

/// Runs a decode with options that cancel it once the current task is cancelled, on whichever thread it runs.
func withTaskCancellation<Result: Sendable>(
  _ options: DecodingOptions, _ body: (DecodingOptions) throws(CodecError) -> Result
) async throws(CodecError) -> Result {
  let isCancelled = CancellationFlag()
  var options = options
  let shouldCancel = options.shouldCancel
  options.shouldCancel = { isCancelled.value || shouldCancel?() == true }
  let result = await withTaskCancellationHandler {
    Swift.Result { () throws(CodecError) in try body(options) }
  } onCancel: {
    isCancelled.set()
  }
  return try result.get()
}
