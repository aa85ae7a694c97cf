// The EXIF and XMP items of a HEIF file (ISO/IEC 23008-12, annex A).

public import ImageCoding

extension HEIFContainer {
  /// Returns the ICC profile, the EXIF block and the XMP packet, without those that are beyond the end of the input.
  ///
  /// - Throws: `CodecError.Kind.limitExceeded` if the search exceeds the limits.
  public func metadata(
    _ bytes: Span<UInt8>, limits: DecodingLimits = .default
  ) throws(CodecError) -> ImageMetadata {
    var budget = ResourceBudget(limits, format: type)
    return try metadata(bytes, budget: &budget)
  }

  func metadata(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> ImageMetadata {
    var metadata = ImageMetadata()
    metadata.colorSpace.iccProfile = primaryItem.iccProfile
    metadata.colorSpace.codePoints = primaryItem.codePoints
    // Items that describe the primary image take precedence.
    let described = Set(table.items(referring: "cdsc", to: primaryItem.id))
    let ids = table.items.filter { $0.value.type == "Exif" || $0.value.type == "mime" }.keys
      .sorted { (described.contains($0) ? 0 : 1, $0) < (described.contains($1) ? 0 : 1, $1) }
    for id in ids {
      guard metadata.exif == nil || metadata.xmp == nil, let item = table.items[id] else { break }
      if item.type == "Exif", metadata.exif == nil {
        metadata.exif = try self.metadata(inItem: id, of: bytes, budget: &budget).flatMap(exifBlock)
      }
      if item.type == "mime", item.contentType == "application/rdf+xml", metadata.xmp == nil {
        metadata.xmp = try self.metadata(inItem: id, of: bytes, budget: &budget)
      }
    }
    return metadata
  }

  /// Returns the block after the field that states the offset of its TIFF header.
  private func exifBlock(_ item: [UInt8]) -> [UInt8]? {
    guard let field = FourCharacterCode(item.span, at: 0), let offset = Int(exactly: field.rawValue),
      offset <= item.count - 4
    else { return nil }
    return Array(item[(4 + offset)...])
  }
}
