// Line breaking opportunities against examples of the rules in Unicode Standard Annex 14.

import Testing
import TextShaping

@Suite struct LineBreakTests {
  /// Writes `|` at allowed breaks and `!` at mandatory ones.
  private func marked(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (scalar, opportunity) in zip(scalars, LineBreak.opportunities(in: scalars)) {
      switch opportunity {
      case .prohibited: break
      case .allowed: result.append("|")
      case .mandatory: result.append("!")
      }
      result.append(scalar)
    }
    return String(result)
  }

  @Test(arguments: [
    // LB4 to LB6: hard breaks.
    "a\u{2028}!b", "a\n!b", "a\r\n!b", "a\r!b", "a \n!b", "\n!\n!a", "a\u{85}!b",
    // LB7 and LB8: spaces and zero width spaces.
    "a |b", "a  |b", "a\u{200B}|b", "a\u{200B} |b", " |a",
    // LB8a and LB9: joiners and combining marks.
    "a\u{200D}b", "\u{4E00}\u{200D}\u{4E00}", "e\u{301}f", "\u{4E00}\u{301}|\u{4E00}", "a |\u{301}b",
    // LB11 to LB12a: word joiners and glue.
    "\u{4E00}\u{2060}\u{4E00}", "a\u{A0}b", "a\u{A0} |b", "\u{4E00}\u{A0}\u{4E00}", "a-|\u{A0}b", "a |\u{A0}b",
    // LB13 to LB17: punctuation.
    "a !", "(a)", "( a", "a |(b)", "\u{4E00})", "\u{4E00} )", "\u{2014} \u{2014}", "\u{3009} \u{3005}",
    // LB19 to LB22.
    "a\"b\"c", "a|\u{FFFC}", "a|\u{FFFC}|b", "co-|op", "\u{4E00}\u{3041}", "a\u{2026}", "\u{5D0}-\u{5D0}", "a/|b",
    // LB23 and LB24: letters with digits and signs.
    "a1b2", "$a", "a%", "$\u{4E00}", "\u{4E00}%",
    // LB25: numbers.
    "$(12.35)", "2,1234", "12/4", "-12.5%", "\u{20AC} |12", "1.5 |2", "(12)\u{20AC}", "a |-12",
    // LB26 and LB27: Hangul.
    "\u{1100}\u{1161}\u{11A8}", "\u{AC00}\u{11A8}", "\u{AC00}|\u{AC00}", "\u{AC01}\u{11A8}", "\u{AC00}%",
    // LB28 to LB30b.
    "\u{5D0}a", "a.b", "a(b)", "a|\u{300C}b", "\u{1F1E6}\u{1F1E8}|\u{1F1E6}\u{1F1E8}", "\u{1F466}\u{1F3FB}",
    // LB31: ideographs.
    "\u{4E00}|\u{4E8C}|\u{4E09}", "\u{4E00}\u{3002}|\u{4E8C}", "\u{E01}\u{E02}",
  ])
  func breaks(_ expected: String) {
    let text = String(String.UnicodeScalarView(expected.unicodeScalars.filter { $0 != "|" }))
    // An exclamation mark after a separator represents a mandatory break.
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let followsSeparator = plain.last.map { "\n\r\u{85}\u{2028}".unicodeScalars.contains($0) } ?? false
      if scalar == "!", followsSeparator { continue }
      plain.append(scalar)
    }
    #expect(marked(String(plain)) == expected)
  }

  @Test func breaksNothing() {
    #expect(LineBreak.opportunities(in: []).isEmpty)
    #expect(LineBreak.opportunities(in: ["a"]) == [.prohibited])
  }
}
