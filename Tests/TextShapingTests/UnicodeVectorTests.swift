// The test files of the Unicode Character Database, if the environment variable UNICODE_DATA names the folder with
// them.

import Foundation
import Testing
import TextShaping

private let folder = ProcessInfo.processInfo.environment["UNICODE_DATA"]

@Suite(.enabled(if: folder != nil)) struct UnicodeVectorTests {
  private func lines(_ name: String) throws -> [Substring] {
    let url = URL(fileURLWithPath: try #require(folder)).appendingPathComponent(name)
    return String(decoding: try Data(contentsOf: url), as: UTF8.self).split(separator: "\n").compactMap { line in
      let data = line.prefix { $0 != "#" }
      return data.allSatisfy(\.isWhitespace) ? nil : data
    }
  }

  private func scalars(_ field: Substring) -> [Unicode.Scalar] {
    field.split(separator: " ").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
  }

  /// Returns the characters of a line of break tests, and whether there is a break before each.
  private func breaks(_ line: Substring) -> ([Unicode.Scalar], [Bool]) {
    var text: [Unicode.Scalar] = []
    var breaks: [Bool] = []
    var isBreak = false
    for word in line.split(whereSeparator: \.isWhitespace) {
      if word == "\u{F7}" || word == "\u{D7}" {
        isBreak = word == "\u{F7}"
      } else if let scalar = UInt32(word, radix: 16).flatMap(Unicode.Scalar.init) {
        text.append(scalar)
        breaks.append(isBreak)
      }
    }
    return (text, breaks)
  }

  @Test func lineBreaks() throws {
    var failures: [Substring] = []
    for line in try lines("auxiliary/LineBreakTest.txt") {
      let (text, expected) = breaks(line)
      let found = LineBreak.opportunities(in: text).map { $0 != .prohibited }
      if found.dropFirst() != expected.dropFirst() { failures.append(line) }
    }
    #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(5))")
  }

  @Test func graphemeClusters() throws {
    var failures: [Substring] = []
    for line in try lines("auxiliary/GraphemeBreakTest.txt") {
      let (text, expected) = breaks(line)
      let starts = Set(GraphemeClusters(text).map(\.lowerBound))
      if text.indices.map(starts.contains) != expected { failures.append(line) }
    }
    #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(5))")
  }

  /// Each emoji is one grapheme cluster.
  @Test func emoji() throws {
    var failures: [Substring] = []
    var count = 0
    for line in try lines("emoji/emoji-test.txt") {
      let text = scalars(line.prefix { $0 != ";" })
      count += 1
      if Array(GraphemeClusters(text)) != [text.indices] { failures.append(line) }
    }
    #expect(failures.isEmpty && count > 4_000, "\(failures.count): \(failures.prefix(5))")
  }

  /// Compares the levels of a text, in which removed characters are `x`.
  private func matches(_ text: [Unicode.Scalar], _ base: UInt8?, _ levels: [Substring], order: [Int]) -> Bool {
    let found = BidiLevels(text, baseLevel: base).levels
    for (level, expected) in zip(found, levels) where expected != "x" && String(level) != expected { return false }
    let kept = text.indices.filter { levels[$0] != "x" }
    let visual = BidiLevels.visualRuns(kept.map { found[$0] }).flatMap { run in
      run.level & 1 == 1 ? Array(run.range.reversed()) : Array(run.range)
    }
    return visual.map { kept[$0] } == order
  }

  @Test func bidirectionalCharacters() throws {
    var failures: [Substring] = []
    for line in try lines("BidiCharacterTest.txt") {
      let fields = line.split(separator: ";", omittingEmptySubsequences: false)
      let base: UInt8? = fields[1] == "0" ? 0 : fields[1] == "1" ? 1 : nil
      let order = fields[4].split(separator: " ").compactMap { Int($0) }
      if !matches(scalars(fields[0]), base, fields[3].split(separator: " "), order: order) { failures.append(line) }
    }
    #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(5))")
  }

  private static let samples: [Substring: Unicode.Scalar] = [
    "L": "a", "R": "\u{5D0}", "AL": "\u{628}", "EN": "1", "ES": "+", "ET": "%", "AN": "\u{661}", "CS": ",",
    "NSM": "\u{301}", "BN": "\u{AD}", "B": "\u{2029}", "S": "\t", "WS": " ", "ON": "!", "LRE": "\u{202A}",
    "LRO": "\u{202D}", "RLE": "\u{202B}", "RLO": "\u{202E}", "PDF": "\u{202C}", "LRI": "\u{2066}", "RLI": "\u{2067}",
    "FSI": "\u{2068}", "PDI": "\u{2069}",
  ]

  @Test func bidirectionalClasses() throws {
    var failures: [Substring] = []
    var levels: [Substring] = []
    var order: [Int] = []
    for line in try lines("BidiTest.txt") {
      if line.hasPrefix("@Levels:") {
        levels = line.dropFirst(8).split(whereSeparator: \.isWhitespace)
      } else if line.hasPrefix("@Reorder:") {
        order = line.dropFirst(9).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
      } else if !line.hasPrefix("@") {
        let fields = line.split(separator: ";")
        let text = fields[0].split(separator: " ").compactMap { Self.samples[$0] }
        let sets = Int(fields[1].trimmingCharacters(in: .whitespaces), radix: 16) ?? 0
        for (bit, base) in [(1, nil), (2, 0), (4, 1)] as [(Int, UInt8?)] where sets & bit != 0 {
          if !matches(text, base, levels, order: order) { failures.append(line) }
        }
      }
    }
    #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(5))")
  }
}
