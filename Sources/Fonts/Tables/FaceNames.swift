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

  /// The maximum number of names that are decoded, and of the bytes of a name. Records can share their bytes, so that the
  /// size of the table bounds neither. Fonts in a hundred languages stay below.
  private static let maximumCount = 128
  private static let maximumNameByteCount = 1_024
  /// The work units for a record, and for a byte of a name.
  private static let workPerRecord = 8
  private static let workPerByte = 4

  /// The work units of reading a table, at most.
  static func workOfReading(_ table: TableBytes) -> Int {
    let count = min(table.uint16(at: 2), table.count / 12)
    return count * workPerRecord + min(count, maximumCount) * maximumNameByteCount * workPerByte
  }

  /// Parses the first readable names. Records outside the table and overlong names are ignored.
  init(_ table: TableBytes) {
    let count = table.uint16(at: 2)
    let storage = table.uint16(at: 4)
    var typographic = Candidates()
    var legacy = Candidates()
    var full = Candidates()
    var decodedCount = 0
    for index in 0..<count where decodedCount < FaceNames.maximumCount {
      let record = 6 + index * 12
      guard table.contains(record, 12) else { break }
      let name = table.uint16(at: record + 6)
      let byteCount = table.uint16(at: record + 8)
      guard name == 1 || name == 4 || name == 6 || name == 16, byteCount <= FaceNames.maximumNameByteCount,
        let encoding = NameEncoding(table, at: record)
      else { continue }
      decodedCount += 1
      let start = storage + table.uint16(at: record + 10)
      let text = encoding.decode(table.part(at: start, count: byteCount))
      if text.isEmpty { continue }
      switch name {
      case 16: typographic.add(text, isEnglish: encoding.isEnglish)
      case 1: legacy.add(text, isEnglish: encoding.isEnglish)
      case 4: full.add(text, isEnglish: true)
      default: if postScriptName.isEmpty { postScriptName = text }
      }
    }
    families = typographic.isEmpty ? legacy.names : typographic.names
    fullNames = full.names
  }

  /// Names of one kind, without duplicates.
  private struct Candidates {
    private var english: [String] = []
    private var other: [String] = []
    private var known: Set<String> = []

    var isEmpty: Bool { english.isEmpty && other.isEmpty }
    var names: [String] { english + other }

    mutating func add(_ text: String, isEnglish: Bool) {
      guard known.insert(text).inserted else { return }
      if isEnglish { english.append(text) } else { other.append(text) }
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

  func decode(_ bytes: TableBytes) -> String {
    var ascii: [UInt8] = []
    let unitSize = isUTF16 ? 2 : 1
    let count = bytes.count / unitSize
    ascii.reserveCapacity(count)
    for index in 0..<count {
      let unit = isUTF16 ? bytes.uint16(at: index * 2) : bytes.uint8(at: index)
      guard unit < 0x80 else {
        // The first half of Macintosh Roman is ASCII. Names that use its second half are also stored in UTF-16.
        guard isUTF16 else { return "" }
        return String(decoding: (0..<count).map { UInt16(bytes.uint16(at: $0 * 2)) }, as: UTF16.self)
      }
      ascii.append(UInt8(unit))
    }
    return String(decoding: ascii, as: UTF8.self)
  }
}
