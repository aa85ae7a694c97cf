// Writes metadata as APPn and COM segments in the order that readers expect: JFIF, EXIF, XMP, ICC, IPTC, Adobe,
// comments. ITU-T T.871, CIPA DC-008 section 4.7, XMP specification part 3, ICC.1 annex B.4.

internal import ImageCoding
internal import MetadataFormats

extension SegmentWriter {
  /// Appends all segments that precede the tables.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` if the metadata does not fit.
  mutating func append(
    _ metadata: ImageMetadata, frame: EncodingFrame, orientation: ImageOrientation
  ) throws(CodecError) {
    let isJFIF = frame.transform == .gray || frame.transform == .yCbCr
    if isJFIF { appendJFIF(metadata.density) }
    try appendEXIFAndXMP(metadata, orientation: orientation)
    if let profile = metadata.colorSpace.iccProfile(for: frame.transform.colorModel) { try append(profile: profile) }
    try appendIPTC(metadata)
    if !isJFIF { appendAdobe(transform: frame.transform == .ycck ? 2 : 0) }
    try appendComments(metadata)
  }

  /// Appends the EXIF block, which says how the pixels are to be turned, and the XMP packet.
  mutating func appendEXIFAndXMP(_ metadata: ImageMetadata, orientation: ImageOrientation) throws(CodecError) {
    if let exif = metadata.exif {
      let block = exifBlock(exif, settingOrientation: orientation)
      try append(.application1, name: SegmentContent.exif.name, block, what: "the EXIF block")
    } else if orientation != .up {
      let block = exifBlock(orientation: orientation)
      try append(.application1, name: SegmentContent.exif.name, block, what: "the EXIF block")
    }
    if let xmp = metadata.xmp {
      try append(.application1, name: SegmentContent.xmp.name, xmp, what: "the XMP packet")
    }
  }

  /// Appends IPTC records as one of Photoshop's image resources.
  mutating func appendIPTC(_ metadata: ImageMetadata) throws(CodecError) {
    guard let iptc = metadata.iptc else { return }
    try append(
      .application13, name: SegmentContent.imageResources.name, imageResources(iptcRecords: iptc),
      what: "the IPTC records")
  }

  /// Appends comments and texts.
  mutating func appendComments(_ metadata: ImageMetadata) throws(CodecError) {
    for comment in metadata.comments + metadata.texts.map({ "\($0.keyword): \($0.value)" }) {
      try append(.comment, Array(comment.utf8), what: "a comment")
    }
  }

  /// Appends JFIF 1.01 with the pixel density, or square pixels.
  private mutating func appendJFIF(_ density: ImageMetadata.PixelDensity?) {
    var unit: UInt8 = 0
    var (x, y) = (1, 1)
    if let density, let across = Self.wholeDensity(density.x, density.unit),
      let down = Self.wholeDensity(density.y, density.unit)
    {
      (x, y) = (across, down)
      switch density.unit {
      case .aspectRatio: unit = 0
      case .perInch: unit = 1
      case .perMeter: unit = 2
      }
    }
    func halves(_ value: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)] }
    append(.application0, Array("JFIF\0".utf8) + [1, 1, unit] + halves(x) + halves(y) + [0, 0])
  }

  /// Converts a density to JFIF's unit, per inch or per centimetre; `nil` unless it is 1…65,535.
  private static func wholeDensity(_ value: Double, _ unit: ImageMetadata.PixelDensity.Unit) -> Int? {
    let rounded = (unit == .perMeter ? value / 100 : value).rounded()
    return rounded >= 1 && rounded <= 65_535 ? Int(rounded) : nil
  }

  /// Appends the ICC profile in as many segments as it needs, numbered from 1.
  private mutating func append(profile: [UInt8]) throws(CodecError) {
    let pieceByteCount = Self.maximumContentByteCount - 14
    let count = max(1, (profile.count + pieceByteCount - 1) / pieceByteCount)
    guard count <= 255 else {
      throw CodecError(
        .encodingFailed, "the ICC profile has \(profile.count) bytes, too many for 255 segments",
        format: JPEGDecoder.type)
    }
    for number in 0..<count {
      let piece = profile[number * pieceByteCount..<min((number + 1) * pieceByteCount, profile.count)]
      append(.application2, Array("ICC_PROFILE\0".utf8) + [UInt8(number + 1), UInt8(count)] + piece)
    }
  }

  /// Appends Adobe's segment: version 100, no flags, the colour transform.
  mutating func appendAdobe(transform: UInt8) {
    append(.application14, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform])
  }
}
