// The fonts of a provider: folders are read on first use, faces parsed when they are asked for, both once.

internal import ImageCore
internal import Synchronization

/// The fonts of a provider, shared by its copies.
final class FontStore: Sendable {
  fileprivate struct Contents {
    var sources: [FontSource] = []
    var faces: [FaceDescription] = []
    var unreadFolders: [String] = []
    /// Faces that were parsed; `nil` for those that turned out to be unusable.
    fileprivate var parsed: [FaceKey: FontFace?] = [:]
    /// Characters of faces that were looked through for a missing one.
    fileprivate var characters: [FaceKey: CharacterMap] = [:]
  }

  fileprivate struct FaceKey: Hashable {
    var source: Int
    var index: Int
  }

  private let contents: Mutex<Contents>
  /// What the store was made of, for adding to a copy.
  let fonts: [[UInt8]]
  let folders: [String]

  init(fonts: [[UInt8]], folders: [String]) {
    self.fonts = fonts
    self.folders = folders
    var contents = Contents()
    for font in fonts { contents.add(.memory(font)) }
    contents.unreadFolders = folders
    self.contents = Mutex(contents)
  }

  /// All faces, in the order in which fonts were given and folders list them by name.
  var faces: [FaceDescription] {
    contents.withLock { contents in
      contents.readFolders()
      return contents.faces
    }
  }

  /// Whether a face has a glyph for a character. Reads no more of its font than that takes.
  func hasGlyph(_ description: FaceDescription, for scalar: Unicode.Scalar) -> Bool {
    let key = FaceKey(source: description.source, index: description.index)
    let characters = contents.withLock { contents in
      if let known = contents.characters[key] { return known }
      let characters = contents.sources[description.source].characters(ofFace: description.index)
      contents.characters[key] = characters
      return characters
    }
    return characters.glyph(for: scalar.value) != nil
  }

  /// The face of a description; `nil` when its font cannot be read.
  func face(_ description: FaceDescription) -> FontFace? {
    let key = FaceKey(source: description.source, index: description.index)
    return contents.withLock { contents in
      if let known = contents.parsed[key] { return known }
      let bytes = contents.sources[description.source].readAll()
      let face = bytes.flatMap { try? FontFace(parsing: $0, index: description.index) }
      contents.parsed[key] = .some(face)
      return face
    }
  }
}

extension FontStore.Contents {
  fileprivate mutating func readFolders() {
    let folders = unreadFolders
    unreadFolders = []
    for folder in folders {
      for path in fontFiles(in: folder) { add(.file(path: path)) }
    }
  }

  fileprivate mutating func add(_ source: FontSource) {
    switch source {
    case .memory(let bytes): faces += FaceDescription.faces(in: bytes, source: sources.count)
    case .file(let path): faces += FaceDescription.faces(inFile: path, source: sources.count)
    }
    sources.append(source)
  }
}
