// The EXIF and XMP items of a HEIF file (ISO/IEC 23008-12, annex A).

public import ImageCore

extension HEIFContainer {
  /// The ICC profile, the EXIF block and the XMP packet; what the input does not reach is left out.
  public func metadata(_ bytes: Span<UInt8>, limits: DecodingLimits = .default) -> ImageMetadata {
    var metadata = ImageMetadata()
    metadata.iccProfile = primaryItem.iccProfile
    metadata.codePoints = primaryItem.codePoints
    // Those that describe the primary image go before others.
    let described = Set(table.items(referring: "cdsc", to: primaryItem.id))
    let ids = table.items.keys.sorted { (described.contains($0) ? 0 : 1, $0) < (described.contains($1) ? 0 : 1, $1) }
    // Far more items than any file has; each may name all of the file as its data.
    var remainingAttempts = 8
    for id in ids where remainingAttempts > 0 {
      guard let item = table.items[id], item.type == "Exif" || item.type == "mime" else { continue }
      remainingAttempts -= 1
      if item.type == "Exif", metadata.exif == nil {
        metadata.exif = data(of: id, in: bytes, limit: limits.maximumMetadataChunkByteCount).flatMap(exifBlock)
      }
      if item.type == "mime", item.contentType == "application/rdf+xml", metadata.xmp == nil {
        metadata.xmp = data(of: id, in: bytes, limit: limits.maximumMetadataChunkByteCount)
      }
    }
    return metadata
  }

  /// The block behind the offset that says where in the item its TIFF header stands.
  private func exifBlock(_ item: [UInt8]) -> [UInt8]? {
    guard let offset = FourCharacterCode(item.span, at: 0)?.rawValue, Int(offset) <= item.count - 4 else { return nil }
    return Array(item[(4 + Int(offset))...])
  }
}
