// Tables of bytes, and what the rows of a manifest mean.

import ConformanceKit
import Testing

private let header =
  "path\tformat\treference\texpected\tcompare\tref_decoder\twidth\theight\tref_depth\trgba_sha256\n"

struct ManifestTests {
  @Test func splitsOnTabsOnly() {
    let table = TabSeparatedTable(Array("a\tb\tc\n\"x\t y \"\t-\n# a comment\n\nlast\r\n".utf8))
    #expect(table.columns == ["a", "b", "c"])
    #expect(table.rows.count == 2)
    #expect(table.rows[0].text("a") == "\"x")
    #expect(table.rows[0].text("b") == " y \"")
    #expect(table.rows[0].text("c") == nil)
    #expect(table.rows[1].text("a") == "last")
    #expect(table.rows[1].text("b") == nil)
    #expect(table.rows[1].text("unknown") == nil)
  }

  @Test func notesNeedNotBeText() {
    let table = TabSeparatedTable(Array("path\tnote\n".utf8) + Array("a.png\tx".utf8) + [0xFF, 0xC3, 0x28])
    #expect(table.rows[0].path("path") == "a.png")
    #expect(table.rows[0].path("note") == nil)
    #expect(table.rows[0].text("note")?.hasPrefix("x\u{FFFD}") == true)
  }

  @Test func originalsAreThoseOfJPEGFiles() throws {
    let rows = "a/a.jxl\tjxl\t-\tdecode\texact\t-\t7\t9\t8\tabcd\na/b.jxl\tjxl\t-\tdecode\texact\t-\t7\t9\t8\tabcd\n"
    let originals = "path\tjpeg_sha256\tjpeg_bytes\na/b.jxl\t0123\t17\n"
    let manifest = try Manifest(manifest: Array((header + rows).utf8), originals: Array(originals.utf8))
    #expect(manifest.cases.map(\.originalHash) == [nil, "0123"])
  }

  @Test func componentsAreThoseOfTheirFiles() throws {
    let rows = "a/a.jp2\tjp2\t-\tdecode\ttol(peak=1,mse=0.05)\t-\t7\t9\t8\tabcd\n"
    let components =
      "path\tcomponent\treduce\twidth\theight\tdepth\tsigned\tsha256\treference\tpeak\tmse\n"
      + "a/a.jp2\t1\t0\t7\t9\t12\t1\t01\ta/_ref/a.png#2\t1\t0.05\na/a.jp2\t0\t2\t2\t3\t8\t0\t02\t-\t0\t0\n"
    let manifest = try Manifest(manifest: Array((header + rows).utf8), components: Array(components.utf8))
    let test = try #require(manifest.cases.first)
    #expect(test.rule == .components && test.components.count == 2)
    let (first, second) = (test.components[0], test.components[1])
    #expect((first.index, first.reduction, first.width, first.height) == (1, 0, 7, 9))
    #expect((first.depth, first.isSigned, first.hash) == (12, true, "01"))
    #expect((first.reference, first.channel, first.peak, first.meanSquare) == ("a/_ref/a.png", 2, 1, 0.05))
    #expect((second.index, second.reduction, second.reference, second.peak) == (0, 2, nil, 0))
  }

  @Test func readsACase() throws {
    let row = "suite/deep/a.png\tpng\tsuite/_ref/a.pam\tdecode\texact\tlibpng\t7\t9\t16\tabcd\n"
    let test = try #require(try Manifest(manifest: Array((header + row).utf8)).cases.first)
    #expect(test.path == "suite/deep/a.png")
    #expect(test.suite == "suite")
    #expect(test.format == "png")
    #expect(test.reference == "suite/_ref/a.pam")
    #expect(test.expectation == .decode)
    #expect(test.rule == .exact)
    #expect(test.width == 7 && test.height == 9)
    #expect(test.referenceDepth == 16)
    #expect(test.hash == "abcd")
    #expect(test.frames.isEmpty)
  }

  @Test func dashesMeanNothing() throws {
    let row = "a.png\tpng\t-\treject\t-\t-\t-\t-\t-\t-\n"
    let test = try #require(try Manifest(manifest: Array((header + row).utf8)).cases.first)
    #expect(test.suite == ".")
    #expect(test.reference == nil && test.rule == nil && test.hash == nil && test.width == nil)
    #expect(test.referenceDepth == 8)
  }

  @Test(arguments: [
    ("exact", ComparisonRule.exact), ("max<=1", .maximumDifference(1)),
    ("exact(max<=1 for OVER)", .maximumDifference(1)), ("tol", .tolerance),
    ("tol(libwebp-exact possible)", .tolerance), ("perceptual", .perceptual), ("reftest", .renderingTwin),
    ("tol(peak=1,mse=0.05)", .components), ("tol(peak=40,mse=10.154);rgb max<=41", .maximumDifference(41)),
    ("exact;rgb max<=1", .maximumDifference(1)),
  ])
  func rules(text: String, rule: ComparisonRule) {
    #expect(ComparisonRule(manifest: text) == rule)
  }

  @Test func lossyRowsOfTheReferenceTransformAreExact() throws {
    let rows = [
      "a.jpg\tjpeg\t-\tdecode\ttol\tdjpeg libjpeg-turbo\t-\t-\t8\tab\n",
      "b.jpg\tjpeg\t-\tdecode\ttol\tanother\t-\t-\t8\tab\n",
    ]
    let cases = try Manifest(manifest: Array((header + rows.joined()).utf8)).cases
    #expect(cases.map(\.rule) == [.exact, .tolerance])
  }

  @Test func rowsWithoutExpectationAreErrors() {
    let row = "a.png\tpng\t-\tperhaps\t-\t-\t-\t-\t-\t-\n"
    #expect(throws: ManifestError.self) { try Manifest(manifest: Array((header + row).utf8)) }
  }

  @Test func framesBelongToTheirCase() throws {
    let row = "a.png\tpng\t-\tdecode\texact\t-\t-\t-\t8\tab\n"
    let frames =
      "path\tkind\tindex\tdelay_ms\trgba_sha256\treference\na.png\tframe\t0\t70.0\tcd\t-\na.png\tframe\t1\t-\tef\tr.png\n"
      + "b.ico\tentry 16x16x32\t0\t-\t01\t-\n"
    let test = try #require(
      try Manifest(manifest: Array((header + row).utf8), frames: Array(frames.utf8)).cases.first)
    #expect(test.frames.map(\.index) == [0, 1])
    #expect(test.frames.map(\.delayInMilliseconds) == [70, nil])
    #expect(test.frames.map(\.hash) == ["cd", "ef"])
    #expect(test.frames.map(\.reference) == [nil, "r.png"])
    #expect(test.frameCount == nil)
    // The table may list the first frames only.
    let counted = header.dropLast() + "\tframes\n" + row.dropLast() + "\t95\n"
    let long = try #require(try Manifest(manifest: Array(counted.utf8), frames: Array(frames.utf8)).cases.first)
    #expect(long.frameCount == 95 && long.frames.count == 2)
  }
}
