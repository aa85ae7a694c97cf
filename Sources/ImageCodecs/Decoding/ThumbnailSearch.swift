// The thumbnail that cameras and editors embed in a file: in the EXIF block of any format, in the JFIF and JFXX
// segments of JPEG (ITU-T T.871, 10.1–10.5), as a thumbnail item of HEIF, as a picture of a raw file.

internal import ISOMediaCodec
internal import ImageCoding
internal import MetadataFormats
internal import RawCodec
internal import TIFFCodec

/// Looks for the thumbnail of a file that may still be arriving.
///
/// The cost is bounded over all calls together. JPEG segments are examined once. The metadata of other formats is read
/// again only after the data has grown by a quarter, so that all reads together cost no more than a few reads of the
/// whole file.
package struct ThumbnailSearch: ~Copyable {
  private enum Stage {
    case identifying(neededByteCount: Int)
    case segments(JPEGThumbnailSearch)
    /// The decoder's metadata is read once this number of bytes is present.
    case metadata(any ImageFormatDecoder, AssetType, neededByteCount: Int)
    case finished
  }

  private let options: DecodingOptions
  private let colorConversion: ColorConversion
  private let formats: ImageFormatRegistry
  private var budget: ResourceBudget
  private var stage = Stage.identifying(neededByteCount: 1)
  /// A JPEG thumbnail that is not from EXIF, used if no EXIF thumbnail follows.
  private var fallback: DecodedImage?

  /// - Parameter options: the decoding options. Their handling of orientation applies to the orientation of the main
  ///   image, which the thumbnail shares.
  package init(options: DecodingOptions, colorConversion: ColorConversion = .keep, formats: ImageFormatRegistry) {
    self.options = options
    self.colorConversion = colorConversion
    self.formats = formats
    budget = ResourceBudget(options)
    budget.pauseClock()
  }

  /// The type of the file, once it is known.
  package private(set) var type: AssetType?

  /// Returns the thumbnail if it has arrived.
  ///
  /// - Parameters:
  ///   - bytes: the file from its start, at least the bytes of earlier calls.
  ///   - isComplete: whether the file is complete.
  package mutating func next(in bytes: Span<UInt8>, isComplete: Bool = false) -> DecodedImage? {
    budget.resumeClock()
    defer { budget.pauseClock() }
    guard var image = find(in: bytes, isComplete: isComplete) else { return nil }
    guard (try? colorConversion.apply(to: &image, options, budget: &budget)) != nil else { return nil }
    return image
  }

  private mutating func find(in bytes: Span<UInt8>, isComplete: Bool) -> DecodedImage? {
    if case .identifying(let needed) = stage, bytes.count >= needed { identify(bytes) }
    switch stage {
    case .identifying, .finished: return nil
    case .segments(let search): return nextInSegments(search, bytes, isComplete: isComplete)
    case .metadata(let decoder, let type, let needed):
      guard bytes.count >= needed || isComplete else { return nil }
      return nextInMetadata(decoder, type, bytes)
    }
  }

  private mutating func identify(_ bytes: Span<UInt8>) {
    switch formats.match(bytes) {
    case .none: stage = .finished
    case .needs(let byteCount): stage = .identifying(neededByteCount: max(byteCount, bytes.count + 1))
    case .found(let decoder, let type):
      self.type = type
      if type == .jpeg {
        stage = .segments(JPEGThumbnailSearch())
      } else if type == .svg || type == .gif || type.isVideo {
        stage = .finished
      } else {
        stage = .metadata(decoder, type, neededByteCount: 1)
      }
    }
  }

  /// The thumbnail of the EXIF block takes precedence: it is the one that cameras write.
  private mutating func nextInSegments(
    _ search: JPEGThumbnailSearch, _ bytes: Span<UInt8>, isComplete: Bool
  ) -> DecodedImage? {
    var search = search
    while let thumbnail = search.next(bytes) {
      if let stream = thumbnail.streamRange {
        guard let image = decode(bytes.extracting(stream)) else { continue }
        if thumbnail.coding == .exifJPEG {
          stage = .finished
          return turned(image, by: search.orientation)
        }
        fallback = fallback ?? image
      } else if fallback == nil, let bitmap = (try? thumbnail.storedPixels(in: bytes, budget: &budget)) ?? nil {
        fallback = Self.image(of: bitmap, options: options)
      }
    }
    stage = search.isFinished || isComplete ? .finished : .segments(search)
    guard case .finished = stage, let fallback else { return nil }
    return turned(fallback, by: search.orientation)
  }

  private mutating func nextInMetadata(
    _ decoder: any ImageFormatDecoder, _ type: AssetType, _ bytes: Span<UInt8>
  ) -> DecodedImage? {
    let grown = bytes.count + max(bytes.count / 4, 1)
    stage = .metadata(decoder, type, neededByteCount: grown)
    // Skipping a byte costs a fraction of a unit.
    guard (try? budget.chargeWork(10_000 + bytes.count / 16)) != nil else {
      stage = .finished
      return nil
    }
    let isHEIF = type == .heic || type == .heif || type == .avif
    if isHEIF, let image = itemThumbnail(bytes) {
      stage = .finished
      return image
    }
    if type.isCameraRaw, let image = rawThumbnail(bytes) {
      stage = .finished
      return image
    }
    if type == .tiff, let image = tiffThumbnail(bytes) {
      stage = .finished
      return image
    }
    let reading = InfoOptions(limits: options.limits)
    guard let exif = (try? decoder.metadata(bytes, options: reading, budget: &budget))?.exif,
      let range = exifThumbnailRange(exif.span), let image = decode(exif.span.extracting(range))
    else { return nil }
    stage = .finished
    // In HEIF, rotations are properties of the image item; the EXIF orientation is ignored.
    return turned(image, by: isHEIF ? .up : ImageOrientation(exif: exif.span) ?? .up)
  }

  private mutating func itemThumbnail(_ bytes: Span<UInt8>) -> DecodedImage? {
    let decoder = ISOMediaDecoder(jpegDecoder: NestedPictureDecoder(formats: formats, type: .jpeg))
    guard let bitmap = (try? decoder.thumbnail(bytes, options: options, budget: &budget)) ?? nil else { return nil }
    return Self.image(of: bitmap, options: options)
  }

  private mutating func tiffThumbnail(_ bytes: Span<UInt8>) -> DecodedImage? {
    let decoder = TIFFDecoder(
      jpegDecoder: NestedPictureDecoder(formats: formats, type: .jpeg),
      webPDecoder: NestedPictureDecoder(formats: formats, type: .webp))
    return upright((try? decoder.thumbnail(bytes, options: options, budget: &budget)) ?? nil)
  }

  private mutating func rawThumbnail(_ bytes: Span<UInt8>) -> DecodedImage? {
    let decoder = RawDecoder(jpegDecoder: NestedPictureDecoder(formats: formats, type: .jpeg))
    return upright((try? decoder.thumbnail(bytes, options: options, budget: &budget)) ?? nil)
  }

  /// Applies the orientation of a thumbnail. Returns `nil` if there is none, or if a limit forbids the rotation.
  private mutating func upright(_ thumbnail: Bitmap?) -> DecodedImage? {
    guard var thumbnail else { return nil }
    guard (try? thumbnail.applyOrientation(options.orientation, budget: &budget)) != nil else { return nil }
    return Self.image(of: thumbnail, options: options)
  }

  private mutating func decode(_ stream: Span<UInt8>) -> DecodedImage? {
    guard (try? budget.descend()) != nil else { return nil }
    defer { budget.ascend() }
    var bitmap = Bitmap()
    let decoder = NestedPictureDecoder(formats: formats)
    guard let details = try? decoder.decode(stream, into: &bitmap, options: options, budget: &budget) else {
      return nil
    }
    return DecodedImage(bitmap: bitmap, details: details)
  }

  private static func image(of bitmap: Bitmap, options: DecodingOptions) -> DecodedImage? {
    let info = ImageInfo(type: .jpeg, width: bitmap.width, height: bitmap.height, bitDepth: 8, colorModel: .rgb)
    guard let converted = try? bitmap.converted(to: options.pixelFormat ?? bitmap.format) else { return nil }
    return DecodedImage(bitmap: converted, details: DecodingDetails(info: info))
  }

  /// A thumbnail without an orientation has that of the main image. Returns `nil` if a limit forbids the rotation.
  private mutating func turned(_ image: DecodedImage, by orientation: ImageOrientation) -> DecodedImage? {
    guard image.info.orientation == .up, orientation != .up else { return image }
    var image = image
    image.bitmap.orientation = orientation
    guard (try? image.bitmap.applyOrientation(options.orientation, budget: &budget)) != nil else { return nil }
    return image
  }
}
