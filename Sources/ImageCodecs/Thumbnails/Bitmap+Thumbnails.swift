// Thumbnails in one call, away from the caller's actor.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Thumbnail {
  /// Makes the thumbnail of an image of any known format. Throws the same errors as the method for spans.
  public func image(
    of data: Data, options: DecodingOptions = DecodingOptions(),
    formats: ImageFormatRegistry = .shared
  ) throws(CodecError) -> DecodedImage {
    try image(of: data.span, options: options, formats: formats)
  }

  /// Makes and encodes the thumbnail of an image of any known format. Throws the same errors as the method for spans.
  public func encoded(
    _ data: Data, as format: EncodingFormat, options: DecodingOptions = DecodingOptions(),
    formats: ImageFormatRegistry = .shared
  ) throws(CodecError) -> EncodedThumbnail {
    try encoded(data.span, as: format, options: options, formats: formats)
  }
}

extension Bitmap {
  /// Makes the thumbnail of an image of any known format away from the caller's actor: upright, in sRGB, with samples of
  /// 8 bits.
  ///
  /// ```swift
  /// let small = try await Bitmap.thumbnail(of: upload, width: 320)
  /// ```
  ///
  /// - Parameters:
  ///   - width: the width in pixels that the thumbnail has at most; `nil` if only the height limits it.
  ///   - height: the height in pixels that the thumbnail has at most; `nil` if only the width limits it.
  /// - Throws: ``CodecError/Kind/cancelled`` if the task is cancelled, and the errors of
  ///   ``Thumbnail/image(of:options:formats:)``.
  @concurrent
  public static func thumbnail(
    of data: Data, width: Int? = nil, height: Int? = nil, fit: Thumbnail.Fit = .inside,
    options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) async throws(CodecError) -> Bitmap {
    try await thumbnail(
      of: data, Thumbnail(width: width, height: height, fit: fit), options: options,
      formats: formats)
  }

  /// Makes the thumbnail of an image of any known format away from the caller's actor.
  ///
  /// - Throws: ``CodecError/Kind/cancelled`` if the task is cancelled, and the errors of
  ///   ``Thumbnail/image(of:options:formats:)``.
  @concurrent
  public static func thumbnail(
    of data: Data, _ request: Thumbnail, options: DecodingOptions = DecodingOptions(),
    formats: ImageFormatRegistry = .shared
  ) async throws(CodecError) -> Bitmap {
    try await withTaskCancellation(options) { options throws(CodecError) in
      try request.image(of: data.span, options: options, formats: formats).bitmap
    }
  }

  /// Makes and encodes the thumbnail of an image of any known format away from the caller's actor. The file has no
  /// metadata.
  ///
  /// ```swift
  /// let file = try await Bitmap.thumbnailData(of: upload, width: 320, as: .jpeg(quality: 0.8))
  /// ```
  ///
  /// - Parameters:
  ///   - width: the width in pixels that the thumbnail has at most; `nil` if only the height limits it.
  ///   - height: the height in pixels that the thumbnail has at most; `nil` if only the width limits it.
  /// - Throws: ``CodecError/Kind/cancelled`` if the task is cancelled, and the errors of
  ///   ``Thumbnail/encoded(_:as:options:formats:)``.
  @concurrent
  public static func thumbnailData(
    of data: Data, width: Int? = nil, height: Int? = nil, fit: Thumbnail.Fit = .inside,
    as format: EncodingFormat,
    options: DecodingOptions = DecodingOptions(), formats: ImageFormatRegistry = .shared
  ) async throws(CodecError) -> Data {
    try await thumbnailData(
      of: data, Thumbnail(width: width, height: height, fit: fit), as: format, options: options,
      formats: formats)
  }

  /// Makes and encodes the thumbnail of an image of any known format away from the caller's actor. The file has no
  /// metadata.
  ///
  /// - Throws: ``CodecError/Kind/cancelled`` if the task is cancelled, and the errors of
  ///   ``Thumbnail/encoded(_:as:options:formats:)``.
  @concurrent
  public static func thumbnailData(
    of data: Data, _ request: Thumbnail, as format: EncodingFormat,
    options: DecodingOptions = DecodingOptions(),
    formats: ImageFormatRegistry = .shared
  ) async throws(CodecError) -> Data {
    try await withTaskCancellation(options) { options throws(CodecError) in
      Data(try request.encoded(data.span, as: format, options: options, formats: formats).bytes)
    }
  }
}
