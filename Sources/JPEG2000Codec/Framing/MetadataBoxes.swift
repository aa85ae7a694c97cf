// EXIF, XMP and IPTC from their boxes.

internal import ImageCoding

extension JP2Container {
  /// The identifiers of boxes with metadata.
  static let exifIdentifier: [UInt8] = Array("JpgTiffExif->JP2".utf8)
  static let xmpIdentifier: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
  static let iptcIdentifier: [UInt8] = [
    0x33, 0xC7, 0xA4, 0xD2, 0xB8, 0x1D, 0x47, 0x23, 0xA0, 0xBA, 0xF1, 0xA3, 0xE0, 0x97, 0xAD, 0x38,
  ]

  /// Returns the metadata. As for other formats, the first block of a kind is the one that counts; blocks that are too
  /// large are left out.
  func readMetadata(_ file: Span<UInt8>, budget: inout ResourceBudget) -> ImageMetadata {
    var result = ImageMetadata()
    for box in metadata {
      let range = box.content.clamped(to: 0..<file.count)
      guard range.count > 16 else { continue }
      let identifier = file.extracting(range.lowerBound..<range.lowerBound + 16)
      let content = file.extracting(range.lowerBound + 16..<range.upperBound)
      if result.exif == nil, Self.isEqual(identifier, Self.exifIdentifier) {
        // Some writers store the prefix that the block has in a JPEG file.
        let hasPrefix = FourCharacterCode(content, at: 0) == "Exif" && content.count > 6
        result.exif = Self.block(hasPrefix ? content.extracting(6..<content.count) : content, &budget)
      } else if result.xmp == nil, Self.isEqual(identifier, Self.xmpIdentifier) {
        result.xmp = Self.block(content, &budget)
      } else if result.iptc == nil, Self.isEqual(identifier, Self.iptcIdentifier) {
        result.iptc = Self.block(content, &budget)
      }
    }
    return result
  }

  /// Whether a `uuid` box has one of the kinds of metadata that are read.
  static func isMetadata(_ box: Box, _ file: Span<UInt8>) -> Bool {
    let range = box.content.clamped(to: 0..<file.count)
    guard range.count >= 16 else { return false }
    let identifier = file.extracting(range.lowerBound..<range.lowerBound + 16)
    return [exifIdentifier, xmpIdentifier, iptcIdentifier].contains { isEqual(identifier, $0) }
  }

  private static func isEqual(_ bytes: Span<UInt8>, _ identifier: [UInt8]) -> Bool {
    identifier.indices.allSatisfy { bytes[$0] == identifier[$0] }
  }

  private static func block(_ content: Span<UInt8>, _ budget: inout ResourceBudget) -> [UInt8]? {
    budget.admitMetadata(content.count) ? Array(copying: content) : nil
  }
}
