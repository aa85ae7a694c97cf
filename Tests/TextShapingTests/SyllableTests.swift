// Syllables: hostile text in scripts with syllables, and the automaton of a grammar against a slow search.

import FontTestSupport
import ImageCore
import TestSupport
import Testing
import TextShaping

@Suite struct SyllableTests {
  /// Whether some categories are `a (b c)* d?` or `b`, found character by character.
  private func kind(_ word: ArraySlice<UInt8>) -> Int? {
    if word.elementsEqual([1]) { return 1 }
    guard word.first == 0 else { return nil }
    var rest = word.dropFirst()
    while rest.starts(with: [1, 2]) { rest = rest.dropFirst(2) }
    return rest.isEmpty || rest.elementsEqual([3]) ? 0 : nil
  }

  @Test func findsTheLongestSyllable() {
    let machine = SyllableMachine(
      symbols: ["a", "b", "c", "d"], grammar: "pairs = (b c)*; full = a pairs d?; single = b;",
      kinds: ["full", "single"])
    var random = TestRandom(5)
    for _ in 0..<2000 {
      let word = (0..<12).map { _ in UInt8(truncatingIfNeeded: random.next() % 4) }
      for start in word.indices {
        let found = machine.syllable(in: word, from: start)
        let longest = (start + 1...word.count).last { kind(word[start..<$0]) != nil }
        #expect(found.end == longest ?? start + 1)
        #expect(found.kind == longest.flatMap { kind(word[start..<$0]) } ?? machine.otherKind)
      }
    }
  }

  /// Long runs of one kind of character, which a naive search would visit again and again.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      ("Deva", 0x93F), ("Deva", 0x200C), ("Deva", 0x94D), ("Khmr", 0x200D), ("Khmr", 0x17D2), ("Mymr", 0x1031),
      ("Mymr", 0x1039), ("Java", 0xA9C0), ("Bali", 0x1B3E), ("Sinh", 0x200D), ("Nkoo", 0x7EB), ("Tibt", 0xF90),
    ])
  func shapesLongRunsInLinearTime(_ script: String, _ character: Int) throws {
    let face = try SampleFonts.face("syllables.ttf")
    let scalar = try #require(Unicode.Scalar(UInt32(character)))
    let text = [Unicode.Scalar](repeating: scalar, count: 20_000)
    let glyphs = try face.shape(
      text, range: 0..<text.count, script: Script(stringLiteral: script), direction: .leftToRight)
    #expect(glyphs.count >= text.count)
  }
}
