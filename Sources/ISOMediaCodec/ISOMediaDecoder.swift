// The public interface of the ISO base media module: HEIF, HEIC, AVIF and their sequences, MP4, M4V, MOV.

@_exported public import ImageCoding
public import PixelPlanes

/// Reads the boxes of ISO base media files, and decodes images with the bitstream decoders passed to it. If there is
/// none for the coding of an image, the error names the coding.
///
/// Sizes are those of the picture as shown: in these formats, rotations, mirrors and crops are properties of the image
/// and not hints.
///
/// The primary image is decoded, or the one that `DecodingOptions.imageIndex` selects: a coded item, a grid, an
/// overlay or an identity derivation, with its alpha. Each distinct tile is decoded once. The file's own thumbnail is
/// decoded instead if it is at least as large as `DecodingOptions.targetSize`.
///
/// Of a video, and of an image sequence without a still image, the first video track whose coding is known is decoded:
/// its first entry point that is shown, or the one that `DecodingOptions.keyFrame` selects. The shape of its pixels is
/// in the metadata. Images of other codings are `CodecError.Kind.unsupported` errors that name the coding.
public struct ISOMediaDecoder: PlanarImageDecoder {
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
  static let jpeg2000: AssetType = "public.jpeg-2000"

  let jpegDecoder: AnyImageFormatDecoder?
  let pngDecoder: AnyImageFormatDecoder?
  let jpeg2000Decoder: AnyImageFormatDecoder?
  let pictureDecoders: [AnyCodedPictureDecoder]
  let traitsOfMissingCodings: [String: String]

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - jpegDecoder: the decoder of JPEG-coded items and frames; `nil` by default.
  ///   - pngDecoder: the decoder of PNG-coded frames; `nil` by default.
  ///   - jpeg2000Decoder: the decoder of items and frames coded as JPEG 2000; `nil` by default.
  ///   - pictureDecoders: the decoders of other codings, such as HEVC.
  ///   - traitsOfMissingCodings: the package traits that enable decoders, by the four-character codes of their codings.
  ///     Errors name them.
  public init(
    jpegDecoder: AnyImageFormatDecoder? = nil, pngDecoder: AnyImageFormatDecoder? = nil,
    jpeg2000Decoder: AnyImageFormatDecoder? = nil, pictureDecoders: [AnyCodedPictureDecoder] = [],
    traitsOfMissingCodings: [String: String] = [:]
  ) {
    self.jpegDecoder = jpegDecoder
    self.pngDecoder = pngDecoder
    self.jpeg2000Decoder = jpeg2000Decoder
    self.pictureDecoders = pictureDecoders
    self.traitsOfMissingCodings = traitsOfMissingCodings
  }

  func assembly(_ container: HEIFContainer) -> ItemAssembly {
    ItemAssembly(
      container: container, jpegDecoder: jpegDecoder, jpeg2000Decoder: jpeg2000Decoder,
      planes: PlanarAssembly(
        container: container, decoders: ConfiguredDecoders(pictureDecoders), traits: traitsOfMissingCodings))
  }

  /// Three image formats and three video formats.
  public var types: [AssetType] { [Self.heic, Self.heif, Self.avif, Self.mp4, Self.m4v, Self.mov] }

  /// Recognises the format by its brands.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    sniffISOBrands(prefix, isComplete: false)
  }

  /// Reads the meta box of images and the movie box of videos; all other boxes are skipped.
  ///
  /// With `indexesFrames`, the movie box of an image sequence is also read, for the number of frames and their
  /// duration.
  public func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    let type = try sniffedType(bytes)
    return try budget.reading(options.limits, as: type) { (budget) throws(CodecError) in
      try info(bytes, type: type, indexesFrames: options.indexesFrames, &budget)
    }
  }

  private func info(
    _ bytes: Span<UInt8>, type: AssetType, indexesFrames: Bool, _ budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    if isVideo(type) { return try VideoAssetInfo(parsing: bytes, budget: &budget).info(type: type) }
    let brands = try ISOBrands(parsing: bytes)
    var info: ImageInfo
    do throws(CodecError) {
      info = try HEIFContainer(parsing: bytes, budget: &budget).info
    } catch {
      // A sequence may lack a still image.
      guard brands.announcesSequence, let movie = try? VideoAssetInfo(parsing: bytes, budget: &budget) else {
        throw error
      }
      return try movie.info(type: type)
    }
    guard brands.announcesSequence else { return info }
    info.frameCount = nil
    info.loopCount = .infinite
    if indexesFrames { try indexSequence(bytes, into: &info, budget: &budget) }
    return info
  }

  /// Adds the frames of an image sequence from its movie box. If the brand announces a sequence that the file does not
  /// contain, it is treated as a still image.
  private func indexSequence(
    _ bytes: Span<UInt8>, into info: inout ImageInfo, budget: inout ResourceBudget
  ) throws(CodecError) {
    let movie: VideoAssetInfo?
    do throws(CodecError) {
      movie = try VideoAssetInfo(parsing: bytes, budget: &budget)
    } catch {
      guard error.isDamage else { throw error }
      movie = nil
    }
    guard let track = movie?.primaryTrack else {
      info.frameCount = 1
      info.loopCount = nil
      return
    }
    info.frameCount = track.sampleCount
    info.duration = track.duration
    info.loopCount = track.repeats ? .infinite : .finite(1)
  }

  /// Returns the ICC profile, the EXIF block and the XMP packet of an image.
  public func metadata(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageMetadata {
    let type = try sniffedType(bytes)
    if isVideo(type) { return ImageMetadata() }
    return try budget.reading(options.limits, as: type) { (budget) throws(CodecError) in
      try HEIFContainer(parsing: bytes, budget: &budget).metadata(bytes, budget: &budget)
    }
  }

  /// Decodes the planes of the primary image, or of the one that `DecodingOptions.imageIndex` selects. Grids are
  /// composed, and alpha is attached if it has the size of luma. The planes are not cropped, rotated or converted.
  ///
  /// - Throws: `CodecError.Kind.unsupported` if the image is not coded as planes, or if there is no decoder for its
  ///   coding.
  public func planes(
    _ bytes: Span<UInt8>, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> PlanarPicture {
    let type = try sniffedType(bytes)
    return try DecodingContext.spending(&budget, options, format: type) { (context) throws(CodecError) in
      guard let container = try container(bytes, type: type, &context) else {
        return try planesOfTrack(bytes, type: type, &context)
      }
      return try planes(bytes, of: container, &context)
    }
  }

  private func planes(
    _ bytes: Span<UInt8>, of container: HEIFContainer, _ context: inout DecodingContext
  ) throws(CodecError) -> PlanarPicture {
    let item = container.primaryItem
    let assembly = assembly(container).planes
    guard assembly.canDecode(item) else {
      throw CodecError(
        .unsupported, "an image coded as '\(container.coding)' has no planes to decode", format: context.format)
    }
    var picture = try assembly.picture(of: item, bytes, &context)
    if let alpha = container.alphaItem, assembly.canDecode(alpha) {
      let plane = try assembly.alphaPlane(of: alpha, bytes, &context)
      if plane.width == picture.width, plane.height == picture.height { try picture.setAlpha(plane) }
    }
    picture.colorSpace = container.colorSpace
    return picture
  }

  /// Reads the meta box; `nil` for videos and for image sequences without a still image.
  private func container(
    _ bytes: Span<UInt8>, type: AssetType, _ context: inout DecodingContext
  ) throws(CodecError) -> HEIFContainer? {
    if isVideo(type) { return nil }
    try context.options.checkKeyFrame(format: type)
    do throws(CodecError) {
      let container = try HEIFContainer(
        parsing: bytes, imageIndex: context.options.imageIndex, isStrict: context.isStrict, budget: &context.budget)
      context.note(container.table.violations)
      return container
    } catch {
      // A sequence may lack a still image. Strictly, one that is damaged is not left out.
      let isMissing = error.kind == .truncated || !context.isStrict
      guard error.isDamage, isMissing, try ISOBrands(parsing: bytes).announcesSequence,
        (try? VideoAssetInfo(parsing: bytes, budget: &context.budget)) != nil
      else { throw error }
      return nil
    }
  }

  func sniffedType(_ bytes: Span<UInt8>) throws(CodecError) -> AssetType {
    switch sniffISOBrands(bytes, isComplete: false) {
    case .yes(let type): return type
    case .needs(let byteCount):
      throw CodecError(
        .truncated, "the file type box is cut off", format: nil, byteOffset: bytes.count, neededByteCount: byteCount)
    case .no: break
    }
    if case .yes(let type) = sniffISOBrands(bytes, isComplete: true) { return type }
    throw CodecError(.unrecognizedFormat, "no brand of the file type box is known", byteOffset: 0)
  }

  func isVideo(_ type: AssetType) -> Bool {
    type == Self.mp4 || type == Self.m4v || type == Self.mov
  }
}

extension ISOMediaDecoder: WholeFileDecoder {
  package var selectsImage: Bool { true }
  package var selectsRegion: Bool { true }
  package var selectsKeyFrame: Bool { true }

  /// A prefix of a video decodes if the frame is in it.
  package func previewByteCount(_ bytes: Span<UInt8>, _ context: inout DecodingContext) throws(CodecError) -> Int? {
    let type = try sniffedType(bytes)
    return isVideo(type) ? try endOfFrame(bytes, type: type, &context) : nil
  }

  package func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    let type = try sniffedType(bytes)
    context.identify(as: type)
    guard let container = try container(bytes, type: type, &context) else {
      return try decodeTrack(bytes, into: &bitmap, type: type, &context)
    }
    // Read before the tiles, whose own metadata is charged to the same limits.
    let metadata = try container.metadata(bytes, budget: &context.budget)
    var info = container.info
    if let thumbnail = container.thumbnail(for: context.options) {
      bitmap = try assembly(container).thumbnail(thumbnail, bytes, &context)
    } else {
      let assembly = assembly(container)
      if context.isStreaming, assembly.hasOnlyPlanes {
        try assembly.deliverRows(bytes, into: &bitmap, &context)
      } else {
        bitmap = try assembly.picture(bytes, &context)
      }
      // Another size may be stated.
      if context.options.region == nil { (info.width, info.height) = (bitmap.width, bitmap.height) }
    }
    bitmap.colorSpace = container.colorSpace
    return DecodingDetails(info: info, metadata: metadata, isComplete: !context.foundDamage)
  }
}
