// The limits of applying style sheets in addition to the budget.

/// The limits of the style sheets of one document.
package struct StyleLimits: Hashable, Sendable {
  /// The maximum number of bytes of text, after decompression.
  package var maximumTextByteCount: Int
  /// The maximum number of rules in all style sheets.
  package var maximumStyleRuleCount: Int
  /// The maximum number of steps of selector matching.
  package var maximumSelectorStepCount: Int

  package init(
    maximumTextByteCount: Int, maximumStyleRuleCount: Int, maximumSelectorStepCount: Int
  ) {
    self.maximumTextByteCount = maximumTextByteCount
    self.maximumStyleRuleCount = maximumStyleRuleCount
    self.maximumSelectorStepCount = maximumSelectorStepCount
  }
}
