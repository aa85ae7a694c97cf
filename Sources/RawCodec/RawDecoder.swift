// The public interface of the decoder of camera raw files.

@_exported public import ImageCoding
internal import MetadataFormats

/// Decodes camera raw files: the pixels of DNG, and the pictures that cameras embed in the files of all formats.
///
/// The pixels of a DNG are developed: levels, white balance, demosaicing and conversion to sRGB, with 16 bits per sample.
/// Other files yield their largest embedded picture, with a diagnostic, unless
/// `DecodingOptions.requiresSensorData` is set. The orientation is that of the raw file.
///
/// If `DecodingOptions.targetSize` is set, the smallest embedded picture that is large enough is decoded instead, unless
/// the data of the sensor, a rendering or another colour space is requested.
public struct RawDecoder: ImageFormatDecoder {
  /// The decoder of embedded pictures and of lossy pixels.
  let jpegDecoder: AnyImageFormatDecoder
  /// The decoder of lossless pixels.
  let losslessJPEGDecoder: (any SampleRowDecoder)?

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - jpegDecoder: the decoder of embedded pictures and of DNG pixels with lossy compression.
  ///   - losslessJPEGDecoder: the decoder of DNG pixels with lossless compression; without one, which is the default,
  ///     they are not supported.
  public init(jpegDecoder: AnyImageFormatDecoder, losslessJPEGDecoder: (any SampleRowDecoder)? = nil) {
    self.jpegDecoder = jpegDecoder
    self.losslessJPEGDecoder = losslessJPEGDecoder
  }

  /// The types of all formats of ``RawFormat``.
  public var types: [AssetType] { RawFormat.allCases.map { $0.type } }

  /// Recognises a signature, or the first directory of a TIFF file: make, and properties of files that cameras write.
  /// Other TIFF files are not recognised.
  public func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    guard prefix.count >= RawSignature.byteCount else {
      return prefix.isEmpty || couldBeRaw(prefix[0]) ? .needs(byteCount: RawSignature.byteCount) : .no
    }
    switch RawSignature(prefix) {
    case .tiff: return TIFFRawContainer.probe(prefix)
    case .panasonic: return .yes(RawFormat.rw2.type)
    case .fuji: return .yes(RawFormat.raf.type)
    case .minolta: return .yes(RawFormat.mrw.type)
    case .ciff: return .yes(RawFormat.crw.type)
    case .foveon: return .yes(RawFormat.x3f.type)
    case .canonMovie: return .yes(RawFormat.cr3.type)
    case nil: return .no
    }
  }

  /// Whether a raw file may start with this byte: I, M, F or zero.
  private func couldBeRaw(_ byte: UInt8) -> Bool { byte == 0x49 || byte == 0x4D || byte == 0x46 || byte == 0 }

  /// Reads the containers. The size is that of the picture that is decoded.
  public func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    try budget.reading(options.limits, as: nil) { (budget) throws(CodecError) in
      try RawFile(bytes, jpegDecoder: jpegDecoder, budget: &budget).info(bytes, budget: &budget)
    }
  }

  /// Returns the EXIF block, the XMP packet and the IPTC-IIM records.
  public func metadata(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageMetadata {
    try budget.reading(options.limits, as: nil) { (budget) throws(CodecError) in
      let file = try RawFile(bytes, jpegDecoder: jpegDecoder, budget: &budget)
      return try file.readMetadata(bytes, jpegDecoder: jpegDecoder, budget: &budget)
    }
  }

  /// Returns the pictures that the camera has embedded, in the order in which the file refers to them.
  public func embeddedPictures(
    _ bytes: Span<UInt8>, options: InfoOptions = InfoOptions()
  ) throws(CodecError) -> [EmbeddedPicture] {
    var budget = ResourceBudget(options.limits)
    return try RawFile(bytes, jpegDecoder: jpegDecoder, budget: &budget).pictures
  }
}
