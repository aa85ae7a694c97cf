// X3F: sections that a directory at the end of the file lists: pictures, properties and sensor data.

internal import ImageCoding
internal import MetadataFormats

/// Reads raw files of Sigma.
enum FoveonContainer {
  /// The work units for reading an entry of a directory or a property.
  private static let workPerEntry = 200
  /// The number of entries and of properties after which others are ignored.
  private static let maximumCount = 256

  static func read(
    _ bytes: Span<UInt8>, _ collector: inout PictureCollector, budget: inout ResourceBudget
  ) throws(CodecError) -> RawFile {
    budget.format = RawFormat.x3f.type
    var reader = ByteReader(bytes, format: budget.format)
    try reader.seek(to: 36)
    var orientation = ImageOrientation(
      clockwiseDegrees: Int(truncatingIfNeeded: try reader.readUInt32LittleEndian() % 360))
    try reader.seek(to: bytes.count - 4)
    try reader.seek(to: Int(clamping: try reader.readUInt32LittleEndian()))
    // "SECd"
    guard try reader.readUInt32BigEndian() == 0x5345_4364 else {
      throw reader.error(.malformed, "the file has no directory")
    }
    try reader.skip(4)
    let count = Int(clamping: try reader.readUInt32LittleEndian())
    var properties = CameraProperties()
    var exif: (block: Range<Int>, stream: Range<Int>)?
    for _ in 0..<min(count, maximumCount) {
      try budget.chargeWork(workPerEntry)
      let offset = Int(clamping: try reader.readUInt32LittleEndian())
      let count = Int(clamping: try reader.readUInt32LittleEndian())
      let type = try reader.readUInt32BigEndian()
      guard let range = byteRange(at: offset, count: count), range.upperBound <= bytes.count else { continue }
      switch type {
      case 0x494D_4147, 0x494D_4132:  // "IMAG", "IMA2"
        try readImage(range, bytes, &collector, &exif, budget: &budget)
      case 0x5052_4F50:  // "PROP"
        try readProperties(bytes.extracting(range), into: &properties, budget: &budget)
      default: break
      }
    }
    if let exif, let stated = ImageOrientation(exif: bytes.extracting(exif.block)) { orientation = stated }
    return RawFile(
      format: .x3f, pictures: collector.pictures, orientation: orientation,
      metadata: exif.map { .jpeg($0.stream, fallback: nil) } ?? .properties(properties),
      sensor: .unsupported("sensor data of X3F files"))
  }

  /// Reads an image section: its format, its size and the data.
  private static func readImage(
    _ range: Range<Int>, _ bytes: Span<UInt8>, _ collector: inout PictureCollector,
    _ exif: inout (block: Range<Int>, stream: Range<Int>)?, budget: inout ResourceBudget
  ) throws(CodecError) {
    var reader = ByteReader(bytes.extracting(range))
    guard range.count > 28, (try? reader.skip(8)) != nil, let type = try? reader.readUInt32LittleEndian(),
      let format = try? reader.readUInt32LittleEndian(), let width = try? reader.readUInt32LittleEndian(),
      let height = try? reader.readUInt32LittleEndian(), let stride = try? reader.readUInt32LittleEndian(), type == 2
    else { return }
    let data = range.lowerBound + 28..<range.upperBound
    if format == 18 {
      try collector.addJPEG(data, as: .fullSize, in: bytes, budget: &budget)
      if exif == nil, let block = exifBlock(inJPEG: bytes, range: data) {
        exif = (block, data)
        try collector.addThumbnail(ofEXIF: block, in: bytes, budget: &budget)
      }
    } else if format == 3, width < 1 << 16, stride == width * 3 {
      try collector.addPixels(
        at: data.lowerBound, size: PixelSize(width: Int(width), height: Int(clamping: height)), coding: .rgb8,
        as: .thumbnail, in: bytes, budget: &budget)
    }
  }

  /// Reads the pairs of a name and a value, which are UTF-16 texts.
  private static func readProperties(
    _ section: Span<UInt8>, into properties: inout CameraProperties, budget: inout ResourceBudget
  ) throws(CodecError) {
    var reader = ByteReader(section)
    guard (try? reader.skip(8)) != nil, let stated = try? reader.readUInt32LittleEndian() else { return }
    let count = min(Int(clamping: stated), maximumCount)
    let texts = 24 + count * 8
    guard texts <= section.count else { return }
    func text(at index: Int) -> String {
      var reader = ByteReader(section)
      var text = ""
      guard index < 1 << 20, (try? reader.seek(to: texts + index * 2)) != nil else { return "" }
      while text.unicodeScalars.count < 256, let unit = try? reader.readUInt16LittleEndian(), unit != 0 {
        text.unicodeScalars.append(Unicode.Scalar(unit) ?? "\u{FFFD}")
      }
      return text
    }
    for index in 0..<count {
      try budget.chargeWork(workPerEntry * 4)
      guard (try? reader.seek(to: 24 + index * 8)) != nil, let name = try? reader.readUInt32LittleEndian(),
        let value = try? reader.readUInt32LittleEndian()
      else { return }
      switch text(at: Int(clamping: name)) {
      case "CAMMANUF": properties.make = text(at: Int(clamping: value))
      case "CAMMODEL": properties.model = text(at: Int(clamping: value))
      case "TIME":
        if let time = Int(text(at: Int(clamping: value))), time > 0 {
          properties.date = exifDate(secondsSince1970: time)
        }
      default: break
      }
    }
  }
}
