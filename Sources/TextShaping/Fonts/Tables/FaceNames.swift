// The names that identify a face (OpenType, `name`).

internal import ImageCore

/// Family and PostScript names.
struct FaceNames: Hashable, Sendable {
  /// The family names, English ones first: typographic names (16) if there are any, otherwise names of four-style
  /// families (1).
  var families: [String] = []
  /// The full names, such as `Example Sans Bold`.
  var fullNames: [String] = []
  /// The PostScript name; empty if there is none.
  var postScriptName = ""

  /// Parses all readable names; records outside the table are ignored.
  init(_ table: TableBytes) {
    let count = table.uint16(at: 2)
    let storage = table.uint16(at: 4)
    var typographic = Candidates()
    var legacy = Candidates()
    for index in 0..<count {
      let record = 6 + index * 12
      guard table.contains(record, 12) else { break }
      let name = table.uint16(at: record + 6)
      guard [1, 4, 6, 16].contains(name), let encoding = NameEncoding(table, at: record) else { continue }
      let start = storage + table.uint16(at: record + 10)
      let text = encoding.decode(table.bytes(at: start, count: table.uint16(at: record + 8)))
      if text.isEmpty { continue }
      switch name {
      case 16: typographic.add(text, encoding)
      case 1: legacy.add(text, encoding)
      case 4: if !fullNames.contains(text) { fullNames.append(text) }
      default: if postScriptName.isEmpty { postScriptName = text }
      }
    }
    families = typographic.isEmpty ? legacy.names : typographic.names
  }

  /// Names of one kind, without duplicates.
  private struct Candidates {
    private var english: [String] = []
    private var other: [String] = []

    var isEmpty: Bool { english.isEmpty && other.isEmpty }
    var names: [String] { english + other }

    mutating func add(_ text: String, _ encoding: NameEncoding) {
      guard !names.contains(text) else { return }
      if encoding.isEnglish { english.append(text) } else { other.append(text) }
    }
  }
}

/// The character encoding of a name.
private struct NameEncoding {
  private let isUTF16: Bool
  let isEnglish: Bool

  /// Returns `nil` for legacy encodings, which are not read.
  init?(_ table: TableBytes, at record: Int) {
    let platform = table.uint16(at: record)
    let encoding = table.uint16(at: record + 2)
    let language = table.uint16(at: record + 4)
    switch (platform, encoding) {
    case (0, _), (3, 0), (3, 1), (3, 10): isUTF16 = true
    case (1, 0): isUTF16 = false
    default: return nil
    }
    // The low ten bits of a Windows language ID are the primary language, 9 for English; in Macintosh encoding 0 is
    // English.
    isEnglish = platform == 3 ? language & 0x3FF == 9 : platform == 1 ? language == 0 : true
  }

  func decode(_ bytes: [UInt8]) -> String {
    if isUTF16 {
      let units = (0..<bytes.count / 2).map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }
      return String(decoding: units, as: UTF16.self)
    }
    // The first half of Macintosh Roman is ASCII. Names that use its second half are also stored in UTF-16.
    return bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : ""
  }
}
