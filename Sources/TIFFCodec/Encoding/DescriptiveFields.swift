// Metadata as fields: the tags of an EXIF block become part of the page's own directory.

internal import ImageCoding
internal import MetadataFormats

/// The fields of an EXIF block, without its thumbnail.
struct DescriptiveFields {
  private(set) var image: [OutputField] = []
  private(set) var exif: [OutputField] = []
  private(set) var gps: [OutputField] = []

  /// Tags with offsets that would become invalid.
  private static let pointers: Set<UInt16> = [0x8769, 0x8825, 0xA005]

  /// Reads a block and puts its values in the byte order of a file; `nil` if it is damaged.
  init?(_ block: [UInt8], isBigEndian: Bool, _ budget: inout ResourceBudget) throws(CodecError) {
    // Values may overlap, and each is copied.
    try budget.chargeWork(block.count)
    var reader = ByteReader(block.span)
    guard let header = try? TIFFHeader(parsing: &reader), !header.isBig else { return nil }
    func directory(at offset: UInt64) throws(CodecError) -> TIFFDirectory? {
      do throws(CodecError) {
        return try TIFFDirectory(block.span, at: offset, header: header, keepsIncomplete: true, budget: &budget)
      } catch {
        if error.isInterruption || error.kind == .limitExceeded { throw error }
        return nil
      }
    }
    func child(_ tag: Tag, of parent: TIFFDirectory) throws(CodecError) -> TIFFDirectory? {
      guard let offset = parent[tag.rawValue]?.integer(in: block.span, header: header), offset > 0 else { return nil }
      return try directory(at: UInt64(offset))
    }
    func fields(_ directory: TIFFDirectory?, isImage: Bool = false) throws(CodecError) -> [OutputField] {
      var tags: Set<UInt16> = []
      var result: [OutputField] = []
      for field in directory?.fields ?? [] {
        guard !Self.pointers.contains(field.tag), field.isContained(in: block.span), field.type.rawValue <= 12,
          !(isImage && isPixelLayoutTag(field.tag)), tags.insert(field.tag).inserted
        else { continue }
        try budget.allocate(field.values.count)
        try budget.chargeWork(OutputField.workPerField + field.values.count)
        var values = Array(copying: block.span.extracting(field.values))
        if isBigEndian != header.isBigEndian { reverseBytes(of: &values, partByteCount: field.type.partByteCount) }
        result.append(OutputField(tag: field.tag, type: field.type, count: field.count, values: values))
      }
      return result
    }
    guard let first = try directory(at: header.firstDirectoryOffset) else { return nil }
    image = try fields(first, isImage: true).filter { $0.tag != Tag.orientation.rawValue }
    exif = try fields(try child(.exifDirectory, of: first))
    gps = try fields(try child(.gpsDirectory, of: first))
  }
}

/// Reverses the bytes of each part of a list of values.
private func reverseBytes(of values: inout [UInt8], partByteCount: Int) {
  guard partByteCount > 1 else { return }
  for start in stride(from: 0, to: values.count - partByteCount + 1, by: partByteCount) {
    values[start..<start + partByteCount].reverse()
  }
}

extension TIFFFieldType {
  /// The number of bytes of an integer or a number in a value. A fraction consists of two.
  fileprivate var partByteCount: Int { self == .rational || self == .signedRational ? 4 : byteCount }
}

extension OutputDirectory {
  /// Adds metadata. Fields that describe the pixels take precedence.
  mutating func add(_ metadata: ImageMetadata, _ descriptive: DescriptiveFields?, _ writer: TIFFFileWriter) {
    if let descriptive {
      let present = Set(fields.map { $0.tag })
      fields += descriptive.image.filter { !present.contains($0.tag) }
      children.append((Tag.exifDirectory.rawValue, descriptive.exif))
      children.append((Tag.gpsDirectory.rawValue, descriptive.gps))
    }
    if let density = metadata.density {
      let scale = density.unit == .perMeter ? 0.01 : 1
      set(writer.fraction(.xResolution, density.x * scale))
      set(writer.fraction(.yResolution, density.y * scale))
      let unit =
        switch density.unit {
        case .aspectRatio: 1
        case .perInch: 2
        case .perMeter: 3
        }
      set(writer.shorts(.resolutionUnit, [unit]))
    }
    if let xmp = metadata.xmp { set(writer.bytes(.xmp, xmp, type: .byte)) }
    if let iptc = metadata.iptc { set(writer.bytes(.iptc, iptc)) }
    let hasProfile = fields.contains { $0.tag == Tag.iccProfile.rawValue }
    if !hasProfile, let profile = metadata.colorSpace.iccProfile { set(writer.bytes(.iccProfile, profile)) }
  }
}
