// Case mappings that depend on language and context, against words of the languages (Unicode, SpecialCasing; CSS Text 3,
// section 2.1.1).

import Testing
import TextShaping

@Suite struct CaseMappingTests {
  private func mapped(
    _ text: String, _ language: String?, _ map: (CaseMapping, [Unicode.Scalar], Int) -> [Unicode.Scalar]
  ) -> String {
    let scalars = Array(text.unicodeScalars)
    let mapping = CaseMapping(language: language)
    var result = String.UnicodeScalarView()
    for index in scalars.indices { result.append(contentsOf: map(mapping, scalars, index)) }
    return String(result)
  }

  @Test(arguments: [
    ("stra\u{DF}e", nil, "STRASSE"), ("\u{FB01}sh", nil, "FISH"),
    ("istanbul \u{131}\u{15F}\u{131}k", "tr", "\u{130}STANBUL I\u{15E}IK"),
    ("istanbul", "en", "ISTANBUL"), ("\u{3AC}\u{3BB}\u{3C6}\u{3B1}", "el", "\u{391}\u{39B}\u{3A6}\u{391}"),
    ("\u{3BC}\u{3B1}\u{390}\u{3BF}\u{3C5}", "el", "\u{39C}\u{391}\u{3AA}\u{39F}\u{3A5}"),
    ("\u{3AC}\u{3C5}\u{3BB}\u{3BF}\u{3C2}", "el-GR", "\u{391}\u{3AB}\u{39B}\u{39F}\u{3A3}"),
    ("\u{3AE} \u{3BC}\u{3AE}", "el", "\u{389} \u{39C}\u{397}"), ("\u{3AC}", nil, "\u{386}"),
    ("\u{3B1}\u{301}\u{3B9}", "el", "\u{391}\u{3AA}"), ("i\u{307}", "lt", "I"), ("\u{587}", "hy", "\u{535}\u{54E}"),
    ("\u{587}", nil, "\u{535}\u{552}"),
  ])
  func upper(_ text: String, _ language: String?, _ expected: String) {
    #expect(mapped(text, language) { $0.uppercase($1, at: $2) } == expected, "\(text) \(language ?? "")")
  }

  @Test(arguments: [
    ("I\u{11E}DIR \u{130}L", "tr", "\u{131}\u{11F}d\u{131}r il"), ("I\u{307}", "az", "i"), ("ICH", "de", "ich"),
    ("\u{39F}\u{394}\u{39F}\u{3A3} \u{3A3}\u{391}\u{3A3}", "el", "\u{3BF}\u{3B4}\u{3BF}\u{3C2} \u{3C3}\u{3B1}\u{3C2}"),
    ("\u{3A3}", nil, "\u{3C3}"), ("\u{CC}", "lt", "i\u{307}\u{300}"), ("J\u{303}", "lt", "j\u{307}\u{303}"),
  ])
  func lower(_ text: String, _ language: String?, _ expected: String) {
    let result = mapped(text, language) { $0.lowercase($1, at: $2) }
    #expect(Array(result.unicodeScalars) == Array(expected.unicodeScalars), "\(text) \(language ?? "")")
  }

  @Test(arguments: [
    ("don't stop", "en", "Don't Stop"), ("(one) two-three", nil, "(One) Two-Three"), ("3rd way", nil, "3rd Way"),
    ("\u{1C6}ep", nil, "\u{1C5}ep"), ("ijsland en ijs", "nl", "IJsland En IJs"), ("ijsland", "de", "Ijsland"),
    ("izmir", "tr", "\u{130}zmir"), ("e\u{301}te\u{301}", "fr", "E\u{301}te\u{301}"),
  ])
  func title(_ text: String, _ language: String?, _ expected: String) {
    #expect(mapped(text, language) { $0.titlecase($1, at: $2) ?? [$1[$2]] } == expected, "\(text)")
  }

  @Test func forms() {
    #expect(
      "Az 1\u{FF76}".unicodeScalars.map { CharacterForms.wide($0).value } == [0xFF21, 0xFF5A, 0x3000, 0xFF11, 0x30AB])
    #expect(
      "\u{3041}\u{30C3}\u{FF67}\u{3042}".unicodeScalars.map { CharacterForms.fullSizeKana($0).value } == [
        0x3042, 0x30C4, 0xFF71, 0x3042,
      ])
  }
}
