// `imagecodec caption`, with a font whose letters are rectangles, so that their pixels can be told by hand.

import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite final class CaptionCommandTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let fonts = directory.appendingPathComponent("fonts")
    try FileManager.default.createDirectory(at: fonts, withIntermediateDirectories: true)
    let font = RectangleFont(glyphs: [.init(character: "a", advance: 500, box: (0, 0, 500, 500))])
    try Data(font.bytes).write(to: fonts.appendingPathComponent("boxes.ttf"))
    let black = try Bitmap(width: 40, height: 40, format: .rgb8, pixels: [UInt8](repeating: 0, count: 4800))
    try Data(try black.encoded(as: .png)).write(to: directory.appendingPathComponent("in.png"))
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  /// The rectangle of pixels that are not black, and the colour of its middle.
  private func ink(_ arguments: String...) throws -> (box: [Int], color: RGBA8) {
    let run = try ToolRun(
      ["caption", "in.png", "out.png", "--font", "Boxes", "--fonts", "fonts", "--size", "20"] + arguments, in: directory
    )
    #expect(run.exitCode == 0, "\(run.errors)")
    let bitmap = try Bitmap(decoding: try Data(contentsOf: directory.appendingPathComponent("out.png")))
    var box = [Int.max, Int.max, Int.min, Int.min]
    for y in 0..<40 {
      for x in 0..<40 where bitmap[x, y].red > 0 {
        box = [min(box[0], x), min(box[1], y), max(box[2], x), max(box[3], y)]
      }
    }
    let middle = box[2] < 0 ? bitmap[0, 0] : bitmap[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]
    return (box, middle)
  }

  /// A letter is ten pixels wide and high; its line is 20 high, with the baseline 16 below its top.
  @Test func textIsPlaced() throws {
    #expect(try ink("--text", "a", "--margin", "0").box == [15, 26, 24, 35])
    #expect(try ink("--text", "a", "--margin", "0", "--at", "top-left").box == [0, 6, 9, 15])
    #expect(try ink("--text", "a", "--margin", "2", "--at", "bottom-right").box == [28, 24, 37, 33])
    #expect(try ink("--text", "a", "--at", "center").box == [15, 16, 24, 25])
    #expect(try ink("--text", "a\na", "--margin", "0", "--at", "top-left").box == [0, 6, 9, 35])
    // Three letters of ten pixels do not fit into 25.
    #expect(try ink("--text", "aaa", "--margin", "7.5", "--at", "top-left", "--max-lines", "1").box[3] <= 23)
  }

  @Test func colorsAndOpacity() throws {
    #expect(try ink("--text", "a").color == RGBA8(red: 255, green: 255, blue: 255, alpha: 255))
    #expect(try ink("--text", "a", "--color", "ff8000").color == RGBA8(red: 255, green: 128, blue: 0, alpha: 255))
    #expect(try ink("--text", "a", "--opacity", "0.2").color.red == 51)
  }

  @Test func wrongUseIsRefused() throws {
    for arguments in [
      ["--text", "a", "--size", "0"], ["--text", "a", "--opacity", "2"], ["--text", "a", "--at", "middle"],
      ["--text", "a", "--color", "nothing"], ["--text", "a", "--weight", "1001"], [],
    ] {
      let run = try ToolRun(["caption", "in.png", "out.png"] + arguments, in: directory)
      #expect(run.exitCode == 2, "\(arguments): \(run.errors)")
    }
    #expect(try ToolRun("caption", "in.png", "out.xyz", "--text", "a", in: directory).exitCode == 2)
    #expect(try ToolRun("caption", "none.png", "out.png", "--text", "a", in: directory).exitCode == 2)
  }
}
