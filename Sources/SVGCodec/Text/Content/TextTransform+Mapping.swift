// The transformation of characters by `text-transform` (CSS Text 3, section 2.1).

internal import CSSStyles
internal import TextShaping

extension TextTransform {
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
