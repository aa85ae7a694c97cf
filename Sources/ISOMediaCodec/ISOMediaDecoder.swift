// The public face of the ISO base media module: HEIF, HEIC, AVIF and their sequences, MP4, M4V, MOV.

@_exported public import ImageCore

/// Reads the boxes of ISO base media files. Of pixels those of JPEG-coded items are decoded, by a decoder that is given;
/// for everything else the error names the coding.
///
/// Sizes are those of the picture as shown: turns, mirrors and crops are properties of the image here, not hints.
public struct ISOMediaDecoder: ImageFormatDecoder {
  /// `public.heic`.
  public static let heic: AssetType = "public.heic"
  /// `public.heif`.
  public static let heif: AssetType = "public.heif"
  /// `public.avif`.
  public static let avif: AssetType = "public.avif"
  /// `public.mpeg-4`.
  public static let mp4: AssetType = "public.mpeg-4"
  /// `com.apple.m4v-video`.
  public static let m4v: AssetType = "com.apple.m4v-video"
  /// `com.apple.quicktime-movie`.
  public static let mov: AssetType = "com.apple.quicktime-movie"
  static let jpeg: AssetType = "public.jpeg"
  static let png: AssetType = "public.png"

  let jpegDecoder: (any ImageFormatDecoder)?

  /// A decoder.
  ///
  /// - Parameter jpegDecoder: decodes JPEG-coded items; without one they are as unsupported as others.
  public init(jpegDecoder: (any ImageFormatDecoder)? = nil) {
    self.jpegDecoder = jpegDecoder
  }

  /// Three image formats and three of video.
  public var types: [AssetType] { [Self.heic, Self.heif, Self.avif, Self.mp4, Self.m4v, Self.mov] }

  /// Looks at the brands.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    sniffISOBrands(prefix, isComplete: false)
  }

  /// Reads the meta box of images and the movie box of videos; whatever else there is is skipped.
  ///
  /// With `indexesFrames`, the movie box of an image sequence is read too, which tells its frames and their duration.
  public func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    let type = try sniffedType(bytes)
    if isVideo(type) { return try VideoAssetInfo(parsing: bytes).info(type: type) }
    let brands = try ISOBrands(parsing: bytes)
    var info: ImageInfo
    do throws(DecodeError) {
      info = try HEIFContainer(parsing: bytes, limits: options.limits).info
    } catch {
      // A sequence need not have a still image beside it.
      guard brands.announcesSequence, let movie = try? VideoAssetInfo(parsing: bytes) else { throw error }
      return try movie.info(type: type)
    }
    guard brands.announcesSequence else { return info }
    info.frameCount = nil
    info.loopCount = .infinite
    if options.indexesFrames { try indexSequence(bytes, into: &info) }
    return info
  }

  /// The frames of an image sequence by its movie box; a still image where the brand promises more than there is.
  private func indexSequence(_ bytes: Span<UInt8>, into info: inout ImageInfo) throws(DecodeError) {
    guard let track = (try? VideoAssetInfo(parsing: bytes))?.primaryTrack else {
      info.frameCount = 1
      info.loopCount = nil
      return
    }
    info.frameCount = track.sampleCount
    info.duration = track.duration
    info.loopCount = track.repeats ? .infinite : .finite(1)
  }

  /// The ICC profile, the EXIF block and the XMP packet of images.
  public func metadata(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageMetadata {
    if isVideo(try sniffedType(bytes)) { return ImageMetadata() }
    return try HEIFContainer(parsing: bytes, limits: options.limits).metadata(bytes, limits: options.limits)
  }

  /// Decodes a JPEG-coded primary image, or one that is made of JPEG-coded tiles.
  ///
  /// - Throws: ``DecodeError/Kind/unsupported`` naming the coding of everything else.
  public func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions
  ) throws(DecodeError) -> DecodingDetails {
    let type = try sniffedType(bytes)
    if isVideo(type) {
      let coding = (try? VideoAssetInfo(parsing: bytes))?.primaryTrack?.coding ?? "unknown"
      throw DecodeError(.unsupported, "video frames are not decoded (\(coding))", format: type)
    }
    let container = try HEIFContainer(parsing: bytes, limits: options.limits)
    let assembly = ItemAssembly(container: container, jpegDecoder: jpegDecoder, options: options)
    var (picture, diagnostics) = try assembly.picture(bytes)
    picture.colorSpace = container.primaryItem.colorSpace
    bitmap = picture
    return DecodingDetails(
      info: container.info, metadata: container.metadata(bytes, limits: options.limits), diagnostics: diagnostics,
      isComplete: !diagnostics.contains { $0.severity == .damage })
  }

  private func sniffedType(_ bytes: Span<UInt8>) throws(DecodeError) -> AssetType {
    switch sniffISOBrands(bytes, isComplete: false) {
    case .yes(let type): return type
    case .needs(let byteCount):
      throw DecodeError(
        .truncated, "the file type box is cut off", format: nil, byteOffset: bytes.count, neededByteCount: byteCount)
    case .no: break
    }
    if case .yes(let type) = sniffISOBrands(bytes, isComplete: true) { return type }
    throw DecodeError(.unrecognizedFormat, "no brand of the file type box is known", byteOffset: 0)
  }

  private func isVideo(_ type: AssetType) -> Bool {
    type == Self.mp4 || type == Self.m4v || type == Self.mov
  }
}
