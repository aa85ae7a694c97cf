// The fonts of a provider: folders are read on first use and faces are parsed on demand; both are kept.
//
// Files are read and parsed outside the lock, so that a slow font delays only the threads that need it. If two threads
// read the same font, the first result is kept.

internal import ImageCore
internal import Threading

/// The fonts of a provider, shared by its copies.
final class FontStore: Sendable {
  /// The font files and their faces.
  fileprivate struct Catalog: Sendable {
    var sources: [FontSource] = []
    var faces: [FaceDescription] = []
    /// The faces of each family, whose name is in lower case.
    var families: [String: [FaceDescription]] = [:]
    /// The first face of each full name and PostScript name, in lower case.
    var fullNames: [String: FaceDescription] = [:]
    /// All faces, those whose family has the shortest name first.
    var facesByNameLength: [FaceDescription] = []
  }

  private struct Contents: Sendable {
    var catalog: Catalog?
    /// The faces parsed so far; `nil` for unusable ones.
    var parsed: [FaceKey: FontFace?] = [:]
    /// The character maps of faces searched for a fallback.
    var characters: [FaceKey: CharacterMap] = [:]
  }

  private struct FaceKey: Hashable {
    var source: Int
    var index: Int
  }

  private let contents: Mutex<Contents>
  /// The sources of the store, from which an extended copy can be created.
  let fonts: [[UInt8]]
  let folders: [String]

  init(fonts: [[UInt8]], folders: [String]) {
    self.fonts = fonts
    self.folders = folders
    contents = Mutex(Contents())
  }

  /// All faces, in the order in which fonts were added and sorted by name within folders.
  var faces: [FaceDescription] { catalog.faces }

  /// The faces of a family, by its name in lower case.
  func faces(ofFamily name: String) -> [FaceDescription] { catalog.families[name] ?? [] }

  /// The face with a full name or PostScript name in lower case; `nil` if there is none.
  func face(fullName name: String) -> FaceDescription? { name.isEmpty ? nil : catalog.fullNames[name] }

  /// All faces, those whose family has the shortest name first.
  var facesByNameLength: [FaceDescription] { catalog.facesByNameLength }

  /// The faces of families whose names consist of one of the given names, in lower case, and further words: in the order
  /// of the names, those with shorter names first.
  func faces(ofFamiliesExtending names: [String]) -> [FaceDescription] {
    let prefixes = names.filter { !$0.isEmpty }.map { $0 + " " }
    if prefixes.isEmpty { return [] }
    var found = [[FaceDescription]](repeating: [], count: prefixes.count)
    for face in catalog.facesByNameLength {
      let number = prefixes.firstIndex { prefix in face.searchNames.contains { $0.hasPrefix(prefix) } }
      if let number { found[number].append(face) }
    }
    return found.flatMap { $0 }
  }

  private var catalog: Catalog {
    if let known = contents.withLock({ $0.catalog }) { return known }
    var catalog = Catalog()
    for font in fonts { catalog.add(FontSource(font)) }
    for folder in folders {
      for path in fontFiles(in: folder) { catalog.add(.file(path: path)) }
    }
    for face in catalog.faces {
      for name in Set(face.searchNames) { catalog.families[name, default: []].append(face) }
      for name in face.uniqueNames where catalog.fullNames[name] == nil { catalog.fullNames[name] = face }
    }
    let lengths = catalog.faces.map { $0.families.first?.utf8.count ?? .max }
    // Faces of the same length keep their order.
    catalog.facesByNameLength = catalog.faces.indices.sorted { (lengths[$0], $0) < (lengths[$1], $1) }.map {
      catalog.faces[$0]
    }
    return contents.withLock { contents in
      let kept = contents.catalog ?? catalog
      contents.catalog = kept
      return kept
    }
  }

  /// Whether a face has glyphs for characters, of which the first may have a variation selector. Reads no more of the font
  /// than necessary.
  func hasGlyphs(_ description: FaceDescription, for scalars: [Unicode.Scalar], selector: Unicode.Scalar?) -> Bool {
    let characters = characters(of: description)
    guard scalars.allSatisfy({ characters.glyph(for: $0.value) != nil }) else { return false }
    guard let selector, let first = scalars.first else { return true }
    return characters.glyph(for: first.value, variationSelector: selector.value) != nil
  }

  private func characters(of description: FaceDescription) -> CharacterMap {
    let key = FaceKey(source: description.source, index: description.index)
    if let known = contents.withLock({ $0.characters[key] }) { return known }
    let characters = catalog.sources[description.source].characters(ofFace: description.index)
    contents.withLock { $0.characters[key] = characters }
    return characters
  }

  /// Returns the face for a description; `nil` if its font cannot be read.
  func face(_ description: FaceDescription) -> FontFace? {
    let key = FaceKey(source: description.source, index: description.index)
    if let known = contents.withLock({ $0.parsed[key] }) { return known }
    let face = catalog.sources[description.source].face(description.index)
    return contents.withLock { contents in
      if let known = contents.parsed[key] { return known }
      contents.parsed[key] = .some(face)
      return face
    }
  }
}

extension FontStore.Catalog {
  fileprivate mutating func add(_ source: FontSource) {
    switch source {
    case .memory(let bytes): faces += FaceDescription.faces(in: bytes, source: sources.count)
    case .decompressed(let containers): faces += FaceDescription.faces(containers, source: sources.count)
    case .file(let path): faces += FaceDescription.faces(inFile: path, source: sources.count)
    }
    sources.append(source)
  }
}
