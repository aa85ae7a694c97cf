// RAF: a header with the positions of a JPEG stream, which holds all metadata, of records and of the sensor data.

internal import ImageCoding
internal import MetadataFormats

/// Reads raw files of Fujifilm.
enum FujiContainer {
  static func read(
    _ bytes: Span<UInt8>, _ collector: inout PictureCollector, budget: inout ResourceBudget
  ) throws(CodecError) -> RawFile {
    budget.format = RawFormat.raf.type
    var reader = ByteReader(bytes, format: budget.format)
    try reader.seek(to: 84)
    let offset = Int(clamping: try reader.readUInt32BigEndian())
    let count = Int(clamping: try reader.readUInt32BigEndian())
    guard let stream = byteRange(at: offset, count: count), stream.upperBound <= bytes.count else {
      throw CodecError(
        .truncated, "the embedded picture is not in the file", format: budget.format, byteOffset: bytes.count,
        neededByteCount: byteRange(at: offset, count: count)?.upperBound)
    }
    try collector.addJPEG(stream, as: .preview, in: bytes, budget: &budget)
    let exif = exifBlock(inJPEG: bytes, range: stream)
    try collector.addThumbnail(ofEXIF: exif, in: bytes, budget: &budget)
    return RawFile(
      format: .raf, pictures: collector.pictures,
      orientation: exif.flatMap { ImageOrientation(exif: bytes.extracting($0)) } ?? .up,
      metadata: .jpeg(stream, fallback: nil), sensor: .unsupported("sensor data of RAF files"))
  }
}
