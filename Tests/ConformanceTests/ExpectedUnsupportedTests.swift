// The list of what is not decoded, and the least numbers of passes.

import ConformanceKit
import Testing

struct ExpectedUnsupportedTests {
  private let list = ExpectedUnsupported(Array("format\tfeature\ntiff\t(LZMA)\nheif\t'iovl'\n".utf8))

  @Test func aListedFeatureOfItsFormatIsExpected() {
    let verdict = list.verdict(on: [
      ("a.tif", "tiff", .unsupported("TIFF images are identified but not decoded (LZMA)")), ("b.png", "png", .passed),
    ])
    #expect(verdict.unlisted.isEmpty)
    #expect(verdict.unmet == [.init(format: "heif", feature: "'iovl'")])
  }

  @Test func anythingElseIsNot() {
    let verdict = list.verdict(on: [
      ("a.jpg", "jpeg", .unsupported("progressive images (LZMA)")), ("b.tif", "tiff", .unsupported("uncompressed")),
      ("c.tif", "tiff", .failed("(LZMA)")),
    ])
    #expect(verdict.unlisted.map(\.path) == ["a.jpg", "b.tif"])
    #expect(verdict.unmet.count == 2)
  }
}

struct MinimumPassesTests {
  private let table = "folder\tsuite\tpassed\nCases\tpng\t3\nCases\tgif\t2\ncorpora\tpng\t9\n"

  @Test func suitesBelowTheirMinimumAreNamed() {
    let minimums = MinimumPasses(Array(table.utf8))
    let shortfalls = minimums.shortfalls(in: "Cases", passed: ["png": 2, "gif": 2]) { _ in true }
    #expect(shortfalls.map(\.suite) == ["png"])
    #expect(shortfalls.first?.passed == 2)
    #expect(shortfalls.first?.minimum == 3)
  }

  @Test func aVanishedSuitePassesNothing() {
    let minimums = MinimumPasses(Array(table.utf8))
    #expect(minimums.shortfalls(in: "Cases", passed: ["png": 3]) { _ in true }.map(\.suite) == ["gif"])
    #expect(minimums.shortfalls(in: "Cases", passed: ["png": 3]) { $0 == "png" }.isEmpty)
    #expect(minimums.shortfalls(in: "elsewhere", passed: [:]) { _ in true }.isEmpty)
  }

  @Test func aRunReplacesTheNumbersOfItsFolder() {
    var minimums = MinimumPasses(Array(table.utf8))
    minimums.record(folder: "Cases", passed: ["png": 4, "apng": 1, "gif": 0])
    #expect(minimums.file == "folder\tsuite\tpassed\ncorpora\tpng\t9\nCases\tapng\t1\nCases\tpng\t4\n")
  }
}
