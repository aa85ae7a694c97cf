// The changes that `word-break` and `line-break` make to the rules of line breaking (CSS Text 3, sections 5.2 and 5.3).

internal import CSSStyles
internal import TextShaping

extension LineStyle {
  /// The changes to the rules.
  var tailoring: LineBreakTailoring {
    let words: LineBreakTailoring.Words =
      switch wordBreak {
      case .normal: .normal
      case .breakAll: .broken
      case .keepAll: .kept
      }
    let strictness: LineBreakTailoring.Strictness =
      switch self.strictness {
      case .strict: .strict
      case .normal: .normal
      case .loose: .loose
      }
    return LineBreakTailoring(words: words, strictness: strictness)
  }
}
