// Key frames of videos in the tool: a movie whose frames are PNG files of one colour each.

import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite final class VideoCommandTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  // MARK: A movie

  private func big(_ value: Int, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    let content = parts.flatMap { $0 }
    return big(content.count + 8, 4) + Array(type.utf8) + content
  }

  /// A movie box of a track whose samples are in one chunk and last half a second each.
  private func movie(_ samples: [[UInt8]], at start: Int) -> [UInt8] {
    let count = big(samples.count, 4)
    let entry = box("png ", big(0, 24), big(8, 2), big(6, 2), big(0, 50))
    let table = box(
      "stbl", box("stsd", big(0, 4), big(1, 4), entry), box("stts", big(0, 4), big(1, 4), count, big(500, 4)),
      box("stsc", big(0, 4), big(1, 4), big(1, 4), count, big(1, 4)),
      box("stsz", big(0, 4), big(0, 4), count, samples.flatMap { big($0.count, 4) }),
      box("co64", big(0, 4), big(1, 4), big(start, 8)))
    let header = box("mdhd", big(0, 12), big(1_000, 4), big(500 * samples.count, 4), big(0, 4))
    let media = box("mdia", header, box("hdlr", big(0, 8), Array("vide".utf8), big(0, 12)), box("minf", table))
    return box("moov", box("mvhd", big(0, 12), big(1_000, 4), big(0, 84)), box("trak", media))
  }

  private func frame(_ index: Int) -> RGBA8 { RGBA8(red: UInt8(index * 40), green: 7, blue: 200) }

  private func samples(_ count: Int) throws -> [[UInt8]] {
    try (0..<count).map { index in
      let color = frame(index)
      let pixels = (0..<48).flatMap { _ in [color.red, color.green, color.blue] }
      return try PNGEncoder().encode(try Bitmap(width: 8, height: 6, format: .rgb8, pixels: pixels))
    }
  }

  /// Writes a movie with its data first, after a gap that takes no space on the disk.
  private func write(_ samples: [[UInt8]], gap: Int = 0, to name: String) throws {
    let type = box("ftyp", Array("qt  ".utf8), big(0, 4))
    let data = samples.flatMap { $0 }
    let start = type.count + 16 + gap
    let path = directory.appendingPathComponent(name)
    try Data(type + big(1, 4) + Array("mdat".utf8) + big(16 + gap + data.count, 8)).write(to: path)
    let file = try FileHandle(forWritingTo: path)
    try file.truncate(atOffset: UInt64(start))
    try file.seekToEnd()
    try file.write(contentsOf: data + movie(samples, at: start))
    try file.close()
  }

  private func color(_ arguments: String...) throws -> RGBA8 {
    let run = try ToolRun(arguments + ["-", "--format", "pam"], in: directory)
    #expect(run.exitCode == 0, "\(run.errors)")
    return try Bitmap(decoding: run.output)[1, 1]
  }

  // MARK: Tests

  @Test func keyFramesAreSelectedByIndexAndByTime() throws {
    try write(try samples(5), to: "a.mov")
    #expect(try color("convert", "a.mov") == frame(0))
    #expect(try color("convert", "a.mov", "--at-key-frame", "3") == frame(3))
    #expect(try color("convert", "a.mov", "--at-time", "1.2") == frame(2))
    #expect(try color("convert", "a.mov", "--at-time", "1e9") == frame(4))
    #expect(try color("thumbnail", "a.mov", "--size", "4x4", "--at-key-frame", "1") == frame(1))
    // PNG is a format of animations, which videos are not.
    #expect(try ToolRun("convert", "a.mov", "a.png", "--at-time", "0.5", in: directory).exitCode == 0)
    #expect(try Bitmap(contentsOf: directory.appendingPathComponent("a.png"))[0, 0] == frame(1))
    for (arguments, reason) in [
      (["--at-key-frame", "5"], "there is no key frame 5; the video has 5"),
      (["--at-key-frame", "-1"], "must not be negative"), (["--at-time", "nan"], "number of seconds"),
      (["--at-time", "1", "--at-key-frame", "1"], "exclude each other"),
    ] {
      let run = try ToolRun(["convert", "a.mov", "b.png"] + arguments, in: directory)
      #expect(run.exitCode != 0 && run.errors.contains(reason), "\(run.errors)")
    }
    let run = try ToolRun("convert", "a.png", "b.png", "--at-time", "0", in: directory)
    #expect(run.exitCode != 0 && run.errors.contains("has no key frames"))
  }

  @Test func sheetsHaveKeyFramesOfTheWholeVideo() throws {
    try write(try samples(6), to: "a.mov")
    #expect(try ToolRun("sheet", "a.mov", "all.png", "--columns", "6", "--gap", "0", in: directory).exitCode == 0)
    let all = try Bitmap(contentsOf: directory.appendingPathComponent("all.png"))
    #expect(all.pixelSize == PixelSize(width: 48, height: 6))
    for index in 0..<6 { #expect(all[8 * index + 4, 3] == frame(index)) }
    let arguments = ["sheet", "a.mov", "some.png", "--columns", "3", "--gap", "0", "--count", "3"]
    #expect(try ToolRun(arguments, in: directory).exitCode == 0)
    let some = try Bitmap(contentsOf: directory.appendingPathComponent("some.png"))
    #expect([1, 3, 5].enumerated().allSatisfy { some[8 * $0 + 4, 3] == frame($1) })
  }

  @Test func damagedKeyFramesAreLeftOutOfSheetsUnlessDecodingIsStrict() throws {
    var samples = try samples(3)
    samples[1] = [UInt8](repeating: 0, count: 50)
    try write(samples, to: "a.mov")
    let run = try ToolRun("sheet", "a.mov", "a.png", "--columns", "3", "--gap", "0", in: directory)
    #expect(run.exitCode == 0 && run.errors.contains("key frame 1 is left out"))
    let sheet = try Bitmap(contentsOf: directory.appendingPathComponent("a.png"))
    #expect(sheet[4, 3] == frame(0) && sheet[12, 3] == frame(2))
    #expect(try ToolRun("sheet", "a.mov", "b.png", "--strict", in: directory).exitCode == 1)
  }

  /// The file has more bytes than a decode may take memory.
  @Test func ofALargeVideoLittleIsRead() throws {
    try write(try samples(2), gap: 600 << 20, to: "a.mov")
    #expect(try color("convert", "a.mov", "--at-key-frame", "1") == frame(1))
    #expect(try color("thumbnail", "a.mov", "--size", "4x4") == frame(0))
    let file = try ImageFile(contentsOf: directory.appendingPathComponent("a.mov"))
    #expect(try file.info().size == PixelSize(width: 8, height: 6))
    #expect(try file.keyFrameTimes() == [.zero, .milliseconds(500)])
  }

  @Test func otherVideosAreNamed() throws {
    let webM: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x87, 0x42, 0x82, 0x84] + Array("webm".utf8)
    try Data(webM + [UInt8](repeating: 0, count: 90)).write(to: directory.appendingPathComponent("a.webm"))
    for command in [["convert", "a.webm", "a.png"], ["sheet", "a.webm", "a.png"], ["identify", "a.webm"]] {
      let run = try ToolRun(command, in: directory)
      #expect(run.exitCode == 1 && run.errors.contains("WebM videos are identified but not read"), "\(run.errors)")
    }
  }
}
