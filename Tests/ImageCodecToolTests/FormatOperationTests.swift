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

  /// The required outcome of a command.
  private enum Outcome {
    case works
    /// It fails with a line that contains this text.
    case isUnsupported(String)
  }

  private struct Format {
    let name: String
    let bytes: [UInt8]
    /// The text of error messages if pixels are not decoded; `nil` if they are.
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
      Format(name: "a.gif", bytes: try GIFEncoder().encode(picture), isRewritable: true),
      Format(
        name: "animated.gif", bytes: try GIFEncoder().encode(animation: frames, loopCount: .infinite),
        isRewritable: true),
      Format(name: "a.webp", bytes: SampleFiles.webPPixel, isRewritable: true),
      Format(
        name: "a.svg",
        bytes: Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='7'><circle r='5'/></svg>".utf8),
        isRewritable: true),
      Format(name: "a.tiff", bytes: try TIFFEncoder().encode(picture), isRewritable: true),
      Format(name: "pages.tiff", bytes: try TIFFEncoder().encode(pages: [picture, other]), isRewritable: true),
      Format(name: "a.bmp", bytes: try picture.encoded(as: .bmp)),
      Format(name: "a.ico", bytes: try IconEncoder().encode(images: [picture, other])),
      Format(name: "a.cur", bytes: try IconEncoder(options: .init(hotSpot: .init(x: 1, y: 2))).encode(picture)),
      Format(name: "a.icns", bytes: SampleFiles.icns),
      Format(name: "a.ppm", bytes: try picture.encoded(as: .pnm())),
      Format(
        name: "a.tga", bytes: [0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 8, 0x20, 1, 2]),
      Format(
        name: "a.qoi",
        bytes: Array("qoif".utf8) + [0, 0, 0, 2, 0, 0, 0, 1, 3, 0, 0xFE, 1, 2, 3, 0xC0, 0, 0, 0, 0, 0, 0, 0, 1]),
      Format(name: "a.dng", bytes: DNGBytes(width: 12, height: 10, samples: DNGBytes.noise(120)).bytes),
      Format(name: "a.jp2", bytes: try ownCase("jp2-lossless/rgb8.jp2"), isRewritable: true),
      Format(name: "a.j2k", bytes: try ownCase("jp2-lossless/tiles.j2k"), isRewritable: true),
      Format(
        name: "jab.jp2", bytes: SampleFiles.jpeg2000(colorSpace: 19), undecoded: "CIEJab", isRewritable: true),
      Format(name: "a.jxl", bytes: try ownCase("jxl-lossy/rgba.jxl"), isRewritable: true),
      Format(name: "animated.jxl", bytes: try ownCase("jxl-animation/lossless.jxl"), isRewritable: true),
      Format(
        name: "a.xbm",
        bytes: Array("#define a_width 3\n#define a_height 1\nstatic char a_bits[] = { 0x05 };\n".utf8)),
    ]
  }

  /// Returns a file of the project's conformance cases.
  private static func ownCase(_ path: String) throws -> [UInt8] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: root.appendingPathComponent("Conformance/Cases/" + path)))
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

  @Test func pagesAndEntriesAreSelected() throws {
    var random = TestRandom(2)
    let pictures = try [16, 32].map { side in
      try Bitmap(width: side, height: side, format: .rgba8, pixels: random.bytes(side * side * 4))
    }
    try Data(IconEncoder().encode(images: pictures)).write(to: directory.appendingPathComponent("a.ico"))
    for (index, picture) in pictures.enumerated() {
      #expect(try ToolRun(["convert", "--page", "\(index)", "a.ico", "out.png"], in: directory).exitCode == 0)
      let page = try Data(contentsOf: directory.appendingPathComponent("out.png"))
      #expect(try Bitmap(decoding: page).converted(to: .rgba8).packedPixels == picture.packedPixels)
    }
    #expect(try ToolRun(["convert", "--page", "2", "a.ico", "out.png"], in: directory).exitCode != 0)
    #expect(try ToolRun(["frames", "a.ico", "entries"], in: directory).exitCode == 0)
    for (index, picture) in pictures.enumerated() {
      let entry = try Data(contentsOf: directory.appendingPathComponent("entries/frame-000\(index).png"))
      #expect(try Bitmap(decoding: entry).converted(to: .rgba8).packedPixels == picture.packedPixels)
    }
    for name in ["out.bmp", "out.ico", "out.pbm", "out.pgm", "out.ppm", "out.pam"] {
      #expect(try ToolRun(["convert", "a.ico", name], in: directory).exitCode == 0)
      #expect(try ToolRun(["check", name], in: directory).exitCode == 0)
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

  @Test func partsAreDecoded() throws {
    let file = try Self.ownCase("jp2-lossless/rgb8.jp2")
    try Data(file).write(to: directory.appendingPathComponent("a.jp2"))
    func written(_ arguments: String...) throws -> Bitmap {
      let run = try ToolRun(["convert", "a.jp2", "out.png"] + arguments, in: directory)
      #expect(run.exitCode == 0, "\(run.errors)")
      return try Bitmap(decoding: [UInt8](Data(contentsOf: directory.appendingPathComponent("out.png"))))
    }
    let whole = try Bitmap(decoding: file)
    let region = PixelRegion(x: 5, y: 3, width: 17, height: 20)
    #expect(try written("--region", "5,3,17,20").packedPixels == whole.cropped(to: region).packedPixels)
    for (count, size) in [
      (0, PixelSize(width: 37, height: 29)), (1, PixelSize(width: 19, height: 15)),
      (3, PixelSize(width: 5, height: 4)), (9, PixelSize(width: 5, height: 4)),
    ] { #expect(try written("--reduce", "\(count)").pixelSize == size) }
    for arguments in [
      ["--region", "1,2,3"], ["--region", "0,0,0,4"], ["--region", "0,0,99,4"], ["--reduce", "-1"],
      ["--reduce", "1", "--region", "0,0,4,4"],
    ] { #expect(try ToolRun(["convert", "a.jp2", "b.png"] + arguments, in: directory).exitCode != 0) }
  }

  @Test func embeddedPicturesAndSamplesOfRawFiles() throws {
    let samples = DNGBytes.noise(12 * 10)
    let jpeg = try JPEGEncoder().encode(try Bitmap(width: 6, height: 5, format: .rgb8))
    let pixels = (0..<4 * 3 * 3).map { UInt8($0) }
    var file = DNGBytes(width: 12, height: 10, samples: samples)
    file.further = [.blob(offset: 513, count: 514, jpeg), .subdirectories(330, [0])]
    file.others = [
      [
        .long(254, [1]), .long(256, [4]), .long(257, [3]), .short(258, [8, 8, 8]), .short(259, [1]), .short(262, [2]),
        .short(277, [3]), .long(278, [3]), .blobs(offsets: 273, counts: 279, [pixels]),
      ]
    ]
    try Data(file.bytes).write(to: directory.appendingPathComponent("a.dng"))
    let run = try ToolRun(["embedded", "a.dng", "out"], in: directory)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(
      String(decoding: run.output, as: UTF8.self)
        == "out/embedded-0000.jpg\t6\t5\tthumbnail\nout/embedded-0001.ppm\t4\t3\tthumbnail\n")
    #expect([UInt8](try Data(contentsOf: directory.appendingPathComponent("out/embedded-0000.jpg"))) == jpeg)
    let written = [UInt8](try Data(contentsOf: directory.appendingPathComponent("out/embedded-0001.ppm")))
    #expect(written == Array("P6\n4 3\n255\n".utf8) + pixels)

    #expect(try ToolRun(["convert", "a.dng", "a.yuv"], in: directory).exitCode == 0)
    let words = [UInt8](try Data(contentsOf: directory.appendingPathComponent("a.yuv")))
    #expect(words == samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
    #expect(
      try ToolRun(["convert", "a.dng", "b.png", "--sensor", "--raw-rendering", "toned"], in: directory).exitCode == 0)

    try Data(jpeg).write(to: directory.appendingPathComponent("a.jpg"))
    #expect(try ToolRun(["embedded", "a.jpg", "none"], in: directory).exitCode == 1)
  }

  @Test func depthsAreWritten() throws {
    let file = try Self.ownCase("jp2-lossless/rgb8.jp2")
    try Data(file).write(to: directory.appendingPathComponent("a.jp2"))
    let stored = try Bitmap(decoding: file)
    for (depth, format) in [(8, PixelFormat.rgb8), (16, .rgb16)] {
      // PNG would be written with the fewest bits that hold all samples.
      let run = try ToolRun(["convert", "a.jp2", "out.ppm", "--depth", "\(depth)"], in: directory)
      #expect(run.exitCode == 0, "\(run.errors)")
      let written = try Bitmap(decoding: [UInt8](Data(contentsOf: directory.appendingPathComponent("out.ppm"))))
      #expect(try written.format == format && written.packedPixels == stored.converted(to: format).packedPixels)
    }
    for arguments in [["--depth", "12"], ["--depth", "16", "--frame", "0"]] {
      #expect(try ToolRun(["convert", "a.jp2", "b.ppm"] + arguments, in: directory).exitCode != 0)
    }
  }

  @Test func componentsAreWrittenAtTheirSizes() throws {
    let file = try Self.ownCase("jp2-colors/sycc420.jp2")
    try Data(file).write(to: directory.appendingPathComponent("a.jp2"))
    #expect(try ToolRun(["convert", "a.jp2", "a.yuv"], in: directory).exitCode == 0)
    let planes = [UInt8](try Data(contentsOf: directory.appendingPathComponent("a.yuv")))
    // The formulas that the planes were made with.
    var expected: [UInt8] = []
    for _ in 0..<16 { expected += (0..<22).map { UInt8(20 + 9 * $0 % 200) } }
    for factor in [1, 2] {
      for y in 0..<8 { expected += (0..<11).map { UInt8(60 + 11 * ($0 + factor * y) % 150) } }
    }
    #expect(planes == expected)
    #expect(try ToolRun(["convert", "a.jp2", "b.yuv", "--reduce", "1"], in: directory).exitCode == 0)
    #expect(try Data(contentsOf: directory.appendingPathComponent("b.yuv")).count == 11 * 8 + 2 * 6 * 4)
    #expect(try ToolRun(["convert", "a.jp2", "c.yuv", "--region", "0,0,4,4"], in: directory).exitCode == 1)
  }

  #if JPEGXL
    @Test func jpegFilesAreReconstructed() throws {
      let file = directory.appendingPathComponent("a.jxl")
      try Data(Self.ownCase("jxl-jpeg/420.jxl")).write(to: file)
      let original = try ImageFile(contentsOf: file).reconstructedJPEG()
      func written(_ arguments: String...) throws -> [UInt8] {
        #expect(try ToolRun(["transform", "a.jxl", "a.jpg"] + arguments, in: directory).exitCode == 0)
        return [UInt8](try Data(contentsOf: directory.appendingPathComponent("a.jpg")))
      }
      #expect(try written() == original)
      let turned = JPEGTransformer(options: .init(operation: .rotate90))
      #expect(try written("--rotate", "90") == turned.transform(original.span))
      try Data(ImageFile(contentsOf: file).stripped()).write(to: file)
      let run = try ToolRun("transform", "a.jxl", "b.jpg", in: directory)
      #expect(run.exitCode == 1 && run.errors.contains("no data from which a JPEG file can be reconstructed"))
    }
  #endif

  #if AV1
    @Test func stillPicturesReplaceAnimationsWithUnsupportedFrames() throws {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      let file = root.appendingPathComponent("Conformance/Cases/avif-sequences/inter-coded.avif").path
      let run = try ToolRun("convert", file, "out.png", in: directory)
      #expect(run.exitCode == 0)
      #expect(run.errors.contains("only a still picture is written: frame 1: inter-coded frames are not supported"))
      let picture = try ImageFile(contentsOf: directory.appendingPathComponent("out.png"))
      let still = try ImageFile(contentsOfFile: file).decode().bitmap.converted(to: .rgba8)
      #expect(try picture.decode().bitmap.converted(to: .rgba8).packedPixels == still.packedPixels)
      #expect(try picture.animation() == nil)
      let strict = try ToolRun("convert", "--strict", file, "strict.png", in: directory)
      #expect(strict.exitCode != 0 && strict.errors.contains("inter-coded frames"))
      #expect(!FileManager.default.fileExists(atPath: directory.appendingPathComponent("strict.png").path))
    }
  #endif
}
