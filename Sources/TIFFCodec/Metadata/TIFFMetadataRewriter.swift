// Replaces the metadata of a file. Strips and tiles are copied, not decoded.

public import ImageCore
internal import MetadataFormats

/// Rewrites a TIFF file with different metadata.
///
/// All pages are kept, with their strips or tiles, colour profiles and orientations. Thumbnails in subdirectories and
/// bytes that no directory refers to are dropped.
public struct TIFFMetadataRewriter: Sendable {
  /// Whether fields with unknown meaning are copied; `true` by default. Set to `false` to strip all metadata.
  public var keepsUnknownFields: Bool

  /// Creates a rewriter. By default it copies unknown fields.
  public init(keepsUnknownFields: Bool = true) {
    self.keepsUnknownFields = keepsUnknownFields
  }

  /// Returns the file with the EXIF tags, XMP packet, IPTC-IIM records and resolution of its first page replaced by those
  /// of `metadata`, and those of other pages removed. The byte order remains.
  ///
  /// - Throws: ``CodecError/Kind/malformed`` if a page has no strips or tiles, ``CodecError/Kind/truncated`` if they are
  ///   not completely in the file, ``CodecError/Kind/unsupported`` for old-style JPEG, whose tables are outside of the
  ///   strips.
  public func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, limits: DecodingLimits = .default
  ) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(limits, format: TIFFDecoder.type)
    return try rewrite(bytes, metadata: metadata, budget: &budget)
  }

  /// Rewrites a file within a budget, which is charged for the copied fields, strips and tiles, and for the result.
  package func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    var reader = ByteReader(bytes, format: TIFFDecoder.type)
    let header = try TIFFHeader(parsing: &reader)
    var writer = TIFFFileWriter(isBigEndian: header.isBigEndian, isBig: header.isBig)
    var descriptive: DescriptiveFields?
    if let exif = metadata.exif {
      descriptive = try DescriptiveFields(exif, isBigEndian: header.isBigEndian, &budget)
    }
    for (index, offset) in try PageChain.offsets(bytes, header: header, budget: &budget).enumerated() {
      let source = try TIFFDirectory(bytes, at: offset, header: header, format: TIFFDecoder.type, budget: &budget)
      var page = try copy(source, bytes, header, to: &writer, &budget)
      if index == 0 { page.add(metadata, descriptive, writer) }
      writer.append(page: page)
    }
    return try writer.finish()
  }

  /// Copies the blocks of a page and returns the fields to keep.
  private func copy(
    _ source: TIFFDirectory, _ bytes: Span<UInt8>, _ header: TIFFHeader, to writer: inout TIFFFileWriter,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> OutputDirectory {
    let values = DirectoryValues(source, in: bytes, header: header)
    guard values.integer(.compression) != 6 else {
      throw CodecError(
        .unsupported, "the metadata of old-style JPEG cannot be replaced", format: TIFFDecoder.type)
    }
    var page = OutputDirectory()
    var tags: Set<UInt16> = []
    for field in source.fields where keeps(field.tag) {
      guard field.isContained(in: bytes), tags.insert(field.tag).inserted else { continue }
      // Fields may overlap: their bytes are copied here, and again to the file.
      try budget.allocate(2 * (field.values.count + 32))
      try budget.chargeWork(OutputField.workPerField + field.values.count)
      page.fields.append(
        OutputField(
          tag: field.tag, type: field.type, count: field.count,
          values: Array(copying: bytes.extracting(field.values))))
    }
    let isTiled = source[Tag.tileWidth.rawValue] != nil && source[Tag.tileOffsets.rawValue] != nil
    let (offsetsTag, countsTag): (Tag, Tag) =
      isTiled ? (.tileOffsets, .tileByteCounts) : (.stripOffsets, .stripByteCounts)
    guard let offsets = source[offsetsTag.rawValue], let counts = source[countsTag.rawValue],
      offsets.count == counts.count, offsets.isContained(in: bytes), counts.isContained(in: bytes)
    else {
      throw CodecError(
        .malformed, "the positions or lengths of the strips or tiles are missing", format: TIFFDecoder.type)
    }
    try budget.allocate(count: offsets.count, bytesEach: 4 * MemoryLayout<Int>.stride)
    var newOffsets: [Int] = []
    var newCounts: [Int] = []
    for index in 0..<offsets.count {
      let offset = values.integer(offsetsTag, at: index) ?? 0
      let count = values.integer(countsTag, at: index) ?? 0
      guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
        throw CodecError(
          .truncated, "the data of strip or tile \(index) is not in the file", format: TIFFDecoder.type,
          byteOffset: bytes.count)
      }
      try budget.chargeWork(100 + count)
      try budget.allocate(count)
      newOffsets.append(writer.append(block: Array(copying: bytes.extracting(offset..<offset + count))))
      newCounts.append(count)
    }
    page.set(writer.offsets(offsetsTag.rawValue, newOffsets))
    page.set(writer.offsets(countsTag.rawValue, newCounts))
    return page
  }

  /// Whether a field stays: those of the pixels, the colour profile, the orientation and the white point; unless
  /// stripping, also those with unknown meaning.
  private func keeps(_ tag: UInt16) -> Bool {
    switch tag {
    // Positions, which are written anew, and what is only valid with its own positions.
    case 273, 279, 288, 289, 324, 325, 330, 513, 514: false
    // Metadata that is replaced.
    case 700, 33723, 34377, 34665, 34853, 37724: false
    case 274, 301, 318, 319, 529, 530, 531, 532, 34675: true
    case _ where isPixelLayoutTag(tag): true
    // Descriptive tags of TIFF 6.0 and EXIF.
    case 269...272, 282, 283, 285...287, 296, 297, 305, 306, 315, 316, 33432: false
    case 32768...: keepsUnknownFields
    default: false
    }
  }
}
