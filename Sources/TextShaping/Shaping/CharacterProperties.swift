// The character properties that shaping needs before it consults the font: traits, mirroring and mark order.

/// Look-up functions for character properties.
enum CharacterProperties {
  /// The traits of a character in isolation.
  static func traits(of character: UInt32) -> CharacterTraits {
    if character < 0x80 { return (0x30...0x39).contains(character) ? .decimalDigit : [] }
    guard let scalar = Unicode.Scalar(character) else { return [] }
    var traits: CharacterTraits = []
    switch scalar.properties.generalCategory {
    case .nonspacingMark: traits = [.mark, .nonspacingMark, .continuation]
    case .spacingMark, .enclosingMark: traits = [.mark, .continuation]
    case .decimalNumber: traits = .decimalDigit
    default: break
    }
    if isIgnorable(character) { traits.insert(.ignorable) }
    switch character {
    case 0x200C: traits.insert(.nonJoiner)
    case 0x200D: traits.insert(.joiner)
    // Mongolian variation selectors, tags and the grapheme joiner remain visible to substitutions.
    case 0x180B...0x180D, 0x180F, 0xE0020...0xE007F, 0x034F: traits.insert(.hidden)
    default: break
    }
    return traits
  }

  /// Whether a character is default-ignorable. Hangul fillers are excluded although Unicode includes them, because
  /// relevant fonts give them a width.
  static func isIgnorable(_ character: UInt32) -> Bool {
    switch character {
    case 0x00AD, 0x034F, 0x061C, 0x17B4...0x17B5, 0x180B...0x180E, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F,
      0xFE00...0xFE0F, 0xFEFF, 0xFFF0...0xFFF8, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }

  /// Assigns the traits of a run, including which characters continue a grapheme cluster.
  static func assignTraits(_ infos: inout [GlyphInfo]) {
    var index = 0
    while index < infos.count {
      let character = infos[index].character
      infos[index].traits = traits(of: character)
      if infos[index].traits.contains(.mark) { infos[index].combiningClass = markOrder(of: character) }
      switch character {
      case 0x1F3FB...0x1F3FF, 0xFF9E...0xFF9F, 0xE0020...0xE007F: infos[index].traits.insert(.continuation)
      case 0x1F1E6...0x1F1FF:
        // A pair of regional indicators forms a flag.
        if index > 0, (0x1F1E6...0x1F1FF).contains(infos[index - 1].character),
          !infos[index - 1].traits.contains(.continuation)
        {
          infos[index].traits.insert(.continuation)
        }
      case 0x200D:
        infos[index].traits.insert(.continuation)
        if index + 1 < infos.count, isPictograph(infos[index + 1].character) {
          index += 1
          infos[index].traits = traits(of: infos[index].character).union(.continuation)
        }
      default: break
      }
      index += 1
    }
  }

  /// Whether a character is an emoji or reserved for future emoji.
  private static func isPictograph(_ character: UInt32) -> Bool {
    guard let properties = Unicode.Scalar(character)?.properties else { return false }
    return properties.isEmoji && character > 0x7F && !(0x1F1E6...0x1F1FF).contains(character)
      || (0x1F000...0x1FAFF).contains(character) && properties.generalCategory == .unassigned
  }

  /// Returns the mirrored counterpart of a character.
  static func mirrored(_ character: UInt32) -> UInt32? { mirrors[character] }

  private static let mirrors: [UInt32: UInt32] = {
    let words = TableWords(MirroringTable.words).words
    var result: [UInt32: UInt32] = [:]
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      result[UInt32(words[index], radix: 16) ?? 0] = UInt32(words[index + 1], radix: 16)
    }
    return result
  }()

  /// Returns the compatibility character for the vertical form of a character.
  static func vertical(_ character: UInt32) -> UInt32? { verticalForms[character] }

  private static let verticalForms: [UInt32: UInt32] = [
    0x2013: 0xFE32, 0x2014: 0xFE31, 0x2025: 0xFE30, 0x2026: 0xFE19, 0x3001: 0xFE11, 0x3002: 0xFE12, 0x3008: 0xFE3F,
    0x3009: 0xFE40, 0x300A: 0xFE3D, 0x300B: 0xFE3E, 0x300C: 0xFE41, 0x300D: 0xFE42, 0x300E: 0xFE43, 0x300F: 0xFE44,
    0x3010: 0xFE3B, 0x3011: 0xFE3C, 0x3014: 0xFE39, 0x3015: 0xFE3A, 0x3016: 0xFE17, 0x3017: 0xFE18, 0xFE4F: 0xFE34,
    0xFF01: 0xFE15, 0xFF08: 0xFE35, 0xFF09: 0xFE36, 0xFF0C: 0xFE10, 0xFF1A: 0xFE13, 0xFF1B: 0xFE14, 0xFF1F: 0xFE16,
    0xFF3B: 0xFE47, 0xFF3D: 0xFE48, 0xFF3F: 0xFE33, 0xFF5B: 0xFE37, 0xFF5D: 0xFE38,
  ]

  /// Returns the canonical combining class, modified for scripts whose fonts expect their marks in another order.
  static func markOrder(of character: UInt32) -> UInt8 {
    switch character {
    case 0x1A60, 0x0FC6: return 254
    case 0x0F39: return 127
    default: break
    }
    guard let scalar = Unicode.Scalar(character) else { return 0 }
    let combiningClass = scalar.properties.canonicalCombiningClass.rawValue
    return exchangedClasses[combiningClass] ?? combiningClass
  }

  private static let exchangedClasses: [UInt8: UInt8] = [
    // Hebrew: points before vowels before accents.
    10: 22, 11: 15, 12: 16, 13: 17, 14: 23, 15: 18, 16: 19, 17: 20, 18: 21, 19: 14, 20: 24, 21: 12, 22: 25, 23: 13,
    24: 10, 25: 11,
    // Arabic: shadda first.
    27: 28, 28: 29, 29: 30, 30: 31, 31: 32, 32: 33, 33: 27,
    // Telugu length marks before the virama, Thai vowels, Tibetan vowels.
    84: 4, 91: 5, 103: 3, 130: 132, 132: 131,
  ]
}

extension CharacterProperties {
  /// Whether a character selects a variant of the preceding one.
  static func isVariationSelector(_ character: UInt32) -> Bool {
    (0xFE00...0xFE0F).contains(character) || (0xE0100...0xE01EF).contains(character)
  }

  /// Whether a character is a space whose width is not zero.
  static func isSpace(_ character: UInt32) -> Bool {
    switch character {
    case 0x20, 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }
}
