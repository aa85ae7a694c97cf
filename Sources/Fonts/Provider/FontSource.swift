// The bytes of a font, either in memory or in a file that is read when the font is used.

internal import ImageCore

/// A font file.
enum FontSource: Sendable {
  case memory([UInt8])
  /// The faces of a compressed file in memory.
  case decompressed([FontContainer])
  case file(path: String)

  /// The source of a font in memory, decompressed if necessary.
  init(_ bytes: [UInt8]) {
    self = FontContainer.isCompressed(bytes) ? .decompressed(FontSource.faces(ofCompressed: bytes)) : .memory(bytes)
  }

  /// Returns a face, within the default limits; `nil` if the file can no longer be read or is damaged.
  func face(_ index: Int) -> FontFace? {
    var budget = ResourceBudget(DecodingLimits.default, format: .font)
    return container(index).flatMap { try? FontFace($0, budget: &budget) }
  }

  private func container(_ index: Int) -> FontContainer? {
    switch self {
    case .memory(let bytes): FontSource.container(of: bytes, index)
    case .decompressed(let faces): faces.indices.contains(index) ? faces[index] : nil
    case .file(let path):
      readFile(path, maximumByteCount: FontSource.maximumFileByteCount).flatMap { FontSource.container(of: $0, index) }
    }
  }

  /// The tables of a face, within the default limits; `nil` if they cannot be read.
  static func container(of bytes: [UInt8], _ index: Int) -> FontContainer? {
    var budget = ResourceBudget(DecodingLimits.default, format: .font)
    return try? FontContainer(parsing: bytes, index: index, budget: &budget)
  }

  /// The faces of a compressed file, within the default limits; none if they cannot be read.
  static func faces(ofCompressed bytes: [UInt8]) -> [FontContainer] {
    var budget = ResourceBudget(DecodingLimits.default, format: .font)
    return (try? FontContainer.faces(ofCompressed: bytes, budget: &budget)) ?? []
  }

  /// Larger files are assumed not to be fonts.
  static let maximumFileByteCount = 256 << 20

  /// Reads only the character map of a face.
  func characters(ofFace index: Int) -> CharacterMap {
    if case .file(let path) = self {
      let start = readFile(path, ranges: [0..<12 + 4 * (index + 1)])?.first ?? []
      if !FontContainer.isCompressed(start) {
        let header = TableBytes(start)
        let offset = header.tag(at: 0) == "ttcf" ? header.uint32(at: 12 + 4 * index) : 0
        return CharacterMap(FontSource.tables(["cmap"], inFile: path, directoryAt: offset)["cmap"] ?? .empty)
      }
    }
    return CharacterMap(container(index)?["cmap"] ?? .empty)
  }

  /// Reads some tables of a face in an uncompressed file; empty if there is no table directory at the offset.
  static func tables(_ wanted: [Tag], inFile path: String, directoryAt offset: Int) -> [Tag: TableBytes] {
    guard let bytes = readFile(path, ranges: [offset..<offset + 12 + 16 * 64])?.first else { return [:] }
    let directory = TableBytes(bytes)
    guard FontContainer.versions.contains(directory.uint32(at: 0)) else { return [:] }
    var tags: [Tag] = []
    var ranges: [Range<Int>] = []
    for record in 0..<directory.uint16(at: 4) {
      let entry = 12 + record * 16
      let tag = directory.tag(at: entry)
      guard wanted.contains(tag) else { continue }
      let start = directory.uint32(at: entry + 8)
      let most = mostBytes(of: tag)
      tags.append(tag)
      ranges.append(start..<start + min(directory.uint32(at: entry + 12), most))
    }
    guard let parts = readFile(path, ranges: ranges) else { return [:] }
    var tables: [Tag: TableBytes] = [:]
    for (tag, part) in zip(tags, parts) where tables[tag] == nil { tables[tag] = TableBytes(part) }
    return tables
  }

  /// The number of bytes of a table that are needed at most.
  private static func mostBytes(of tag: Tag) -> Int {
    // Of colour tables only the presence is of interest, of `post` not the glyph names.
    FontContainer.colorTables.contains(tag) ? 4 : tag == "post" ? 32 : maximumTableByteCount
  }

  /// The maximum size of a table; name and character tables are smaller.
  private static let maximumTableByteCount = 8 << 20
}
