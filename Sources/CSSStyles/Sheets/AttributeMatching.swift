// How attribute selectors compare values (Selectors 4, section 6), without copies.

internal import XMLDocuments

/// The value of an attribute, as a selector reads it.
struct AttributeValue: ~Escapable {
  private let text: Span<UInt8>
  private let ignoresCase: Bool

  /// - Parameter ignoresCase: whether letters of the text are compared in lower case.
  @_lifetime(copy text)
  init(_ text: Span<UInt8>, ignoresCase: Bool = false) {
    self.text = text
    self.ignoresCase = ignoresCase
  }

  /// Returns whether the value matches.
  ///
  /// - Parameter expected: the text of the selector, in lower case if case is ignored.
  func matches(_ match: Selector.AttributeMatch, _ expected: [UInt8]) -> Bool {
    switch match {
    case .exists: true
    case .equals: text.count == expected.count && holds(expected, at: 0)
    case .includesWord: includesWord(expected)
    case .dashMatch:
      holds(expected, at: 0) && (text.count == expected.count || text[expected.count] == UInt8(ascii: "-"))
    case .prefix: !expected.isEmpty && holds(expected, at: 0)
    case .suffix: !expected.isEmpty && holds(expected, at: text.count - expected.count)
    case .substring: !expected.isEmpty && contains(expected)
    }
  }

  /// Returns whether the text continues with others from a place on.
  private func holds(_ expected: [UInt8], at start: Int) -> Bool {
    guard start >= 0, text.count - start >= expected.count else { return false }
    for index in expected.indices {
      let byte = text[start + index]
      if (ignoresCase ? lowercased(byte) : byte) != expected[index] { return false }
    }
    return true
  }

  private func includesWord(_ word: [UInt8]) -> Bool {
    var index = 0
    while index < text.count {
      while index < text.count, isSpace(text[index]) { index += 1 }
      let start = index
      while index < text.count, !isSpace(text[index]) { index += 1 }
      if index > start, index - start == word.count, holds(word, at: start) { return true }
    }
    return false
  }

  private func contains(_ pattern: [UInt8]) -> Bool {
    guard text.count >= pattern.count else { return false }
    for start in 0...text.count - pattern.count where holds(pattern, at: start) { return true }
    return false
  }
}
