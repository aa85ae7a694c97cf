// The reading of numbers, compared with the standard library.

import CSSStyles
import TestSupport
import Testing

struct TextScannerTests {
  /// Returns the number at the start of a text, and the length of what is read.
  private func number(_ text: String) -> (value: Double?, length: Int) {
    let bytes = Array(text.utf8)
    var scanner = TextScanner(bytes.span)
    let value = scanner.number()
    return (value, scanner.position)
  }

  /// Up to fifteen digits and powers of ten up to 10²² are exact, so that the result is rounded once.
  @Test func numbersAreRoundedOnce() {
    var random = TestRandom(5)
    for _ in 0..<4_000 {
      func digits(_ count: ClosedRange<Int>) -> String {
        (0..<Int.random(in: count, using: &random)).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
      }
      var text = ["", "-", "+"][Int.random(in: 0...2, using: &random)] + digits(1...8)
      if Bool.random(using: &random) { text += "." + digits(1...7) }
      if Bool.random(using: &random) { text += "e\(Int.random(in: -10...10, using: &random))" }
      for end in ["", " ", ",7", "px and more text"] {
        let (value, length) = number(text + end)
        #expect(value == Double(text) && length == text.utf8.count, "\(text + end)")
      }
    }
  }

  @Test(arguments: ["", "-", "+", ".", "-.", "e5", "--1", "abc", " 1"])
  func textWithoutNumberIsNotConsumed(_ text: String) {
    let (value, length) = number(text)
    #expect(value == nil && length == 0)
  }

  /// The unit `em` and the second point start what follows.
  @Test(arguments: [("1em", 1, 1), ("2.5e", 2.5, 3), ("1.5.5", 1.5, 3), ("1e+", 1, 1), (".5-3", 0.5, 2)])
  func numbersEndWhereTheNextTokenStarts(text: String, value: Double, length: Int) {
    let result = number(text)
    #expect(result.value == value && result.length == length)
  }
}
