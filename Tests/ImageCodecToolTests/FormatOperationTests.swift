// Every command of the tool on every format: each works, or fails with one line that names what is not supported.

import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite final class FormatOperationTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  /// What a command must do with a file.
  private enum Outcome {
    case works
    /// It fails with a line that contains this text.
    case isUnsupported(String)
  }

  private struct Format {
    let name: String
    let bytes: [UInt8]
    /// The name of the format in error messages; `nil` if its pixels are decoded.
    var undecoded: String?
    var isRewritable = false
  }

  private static func formats() throws -> [Format] {
    var random = TestRandom(1)
    let picture = try Bitmap(width: 9, height: 7, format: .rgb8, pixels: random.bytes(9 * 7 * 3))
    let other = try Bitmap(width: 9, height: 7, format: .rgb8, pixels: random.bytes(9 * 7 * 3))
    let frames = [picture, other].map { AnimationFrame(bitmap: $0, delay: .milliseconds(50)) }
    return [
      Format(name: "a.png", bytes: try PNGEncoder().encode(picture), isRewritable: true),
      Format(
        name: "animated.png", bytes: try PNGEncoder().encode(animation: frames, loopCount: .infinite),
        isRewritable: true),
      Format(name: "a.jpg", bytes: try JPEGEncoder().encode(picture), isRewritable: true),
      Format(name: "a.gif", bytes: try GIFEncoder().encode(picture)),
      Format(name: "animated.gif", bytes: try GIFEncoder().encode(animation: frames, loopCount: .infinite)),
      Format(name: "a.webp", bytes: SampleFiles.webPPixel, isRewritable: true),
      Format(
        name: "a.svg",
        bytes: Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='7'><circle r='5'/></svg>".utf8)),
      Format(name: "a.tiff", bytes: try TIFFEncoder().encode(picture), isRewritable: true),
      Format(name: "pages.tiff", bytes: try TIFFEncoder().encode(pages: [picture, other]), isRewritable: true),
      Format(name: "a.bmp", bytes: SampleFiles.bmp(headerByteCount: 40), undecoded: "BMP"),
      Format(name: "a.ico", bytes: SampleFiles.ico, undecoded: "icons"),
      Format(name: "a.jp2", bytes: SampleFiles.jpeg2000, undecoded: "JPEG 2000"),
      Format(name: "a.jxl", bytes: SampleFiles.jpegXL, undecoded: "JPEG XL"),
      Format(name: "a.xbm", bytes: SampleFiles.xbm, undecoded: "XBM"),
    ]
  }

  private func expect(_ format: Format, _ arguments: [String], _ outcome: Outcome) throws {
    let run = try ToolRun(arguments, in: directory)
    let comment = Comment(
      rawValue: "\(format.name): \(arguments.joined(separator: " ")): \(run.exitCode) \(run.errors)")
    switch outcome {
    case .works: #expect(run.exitCode == 0, comment)
    case .isUnsupported(let text):
      #expect(run.exitCode == 1, comment)
      #expect(run.errors.contains("unsupported") && run.errors.contains(text), comment)
      #expect(run.errors.split(separator: "\n").count == 1, comment)
    }
  }

  @Test func everyCommandOnEveryFormat() throws {
    for format in try Self.formats() {
      try Data(format.bytes).write(to: directory.appendingPathComponent(format.name))
      let decodes = format.undecoded.map { Outcome.isUnsupported($0) } ?? .works
      try expect(format, ["identify", format.name], .works)
      try expect(format, ["identify", "--json", format.name], .works)
      try expect(format, ["metadata", "show", format.name], .works)
      try expect(format, ["convert", format.name, "out.png"], decodes)
      try expect(format, ["frames", format.name, "frames-\(format.name)"], decodes)
      try expect(format, ["sheet", format.name, "sheet.png"], decodes)
      try expect(format, ["check", format.name], decodes)
      let rewrites = format.isRewritable ? Outcome.works : .isUnsupported("metadata cannot be")
      try expect(format, ["metadata", "strip", format.name, "stripped"], rewrites)
    }
  }
}
