// The pictures of an icon file, and the choice among them.

public import ImageCoding

/// The pictures of an Apple icon file, in file order. Of entries with the same type, the first one counts.
///
/// Families for templates, selections and dark backgrounds that are nested in the file are not part of it.
public struct IconFamily: Hashable, Sendable {
  /// One picture of the icon.
  public struct Picture: Hashable, Sendable {
    /// How a picture is stored.
    public enum Coding: String, Hashable, Sendable {
      /// One bit per pixel, with or without a mask of one bit.
      case bits = "1-bit"
      /// Indices into a palette of the system, 4 or 8 bits each.
      case indices = "indexed"
      /// Red, green and blue, eight bits each.
      case rgb = "RGB"
      /// Alpha, red, green and blue, eight bits each.
      case argb = "ARGB"
      /// A PNG file.
      case png = "PNG"
      /// A JPEG 2000 file or codestream.
      case jpeg2000 = "JPEG 2000"
    }

    /// The four letters of the entry, such as `ic10`.
    public let typeName: String
    /// The size in pixels according to the picture's own header, or that of the type if the header is not in the input.
    public let size: PixelSize
    /// The number of pixels per point: 2 for pictures of displays with high resolution, otherwise 1.
    public let scale: Int
    /// How the picture is stored; `nil` if its start is not in the input, or is not that of a known coding.
    public let coding: Coding?
    /// The bits per pixel, of which the mask is none; `nil` if the picture's header is not in the input.
    public let bitsPerPixel: Int?
    /// The range of the picture in the file, without the header of the entry.
    public let range: Range<Int>
    let type: EntryType
    let bitDepth: Int?
    let colorModel: ImageInfo.StoredColorModel?
    let hasAlpha: Bool

    var pixelCount: Int64 { Int64(size.width) * Int64(size.height) }
  }

  /// The pictures in file order.
  public let pictures: [Picture]
  /// The ranges of the entries that are or end with a mask, by their types.
  let masks: [FourCharacterCode: Range<Int>]

  /// Reads the headers of all entries.
  ///
  /// - Parameters:
  ///   - bytes: the file, or a prefix that contains the headers of all entries or the table of contents. Pictures beyond
  ///     its end have the size of their types.
  ///   - limits: what reading may cost.
  /// - Throws: `CodecError.Kind.malformed`; `CodecError.Kind.truncated` with the needed byte count;
  ///   `CodecError.Kind.limitExceeded`.
  public init(parsing bytes: Span<UInt8>, limits: DecodingLimits = .default) throws(CodecError) {
    var budget = ResourceBudget(limits, format: ICNSDecoder.type)
    var reader = FamilyReader(isWholeFile: false)
    self = try reader.read(bytes, &budget)
  }

  /// - Parameter entries: pictures and masks, no two of the same type.
  init(_ entries: [FamilyReader.Entry], of bytes: Span<UInt8>) {
    var ranges: [FourCharacterCode: Range<Int>] = [:]
    for entry in entries { ranges[entry.type.code] = entry.range }
    masks = ranges.filter { EntryType.of($0.key)?.hasMask == true }
    pictures = entries.compactMap { entry in
      if case .mask = entry.type.content { return nil }
      let isMasked = entry.type.maskCodes.contains { ranges[$0] != nil }
      return Picture(entry, of: bytes, isMasked: isMasked)
    }
  }

  /// The picture with the most pixels; among several, the first one with the most bits per pixel.
  public var largestPicture: Picture? { Self.best(pictures) { $0 > $1 } }

  /// Returns the smallest picture whose sides are both at least those of `size`, or the largest picture if there is
  /// none. Among pictures of equal size, the first one with the most bits per pixel is returned.
  public func bestPicture(for size: PixelSize) -> Picture? {
    let candidates = pictures.filter { $0.size.width >= size.width && $0.size.height >= size.height }
    return Self.best(candidates) { $0 < $1 } ?? largestPicture
  }

  private static func best(_ pictures: [Picture], by isBetter: (Int64, Int64) -> Bool) -> Picture? {
    pictures.reduce(nil) { best, picture in
      guard let best else { return picture }
      if best.pixelCount != picture.pixelCount {
        return isBetter(picture.pixelCount, best.pixelCount) ? picture : best
      }
      return picture.bitsPerPixel ?? 0 > best.bitsPerPixel ?? 0 ? picture : best
    }
  }

  /// Returns the picture that options select.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if there is no picture with the index.
  func selectedPicture(_ options: DecodingOptions) throws(CodecError) -> Picture {
    if let index = options.imageIndex {
      guard pictures.indices.contains(index) else {
        throw CodecError(
          .invalidArgument, "there is no image \(index); the file has \(pictures.count) images",
          format: ICNSDecoder.type)
      }
      return pictures[index]
    }
    guard let picture = options.targetSize.flatMap(bestPicture) ?? largestPicture else { throw Self.isEmpty }
    return picture
  }

  /// The error for a family of which no entry is a picture.
  static var isEmpty: CodecError {
    CodecError(.malformed, "the icon family has no pictures", format: ICNSDecoder.type, byteOffset: 8)
  }

  /// Returns the properties of a picture.
  func info(of picture: Picture) -> ImageInfo {
    var info = ImageInfo(
      type: ICNSDecoder.type, width: picture.size.width, height: picture.size.height, bitDepth: picture.bitDepth,
      colorModel: picture.colorModel, hasAlpha: picture.hasAlpha, coding: picture.coding?.rawValue)
    info.imageCount = pictures.count
    return info
  }
}

extension IconFamily.Picture {
  /// - Parameter isMasked: whether another entry is a mask of pictures of this type.
  fileprivate init(_ entry: FamilyReader.Entry, of bytes: Span<UInt8>, isMasked: Bool) {
    (type, range, scale, typeName) = (entry.type, entry.range, entry.type.scale, entry.type.code.description)
    switch entry.type.content {
    case .bits(let hasMask):
      (size, coding, bitsPerPixel, bitDepth, colorModel, hasAlpha) = (type.size, .bits, 1, 1, .gray, hasMask)
    case .indices(let bits):
      (size, coding, bitsPerPixel, bitDepth, colorModel, hasAlpha) = (
        type.size, .indices, bits, bits, .palette, isMasked
      )
    case .planes, .mask:
      (size, coding, bitsPerPixel, bitDepth, colorModel, hasAlpha) = (type.size, .rgb, 24, 8, .rgb, isMasked)
    case .file(let allowsPlanes):
      let header = PictureHeader(bytes, in: entry.range, allowsPlanes: allowsPlanes)
      size = header.size ?? type.size
      (coding, bitDepth, colorModel) = (header.coding, header.bitDepth, header.colorModel)
      bitsPerPixel = header.bitsPerPixel
      hasAlpha = header.coding != .rgb || isMasked
    }
  }
}
