// Grapheme clusters against the regular expression of Unicode Standard Annex 29, section 3.1, and against examples.

import Foundation
import TestSupport
import Testing
import TextShaping

@Suite struct GraphemeClusterTests {
  /// Characters of each class, and the letters that represent them in the regular expression.
  private static let samples: [(letter: Character, scalars: [Unicode.Scalar])] = [
    ("r", ["\r"]), ("n", ["\n"]), ("c", ["\u{1}", "\u{200B}", "\u{2028}", "\u{E0001}"]),
    ("N", ["\u{200C}"]), ("E", ["\u{301}", "\u{FE0F}", "\u{20E3}", "\u{1F3FB}", "\u{93C}"]),
    ("K", ["\u{94D}", "\u{9CD}", "\u{D4D}"]), ("Z", ["\u{200D}"]), ("S", ["\u{903}", "\u{93F}", "\u{E33}"]),
    ("p", ["\u{600}", "\u{D4E}", "\u{110BD}"]), ("R", ["\u{1F1E6}", "\u{1F1FF}"]), ("L", ["\u{1100}", "\u{A960}"]),
    ("V", ["\u{1161}", "\u{D7B0}"]), ("T", ["\u{11A8}", "\u{D7CB}"]), ("W", ["\u{AC00}", "\u{D788}"]),
    ("X", ["\u{AC01}", "\u{D7A3}"]), ("C", ["\u{915}", "\u{9B0}", "\u{D39}"]),
    ("P", ["\u{A9}", "\u{263A}", "\u{2764}", "\u{1F600}", "\u{1F468}"]), ("o", ["a", " ", "\u{4E00}", "\u{905}"]),
  ]

  /// The clusters of table 1c, one class a letter. Linking consonants are those of Unicode 15.1 and later.
  private static let pattern = {
    let hangul = "L*(?:V+|WV*|X)T*|L+|T+"
    let conjunct = "C(?:[EZK]*K[EZK]*C)+"
    let core = "(?:\(hangul)|RR|P(?:[ENK]*ZP)*|\(conjunct)|[^crn])"
    return "rn|[crn]|p*\(core)[ENKZS]*|p+[ENKZS]*"
  }()

  @Test func clustersAreThoseOfTheRegularExpression() throws {
    let expression = try NSRegularExpression(pattern: Self.pattern)
    var random = TestRandom(29)
    for _ in 0..<20_000 {
      var text: [Unicode.Scalar] = []
      var letters = ""
      // Few classes in each text, so that long sequences occur.
      let classes = (0..<3).compactMap { _ in Self.samples.randomElement(using: &random) }
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        let sample = classes[Int.random(in: 0..<3, using: &random)]
        text += sample.scalars.randomElement(using: &random).map { [$0] } ?? []
        letters.append(sample.letter)
      }
      let matches = expression.matches(in: letters, range: NSRange(location: 0, length: letters.utf16.count))
      #expect(Array(GraphemeClusters(text)) == matches.compactMap { Range($0.range) }, "\(letters)")
    }
  }

  @Test(arguments: [
    "e\u{301}|f", "\r\n|a", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}|!", "\u{1F1E9}\u{1F1EA}|\u{1F1EB}\u{1F1F7}",
    "1\u{FE0F}\u{20E3}|2", "\u{915}\u{94D}\u{937}\u{93F}|\u{915}", "\u{915}\u{94D}\u{200C}|\u{937}",
    "\u{AC01}\u{11A8}|\u{1100}", "\u{1F44D}\u{1F3FD}|\u{1F44D}", "\u{E01}\u{E33}|\u{E01}",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}|a",
  ])
  func examples(_ expected: String) {
    let parts = expected.unicodeScalars.split(separator: "|").map { Array($0) }
    let text = Array(parts.joined())
    #expect(GraphemeClusters(text).map { Array(text[$0]) } == parts)
  }

  @Test func partsAreIndependentOfWhatIsAround() {
    let text: [Unicode.Scalar] = ["a", "\u{301}", "\u{302}", "b"]
    #expect(Array(GraphemeClusters(text, in: 1..<4)) == [1..<3, 3..<4])
    #expect(Array(GraphemeClusters([])).isEmpty && Array(GraphemeClusters(text, in: 2..<2)).isEmpty)
  }
}
