// Case mappings that depend on language and context (Unicode, SpecialCasing; CSS Text 3, section 2.1.1): Greek accents,
// the Turkish i, the final sigma, Lithuanian dots, the Dutch ij. All others are those of the standard library.

/// Maps the case of characters of a text in one language.
package struct CaseMapping: Sendable {
  private enum Rules: Sendable {
    case common, turkic, greek, lithuanian, dutch, armenian
  }

  private let rules: Rules

  /// - Parameter language: a BCP 47 tag; `nil` if the language is unknown.
  package init(language: String?) {
    let primary = language?.prefix { $0 != "-" && $0 != "_" }.lowercased()
    rules =
      switch primary {
      case "tr", "az", "crh", "tt", "ba": .turkic
      case "el": .greek
      case "lt": .lithuanian
      case "nl": .dutch
      case "hy": .armenian
      default: .common
      }
  }

  // MARK: Upper case

  /// Returns the upper-case form of a character; empty if it is removed.
  package func uppercase(_ text: [Unicode.Scalar], at index: Int) -> [Unicode.Scalar] {
    let scalar = text[index]
    switch rules {
    case .turkic where scalar == "i": return ["\u{130}"]
    case .armenian where scalar == "\u{587}": return ["\u{535}", "\u{54E}"]
    case .lithuanian where scalar == "\u{307}" && Self.followsSoftDot(text, index): return []
    case .greek:
      if let mapped = Self.greekUppercase(text, index) { return mapped }
    default: break
    }
    return Array(scalar.properties.uppercaseMapping.unicodeScalars)
  }

  private static let greekAccents: Set<Unicode.Scalar> = [
    "\u{300}", "\u{301}", "\u{304}", "\u{306}", "\u{313}", "\u{314}", "\u{342}", "\u{343}",
  ]

  /// The parts of a Greek letter with marks, or of a letter followed by marks.
  private struct GreekLetter {
    var base: Unicode.Scalar
    var isAccented = false
    var hasDialytika = false
    var hasIota = false

    init(_ scalar: Unicode.Scalar) {
      base = scalar
      while let parts = canonicalDecomposition(of: base), let first = parts.first, first != base {
        for mark in parts.dropFirst() { take(mark) }
        base = first
      }
    }

    mutating func take(_ mark: Unicode.Scalar) {
      if mark == "\u{308}" { hasDialytika = true }
      if mark == "\u{345}" { hasIota = true }
      if mark == "\u{301}" || mark == "\u{300}" || mark == "\u{342}" { isAccented = true }
    }
  }

  /// Accents are dropped in capitals. A vowel that follows one which has lost its accent takes a dialytika, so that the
  /// two are not read as a diphthong, and the word ή (or) keeps its accent.
  private static func greekUppercase(_ text: [Unicode.Scalar], _ index: Int) -> [Unicode.Scalar]? {
    let scalar = text[index]
    if greekAccents.contains(scalar), index > 0, isGreek(base(before: index, text)) { return [] }
    guard isGreek(scalar) else { return nil }
    var letter = GreekLetter(scalar)
    for mark in text[(index + 1)...].prefix(while: isMark).prefix(8) { letter.take(mark) }
    if letter.base == "\u{3B7}", letter.isAccented, isWholeWord(text, index) { return ["\u{389}"] }
    let upper = Array(letter.base.properties.uppercaseMapping.unicodeScalars)
    guard upper.count == 1, let first = upper.first else { return upper }
    let ownDialytika = GreekLetter(scalar).hasDialytika
    let needsDialytika =
      (first == "\u{399}" || first == "\u{3A5}") && !letter.hasDialytika && followsAccentedVowel(text, index)
    var result = [first]
    if ownDialytika || needsDialytika {
      result = canonicalComposition(of: [first, "\u{308}"]).map { [$0] } ?? [first, "\u{308}"]
    }
    if letter.hasIota, GreekLetter(scalar).hasIota { result.append("\u{399}") }
    return result
  }

  private static func isGreek(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { Script(of: $0) == "Grek" && $0.properties.isAlphabetic } ?? false
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .nonspacingMark
  }

  private static func base(before index: Int, _ text: [Unicode.Scalar]) -> Unicode.Scalar? {
    text[..<index].suffix(8).last { !isMark($0) }
  }

  private static func followsAccentedVowel(_ text: [Unicode.Scalar], _ index: Int) -> Bool {
    var accented = false
    for scalar in text[..<index].suffix(8).reversed() {
      if isMark(scalar) {
        if scalar == "\u{308}" { return false }
        accented = accented || scalar == "\u{301}"
        continue
      }
      let letter = GreekLetter(scalar)
      let isVowel = ["\u{3B1}", "\u{3B5}", "\u{3BF}", "\u{3C5}"].contains(letter.base)
      return isVowel && !letter.hasDialytika && (accented || letter.isAccented)
    }
    return false
  }

  private static func isWholeWord(_ text: [Unicode.Scalar], _ index: Int) -> Bool {
    let next = text[(index + 1)...].drop(while: isMark).first
    let isFirst = index == 0 || !(text[index - 1].properties.isAlphabetic || isMark(text[index - 1]))
    return isFirst && !(next?.properties.isAlphabetic ?? false)
  }

  private static func followsSoftDot(_ text: [Unicode.Scalar], _ index: Int) -> Bool {
    base(before: index, text)?.properties.isSoftDotted ?? false
  }

  // MARK: Lower case

  /// Returns the lower-case form of a character; empty if it is removed.
  package func lowercase(_ text: [Unicode.Scalar], at index: Int) -> [Unicode.Scalar] {
    let scalar = text[index]
    if scalar == "\u{3A3}" { return [Self.isFinal(text, index) ? "\u{3C2}" : "\u{3C3}"] }
    let next = index + 1 < text.count ? text[index + 1] : nil
    switch rules {
    case .turkic:
      if scalar == "\u{130}" { return ["i"] }
      if scalar == "I" { return next == "\u{307}" ? ["i"] : ["\u{131}"] }
      if scalar == "\u{307}", index > 0, text[index - 1] == "I" { return [] }
    case .lithuanian:
      switch scalar {
      case "\u{CC}": return ["i", "\u{307}", "\u{300}"]
      case "\u{CD}": return ["i", "\u{307}", "\u{301}"]
      case "\u{128}": return ["i", "\u{307}", "\u{303}"]
      case "I", "J", "\u{12E}":
        let lower = Array(scalar.properties.lowercaseMapping.unicodeScalars)
        return next.map { ["\u{300}", "\u{301}", "\u{303}"].contains($0) } ?? false ? lower + ["\u{307}"] : lower
      default: break
      }
    default: break
    }
    return Array(scalar.properties.lowercaseMapping.unicodeScalars)
  }

  /// Whether a sigma ends a word: a cased letter precedes, and none follows.
  private static func isFinal(_ text: [Unicode.Scalar], _ index: Int) -> Bool {
    func isCased(_ scalar: Unicode.Scalar?) -> Bool { scalar?.properties.isCased ?? false }
    let before = text[..<index].suffix(32).last { !$0.properties.isCaseIgnorable }
    let after = text[(index + 1)...].prefix(32).first { !$0.properties.isCaseIgnorable }
    return isCased(before) && !isCased(after)
  }

  // MARK: Title case

  /// Returns the title-case form of a character: of the first letter of a word, or of the j that follows an initial i in
  /// Dutch; `nil` for other characters, which do not change.
  package func titlecase(_ text: [Unicode.Scalar], at index: Int) -> [Unicode.Scalar]? {
    let scalar = text[index]
    guard Self.startsWord(text, index) else {
      guard rules == .dutch, scalar == "j", index > 0, text[index - 1] == "i" || text[index - 1] == "I" else {
        return nil
      }
      return Self.startsWord(text, index - 1) ? ["J"] : nil
    }
    if rules == .turkic, scalar == "i" { return ["\u{130}"] }
    return Array(scalar.properties.titlecaseMapping.unicodeScalars)
  }

  /// Whether a letter or digit is the first of a word. Apostrophes within a word do not end it.
  private static func startsWord(_ text: [Unicode.Scalar], _ index: Int) -> Bool {
    guard isLetterUnit(text[index]) else { return false }
    guard let before = text[..<index].suffix(32).lastIndex(where: { !isMark($0) }) else { return true }
    if isLetterUnit(text[before]) { return false }
    let isApostrophe = text[before] == "'" || text[before] == "\u{2019}" || text[before] == "\u{B7}"
    return !(isApostrophe && before > 0 && isLetterUnit(text[before - 1]))
  }

  private static func isLetterUnit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber:
      true
    default: scalar.properties.isAlphabetic
    }
  }
}
