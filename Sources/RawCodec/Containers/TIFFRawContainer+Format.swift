// Which TIFF files are raw files. A picture that was developed from one keeps the make and the model of the camera, so
// that these are not enough: its first directory must also be one that only cameras write.

internal import ImageCoding
internal import MetadataFormats

extension TIFFRawContainer {
  /// The highest offset of the first directory at which a file is examined. In raw files it follows the header, except
  /// in Phase One's, which have a signature.
  static let maximumFirstOffset: UInt64 = 65_536

  /// Returns the format of a file by its signature and first directory; `nil` if it is no raw file.
  static func format(_ directory: TIFFDirectory, _ header: TIFFHeader, _ bytes: Span<UInt8>) -> RawFormat? {
    if let format = signature(bytes) { return format }
    let fields = RawFields(directory, bytes, header)
    if fields.contains(.dngVersion) { return .dng }
    let make = fields.text(.make).uppercased()
    guard !make.isEmpty, isOfCamera(fields) else { return nil }
    let isReduced = fields.contains(.newSubfileType)
    let makers: [(name: String, format: RawFormat)] = [
      ("NIKON", isReduced ? .nef : .nrw), ("SONY", isSony2(fields) ? .sr2 : .arw), ("PENTAX", .pef), ("RICOH", .pef),
      ("SAMSUNG", .srw), ("HASSELBLAD", .threeFR), ("PHASE ONE", .iiq), ("SEIKO EPSON", .erf), ("EPSON", .erf),
      ("MAMIYA", .mef), ("EASTMAN KODAK", .dcr), ("KODAK", .dcr), ("LEAF", .mos), ("OLYMPUS", .orf),
      ("PANASONIC", .rw2), ("LEICA", .rw2),
    ]
    return makers.first { make.hasPrefix($0.name) }?.format
  }

  /// The format of files whose first 16 bytes tell.
  static func signature(_ bytes: Span<UInt8>) -> RawFormat? {
    guard bytes.count >= 16 else { return nil }
    if bytes[2] == 0x52 || bytes[3] == 0x52, bytes[2] != 0x2A { return .orf }
    // "CR" and the major version.
    if bytes[8] == 0x43, bytes[9] == 0x52, bytes[10] == 2 { return .cr2 }
    let isPhaseOne =
      (0..<4).allSatisfy { bytes[8 + $0] == bytes[0] }
      && (bytes[0] == 0x49
        ? bytes[13] == 0x77 && bytes[14] == 0x61 && bytes[15] == 0x52
        : bytes[12] == 0x52 && bytes[13] == 0x61 && bytes[14] == 0x77)
    return isPhaseOne ? .iiq : nil
  }

  /// Whether the first directory describes sensor data, or a preview of what subdirectories contain.
  private static func isOfCamera(_ fields: borrowing RawFields) -> Bool {
    switch fields.integer(.photometricInterpretation) {
    case 32803, 34892: return true
    default: break
    }
    switch fields.integer(.compression) {
    case 32767, 32769, 32770, 34713, 65000, 65535: return true
    default: break
    }
    let isPreview = (fields.integer(.newSubfileType) ?? 0) & 1 == 1 || fields.contains(.jpegOffset)
    return isPreview && fields.contains(.subDirectories)
  }

  /// Whether a file of Sony's is an SR2: cameras before 2006, all of them of the Cyber-shot DSC series.
  private static func isSony2(_ fields: borrowing RawFields) -> Bool { fields.text(.model).hasPrefix("DSC-R1") }
}
