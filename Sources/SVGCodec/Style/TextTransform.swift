// The property `text-transform` (CSS Text 3, section 2.1).

internal import TextShaping

/// The transformation of characters before they are shaped.
struct TextTransform: Hashable, Sendable {
  enum Case: Hashable, Sendable {
    case unchanged
    case upper
    case lower
    case capitalized
  }

  var letterCase = Case.unchanged
  var isWide = false
  var usesFullSizeKana = false

  var isIdentity: Bool { self == TextTransform() }

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

  /// Returns the characters that replace one of a text; empty if it is removed.
  func apply(to text: [Unicode.Scalar], at index: Int, _ mapping: CaseMapping) -> [Unicode.Scalar] {
    let mapped: [Unicode.Scalar] =
      switch letterCase {
      case .unchanged: [text[index]]
      case .upper: mapping.uppercase(text, at: index)
      case .lower: mapping.lowercase(text, at: index)
      case .capitalized: mapping.titlecase(text, at: index) ?? [text[index]]
      }
    guard isWide || usesFullSizeKana else { return mapped }
    return mapped.map { scalar in
      let form = usesFullSizeKana ? CharacterForms.fullSizeKana(scalar) : scalar
      // Wide spaces would neither collapse nor end a line.
      return isWide && form != " " ? CharacterForms.wide(form) : form
    }
  }
}
