// Font files with one or several faces: the table directory of an OpenType font and of a face in a collection
// (OpenType, font file). Compressed fonts are in separate files of this folder.

internal import ImageCore

/// The tables of one face, by tag.
package struct FontContainer: Sendable {
  /// The maximum total size of the decompressed tables of a WOFF or WOFF 2 file.
  static let maximumByteCount = 64 << 20

  /// 1.0, "true" and "OTTO". The first two have TrueType outlines, the last has CFF outlines.
  static let versions = [0x0001_0000, 0x7472_7565, 0x4F54_544F]

  private var tables: [Tag: TableBytes] = [:]

  /// The number of faces in a file.
  static func faceCount(_ bytes: [UInt8]) -> Int {
    let file = TableBytes(bytes)
    switch file.tag(at: 0) {
    case "ttcf": return min(file.uint32(at: 8), max(0, bytes.count - 12) / 4)
    case "wOF2": return WOFF2Directory.faceCount(bytes)
    default: return 1
    }
  }

  /// Whether a file must be decompressed as a whole.
  static func isCompressed(_ bytes: [UInt8]) -> Bool {
    let tag = TableBytes(bytes).tag(at: 0)
    return tag == "wOFF" || tag == "wOF2"
  }

  /// All faces of a compressed file, which is decompressed once.
  ///
  /// - Throws: the errors of ``init(parsing:index:budget:)``.
  static func faces(ofCompressed bytes: [UInt8], budget: inout ResourceBudget) throws(CodecError) -> [FontContainer] {
    if TableBytes(bytes).tag(at: 0) == "wOF2" {
      return try WOFF2File(parsing: bytes, budget: &budget).containers(budget: &budget)
    }
    return [try FontContainer(parsing: bytes, index: 0, budget: &budget)]
  }

  /// The table with a tag; empty if the face lacks it.
  package subscript(name: Tag) -> TableBytes { tables[name] ?? .empty }

  /// The tables with the colours of glyphs.
  static let colorTables: [Tag] = ["COLR", "CBDT", "sbix", "SVG "]

  /// Whether there are glyphs with colours.
  var hasColors: Bool { Self.colorTables.contains { !self[$0].isEmpty } }

  /// Creates a face from individual tables.
  init(tables: [Tag: TableBytes]) {
    self.tables = tables
  }

  /// Parses the table directory of a face.
  ///
  /// - Parameter budget: charged for decompressed tables, which remain charged, and for the work.
  /// - Throws: `CodecError.Kind.unrecognizedFormat`, `CodecError.Kind.truncated`, and decompression errors in a
  ///   WOFF or WOFF 2 file.
  init(parsing bytes: [UInt8], index: Int, budget: inout ResourceBudget) throws(CodecError) {
    let file = TableBytes(bytes)
    guard bytes.count >= 12 else {
      throw CodecError(.truncated, "the font ends within its header", format: .font, byteOffset: bytes.count)
    }
    switch file.tag(at: 0) {
    case "ttcf":
      guard index >= 0, index < FontContainer.faceCount(bytes) else {
        throw CodecError(.invalidArgument, "the collection has no face \(index)", format: .font)
      }
      try readDirectory(file, at: file.uint32(at: 12 + 4 * index), &budget)
    case "wOFF":
      guard index == 0 else { throw CodecError(.invalidArgument, "the file has only one face", format: .font) }
      tables = try WOFFTables.read(file, budget: &budget)
    case "wOF2":
      let file = try WOFF2File(parsing: bytes, budget: &budget)
      self = try file.container(index, budget: &budget)
    default:
      guard index == 0 else { throw CodecError(.invalidArgument, "the file has only one face", format: .font) }
      try readDirectory(file, at: 0, &budget)
    }
  }

  /// The work units for an entry of a table directory.
  private static let workPerTable = 100

  private mutating func readDirectory(
    _ file: TableBytes, at start: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let version = file.uint32(at: start)
    guard FontContainer.versions.contains(version) else {
      throw CodecError(.unrecognizedFormat, "the font's version is unknown", format: .font, byteOffset: start)
    }
    let count = file.uint16(at: start + 4)
    guard file.contains(start + 12, count * 16) else {
      throw CodecError(.truncated, "the font ends within its table directory", format: .font, byteOffset: file.count)
    }
    try budget.chargeWork(count: count, unitsEach: FontContainer.workPerTable)
    for record in 0..<count {
      let offset = start + 12 + record * 16
      // A table that is cut off keeps its remaining bytes; one that starts past the end is empty.
      tables[file.tag(at: offset)] = file.part(at: file.uint32(at: offset + 8), count: file.uint32(at: offset + 12))
    }
  }
}
