// The property `text-transform` (CSS Text 3, section 2.1).

/// The transformation of characters before they are shaped.
package struct TextTransform: Hashable, Sendable {
  package enum Case: Hashable, Sendable {
    case unchanged
    case upper
    case lower
    case capitalized
  }

  package var letterCase = Case.unchanged
  package var isWide = false
  package var usesFullSizeKana = false

  package var isIdentity: Bool { self == TextTransform() }

  init() {}

  /// Parses a value; `nil` if it is invalid.
  init?(parsing bytes: Span<UInt8>) {
    let words = Parse.words(of: bytes)
    guard !words.isEmpty else { return nil }
    if words == ["none"] { return }
    for word in words {
      switch word {
      case "uppercase" where letterCase == .unchanged: letterCase = .upper
      case "lowercase" where letterCase == .unchanged: letterCase = .lower
      case "capitalize" where letterCase == .unchanged: letterCase = .capitalized
      case "full-width" where !isWide: isWide = true
      case "full-size-kana" where !usesFullSizeKana: usesFullSizeKana = true
      default: return nil
      }
    }
  }
}
