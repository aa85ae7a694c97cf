// The bytes of a font, either in memory or in a file that is read when the font is used.

internal import ImageCore

/// A font file.
enum FontSource: Hashable, Sendable {
  case memory([UInt8])
  case file(path: String)

  /// Returns all bytes; `nil` if the file can no longer be read.
  func readAll() -> [UInt8]? {
    switch self {
    case .memory(let bytes): bytes
    case .file(let path): readFile(path, maximumByteCount: FontSource.maximumFileByteCount)
    }
  }

  /// Larger files are assumed not to be fonts.
  static let maximumFileByteCount = 256 << 20

  /// Reads only the character map of a face.
  func characters(ofFace index: Int) -> CharacterMap {
    switch self {
    case .memory(let bytes): return FontSource.characters(of: bytes, index)
    case .file(let path):
      let header = TableBytes(readFile(path, ranges: [0..<12 + 4 * (index + 1)])?.first ?? [])
      if header.tag(at: 0) == "wOFF" { return FontSource.characters(of: readAll() ?? [], index) }
      let offset = header.tag(at: 0) == "ttcf" ? header.uint32(at: 12 + 4 * index) : 0
      return CharacterMap(FontSource.tables(["cmap"], inFile: path, directoryAt: offset)["cmap"] ?? .empty)
    }
  }

  private static func characters(of bytes: [UInt8], _ index: Int) -> CharacterMap {
    CharacterMap((try? FontContainer(parsing: bytes, index: index))?["cmap"] ?? .empty)
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
      // The glyph names in `post` are not needed.
      let most = tag == "post" ? 32 : maximumTableByteCount
      tags.append(tag)
      ranges.append(start..<start + min(directory.uint32(at: entry + 12), most))
    }
    guard let parts = readFile(path, ranges: ranges) else { return [:] }
    return Dictionary(zip(tags, parts).map { ($0, TableBytes($1)) }) { first, _ in first }
  }

  /// The maximum size of a table; name and character tables are smaller.
  private static let maximumTableByteCount = 8 << 20
}
