// The containers of a file, by its format.

internal import ImageCoding
internal import MetadataFormats

extension RawFile {
  /// Reads the container of a file.
  ///
  /// - Throws: `CodecError.Kind.unrecognizedFormat`, `CodecError.Kind.malformed`, `CodecError.Kind.truncated`;
  ///   errors of `budget`.
  init(
    _ bytes: Span<UInt8>, jpegDecoder: AnyImageFormatDecoder, budget: inout ResourceBudget
  ) throws(CodecError) {
    var collector = PictureCollector(jpegDecoder)
    switch RawSignature(bytes) {
    case .tiff: self = try TIFFRawContainer.read(bytes, &collector, budget: &budget)
    case .panasonic: self = try PanasonicContainer.read(bytes, &collector, budget: &budget)
    case .fuji: self = try FujiContainer.read(bytes, &collector, budget: &budget)
    case .minolta: self = try MinoltaContainer.read(bytes, &collector, budget: &budget)
    case .ciff: self = try CIFFContainer.read(bytes, &collector, budget: &budget)
    case .foveon: self = try FoveonContainer.read(bytes, &collector, budget: &budget)
    case .canonMovie: self = try CanonMovieContainer.read(bytes, &collector, budget: &budget)
    case nil where bytes.count < RawSignature.byteCount:
      throw CodecError(
        .truncated, "the file ends before its signature", format: budget.format, byteOffset: bytes.count,
        neededByteCount: RawSignature.byteCount)
    case nil: throw CodecError(.unrecognizedFormat, "the file is no camera raw file", byteOffset: 0)
    }
    budget.format = format.type
  }
}

/// The framing of a file, by its first bytes.
enum RawSignature: Hashable {
  /// TIFF, perhaps with another number instead of 42: most makers.
  case tiff
  case panasonic
  case fuji
  case minolta
  case ciff
  case foveon
  case canonMovie

  /// Recognises the first bytes of a file; `nil` if they are those of no raw file, or too few.
  init?(_ bytes: Span<UInt8>) {
    func starts(with text: String, at offset: Int = 0) -> Bool {
      bytes.count >= offset && bytes.extracting(offset...).starts(with: text)
    }
    if starts(with: "FUJIFILMCCD-RAW ") {
      self = .fuji
    } else if starts(with: "IIU\0") {
      self = .panasonic
    } else if starts(with: "\0MRM") {
      self = .minolta
    } else if starts(with: "HEAPCCDR", at: 6), starts(with: "II") || starts(with: "MM") {
      self = .ciff
    } else if starts(with: "FOVb") {
      self = .foveon
    } else if starts(with: "ftypcrx ", at: 4) {
      self = .canonMovie
    } else if TIFFRawContainer.header(bytes) != nil {
      self = .tiff
    } else {
      return nil
    }
  }

  /// The length of the prefix that ``init(_:)`` examines.
  static let byteCount = 16
}
