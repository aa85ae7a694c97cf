// Measures and line breaks of laid-out text.

import Foundation
import ImageCore
import Testing
import TextDrawing
import TextShaping

/// The fonts that were made for the tests of fonts.
enum SampleText {
  static let fonts = FontProvider(folders: [
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("FontsTests/Fixtures").path
  ])

  static let style = TextStyle(families: ["Sample Sans"], size: 100)

  static func block(_ text: String, width: Double? = nil, maximumLineCount: Int? = nil) throws -> TextBlock {
    try TextBlock(text, style: style, fonts: fonts, width: width, maximumLineCount: maximumLineCount)
  }
}

@Suite struct TextBlockTests {
  /// HarfBuzz's advances of "AV VA To Vo TA BU" in the sample font, which has 1000 units per em.
  @Test func hasTheWidthOfItsGlyphs() throws {
    let advances = [276, 382, 343, 312, 356, 343, 335, 408, 343, 322, 408, 343, 395, 356, 343, 344, 876]
    let width = try SampleText.block("AV VA To Vo TA BU").width
    #expect(abs(width - Double(advances.reduce(0, +)) / 10) < 1e-9)
    #expect(try SampleText.block("").width == 0)
    #expect(try SampleText.block("").lineCount == 1)
  }

  @Test func beginsLinesAtLineFeeds() throws {
    let block = try SampleText.block("A\nV\r\nT\rB\u{2029}o\n")
    #expect(block.lineCount == 6)
    #expect(block.height == block.lineHeight * 6)
    let single = try SampleText.block("A")
    #expect(block.lineHeight == single.lineHeight)
    #expect(block.width >= single.width)
  }

  @Test func takesTheLineHeightOfTheStyle() throws {
    var style = SampleText.style
    style.lineHeight = 2
    #expect(try TextBlock("A\nB", style: style, fonts: SampleText.fonts).height == 400)
  }

  @Test func addsLetterSpacing() throws {
    var style = SampleText.style
    let plain = try TextBlock("BoB", style: style, fonts: SampleText.fonts).width
    style.letterSpacing = 7
    #expect(abs(try TextBlock("BoB", style: style, fonts: SampleText.fonts).width - plain - 21) < 1e-9)
  }

  /// Each line takes as many words as fit, as found by measuring every number of words.
  @Test func wrapsBetweenWords() throws {
    let words = "AV To oTo B VA TAB ooo A BAVA To".split(separator: " ").map(String.init)
    for width in stride(from: 100.0, through: 900, by: 23) {
      var lines = 0
      var rest = words[...]
      while !rest.isEmpty {
        var count = 1
        while count < rest.count, try SampleText.block(rest.prefix(count + 1).joined(separator: " ")).width <= width {
          count += 1
        }
        rest = rest.dropFirst(count)
        lines += 1
      }
      let isWideEnough = try words.allSatisfy { try SampleText.block($0).width <= width }
      guard isWideEnough else { continue }
      let block = try SampleText.block(words.joined(separator: " "), width: width)
      #expect(block.lineCount == lines, "\(width)")
      #expect(block.width <= width + 1e-9)
    }
  }

  @Test func breaksLongWordsBetweenCharacters() throws {
    let block = try SampleText.block("oooooooooo", width: 100)
    let letter = try SampleText.block("o").width
    #expect(block.lineCount == Int((10 / (100 / letter).rounded(.down)).rounded(.up)))
    // A line has at least one character.
    #expect(try SampleText.block("ooo", width: 1).lineCount == 3)
    #expect(try SampleText.block("ooo", width: 0).lineCount == 3)
  }

  @Test func shortensTheLastLine() throws {
    let block = try SampleText.block("AV To oTo B VA TAB ooo A", width: 300, maximumLineCount: 2)
    #expect(block.lineCount == 2)
    #expect(block.width <= 300)
    #expect(try SampleText.block("A\nB\nT", maximumLineCount: 2).lineCount == 2)
    #expect(try SampleText.block("A", maximumLineCount: 0).lineCount == 0)
  }

  @Test func refusesWhatItCannotLayOut() {
    #expect(throws: CodecError.self) { try TextBlock("A", style: SampleText.style, fonts: FontProvider()) }
    for size in [0, -1, .nan, .infinity] {
      #expect(throws: CodecError.self) {
        try TextBlock("A", style: TextStyle(size: size), fonts: SampleText.fonts)
      }
    }
    var limits = DecodingLimits.default
    limits.maximumByteCount = 1000
    #expect(throws: CodecError.self) {
      try TextBlock("AAAAAAAA", style: SampleText.style, fonts: SampleText.fonts, limits: limits)
    }
  }
}
