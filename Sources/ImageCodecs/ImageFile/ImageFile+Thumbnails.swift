// Small versions of an image.

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ImageFile {
  /// Makes a thumbnail.
  ///
  /// JPEG is decoded at 1/2, 1/4 or 1/8 of its size if at least twice the size of the thumbnail remains, drawings at
  /// the size of the thumbnail. A smaller picture stored in a HEIF file is used if it is large enough. Rows are resized
  /// as they are decoded, so that large images need little memory. An animation yields its still picture. Text of
  /// drawings needs fonts: register an `SVGDecoder` with some.
  ///
  /// ``options`` say how the image is decoded; the target size is ignored. The pixel format, if there is one, is that
  /// of the thumbnail, and so are the colours of ``colorConversion`` unless the request has its own.
  ///
  /// - Returns: the thumbnail, with the information, metadata and diagnostics of the file.
  /// - Throws: `CodecError.Kind.invalidArgument` if the request is invalid, and the errors of `decode()`.
  public func thumbnail(_ request: Thumbnail) throws(CodecError) -> DecodedImage {
    try spending { (budget) throws(CodecError) in try thumbnail(request, budget: &budget) }
  }

  /// Makes a thumbnail that is at most this large: upright, in sRGB, with samples of 8 bits. See `thumbnail(_:)`.
  ///
  /// - Parameters:
  ///   - width: the maximum width in pixels; `nil` if only the height limits the thumbnail.
  ///   - height: the maximum height in pixels; `nil` if only the width limits the thumbnail.
  /// - Throws: the errors of `thumbnail(_:)`.
  public func thumbnail(width: Int? = nil, height: Int? = nil) throws(CodecError) -> DecodedImage {
    try thumbnail(Thumbnail(width: width, height: height))
  }

  /// Makes a thumbnail as a part of a call. Its budget then holds the thumbnail and the metadata.
  package func thumbnail(_ request: Thumbnail, budget: inout ResourceBudget) throws(CodecError) -> DecodedImage {
    try thumbnails([request], budget: &budget)[0]
  }

  /// Makes several thumbnails of one decode, which suffices for the largest of them. Only drawings are drawn for each.
  ///
  /// - Returns: the thumbnails in the order of the requests.
  /// - Throws: as `thumbnail(_:)`. The limits apply to all thumbnails together.
  public func thumbnails(_ requests: [Thumbnail]) throws(CodecError) -> [DecodedImage] {
    try spending { (budget) throws(CodecError) in try thumbnails(requests, budget: &budget) }
  }

  /// Makes several thumbnails of one decode as a part of a call. Its budget then holds them and the metadata.
  func thumbnails(
    _ requests: [Thumbnail], budget: inout ResourceBudget
  ) throws(CodecError) -> [DecodedImage] {
    let maker = try ThumbnailMaker(requests, options, colorConversion)
    return try maker.finished(try make(maker, &budget), &budget)
  }

  /// Makes a thumbnail and encodes it. The file has no metadata.
  ///
  /// With ``Thumbnail/Frames/all`` an animation remains one if the format has animations: GIF, PNG and WebP. The pixels
  /// of all frames together are limited by `DecodingLimits.maximumSourcePixelCount`.
  ///
  /// - Parameters:
  ///   - request: the thumbnail.
  ///   - format: the format to encode to.
  /// - Returns: the file, with the information, metadata and diagnostics of the original.
  /// - Throws: the errors of `thumbnail(_:)` and those of the encoder. The limits apply to the whole call.
  public func encodedThumbnail(_ request: Thumbnail, as format: EncodingFormat) throws(CodecError) -> EncodedThumbnail {
    try spending { (budget) throws(CodecError) in try encodedThumbnail(request, as: format, budget: &budget) }
  }

  /// Makes and encodes a thumbnail as a part of a call.
  package func encodedThumbnail(
    _ request: Thumbnail, as format: EncodingFormat, budget: inout ResourceBudget
  ) throws(CodecError) -> EncodedThumbnail {
    var maker = try ThumbnailMaker([request], options, colorConversion)
    maker.encoder = maker.rowEncoder(of: format)
    let isStill = request.frames == .first || !format.hasAnimations
    let hasOnlyPicture = !request.keepsGainMap || !(format.encoder is JPEGEncoder)
    if isStill, hasOnlyPicture {
      try budget.allowEncoding(ofByteCount: byteCount)
      return try maker.encoded(try make(maker, &budget)[0], as: format, &budget)
    }
    return try withBytes { (bytes) throws(CodecError) in
      budget.allowEncoding(ofByteCount: bytes.count)
      return try maker.encoded(bytes, decoder, as: format, &budget)
    }
  }

  /// Makes the ThumbHash of the image: a placeholder of 25 bytes or less until it is loaded. If
  /// thumbnails are made as well, `ThumbHash.init(_:)` of the smallest one is nearly the same, and needs no further
  /// decode.
  ///
  /// - Throws: the errors of `thumbnail(_:)`.
  public func placeholder() throws(CodecError) -> ThumbHash {
    try spending { (budget) throws(CodecError) in
      let picture = try thumbnail(Thumbnail(width: 100, height: 100), budget: &budget).bitmap
      return try ThumbHash(picture, budget: &budget)
    }
  }

  /// Makes the thumbnails, reading a file on disk as it is decoded if its format allows that.
  private func make(
    _ maker: ThumbnailMaker, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [ThumbnailMaker.Made] {
    if case .url(let url) = source, let made = try maker.make(readingPartsOf: url.path, decoder, &budget) {
      return made
    }
    return try withBytes { (bytes) throws(CodecError) in try maker.make(of: bytes, decoder, &budget) }
  }

  /// The size of the file.
  private var byteCount: Int {
    get throws(CodecError) {
      switch source {
      case .bytes(let bytes): bytes.count
      case .data(let data): data.count
      case .url(let url): try FileAccess.byteCount(of: url)
      }
    }
  }
}
