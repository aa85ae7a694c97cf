// MRW: blocks of a type and a length, one of which is a TIFF structure.

internal import ImageCoding
internal import MetadataFormats

/// Reads raw files of Minolta.
enum MinoltaContainer {
  /// The number of blocks after which others are ignored; files have five.
  private static let maximumBlockCount = 64

  static func read(
    _ bytes: Span<UInt8>, _ collector: inout PictureCollector, budget: inout ResourceBudget
  ) throws(CodecError) -> RawFile {
    budget.format = RawFormat.mrw.type
    var reader = ByteReader(bytes, format: budget.format)
    try reader.skip(4)
    let end = Int(clamping: try reader.readUInt32BigEndian()).addingReportingOverflow(8).partialValue
    for _ in 0..<maximumBlockCount where reader.position < end {
      let type = try reader.readUInt32BigEndian()
      let count = Int(clamping: try reader.readUInt32BigEndian())
      let start = reader.position
      // "\0TTW"
      guard type == 0x0054_5457 else {
        try reader.skip(count)
        continue
      }
      guard count <= bytes.count - start else { break }
      // Offsets relate to the block, but the data of pictures follow it.
      var header = ByteReader(bytes.extracting(start..<bytes.count), baseOffset: start, format: budget.format)
      var allowance = DirectoryTree.maximumCount
      let tree = try DirectoryTree(
        bytes, in: start..<bytes.count, header: TIFFHeader(parsing: &header), allowance: &allowance, budget: &budget)
      try MakerNotePreview.collect(tree, bytes, allowance: &allowance, &collector, budget: &budget)
      let orientation = tree.main.flatMap { tree.fields($0, in: bytes).integer(.orientation) }
      return RawFile(
        format: .mrw, pictures: collector.pictures, orientation: ImageOrientation(tag: orientation),
        metadata: .directory(tree), sensor: .unsupported("sensor data of MRW files"))
    }
    throw CodecError(.malformed, "the file has no block of metadata", format: budget.format, byteOffset: 8)
  }
}
