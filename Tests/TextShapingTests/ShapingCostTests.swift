// The cost of shaping: long texts of one cluster and marks out of order, compared with an obvious implementation, and
// the charges for fonts that ask for endless work.

import FontTestSupport
import ImageCore
import TestSupport
import Testing
import TextShaping

@Suite struct ShapingCostTests {
  /// A font in which each character from U+0300 to U+036F and from U+0E01 to U+0E5B has its own glyph.
  private func face() throws -> FontFace {
    var font = TestFont(glyphCount: 2)
    let groups = [(0x61, 0x61, 0x61), (0x300, 0x36F, 0x300), (0xE01, 0xE5B, 0xE01)]
    font.tables["maxp"] = TestFont.long(0x5000) + TestFont.word(0xF00)
    font.tables["cmap"] =
      TestFont.words(0, 1, 3, 10) + TestFont.long(12) + TestFont.words(12, 0) + TestFont.long(16 + 12 * groups.count)
      + TestFont.long(0) + TestFont.long(groups.count)
      + groups.flatMap { TestFont.long($0.0) + TestFont.long($0.1) + TestFont.long($0.2) }
    return try FontFace(parsing: font.bytes)
  }

  private struct Item: Equatable {
    var character: UInt32
    var cluster: Int
  }

  private func shaped(_ text: [UInt32], _ script: Script, _ direction: TextDirection) throws -> [Item] {
    let scalars = text.compactMap(Unicode.Scalar.init)
    return try face().shape(scalars, range: scalars.indices, script: script, direction: direction).map {
      Item(character: UInt32($0.glyph.rawValue), cluster: $0.cluster)
    }
  }

  /// Sets the clusters of all items of a range, and of their neighbours with the same clusters, to the smallest one.
  private func merge(_ items: inout [Item], _ range: Range<Int>) {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start > 0, items[start - 1].cluster == items[start].cluster { start -= 1 }
    while end < items.count, items[end - 1].cluster == items[end].cluster { end += 1 }
    let smallest = items[start..<end].map(\.cluster).min() ?? 0
    for index in start..<end { items[index].cluster = smallest }
  }

  private func isMark(_ character: UInt32) -> Bool {
    (0x300...0x36F).contains(character) || character == 0xE31 || (0xE34...0xE3A).contains(character)
      || (0xE47...0xE4E).contains(character)
  }

  /// The characters with their grapheme clusters.
  private func items(_ text: [UInt32]) -> [Item] {
    var items: [Item] = []
    for (index, character) in text.enumerated() {
      let cluster = isMark(character) && index > 0 ? items[index - 1].cluster : index
      items.append(Item(character: character, cluster: cluster))
    }
    return items
  }

  /// Divides each AM into a ring, before the marks above its base, and AA, and merges their clusters one after the
  /// other.
  private func dividedVowels(_ items: [Item]) -> [Item] {
    var result = items
    var index = 0
    while index < result.count {
      guard result[index].character == 0xE33 else {
        index += 1
        continue
      }
      let cluster = result[index].cluster
      result[index].character = 0xE32
      result.insert(Item(character: 0xE4D, cluster: cluster), at: index)
      var start = index
      while start > 0,
        [0xE31, 0xE34, 0xE35, 0xE36, 0xE37].contains(result[start - 1].character)
          || (0xE47...0xE4E).contains(result[start - 1].character)
      {
        start -= 1
      }
      if start < index {
        merge(&result, start..<index + 2)
        result.insert(result.remove(at: index), at: start)
      } else if start > 0 {
        merge(&result, start - 1..<index + 2)
      }
      index += 2
    }
    return result
  }

  @Test func thaiVowelsMergeClusters() throws {
    var random = TestRandom(7)
    let characters: [UInt32] = [0xE01, 0xE33, 0xE33, 0xE33, 0xE48, 0xE34, 0xE02, 0xE47]
    for round in 0..<300 {
      let text = (0..<(round % 24 + 1)).map { _ in characters.randomElement(using: &random) ?? 0xE01 }
      let before = items(text)
      #expect(try shaped(text, "Thai", .leftToRight) == dividedVowels(before), "\(text)")
      // Against their direction, grapheme clusters are shaped in reverse order.
      var reversed: [Item] = []
      var end = before.count
      while end > 0 {
        var start = end - 1
        while start > 0, isMark(before[start].character) { start -= 1 }
        reversed += before[start..<end]
        end = start
      }
      #expect(try shaped(text, "Thai", .rightToLeft) == dividedVowels(reversed), "\(text) from right to left")
    }
  }

  @Test func marksAreSortedByClass() throws {
    var random = TestRandom(9)
    // Classes 0, 230, 220 and 202.
    let classes: [UInt32: Int] = [0x61: 0, 0x34F: 0, 0x301: 230, 0x316: 220, 0x327: 202, 0x308: 230]
    let characters = classes.keys.sorted()
    for round in 0..<300 {
      let text = [0x61] + (0..<(round % 30)).map { _ in characters.randomElement(using: &random) ?? 0x61 }
      var expected: [UInt32] = []
      for part in text.split(omittingEmptySubsequences: false, whereSeparator: { classes[$0] == 0 }) {
        expected += part.enumerated().sorted {
          (classes[$0.element] ?? 0, $0.offset) < (classes[$1.element] ?? 0, $1.offset)
        }.map(\.element)
        let next = expected.count
        if next < text.count { expected.append(text[next]) }
      }
      // Without a space in the font, joiners are omitted.
      expected.removeAll { $0 == 0x34F }
      #expect(try shaped(text, .latin, .leftToRight).map(\.character) == expected, "\(text)")
    }
  }

  /// `GSUB` with one feature that applies copies of a lookup.
  private func substitutions(_ type: Int, _ subtable: [UInt8], count: Int) throws -> FontFace {
    let script = TestFont.words(1) + Array("DFLT".utf8) + TestFont.words(8, 4, 0, 0, 0xFFFF, 1, 0)
    var features = TestFont.words(1) + Array("ccmp".utf8) + TestFont.words(8, 0, count)
    var lookups = TestFont.words(count)
    for index in 0..<count {
      features += TestFont.word(index)
      lookups += TestFont.word(2 + 2 * count)
    }
    lookups += TestFont.words(type, 0, 1, 8) + subtable
    var font = TestFont(glyphCount: 4)
    font.tables["GSUB"] =
      TestFont.long(0x0001_0000)
      + TestFont.words(10, 10 + script.count, 10 + script.count + features.count) + script + features + lookups
    return try FontFace(parsing: font.bytes)
  }

  private static let coverage = TestFont.words(1, 1, 1)

  /// Glyph 1 becomes 64 glyphs, again and again.
  private func multiplying() throws -> FontFace {
    let sequence = TestFont.words(64) + (0..<64).flatMap { _ in TestFont.word(1) }
    return try substitutions(2, TestFont.words(1, 8, 1, 14) + Self.coverage + sequence, count: 4)
  }

  @Test(arguments: [1, 10, 5_000])
  func multipleSubstitutionIsLimited(_ count: Int) throws {
    let text = [Unicode.Scalar](repeating: "A", count: count)
    let face = try multiplying()
    var budget = ResourceBudget(.default)
    let glyphs = try face.shape(
      text, range: text.indices, script: .latin, direction: .leftToRight, budget: &budget)
    #expect(glyphs.count > count && glyphs.count <= count * 8 + 1_024)
    // The memory of the glyphs that are added is charged.
    #expect(budget.heldByteCount >= (glyphs.count - count) * 100)
    var small = ResourceBudget(DecodingLimits(maximumByteCount: 10_000))
    let error = #expect(throws: CodecError.self) {
      try face.shape(text, range: text.indices, script: .latin, direction: .leftToRight, budget: &small)
    }
    #expect(error?.kind == .limitExceeded)
  }

  /// 60,000 ligatures that do not match, at each glyph.
  private func searching() throws -> FontFace {
    try substitutions(4, TestFont.words(1, 8, 1, 14) + Self.coverage + TestFont.words(60_000, 0, 3, 2), count: 3)
  }

  @Test func operationsAreCharged() throws {
    let text: [Unicode.Scalar] = ["A", "A"]
    var budget = ResourceBudget(.default)
    _ = try searching().shape(text, range: text.indices, script: .latin, direction: .leftToRight, budget: &budget)
    #expect(budget.work > 60_000 * 10)
    var small = ResourceBudget(DecodingLimits(maximumWork: 100_000))
    let error = #expect(throws: CodecError.self) {
      try searching().shape(text, range: text.indices, script: .latin, direction: .leftToRight, budget: &small)
    }
    #expect(error?.kind == .limitExceeded)
  }

  /// Between two checkpoints there are at most 100 million units of work, here of a nanosecond each.
  @Test func deadlineIsNoticedWithinARun() throws {
    let text = [Unicode.Scalar](repeating: "A", count: 20_000)
    let face = try searching()
    var limits = DecodingLimits.unlimited
    limits.deadline = .milliseconds(500)
    let start = ContinuousClock.now
    var budget = ResourceBudget(limits, clock: { start + .nanoseconds($0) })
    let error = #expect(throws: CodecError.self) {
      try face.shape(text, range: text.indices, script: .latin, direction: .leftToRight, budget: &budget)
    }
    #expect(error?.kind == .deadlineExceeded)
    #expect(budget.work < 700_000_000)
  }

  /// Names that share their bytes, of which there are more than any font has.
  @Test func namesAreLimited() throws {
    func names(_ count: Int, _ length: Int) -> [UInt8] {
      var table = TestFont.words(0, count, 6 + 12 * count)
      for index in 0..<count { table += TestFont.words(3, 1, 0x409, index == 0 ? 1 : 4, length, 2 * index) }
      return table + (0..<length / 2 + count).flatMap { TestFont.word(0x61 + $0 % 26) }
    }
    var font = TestFont(glyphCount: 2)
    font.tables["name"] = names(4_000, 60_000)
    var budget = ResourceBudget(.default)
    #expect(try FontFace(parsing: font.bytes, budget: &budget).families.isEmpty)
    #expect(budget.work < 2_000_000)
    font.tables["name"] = names(4_000, 20)
    #expect(try FontFace(parsing: font.bytes, budget: &budget).families == ["abcdefghij"])
    let provider = FontProvider(data: [font.bytes])
    #expect(try provider.face(fullName: "bcdefghijk") != nil)
  }
}
