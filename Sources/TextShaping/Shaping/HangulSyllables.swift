// Hangul syllables: composed if the font has the syllable, otherwise shaped with features for each letter's position
// (OpenType, Hangul shaping).

internal import Fonts
internal import ImageCore

/// Composes letters to syllables and marks the positions of those that remain separate.
struct HangulSyllables {
  /// The features of leading consonants, vowels and trailing consonants; a glyph's action is an index into this array.
  static let features: [Tag] = ["ljmo", "vjmo", "tjmo"]
  /// The action of all other characters.
  static let none: UInt8 = 7

  let characters: CharacterMap

  private static func isLeading(_ c: UInt32) -> Bool { (0x1100...0x115F).contains(c) || (0xA960...0xA97C).contains(c) }
  private static func isVowel(_ c: UInt32) -> Bool { (0x1160...0x11A7).contains(c) || (0xD7B0...0xD7C6).contains(c) }
  private static func isTrailing(_ c: UInt32) -> Bool {
    (0x11A8...0x11FF).contains(c) || (0xD7CB...0xD7FB).contains(c)
  }
  private static func isSyllable(_ c: UInt32) -> Bool { (0xAC00...0xD7A3).contains(c) }

  /// Processes a run.
  func compose(_ buffer: inout GlyphBuffer) {
    buffer.startOutput()
    while buffer.index < buffer.count {
      let count = syllableLength(buffer, at: buffer.index)
      let letters = (0..<count).map { buffer.infos[buffer.index + $0].character }
      if let composed = syllable(of: letters), characters.glyph(for: composed) != nil {
        append(&buffer, [composed], replacing: count)
      } else if let apart = parts(of: letters) {
        append(&buffer, apart, replacing: count)
      } else if let first = letters.first, HangulSyllables.isSyllable(first) {
        append(&buffer, [first], replacing: 1)
      } else {
        append(&buffer, letters, replacing: count)
      }
    }
    buffer.finishOutput()
  }

  private func syllableLength(_ buffer: GlyphBuffer, at index: Int) -> Int {
    func character(_ offset: Int) -> UInt32 {
      index + offset < buffer.count ? buffer.infos[index + offset].character : 0
    }
    if HangulSyllables.isLeading(character(0)), HangulSyllables.isVowel(character(1)) {
      return HangulSyllables.isTrailing(character(2)) ? 3 : 2
    }
    let takesTrailing = HangulSyllables.isSyllable(character(0)) && (character(0) - 0xAC00) % 28 == 0
    return takesTrailing && HangulSyllables.isTrailing(character(1)) ? 2 : 1
  }

  /// The syllable composed of some letters; `nil` if Unicode has none.
  private func syllable(of letters: [UInt32]) -> UInt32? {
    guard let first = letters.first else { return nil }
    if letters.count == 1 { return HangulSyllables.isSyllable(first) ? first : nil }
    var result = first
    for letter in letters.dropFirst() {
      guard let next = CanonicalForms.composition(result, letter) else { return nil }
      result = next
    }
    return result
  }

  /// The letters of a syllable that the font lacks, if it has all of them.
  private func parts(of letters: [UInt32]) -> [UInt32]? {
    guard let first = letters.first, HangulSyllables.isSyllable(first) else { return nil }
    var result: [UInt32] = []
    var rest: UInt32? = first
    while let syllable = rest, let (head, tail) = CanonicalForms.decomposition(of: syllable) {
      result.insert(tail, at: 0)
      rest = HangulSyllables.isSyllable(head) ? head : nil
      if rest == nil { result.insert(head, at: 0) }
    }
    result += letters.dropFirst()
    return result.allSatisfy { characters.glyph(for: $0) != nil } ? result : nil
  }

  private func append(_ buffer: inout GlyphBuffer, _ letters: [UInt32], replacing count: Int) {
    let first = buffer.infos[buffer.index]
    let range = buffer.index..<buffer.index + count
    if count > 1 { buffer.mergeClusters(range) }
    let cluster = buffer.infos[buffer.index].cluster
    let isSyllable = letters.count > 1
    for letter in letters {
      var info = first
      info.character = letter
      info.cluster = cluster
      info.joiningAction = HangulSyllables.none
      if isSyllable {
        info.joiningAction =
          HangulSyllables.isLeading(letter) ? 0 : HangulSyllables.isVowel(letter) ? 1 : 2
      }
      if letters.count > 1 || count > 1 { info.traits = CharacterProperties.traits(of: letter) }
      buffer.output.append(info)
    }
    buffer.index += count
  }
}
