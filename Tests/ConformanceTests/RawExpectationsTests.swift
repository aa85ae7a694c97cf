// The rules for camera raw files: slightly wrong pictures, facts and positions fail.

import ConformanceKit
import Testing

@Suite struct RawExpectationsTests {
  /// A grey picture whose samples differ from `level` where `change` says so.
  private func picture(
    _ level: Int, width: Int = 40, height: Int = 30, _ change: (_ x: Int, _ y: Int) -> Int = { _, _ in 0 }
  ) throws -> NormalizedImage {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let sample = UInt8(level + change(x, y))
        bytes += [sample, sample, sample, 255]
      }
    }
    return try #require(NormalizedImage(width: width, height: height, depth: 8, rgba: bytes))
  }

  private let limits = DevelopmentLimits(mean: 1.6, percentile95: 7)

  @Test func rulesAreParsed() {
    #expect(ComparisonRule(manifest: "raw(mean<=1.6,p95<=7)") == .developed(limits))
    #expect(ComparisonRule(manifest: "preview") == .preview)
    #expect(ComparisonRule(manifest: "samples only") == .components)
    for text in ["raw(mean<=1.6)", "raw(mean<=a,p95<=7)", "raw(mean<=1.6,p95<=7", "raw(p95<=7,mean<=1.6)"] {
      #expect(ComparisonRule(manifest: text) == nil)
    }
  }

  @Test func theMeanErrorIsLimited() throws {
    let reference = try picture(100)
    let darker = try #require(DevelopmentErrors(picture(98), reference))
    #expect(darker.mean == 2 && darker.percentile95 == 2 && !darker.satisfy(limits))
    let close = try #require(DevelopmentErrors(picture(101), reference))
    #expect(close.mean == 1 && close.satisfy(limits))
  }

  @Test func manyLargeErrorsFailAlthoughTheMeanIsSmall() throws {
    let reference = try picture(100)
    // Of the 32 columns that count, two have errors: 6 % of the samples, so that the mean is 0.5.
    let striped = try #require(DevelopmentErrors(picture(100) { x, _ in x == 10 || x == 20 ? 8 : 0 }, reference))
    #expect(striped.mean == 0.5 && striped.percentile95 == 8 && !striped.satisfy(limits))
    let stray = try #require(DevelopmentErrors(picture(100) { x, _ in x == 10 ? 50 : 0 }, reference))
    #expect(stray.mean < 1.6 && stray.percentile95 == 0 && stray.satisfy(limits))
  }

  @Test func bordersDoNotCount() throws {
    let framed = try picture(100) { x, y in x < 4 || y < 4 || x >= 36 || y >= 26 ? 100 : 0 }
    let errors = try #require(DevelopmentErrors(framed, picture(100)))
    #expect(errors.mean == 0 && errors.percentile95 == 0)
    let inner = try picture(100) { x, y in x == 4 && y == 4 ? 100 : 0 }
    #expect(try #require(DevelopmentErrors(inner, picture(100))).mean > 0)
  }

  @Test func sizesMustAgree() throws {
    #expect(try DevelopmentErrors(picture(100, width: 41), picture(100)) == nil)
    #expect(try DevelopmentErrors(picture(100, width: 8), picture(100, width: 8)) == nil)
  }

  private func camera(_ row: String) -> ExpectedCamera? {
    let table = TabSeparatedTable(Array(("path\tmake\tmodel\torientation\tdate\traw_sha256\n" + row).utf8))
    return table.rows.first.flatMap { ExpectedCamera($0) }
  }

  @Test func factsAreCompared() throws {
    let expected = try #require(camera("a.nef\tMaker\tOne 2\t6\t2026:01:02 03:04:05\t-\n"))
    let facts = CameraFacts(
      make: "Maker ", model: "One 2", orientation: 6, dates: ["2025:01:01 00:00:00", "2026:01:02 03:04:05"])
    #expect(facts.difference(from: expected) == nil)
    #expect(facts.difference(from: try #require(camera("a.nef\t-\t-\t6\t-\t-\n"))) == nil)
    #expect(camera("a.nef\t-\t-\t-\t-\t-\n") == nil)
    var wrong = facts
    wrong.make = "Maker 2"
    #expect(wrong.difference(from: expected) != nil)
    wrong = facts
    wrong.model = nil
    #expect(wrong.difference(from: expected) != nil)
    wrong = facts
    wrong.orientation = 8
    #expect(wrong.difference(from: expected) != nil)
    wrong = facts
    wrong.dates = ["2026:01:02 03:04:06"]
    #expect(wrong.difference(from: expected) != nil)
  }

  @Test func previewsAndCamerasBelongToTheirCase() throws {
    let manifest = "path\tformat\treference\texpected\tcompare\na.nef\tnef\t-\tdecode\tpreview\nb.nef\tnef\t-\tany\t-\n"
    let previews =
      "path\tindex\ttag\toffset\tlength\twidth\theight\tsha256\na.nef\t0\tJpgFromRaw\t100\t20\t8\t6\tabcd\n"
      + "a.nef\t1\tThumbnailImage\t-\t20\t8\t6\tabcd\n"
    let cameras = "path\tmake\tmodel\torientation\tdate\traw_sha256\na.nef\tMaker\t-\t3\t-\tef\n"
    let cases = try Manifest(
      manifest: Array(manifest.utf8), previews: Array(previews.utf8), cameras: Array(cameras.utf8)
    ).cases
    // A row without a position is none.
    #expect(cases.map(\.previews.count) == [1, 0])
    #expect(cases[0].previews[0].range == 100..<120 && cases[0].previews[0].width == 8)
    #expect(cases[0].camera?.orientation == 3 && cases[0].camera?.sampleHash == "ef")
    #expect(cases[1].camera == nil)
  }
}
