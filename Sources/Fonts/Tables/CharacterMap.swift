// The mapping from characters to glyphs (OpenType, `cmap`): the subtable that covers most of Unicode, and the one for
// variation sequences.

/// The mapping from characters to glyphs.
package struct CharacterMap: Sendable {
  private let subtable: CharacterSubtable?
  private let sequences: VariationSequences?
  /// Whether the font is a symbol font, whose characters start at U+F000.
  private let isSymbol: Bool
  /// Whether the mapping is for Macintosh Roman, of which only ASCII is used.
  private let isMacintosh: Bool

  /// The work units of reading the headers of a table, at most.
  static func workOfReading(_ table: TableBytes) -> Int {
    min(table.uint16(at: 2), table.count / 8) * workPerRecord
  }

  private static let workPerRecord = 40

  init(_ table: TableBytes) {
    var best: (rank: Int, subtable: CharacterSubtable)?
    var sequences: VariationSequences?
    for index in 0..<table.uint16(at: 2) {
      let record = 4 + index * 8
      guard table.contains(record, 8) else { break }
      let encoding = (table.uint16(at: record), table.uint16(at: record + 2))
      let part = table.part(at: table.uint32(at: record + 4))
      if encoding == (0, 5), part.uint16(at: 0) == 14 {
        sequences = VariationSequences(part)
      } else if let rank = CharacterMap.rank(encoding), rank > best?.rank ?? -1,
        let subtable = CharacterSubtable(part)
      {
        best = (rank, subtable)
      }
    }
    subtable = best?.subtable
    isSymbol = best?.rank == 1
    isMacintosh = best?.rank == 0
    self.sequences = sequences
  }

  /// Returns the rank of an encoding by the part of Unicode that it covers; `nil` for unusable encodings.
  private static func rank(_ encoding: (platform: Int, encoding: Int)) -> Int? {
    switch encoding {
    case (3, 10): 10
    case (0, 6): 9
    case (0, 4): 8
    case (3, 1): 7
    case (0, 3): 6
    case (0, 2): 5
    case (0, 1): 4
    case (0, 0): 3
    case (3, 0): 1
    case (1, 0): 0
    default: nil
    }
  }

  /// Returns the glyph for a character; `nil` if the font has none.
  package func glyph(for scalar: UInt32) -> GlyphID? {
    guard let subtable, !isMacintosh || scalar < 0x80 else { return nil }
    if let glyph = subtable.glyph(for: scalar) { return glyph }
    return isSymbol && scalar <= 0xFF ? subtable.glyph(for: 0xF000 + scalar) : nil
  }

  /// Returns the glyph for a character with a variation selector; `nil` if the font does not support the sequence.
  package func glyph(for scalar: UInt32, variationSelector: UInt32) -> GlyphID? {
    switch sequences?.lookUp(scalar, selector: variationSelector) {
    case .glyph(let glyph): glyph
    case .defaultGlyph: glyph(for: scalar)
    case nil: nil
    }
  }
}

/// A subtable in one of the formats for single characters.
struct CharacterSubtable: Sendable {
  private enum Format: Int {
    case bytes = 0
    case mixed = 2
    case segments = 4
    case trimmed = 6
    case trimmedWide = 10
    case groups = 12
    case constantGroups = 13
  }

  private let format: Format
  private let table: TableBytes

  /// Returns `nil` for formats that are not for single characters.
  init?(_ table: TableBytes) {
    guard let format = Format(rawValue: table.uint16(at: 0)) else { return nil }
    self.format = format
    self.table = table
  }

  /// Returns the glyph for a character; `nil` if there is none.
  func glyph(for scalar: UInt32) -> GlyphID? {
    let code = Int(scalar)
    let glyph =
      switch format {
      case .bytes: code < 256 ? table.uint8(at: 6 + code) : 0
      case .mixed: mixedGlyph(for: code)
      case .segments: segmentGlyph(for: code)
      case .trimmed: trimmedGlyph(for: code, first: table.uint16(at: 6), count: table.uint16(at: 8), at: 10)
      case .trimmedWide: trimmedGlyph(for: code, first: table.uint32(at: 12), count: table.uint32(at: 16), at: 20)
      case .groups, .constantGroups: groupGlyph(for: code)
      }
    return glyph == 0 || glyph > 0xFFFF ? nil : GlyphID(UInt16(glyph))
  }

  private func trimmedGlyph(for code: Int, first: Int, count: Int, at offset: Int) -> Int {
    code >= first && code - first < count ? table.uint16(at: offset + (code - first) * 2) : 0
  }

  /// Format 2: one or two bytes per character, for East Asian encodings.
  private func mixedGlyph(for code: Int) -> Int {
    guard code <= 0xFFFF else { return 0 }
    let (high, low) = (code >> 8, code & 0xFF)
    let key = table.uint16(at: 6 + high * 2)
    // A key of 0 marks single-byte characters.
    if high == 0, table.uint16(at: 6 + low * 2) != 0 { return 0 }
    if high != 0, key == 0 { return 0 }
    let header = 518 + (high == 0 ? 0 : key)
    let first = table.uint16(at: header)
    guard low >= first, low - first < table.uint16(at: header + 2) else { return 0 }
    let glyph = table.uint16(at: header + 6 + table.uint16(at: header + 6) + (low - first) * 2)
    return glyph == 0 ? 0 : (glyph + table.int16(at: header + 4)) & 0xFFFF
  }

  /// Format 4: segments of the Basic Multilingual Plane.
  private func segmentGlyph(for code: Int) -> Int {
    guard code <= 0xFFFF else { return 0 }
    let doubledCount = table.uint16(at: 6) & ~1
    let starts = 16 + doubledCount
    var low = 0
    var high = doubledCount / 2
    while low < high {
      let middle = (low + high) / 2
      if table.uint16(at: 14 + middle * 2) < code { low = middle + 1 } else { high = middle }
    }
    let segment = low * 2
    guard segment < doubledCount, table.uint16(at: starts + segment) <= code else { return 0 }
    let delta = table.uint16(at: starts + doubledCount + segment)
    let rangeOffset = table.uint16(at: starts + 2 * doubledCount + segment)
    // In some fonts 0xFFFF marks missing glyphs.
    if rangeOffset == 0 || rangeOffset == 0xFFFF { return rangeOffset == 0 ? (code + delta) & 0xFFFF : 0 }
    let place = starts + 2 * doubledCount + segment + rangeOffset + (code - table.uint16(at: starts + segment)) * 2
    let glyph = table.uint16(at: place)
    return glyph == 0 ? 0 : (glyph + delta) & 0xFFFF
  }

  /// Formats 12 and 13: groups over all of Unicode.
  private func groupGlyph(for code: Int) -> Int {
    var low = 0
    var high = min(table.uint32(at: 12), table.count / 12)
    while low < high {
      let middle = (low + high) / 2
      let group = 16 + middle * 12
      if table.uint32(at: group + 4) < code {
        low = middle + 1
      } else if table.uint32(at: group) > code {
        high = middle
      } else {
        let first = table.uint32(at: group + 8)
        return format == .groups ? first + code - table.uint32(at: group) : first
      }
    }
    return 0
  }
}

/// Format 14: variation sequences.
struct VariationSequences: Sendable {
  /// The result for a sequence.
  enum Answer {
    /// The selector has no effect.
    case defaultGlyph
    case glyph(GlyphID)
  }

  private let table: TableBytes

  init(_ table: TableBytes) {
    self.table = table
  }

  /// Returns `nil` if the font does not support the sequence.
  func lookUp(_ scalar: UInt32, selector: UInt32) -> Answer? {
    let code = Int(scalar)
    guard let record = search(Int(selector), count: table.uint32(at: 6), at: 10, stride: 11, isRange: false) else {
      return nil
    }
    let defaults = table.uint32(at: record + 3)
    if defaults != 0,
      search(code, count: table.uint32(at: defaults), at: defaults + 4, stride: 4, isRange: true) != nil
    {
      return .defaultGlyph
    }
    let others = table.uint32(at: record + 7)
    guard others != 0,
      let mapping = search(code, count: table.uint32(at: others), at: others + 4, stride: 5, isRange: false)
    else { return nil }
    return .glyph(GlyphID(UInt16(table.uint16(at: mapping + 3))))
  }

  /// Returns the offset of the record with a key, among records sorted by a 24-bit key. With ranges, the fourth byte of
  /// a record is the number of additional keys.
  private func search(_ key: Int, count: Int, at offset: Int, stride: Int, isRange: Bool) -> Int? {
    var low = 0
    var high = min(count, table.count / stride)
    while low < high {
      let middle = (low + high) / 2
      let record = offset + middle * stride
      let first = table.uint24(at: record)
      let last = isRange ? first + table.uint8(at: record + 3) : first
      if last < key {
        low = middle + 1
      } else if first > key {
        high = middle
      } else {
        return record
      }
    }
    return nil
  }
}
