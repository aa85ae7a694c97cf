// Little-endian files with any fields, for tests of layouts and damage.

/// Describes the first page of a file.
struct SmallTIFF {
  var width: Int
  var height: Int
  var bits = [8]
  var compression = 1
  var photometric = 1
  var rowsPerStrip: Int?
  /// Further fields of 16-bit integers.
  var shorts: [(tag: Int, values: [Int])] = []
  /// Further fields of 32-bit integers.
  var longs: [(tag: Int, values: [Int])] = []
  /// Replaces the positions and the lengths of the strips.
  var offsets: [Int]?
  var byteCounts: [Int]?
  var next = 0

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Returns the file with its strips.
  func file(_ strips: [[UInt8]]) -> [UInt8] {
    var data: [UInt8] = []
    var positions: [Int] = []
    for strip in strips {
      positions.append(8 + data.count)
      data += strip
    }
    if data.count % 2 == 1 { data.append(0) }
    let start = 8 + data.count
    return Array("II*\0".utf8) + integer(start, 4) + data
      + directory(at: start, offsets: offsets ?? positions, byteCounts: byteCounts ?? strips.map(\.count))
  }

  private func directory(at start: Int, offsets: [Int], byteCounts: [Int]) -> [UInt8] {
    var fields: [(tag: Int, size: Int, values: [Int])] = [
      (256, 4, [width]), (257, 4, [height]), (258, 2, bits), (259, 2, [compression]), (262, 2, [photometric]),
      (273, 4, offsets), (277, 2, [bits.count]), (278, 4, [rowsPerStrip ?? height]), (279, 4, byteCounts),
    ]
    fields += shorts.map { ($0.tag, 2, $0.values) } + longs.map { ($0.tag, 4, $0.values) }
    // A later field replaces an earlier one with the same tag.
    var kept: [Int: (tag: Int, size: Int, values: [Int])] = [:]
    for field in fields { kept[field.tag] = field }
    let sorted = kept.values.sorted { $0.tag < $1.tag }
    var body: [UInt8] = []
    let after = start + 2 + 12 * sorted.count + 4
    var entries = integer(sorted.count, 2)
    for field in sorted {
      let values = field.values.flatMap { integer($0, field.size) }
      entries += integer(field.tag, 2) + integer(field.size == 2 ? 3 : 4, 2) + integer(field.values.count, 4)
      if values.count <= 4 {
        entries += values + [UInt8](repeating: 0, count: 4 - values.count)
      } else {
        entries += integer(after + body.count, 4)
        body += values
      }
    }
    return entries + integer(next, 4) + body
  }

  private func integer(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}

/// An EXIF block with a maker and an exposure time.
func exif(isBigEndian: Bool) -> [UInt8] {
  func integer(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
  return Array((isBigEndian ? "MM" : "II").utf8) + integer(42, 2) + integer(8, 4)
    + integer(2, 2)
    + integer(271, 2) + integer(2, 2) + integer(6, 4) + integer(38, 4)
    + integer(0x8769, 2) + integer(4, 2) + integer(1, 4) + integer(44, 4) + integer(0, 4)
    + Array("Maker\0".utf8)
    + integer(1, 2) + integer(0x829A, 2) + integer(5, 2) + integer(1, 4) + integer(62, 4) + integer(0, 4)
    + integer(1, 4) + integer(60, 4)
}
