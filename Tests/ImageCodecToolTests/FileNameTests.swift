// Names of files that are not UTF-8, and characters that a terminal would obey.

import Foundation
import ImageCodecs
import Testing
import imagecodec

@Suite struct FileNameConversionTests {
  @Test func everyNameHasOneString() {
    let names: [[UInt8]] = [
      Array("a.png".utf8), Array("grün 画像.png".utf8), [0xFF], [0x62, 0xFF, 0xFE, 0x63], [0xC3], [0xC3, 0x28],
      [0xE2, 0x82], [0xF0, 0x9F, 0x98, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xC0, 0x80], [],
      // The characters that represent bytes, and their neighbours.
      Array("\u{10FE80}\u{10FEFF}".utf8), Array("\u{10FE7F}\u{10FF00}".utf8), Array("\u{10FEC3}".utf8) + [0xA9],
    ]
    for name in names {
      let text = FileName.text(of: name)
      #expect(FileName.bytes(of: text) == name)
      // A name without such bytes is the string itself.
      let isPlain = String(validating: name, as: UTF8.self).map {
        !$0.contains { ("\u{10FE80}"..."\u{10FEFF}").contains($0) }
      }
      #expect((text == String(decoding: name, as: UTF8.self)) == (isPlain ?? false))
    }
    #expect(Set(names.map { FileName.text(of: $0) }).count == names.count)
  }

  @Test func everyTwoBytesComeBack() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let name = [first, second]
        #expect(FileName.bytes(of: FileName.text(of: name)) == name)
      }
    }
  }

  @Test func controlsAreShownAsEscapes() {
    let name = Array("a\n\t\r\u{1B}[31m\u{7F}\u{9B}\u{202E}é".utf8) + [0xFF, 0x80]
    #expect(FileName.display(FileName.text(of: name)) == #"a\n\t\r\x1b[31m\x7f\u{9b}\u{202e}é\xff\x80"#)
    #expect(FileName.display("grün \u{200F}画像.png") == "grün \u{200F}画像.png")
  }
}

@Suite final class FileNameCommandTests {
  private let directory: URL
  private let png: [UInt8]

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    png = try Bitmap(width: 2, height: 2, format: .gray8, pixels: [1, 2, 3, 4]).encoded(as: .png)
    try Data(png).write(to: directory.appendingPathComponent("a.png"))
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  @Test func namesNeedNotBeUTF8() throws {
    let run = try ToolRun(
      script: #"""
        set -e
        bad=$(printf 'bad\377.png')
        cp a.png "$bad"
        "$tool" identify "$bad"
        "$tool" check "$bad"
        "$tool" convert "$bad" "$(printf 'out\376.pgm')"
        head -c 2 "$(printf 'out\376.pgm')"
        "$tool" thumbnail "$bad" "$(printf 'small\376.png')" --size 2x2
        "$tool" frames "$bad" "$(printf 'dir\375')" --format pgm
        ls | od -An -to1 | grep -c '37[567]'
        """#, in: directory)
    #expect(run.exitCode == 0, "\(run.errors)")
    let lines = run.text.split(separator: "\n")
    #expect(lines[0].hasPrefix(#"bad\xff.png: PNG 2x2 "#))
    #expect(lines[1] == #"bad\xff.png: OK"#)
    #expect(lines[2] == #"P5dir\xfd/frame-0000.pgm\#t0"#)
  }

  @Test func jsonHasTheBytesOfSuchNames() throws {
    let run = try ToolRun(
      script: #"n=$(printf 'b\377.png'); cp a.png "$n"; "$tool" identify --json "$n" a.png"#, in: directory)
    #expect(run.exitCode == 0, "\(run.errors)")
    let lines = run.text.split(separator: "\n").map { Data($0.utf8) }
    struct Report: Decodable {
      var file: String
      var fileBase64: String?
    }
    let reports = try lines.map { try JSONDecoder().decode(Report.self, from: $0) }
    #expect(reports.map(\.file) == ["b\u{FFFD}.png", "a.png"])
    #expect(reports.map(\.fileBase64) == [Data([0x62, 0xFF] + Array(".png".utf8)).base64EncodedString(), nil])
  }

  @Test func namesAreOneLine() throws {
    let name = "line\nfeed\u{1B}[2J.png"
    try Data(png).write(to: directory.appendingPathComponent(name))
    let run = try ToolRun("identify", name, in: directory)
    #expect(run.text.hasPrefix(#"line\nfeed\x1b[2J.png: PNG"#) && run.text.split(separator: "\n").count == 1)
    let missing = try ToolRun("identify", "no\nfile\u{1B}", in: directory)
    #expect(missing.errors == #"imagecodec: no\nfile\x1b: cannot be read: there is no such file or directory"# + "\n")
    let unknown = try ToolRun("convert", "a.png", "b.png", "--un\u{1B}known", in: directory)
    #expect(!unknown.errors.contains("\u{1B}") && unknown.exitCode == 2)
  }

  /// Text in a file is no more trustworthy than its name.
  @Test func metadataIsOneLineForEachValue() throws {
    var metadata = ImageMetadata()
    metadata.comments = ["red \u{1B}[31m\ttab\nfeed"]
    let picture = try Bitmap(width: 2, height: 2, format: .gray8, pixels: [1, 2, 3, 4])
    try Data(try picture.encoded(as: .jpeg, metadata: metadata)).write(to: directory.appendingPathComponent("c.jpg"))
    let run = try ToolRun("metadata", "show", "c.jpg", in: directory)
    #expect(run.text.contains("text\tComment\t" + #"red \x1b[31m\ttab\nfeed"# + "\n"))
  }

  @Test func jobsNameBytesAsPythonDoes() throws {
    let job = #"{"input":"j\udcff.png","output":"k\udcfe.png"}"#
    let script =
      #"cp a.png "$(printf 'j\377.png')"; printf '%s' '\#(job)' | "$tool" batch && test -f "$(printf 'k\376.png')""#
    let run = try ToolRun(script: script, in: directory)
    #expect(run.exitCode == 0, "\(run.text)\(run.errors)")
    #expect(run.text.contains(#""input":"j\#u{FFFD}.png","inputBase64":""#))
  }
}
