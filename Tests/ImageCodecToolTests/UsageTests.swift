// The error messages of the tool for arguments that it does not understand.

import Foundation
import ImageCodecs
import Testing
import imagecodec

@Suite final class UsageTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let png = try Bitmap(width: 2, height: 2, format: .gray8, pixels: [1, 2, 3, 4]).encoded(as: .png)
    try Data(png).write(to: directory.appendingPathComponent("a.png"))
    let drawing = #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="7"/>"#
    try Data(drawing.utf8).write(to: directory.appendingPathComponent("a.svg"))
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  @Test(arguments: [
    ("convert a.png", "imagecodec convert: Missing expected argument '<output>'"),
    ("convert a.png b.png --width -5", "imagecodec convert: --width must be between 1 and 65535, not -5"),
    ("sheet a.png b.png --gap -1", "imagecodec sheet: --gap must be between 0 and 65535, not -1"),
    ("identify --bogus a.png", "imagecodec identify: Unknown option '--bogus'"),
    (
      "convert a.png b.png --widht 5", "imagecodec convert: Unknown option '--widht'. Did you mean '--width'?"
    ),
    (
      "convert a.png b.jpg --quality 101",
      "imagecodec convert: --quality must be 1…100 for JPEG, or 0…100 for WebP, not 101"
    ),
    ("convert a.png b.jpg --quality 0", "imagecodec: b.jpg: --quality must be 1…100 for JPEG, not 0"),
    ("convert a.svg b.png --region 0,0,1,1", "imagecodec: a.svg: --region does not apply to drawings"),
    ("convert a.svg b.png --page 0", "imagecodec: a.svg: --page does not apply to drawings"),
    ("convert a.svg b.png --at-time 1", "imagecodec: a.svg: --at-time does not apply to drawings"),
    ("convert a.png b.yuv --quality 5", "imagecodec: b.yuv: --quality applies to JPEG and WebP only"),
    ("convert a.png b.yuv --width 5", "imagecodec: b.yuv: --width does not apply to planes"),
    ("metadata strip a.png", "imagecodec metadata strip: Missing expected argument '<output>'"),
    ("frobnicate a.png", "imagecodec: there is no command 'frobnicate'"),
    ("metadata shw", "imagecodec metadata: there is no command 'shw'"),
    ("batch --memory 99", "imagecodec batch: --memory requires --isolate"),
    ("batch --isolate --memory 9", "imagecodec batch: --memory must be between 64 and 1048576, not 9"),
  ]) func errorsNameTheCommand(_ arguments: String, _ line: String) throws {
    let run = try ToolRun(arguments.split(separator: " ").map { String($0) }, in: directory)
    #expect(run.errors == line + "\n" && run.exitCode == 2)
  }

  @Test func theVersionIsOneLine() throws {
    let run = try ToolRun("--version", in: directory)
    #expect(run.exitCode == 0 && run.text.wholeMatch(of: /imagecodec \d+\.\d+\.\d+\n/) != nil)
  }

  @Test func negativeNumbersAreValuesOfOptions() {
    let joined = { ToolArguments.joiningNegativeNumbers($0) }
    #expect(joined(["convert", "--gap", "-1", "a"]) == ["convert", "--gap=-1", "a"])
    #expect(joined(["--rotate", "-12.5"]) == ["--rotate=-12.5"])
    #expect(joined(["--gap=3", "-1"]) == ["--gap=3", "-1"])
    #expect(joined(["--gap", "-x", "-", "-1"]) == ["--gap", "-x", "-", "-1"])
    #expect(joined(["--", "--gap", "-1"]) == ["--", "--gap", "-1"])
  }

  @Test func onlyCloseOptionsAreSuggested() {
    func suggestion(_ name: String, _ other: String) -> String {
      UsageMessage.withoutFarSuggestion("Unknown option '--\(name)'. Did you mean '--\(other)'?")
    }
    for (name, other) in [("widht", "width"), ("qualty", "quality"), ("limit", "limits"), ("bakground", "background")] {
      #expect(suggestion(name, other).hasSuffix("Did you mean '--\(other)'?"))
    }
    for (name, other) in [("bogus", "fonts"), ("foo", "fit"), ("x", "at")] {
      #expect(suggestion(name, other) == "Unknown option '--\(name)'")
    }
    #expect(UsageMessage.withoutFarSuggestion("another 'message'") == "another 'message'")
  }
}
