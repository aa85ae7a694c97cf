// Font files with one or several faces: the table directory of an OpenType font, of a face in a collection, and of a
// WOFF file, whose tables are compressed individually (OpenType, font file; WOFF 1.0).

internal import ByteCompression
internal import ImageCore

/// The tables of one face, by tag.
struct FontContainer: Sendable {
  /// The maximum total size of the decompressed tables of a WOFF file.
  private static let maximumByteCount = 64 << 20

  /// 1.0, "true" and "OTTO". The first two have TrueType outlines, the last has CFF outlines.
  static let versions = [0x0001_0000, 0x7472_7565, 0x4F54_544F]

  private var tables: [Tag: TableBytes] = [:]

  /// The number of faces in a file.
  static func faceCount(_ bytes: [UInt8]) -> Int {
    let file = TableBytes(bytes)
    guard file.tag(at: 0) == "ttcf" else { return 1 }
    return min(file.uint32(at: 8), max(0, bytes.count - 12) / 4)
  }

  /// The table with a tag; empty if the face lacks it.
  subscript(name: Tag) -> TableBytes { tables[name] ?? .empty }

  /// Creates a face from individual tables.
  init(tables: [Tag: TableBytes]) {
    self.tables = tables
  }

  /// Parses the table directory of a face.
  ///
  /// - Throws: ``CodecError/Kind/unrecognizedFormat``, ``CodecError/Kind/unsupported`` for WOFF 2,
  ///   ``CodecError/Kind/truncated``, and decompression errors in a WOFF file.
  init(parsing bytes: [UInt8], index: Int) throws(CodecError) {
    let file = TableBytes(bytes)
    guard bytes.count >= 12 else {
      throw CodecError(.truncated, "the font ends within its header", format: .font, byteOffset: bytes.count)
    }
    switch file.tag(at: 0) {
    case "ttcf":
      guard index >= 0, index < FontContainer.faceCount(bytes) else {
        throw CodecError(.invalidArgument, "the collection has no face \(index)", format: .font)
      }
      try readDirectory(file, at: file.uint32(at: 12 + 4 * index))
    case "wOFF":
      try readWOFF(file, index: index)
    case "wOF2":
      throw CodecError(.unsupported, "WOFF 2 fonts are not supported", format: .font, byteOffset: 0)
    default:
      guard index == 0 else { throw CodecError(.invalidArgument, "the file has only one face", format: .font) }
      try readDirectory(file, at: 0)
    }
  }

  private mutating func readDirectory(_ file: TableBytes, at start: Int) throws(CodecError) {
    let version = file.uint32(at: start)
    guard FontContainer.versions.contains(version) else {
      throw CodecError(.unrecognizedFormat, "the font's version is unknown", format: .font, byteOffset: start)
    }
    let count = file.uint16(at: start + 4)
    guard file.contains(start + 12, count * 16) else {
      throw CodecError(.truncated, "the font ends within its table directory", format: .font, byteOffset: file.count)
    }
    for record in 0..<count {
      let offset = start + 12 + record * 16
      // A table that is cut off keeps its remaining bytes; one that starts past the end is empty.
      tables[file.tag(at: offset)] = file.part(at: file.uint32(at: offset + 8), count: file.uint32(at: offset + 12))
    }
  }

  private mutating func readWOFF(_ file: TableBytes, index: Int) throws(CodecError) {
    guard index == 0 else { throw CodecError(.invalidArgument, "the file has only one face", format: .font) }
    let count = file.uint16(at: 12)
    guard file.contains(44, count * 20) else {
      throw CodecError(.truncated, "the font ends within its table directory", format: .font, byteOffset: file.count)
    }
    var budget = FontContainer.maximumByteCount
    for record in 0..<count {
      let offset = 44 + record * 20
      let start = file.uint32(at: offset + 4)
      let (storedCount, byteCount) = (file.uint32(at: offset + 8), file.uint32(at: offset + 12))
      guard file.contains(start, storedCount) else {
        throw CodecError(.truncated, "a table is outside the file", format: .font, byteOffset: offset)
      }
      guard byteCount <= budget else {
        throw CodecError(.limitExceeded, "the font's tables are too large", format: .font, byteOffset: offset)
      }
      budget -= byteCount
      guard storedCount < byteCount else {
        tables[file.tag(at: offset)] = file.part(at: start, count: storedCount)
        continue
      }
      let stored = file.bytes(at: start, count: storedCount)
      tables[file.tag(at: offset)] = TableBytes(
        try ZlibBlock.decompress(stored.span, maximumByteCount: byteCount, format: .font, byteOffset: start))
    }
  }
}
