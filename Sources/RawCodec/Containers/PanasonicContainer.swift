// RW2: a TIFF structure with the number 85, whose first tags are Panasonic's own. The embedded JPEG stream holds the
// EXIF block.

internal import ImageCoding
internal import MetadataFormats

/// Reads raw files of Panasonic and Leica.
enum PanasonicContainer {
  static func read(
    _ bytes: Span<UInt8>, _ collector: inout PictureCollector, budget: inout ResourceBudget
  ) throws(CodecError) -> RawFile {
    budget.format = RawFormat.rw2.type
    var reader = ByteReader(bytes, format: budget.format)
    try reader.skip(4)
    let header = TIFFHeader(
      isBigEndian: false, firstDirectoryOffset: UInt64(try reader.readUInt32LittleEndian()))
    var allowance = DirectoryTree.maximumCount
    let tree = try DirectoryTree(bytes, in: 0..<bytes.count, header: header, allowance: &allowance, budget: &budget)
    var stream: Range<Int>?
    var orientation: Int?
    if let main = tree.main {
      // The second is larger; cameras that have it leave out the first or keep it small.
      let jpegs = [main[0x0127], main[0x002E]].compactMap { $0 }.filter { $0.isContained(in: bytes) }.map { $0.values }
      stream = jpegs.last
      orientation = tree.fields(main, in: bytes).integer(.orientation)
      for range in jpegs { try collector.addJPEG(range, as: .fullSize, in: bytes, budget: &budget) }
    }
    var file = RawFile(
      format: .rw2, pictures: [], orientation: ImageOrientation(tag: orientation), metadata: .directory(tree),
      sensor: .unsupported("sensor data of RW2 files"))
    if let stream {
      let exif = exifBlock(inJPEG: bytes, range: stream)
      if orientation == nil, let exif { file.orientation = ImageOrientation(exif: bytes.extracting(exif)) ?? .up }
      try collector.addThumbnail(ofEXIF: exif, in: bytes, budget: &budget)
      file.metadata = .jpeg(stream, fallback: tree)
    }
    file.pictures = collector.pictures
    return file
  }
}

extension PictureCollector {
  /// Adds the thumbnail of an EXIF block.
  mutating func addThumbnail(
    ofEXIF block: Range<Int>?, in bytes: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard let block, let thumbnail = exifThumbnailRange(bytes.extracting(block)) else { return }
    let start = block.lowerBound + thumbnail.lowerBound
    try addJPEG(start..<start + thumbnail.count, as: .thumbnail, in: bytes, budget: &budget)
  }
}

/// Returns the position of the EXIF block of an embedded JPEG stream: cameras write it as the first segment, or after
/// that of JFIF.
func exifBlock(inJPEG bytes: Span<UInt8>, range: Range<Int>) -> Range<Int>? {
  var start = range.lowerBound + 2
  let end = min(range.upperBound, bytes.count)
  for _ in 0..<4 {
    guard start <= end - 10, bytes[start] == 0xFF, bytes[start + 1] & 0xF0 == 0xE0 else { return nil }
    let next = start + 2 + Int(bytes[start + 2]) << 8 + Int(bytes[start + 3])
    let name: InlineArray<6, UInt8> = [0x45, 0x78, 0x69, 0x66, 0, 0]
    if bytes[start + 1] == 0xE1, next <= end, next >= start + 10,
      (0..<6).allSatisfy({ bytes[start + 4 + $0] == name[$0] })
    {
      return start + 10..<next
    }
    guard next > start + 2 else { return nil }
    start = next
  }
  return nil
}
