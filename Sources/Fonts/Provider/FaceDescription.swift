// The description of a face used for matching: names, traits and axis ranges.

internal import ImageCore

/// A face of a font provider.
package struct FaceDescription: Hashable, Sendable {
  /// The index of the font among the provider's sources.
  let source: Int
  /// The index of the face in its file.
  let index: Int
  let families: [String]
  /// The family names in lower case.
  let searchNames: [String]
  /// The full names and the PostScript name, in lower case.
  let uniqueNames: [String]
  let style: FontStyle
  let weight: Int
  let stretch: Double
  /// Whether the font has glyphs with colours.
  let isColored: Bool

  init(source: Int, index: Int, container: FontContainer) {
    let traits = FaceTraits(os2: container["OS/2"], head: container["head"], post: container["post"])
    self.source = source
    self.index = index
    let names = FaceNames(container["name"])
    families = names.families
    searchNames = names.families.map { $0.lowercased() }
    uniqueNames = (names.fullNames + [names.postScriptName]).map { $0.lowercased() }
    style = traits.style
    weight = traits.weight
    stretch = traits.stretch
    isColored = container.hasColors
  }

  /// Describes the faces of a file, reading only the tables that identify them.
  static func faces(inFile path: String, source: Int) -> [FaceDescription] {
    guard let start = readFile(path, ranges: [0..<4096])?.first else { return [] }
    let header = TableBytes(start)
    if FontContainer.isCompressed(start) {
      let bytes = readFile(path, maximumByteCount: FontSource.maximumFileByteCount) ?? []
      return faces(FontSource.faces(ofCompressed: bytes), source: source)
    }
    let isCollection = header.tag(at: 0) == "ttcf"
    let count = isCollection ? min(header.uint32(at: 8), (header.count - 12) / 4) : 1
    return (0..<max(0, count)).compactMap { index in
      let offset = isCollection ? header.uint32(at: 12 + 4 * index) : 0
      return container(inFile: path, directoryAt: offset).map {
        FaceDescription(source: source, index: index, container: $0)
      }
    }
  }

  /// Describes the faces of a font in memory.
  static func faces(in bytes: [UInt8], source: Int) -> [FaceDescription] {
    (0..<FontFace.faceCount(bytes)).compactMap { index in
      FontSource.container(of: bytes, index).map { FaceDescription(source: source, index: index, container: $0) }
    }
  }

  /// Describes faces whose tables are known.
  static func faces(_ containers: [FontContainer], source: Int) -> [FaceDescription] {
    containers.enumerated().map { FaceDescription(source: source, index: $0.offset, container: $0.element) }
  }

  private static func container(inFile path: String, directoryAt offset: Int) -> FontContainer? {
    let tables = FontSource.tables(
      ["name", "OS/2", "head", "post"] + FontContainer.colorTables, inFile: path, directoryAt: offset)
    return tables.isEmpty ? nil : FontContainer(tables: tables)
  }
}
