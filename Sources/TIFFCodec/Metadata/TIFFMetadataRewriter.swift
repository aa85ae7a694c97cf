// Replaces the metadata of a file. Strips and tiles are copied.

public import ImageCoding
internal import MetadataFormats

/// Rewrites a TIFF file with different metadata.
///
/// All pages are kept, with their strips or tiles, colour profiles and orientations. Thumbnails in subdirectories and
/// bytes that no directory refers to are dropped.
///
/// If metadata is stripped, values of fields and bytes of strips and tiles that decoders do not use are dropped too. To
/// find the end of the data of a strip or tile, it is decompressed, but not decoded to pixels. Damaged ones, and those in
/// compressions that are not decoded, are copied as long as the file states.
package struct TIFFMetadataRewriter: MetadataRewriter {
  /// ``TIFFDecoder/type``.
  package static var type: AssetType { TIFFDecoder.type }
  /// Whether fields with unknown meaning are copied; `true` by default. Set to `false` to strip all metadata.
  package var keepsUnknownParts: Bool
  let jpegRewriter: AnyMetadataRewriter?
  let webPRewriter: AnyMetadataRewriter?
  let jpeg2000Rewriter: AnyMetadataRewriter?
  let jpegXLRewriter: AnyMetadataRewriter?

  /// Creates a rewriter. By default it copies unknown fields.
  ///
  /// - Parameters:
  ///   - jpegRewriter: removes the metadata in JPEG-compressed strips and tiles if all metadata is stripped; if it is
  ///     `nil`, such files are `CodecError.Kind.unsupported`.
  ///   - webPRewriter: removes that in WebP-compressed ones.
  ///   - jpeg2000Rewriter: removes that in those compressed as JPEG 2000.
  ///   - jpegXLRewriter: removes that in those compressed as JPEG XL.
  package init(
    keepsUnknownParts: Bool = true, jpegRewriter: AnyMetadataRewriter? = nil,
    webPRewriter: AnyMetadataRewriter? = nil, jpeg2000Rewriter: AnyMetadataRewriter? = nil,
    jpegXLRewriter: AnyMetadataRewriter? = nil
  ) {
    self.keepsUnknownParts = keepsUnknownParts
    self.jpegRewriter = jpegRewriter
    self.webPRewriter = webPRewriter
    self.jpeg2000Rewriter = jpeg2000Rewriter
    self.jpegXLRewriter = jpegXLRewriter
  }

  /// Returns the file with the EXIF tags, XMP packet, IPTC-IIM records and resolution of its first page replaced by those
  /// of `metadata`, and those of other pages removed. The byte order remains.
  ///
  /// - Throws: `CodecError.Kind.malformed` if a page has no size, no strips or tiles, or does not state where these end
  ///   and they are damaged; `CodecError.Kind.truncated` if they are not completely in the file;
  ///   `CodecError.Kind.unsupported` for old-style JPEG, whose tables are outside of the strips, for DNG, whose pictures
  ///   are in subdirectories, and for embedded images without a rewriter; `CodecError.Kind.limitExceeded`.
  package func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    var reader = ByteReader(bytes, format: TIFFDecoder.type)
    let header = try TIFFHeader(parsing: &reader)
    var writer = try TIFFFileWriter(isBigEndian: header.isBigEndian, isBig: header.isBig, budget: &budget)
    var codedBytes = CodedBytes(fileByteCount: bytes.count)
    var descriptive: DescriptiveFields?
    if let exif = metadata.exif {
      descriptive = try DescriptiveFields(exif, isBigEndian: header.isBigEndian, &budget)
    }
    for (index, offset) in try PageChain.offsets(bytes, header: header, budget: &budget).enumerated() {
      let source = try TIFFContainer(bytes, at: offset, header: header, budget: &budget)
      var page = try copy(source, bytes, to: &writer, &codedBytes, &budget)
      if index == 0 { page.add(metadata, descriptive, writer) }
      try writer.append(page: page, budget: &budget)
    }
    return try writer.finish().finish()
  }

  /// Copies the blocks of a page and returns the fields to keep.
  private func copy(
    _ source: TIFFContainer, _ bytes: Span<UInt8>, to writer: inout TIFFFileWriter, _ codedBytes: inout CodedBytes,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> OutputDirectory {
    guard source.compression != 6 else {
      throw CodecError(
        .unsupported, "the metadata of old-style JPEG cannot be replaced", format: TIFFDecoder.type)
    }
    guard source.directory[Tag.dngVersion.rawValue] == nil else {
      throw CodecError(.unsupported, "the metadata of DNG files cannot be replaced", format: TIFFDecoder.type)
    }
    let values = DirectoryValues(source.directory, in: bytes, header: source.header)
    let tablesRange = values.range(.jpegTables)
    var page = OutputDirectory()
    page.fields = try PageFields(values, keepsUnknown: keepsUnknownParts).copies(&budget)
    let blocks = try PageBlocks(source, bytes, limits: budget.limits)
    var embedded: EmbeddedBlocks?
    if !keepsUnknownParts {
      page.fields.removeAll { $0.tag == Tag.jpegTables.rawValue }
      if EmbeddedBlocks.areBlocks(ofCompression: source.compression) {
        let tables = source.compression == 50001 ? nil : tablesRange
        if let tables {
          embedded = try EmbeddedBlocks(self, tables: bytes.extracting(tables), budget: &budget)
        } else {
          embedded = try EmbeddedBlocks(self, tables: nil, budget: &budget)
        }
        if tables != nil, let embedded { page.fields.append(writer.bytes(.jpegTables, embedded.jpegTablesField)) }
      }
    }
    try budget.allocate(count: blocks.count, bytesEach: 4 * MemoryLayout<Int>.stride)
    let compression = Compression(code: blocks.compression)
    var newOffsets: [Int] = []
    var newCounts: [Int] = []
    for index in 0..<blocks.count {
      let extent = try blocks.extent(at: index, in: bytes)
      if !extent.isOpen { try codedBytes.charge(extent.range.count, compression: compression, &budget) }
      let copy = try copy(extent, of: blocks, at: index, bytes, embedded, to: &writer, &budget)
      // How much of it is used is known only now.
      if extent.isOpen { try codedBytes.charge(copy.count, compression: compression, &budget) }
      newOffsets.append(copy.lowerBound)
      newCounts.append(copy.count)
    }
    page.set(writer.offsets(blocks.fields.offsets.tag, newOffsets))
    page.set(writer.offsets(blocks.countsTag, newCounts))
    return page
  }

  /// Copies the bytes of a block that decoders use, and returns their place in the new file.
  private func copy(
    _ extent: PageBlocks.Extent, of blocks: PageBlocks, at index: Int, _ bytes: Span<UInt8>,
    _ embedded: EmbeddedBlocks?, to writer: inout TIFFFileWriter, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Range<Int> {
    let input = bytes.extracting(extent.range)
    if let embedded {
      try budget.chargeWork(100 + input.count)
      let block = try embedded.rewritten(input, compression: blocks.compression, &budget)
      return try writer.append(copying: block.span, budget: &budget)
    }
    var byteCount: Int?
    if extent.isOpen || !keepsUnknownParts { byteCount = try blocks.usedByteCount(of: input, at: index, &budget) }
    // Up to the end of the file there may be anything. A length of 0 would be read as none.
    guard byteCount != nil || !extent.isOpen, byteCount != 0 else {
      throw CodecError(
        .malformed, "the length of strip or tile \(index) is missing, and its data is damaged or empty",
        format: TIFFDecoder.type, byteOffset: extent.range.lowerBound)
    }
    let part = input.extracting(0..<(byteCount ?? input.count))
    try budget.chargeWork(100 + part.count)
    return try writer.append(copying: part, budget: &budget)
  }
}

extension TIFFDecoder {
  /// Returns a rewriter that copies parts of unknown kinds.
  public func metadataRewriter(of type: AssetType) -> AnyMetadataRewriter? {
    TIFFMetadataRewriter(
      jpegRewriter: jpegDecoder?.metadataRewriter(of: "public.jpeg"),
      webPRewriter: webPDecoder?.metadataRewriter(of: "org.webmproject.webp"),
      jpeg2000Rewriter: jpeg2000Decoder?.metadataRewriter(of: "public.jpeg-2000"),
      jpegXLRewriter: jpegXLDecoder?.metadataRewriter(of: "public.jpeg-xl")
    ).erased
  }
}
