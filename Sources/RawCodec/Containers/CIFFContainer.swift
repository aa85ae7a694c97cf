// CRW: a heap of records, some of which are heaps. The directory of a heap is at its end.

internal import ImageCoding

/// Reads raw files of Canon before 2004.
enum CIFFContainer {
  /// A record of a heap.
  private struct Record {
    /// The type and the identifier, without the bits of the location.
    let tag: Int
    /// The value in the file.
    let range: Range<Int>
  }

  /// The maximum number of records of a heap.
  private static let maximumRecordCount = 1_024
  /// The work units for reading a record.
  private static let workPerRecord = 100

  static func read(
    _ bytes: Span<UInt8>, _ collector: inout PictureCollector, budget: inout ResourceBudget
  ) throws(CodecError) -> RawFile {
    budget.format = RawFormat.crw.type
    var reader = ByteReader(bytes, format: budget.format)
    let isBigEndian = try reader.readUInt16BigEndian() == 0x4D4D
    let start = Int(clamping: try reader.readInteger(byteCount: 4, isBigEndian: isBigEndian))
    guard start >= 14, start <= bytes.count else {
      throw CodecError(.malformed, "the heap is outside of the file", format: budget.format, byteOffset: 2)
    }
    var heaps = [start..<bytes.count]
    var allowance = DirectoryTree.maximumCount
    var visited: Set<Int> = []
    var properties = CameraProperties()
    var orientation = ImageOrientation.up
    while let heap = heaps.popLast() {
      guard allowance > 0, visited.insert(heap.upperBound).inserted else { continue }
      allowance -= 1
      for record in try records(of: heap, bytes, isBigEndian: isBigEndian, budget: &budget) {
        let value = bytes.extracting(record.range)
        func integer(at offset: Int) -> Int? {
          var reader = ByteReader(value)
          guard (try? reader.seek(to: offset)) != nil,
            let word = try? reader.readInteger(byteCount: 4, isBigEndian: isBigEndian)
          else { return nil }
          return Int(Int32(truncatingIfNeeded: Int64(word)))
        }
        switch record.tag {
        case 0x2007: try collector.addJPEG(record.range, as: .fullSize, in: bytes, budget: &budget)
        case 0x2008: try collector.addJPEG(record.range, as: .thumbnail, in: bytes, budget: &budget)
        case 0x080A:
          let names = value.nullTerminatedTexts(maximumCount: 2)
          properties.make = names.first ?? ""
          properties.model = names.count > 1 ? names[1] : ""
        case 0x180E: if let time = integer(at: 0), time > 0 { properties.date = exifDate(secondsSince1970: time) }
        case 0x1810: if let degrees = integer(at: 12) { orientation = ImageOrientation(clockwiseDegrees: degrees) }
        case 0x2800..<0x3800: heaps.append(record.range)
        default: break
        }
      }
    }
    return RawFile(
      format: .crw, pictures: collector.pictures, orientation: orientation, metadata: .properties(properties),
      sensor: .unsupported("sensor data of CRW files"))
  }

  /// Returns the records of a heap; none if its directory is damaged.
  private static func records(
    of heap: Range<Int>, _ bytes: Span<UInt8>, isBigEndian: Bool, budget: inout ResourceBudget
  ) throws(CodecError) -> [Record] {
    var reader = ByteReader(bytes.extracting(heap))
    guard (try? reader.seek(to: heap.count - 4)) != nil,
      let offset = try? reader.readInteger(byteCount: 4, isBigEndian: isBigEndian),
      (try? reader.seek(to: Int(clamping: offset))) != nil,
      let count = try? reader.readInteger(byteCount: 2, isBigEndian: isBigEndian)
    else { return [] }
    var records: [Record] = []
    for _ in 0..<min(Int(count), maximumRecordCount) {
      try budget.chargeWork(workPerRecord)
      let place = heap.lowerBound + reader.position
      guard let type = try? reader.readInteger(byteCount: 2, isBigEndian: isBigEndian),
        let size = try? reader.readInteger(byteCount: 4, isBigEndian: isBigEndian),
        let offset = try? reader.readInteger(byteCount: 4, isBigEndian: isBigEndian)
      else { break }
      let tag = Int(type & 0x3FFF)
      // The value is in the entry itself, in place of its size and offset.
      if type & 0xC000 == 0x4000 {
        records.append(Record(tag: tag, range: place + 2..<place + 10))
      } else if let range = byteRange(at: Int(clamping: offset), count: Int(clamping: size)),
        range.upperBound <= heap.count
      {
        let start = heap.lowerBound + range.lowerBound
        records.append(Record(tag: tag, range: start..<start + range.count))
      }
    }
    return records
  }
}

extension Span where Element == UInt8 {
  /// Returns the texts that are separated by zero bytes, at most 256 bytes each.
  func nullTerminatedTexts(maximumCount: Int) -> [String] {
    var texts: [String] = []
    var text = ""
    for index in 0..<Swift.min(count, maximumCount * 256) {
      if self[index] == 0 {
        texts.append(text)
        text = ""
        if texts.count == maximumCount { break }
      } else {
        text.unicodeScalars.append(Unicode.Scalar(self[index]))
      }
    }
    return texts
  }
}
