// The built tool as a shell sees it: standard output, standard error and the exit code.

import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite final class ToolRunTests {
  private let directory: URL
  private let bitmap: Bitmap

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    bitmap = try Bitmap(width: 2, height: 2, format: .rgba8, pixels: (1...16).map { UInt8($0 * 15) })
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: directory.appendingPathComponent(name))
  }

  private func read(_ name: String) throws -> Data {
    try Data(contentsOf: directory.appendingPathComponent(name))
  }

  private var pam: Data {
    Data("P7\nWIDTH 2\nHEIGHT 2\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n".utf8) + bitmap.packedPixels
  }

  @Test func identifyPrintsALineAFileAndGoesOnAfterABadOne() throws {
    try write(try bitmap.encoded(as: .png), "a.png")
    try write([1, 2, 3], "b.png")
    let run = try ToolRun("identify", "--json", "b.png", "a.png", in: directory)
    #expect(run.exitCode == 1)
    #expect(run.text.hasPrefix(#"{"file":"a.png","format":"png","mimeType":"image/png","width":2,"height":2,"#))
    #expect(run.text.split(separator: "\n").count == 1)
    #expect(
      run.errors == "imagecodec: b.png: unrecognizedFormat: the input ends before its format is known (byte 3)\n")
  }

  @Test func convertByExtensionAndThroughPipes() throws {
    let png = try bitmap.encoded(as: .png)
    try write(png, "a.png")
    #expect(try ToolRun("convert", "a.png", "b.pam", in: directory).exitCode == 0)
    #expect(try read("b.pam") == pam)
    let piped = try ToolRun("convert", "-", "-", "--format", "pam", input: Data(png), in: directory)
    #expect(piped.output == pam)
    #expect(try ToolRun("convert", "a.png", "c.png", in: directory).exitCode == 0)
    #expect(try Bitmap(decoding: try read("c.png")).converted(to: .rgba8).packedPixels == bitmap.packedPixels)
  }

  @Test func placeholdersAreLinesOfJSON() throws {
    let red = try Bitmap(width: 2, height: 1, format: .rgb8, pixels: [255, 0, 0, 255, 0, 0])
    try write(try red.encoded(as: .png), "red.png")
    let run = try ToolRun("placeholder", "red.png", "--colors", "3", in: directory)
    #expect(run.exitCode == 0)
    #expect(run.text.hasPrefix(#"{"file":"red.png","thumbHash":""#))
    #expect(run.text.contains(##""averageColor":"#ff0000","dominantColors":"#ff0000 100%"}"##))
    #expect(try ToolRun("placeholder", "red.png", "--colors", "0", in: directory).exitCode == 2)
  }

  @Test func orientationIsAppliedOrKept() throws {
    var turned = try Bitmap(width: 4, height: 1, format: .rgba8, pixels: bitmap.packedPixels)
    turned.orientation = .right
    try write(try turned.encoded(as: .png), "a.png")
    _ = try ToolRun("convert", "a.png", "applied.ppm", in: directory)
    #expect(try read("applied.ppm").starts(with: Data("P6\n1 4\n".utf8)))
    _ = try ToolRun("convert", "a.png", "kept.ppm", "--orientation", "keep", in: directory)
    #expect(try read("kept.ppm").starts(with: Data("P6\n4 1\n".utf8)))
    // Through PNG the orientation is neither lost nor applied twice.
    _ = try ToolRun("convert", "a.png", "kept.png", "--orientation", "keep", in: directory)
    #expect(try ImageFile(try read("kept.png")).info().orientation == .right)
    _ = try ToolRun("convert", "a.png", "applied.png", in: directory)
    let applied = try ImageFile(try read("applied.png")).info()
    #expect(applied.orientation == .up && applied.size == PixelSize(width: 1, height: 4))
  }

  @Test func damageIsToldAndFatalIfStrict() throws {
    // Samples without any pattern, so that half of the file is about half of the rows.
    var state: UInt32 = 1
    let noise = (0..<32 * 32).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    let png = try Bitmap(width: 32, height: 32, format: .gray8, pixels: noise).encoded(as: .png)
    try write(Array(png.prefix(png.count / 2)), "a.png")
    let lenient = try ToolRun("convert", "a.png", "-", "--format", "pam", in: directory)
    #expect(lenient.exitCode == 0 && lenient.errors.contains("imagecodec: a.png: damage: "))
    let strict = try ToolRun("convert", "a.png", "b.pam", "--strict", in: directory)
    #expect(strict.exitCode == 1 && strict.errors.hasPrefix("imagecodec: a.png: truncated: "))
    let check = try ToolRun("check", "a.png", in: directory)
    #expect(check.exitCode == 1)
    #expect(check.errors.hasPrefix("imagecodec: a.png: truncated: "))
    #expect(check.text.hasPrefix("a.png: damage: "))
  }

  @Test func checkSaysOK() throws {
    try write(try bitmap.encoded(as: .png), "a.png")
    let run = try ToolRun("check", "a.png", in: directory)
    #expect(run.text == "a.png: OK\n" && run.exitCode == 0)
  }

  @Test func framesOfAnAnimation() throws {
    let second = try Bitmap(width: 2, height: 2, format: .rgba8, pixels: bitmap.packedPixels.reversed())
    let frames = [
      AnimationFrame(bitmap: bitmap, delay: .milliseconds(40)),
      AnimationFrame(bitmap: second, delay: .milliseconds(60)),
    ]
    try write(try PNGEncoder().encode(animation: frames, loopCount: .finite(3)), "a.png")
    let run = try ToolRun("frames", "a.png", "out", "--format", "pam", in: directory)
    #expect(run.text == "out/frame-0000.pam\t40\nout/frame-0001.pam\t60\n")
    #expect(try read("out/frame-0000.pam") == pam)
    #expect(try read("out/frame-0001.pam").suffix(16) == Data(second.packedPixels))
    _ = try ToolRun("convert", "a.png", "b.pam", "--frame", "1", in: directory)
    #expect(try read("b.pam") == (try read("out/frame-0001.pam")))
    let missing = try ToolRun("convert", "a.png", "b.pam", "--frame", "2", in: directory)
    #expect(missing.exitCode == 2 && missing.errors.contains("frame 2 is out of range: the frame count is 2"))
    let info = try ToolRun("identify", "--json", "a.png", in: directory).text
    #expect(info.contains(#""frames":2,"loopCount":3,"durationMs":100,"#))
  }

  @Test func damagedFramesAreReported() throws {
    var frames: [AnimationFrame] = []
    for level: UInt8 in [0, 90, 180] {
      let pixels = bitmap.packedPixels.map { $0 &+ level }
      let picture = try Bitmap(width: 2, height: 2, format: .rgba8, pixels: pixels)
      frames.append(AnimationFrame(bitmap: picture, delay: .milliseconds(40)))
    }
    var file = try PNGEncoder().encode(animation: frames, loopCount: .finite(3))
    let start = try #require(file.indices.first { file[$0...].starts(with: Array("fdAT".utf8)) })
    // The header of the zlib stream follows the sequence number.
    file[start + 8] = 0xFF
    try write(file, "a.png")
    for arguments in [
      ["frames", "a.png", "out"], ["frames", "a.png", "out", "--frame", "1"], ["convert", "a.png", "b.gif"],
      ["convert", "a.png", "b.png", "--frame", "1"], ["sheet", "a.png", "sheet.png"],
    ] {
      let run = try ToolRun(arguments, in: directory)
      #expect(run.exitCode == 0)
      let lines = run.errors.split(separator: "\n").filter { $0.contains("damage") }
      #expect(lines.count == 1 && lines.first?.contains(" in frame 1 at byte ") == true, "\(arguments): \(run.errors)")
    }
    let intact = try ToolRun("frames", "a.png", "out", "--frame", "0", in: directory)
    #expect(intact.exitCode == 0 && !intact.errors.contains("damage"))
  }

  @Test func animationsKeepTheirTiming() throws {
    let opaque: [[UInt8]] = [0, 1, 2].map { (shift: UInt8) in
      (0..<16).map { (index: UInt8) -> UInt8 in index % 4 == 3 ? 255 : (index + shift) * 11 }
    }
    let frames = try opaque.enumerated().map { index, pixels in
      AnimationFrame(
        bitmap: try Bitmap(width: 2, height: 2, format: .rgba8, pixels: pixels), delay: .milliseconds(40 + index * 20))
    }
    try write(try PNGEncoder().encode(animation: frames, loopCount: .finite(3)), "a.png")
    #expect(try ToolRun("convert", "a.png", "b.gif", in: directory).exitCode == 0)
    #expect(try ToolRun("convert", "b.gif", "c.png", in: directory).exitCode == 0)
    for file in ["b.gif", "c.png"] {
      let info = try ToolRun("identify", "--json", file, in: directory).text
      #expect(info.contains(#""frames":3,"loopCount":3,"durationMs":180,"#))
      let run = try ToolRun("frames", file, "out", "--format", "pam", in: directory)
      #expect(run.text == "out/frame-0000.pam\t40\nout/frame-0001.pam\t60\nout/frame-0002.pam\t80\n")
      for (index, pixels) in opaque.enumerated() {
        #expect(try read("out/frame-000\(index).pam").suffix(16) == Data(pixels))
      }
    }
    _ = try ToolRun("convert", "b.gif", "d.png", "--frame", "1", in: directory)
    #expect(try ImageFile(try read("d.png")).info().isAnimated == false)
  }

  @Test func aSheetHasAllFrames() throws {
    let pictures = try (0..<5).map { (index: Int) -> Bitmap in
      let pixels = (0..<32).map { (byte: Int) -> UInt8 in byte % 4 == 3 ? 255 : UInt8(index * 40) }
      return try Bitmap(width: 4, height: 2, format: .rgba8, pixels: pixels)
    }
    let frames = pictures.map { AnimationFrame(bitmap: $0, delay: .milliseconds(50)) }
    try write(try GIFEncoder().encode(animation: frames, loopCount: .infinite), "a.gif")
    #expect(try ToolRun("sheet", "a.gif", "sheet.png", "--gap", "1", in: directory).exitCode == 0)
    // Three in a row, two below.
    let sheet = try Bitmap(decoding: try read("sheet.png")).converted(to: .rgba8)
    #expect(sheet.pixelSize == PixelSize(width: 14, height: 5))
    for index in 0..<5 {
      let shade = UInt8(index * 40)
      #expect(sheet[index % 3 * 5 + 3, index / 3 * 3 + 1] == RGBA8(red: shade, green: shade, blue: shade))
    }
    #expect(sheet[4, 0].alpha == 0 && sheet[13, 4].alpha == 0)
    // Smaller where frames are larger than that, one column.
    #expect(try ToolRun("sheet", "a.gif", "b.png", "--size", "2", "--columns", "1", in: directory).exitCode == 0)
    #expect(try ImageFile(try read("b.png")).info().size == PixelSize(width: 2, height: 5 * 1 + 4 * 4))
    #expect(try ToolRun("sheet", "a.gif", "c.png", "--size", "0", in: directory).exitCode == 2)
    // The sheet of a still image is the image.
    try write(try bitmap.encoded(as: .png), "still.png")
    #expect(try ToolRun("sheet", "still.png", "-", "--format", "pam", in: directory).output == pam)
  }

  @Test func numbersOutOfRangeAreWrongUsage() throws {
    try write(try bitmap.encoded(as: .png), "a.png")
    let largest = String(Int.max)
    let runs = [
      ["sheet", "a.png", "s.png", "--gap", largest], ["sheet", "a.png", "s.png", "--gap", "-1"],
      ["sheet", "a.png", "s.png", "--size", largest], ["sheet", "a.png", "s.png", "--columns", largest],
      ["convert", "a.png", "s.png", "--width", largest], ["convert", "a.png", "s.png", "--height", "0"],
      ["convert", "a.png", "s.png", "--frame", largest], ["frames", "a.png", "d", "--frame", largest],
      ["frames", "a.png", "d", "--frame", "-9223372036854775808"],
    ]
    for arguments in runs { #expect(try ToolRun(arguments, in: directory).exitCode == 2, "\(arguments)") }
    #expect(try ToolRun("previews", "a.png", "d", "--chunk-size", largest, in: directory).exitCode == 0)
  }

  @Test func previewsWhileAFileArrives() throws {
    try write(try bitmap.encoded(as: .png(PNGEncoder.Options(isInterlaced: true))), "a.png")
    let run = try ToolRun("previews", "a.png", "out", "--chunk-size", "1", "--format", "pam", in: directory)
    let lines = run.text.split(separator: "\n")
    #expect(lines.count > 1 && lines[0].hasPrefix("out/preview-0001.pam\t"))
    #expect(try read("out/final.pam") == pam)
  }

  private func draw(_ svg: String, _ arguments: String...) throws -> Bitmap {
    try write(Array("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 2'>\(svg)</svg>".utf8), "in.svg")
    let run = try ToolRun(["convert", "in.svg", "out.png"] + arguments, in: directory)
    guard run.exitCode == 0 else { throw CodecError(.invalidArgument, run.errors) }
    return try Bitmap(decoding: try read("out.png")).converted(to: .rgba8)
  }

  @Test func drawingsHaveASizeAndABackground() throws {
    let half = "<path fill='#f00' d='M0 0h2v2H0z'/>"
    let wide = try draw(half, "--width", "40")
    #expect(wide.pixelSize == PixelSize(width: 40, height: 20))
    #expect(wide[19, 19] == RGBA8(red: 255, green: 0, blue: 0) && wide[20, 0].alpha == 0)
    #expect(try draw(half, "--height", "10").pixelSize == PixelSize(width: 20, height: 10))
    #expect(try draw(half, "--width", "6", "--height", "6").pixelSize == PixelSize(width: 6, height: 6))
    #expect(try draw(half).pixelSize == PixelSize(width: 4, height: 2))
    for background in ["blue", "#00f", "0000ff", "rgb(0 0 255)"] {
      #expect(try draw(half, "--background", background)[3, 0] == RGBA8(red: 0, green: 0, blue: 255))
    }
    #expect(try draw(half, "--background", "00ff0080")[3, 0] == RGBA8(red: 0, green: 255, blue: 0, alpha: 128))
    #expect(throws: CodecError.self) { try draw(half, "--background", "nocolor") }
    #expect(throws: CodecError.self) { try draw(half, "--width", "0") }
  }

  /// Only the folder that is named, and nothing that its names lead out to.
  @Test func linkedPicturesComeFromTheFolderAlone() throws {
    let folder = directory.appendingPathComponent("pictures")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let blue = try Bitmap(width: 1, height: 1, format: .rgb8, pixels: [0, 0, 255]).encoded(as: .png)
    try write(blue, "outside.png")
    try write(blue, "pictures/in side.png")
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("link.png"),
      withDestinationURL: directory.appendingPathComponent("outside.png"))
    func alpha(_ link: String, _ arguments: String...) throws -> UInt8 {
      try write(
        Array(
          "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'><image href='\(link)' width='1' height='1'/></svg>"
            .utf8), "in.svg")
      let run = try ToolRun(["convert", "in.svg", "out.png"] + arguments, in: directory)
      #expect(run.exitCode == 0)
      return try Bitmap(decoding: try read("out.png")).converted(to: .rgba8)[0, 0].alpha
    }
    for link in ["in side.png", "in%20side.png", "../pictures/in%20side.png", "./in side.png"] {
      #expect(try alpha(link, "--resources", "pictures") == 255)
      #expect(try alpha(link) == 0)
    }
    for link in [
      "../outside.png", "%2e%2e/outside.png", "link.png", directory.path + "/outside.png",
      "file://" + directory.path + "/outside.png", "",
    ] {
      #expect(try alpha(link, "--resources", "pictures") == 0)
    }
  }

  /// Links of a document in the folder refer to the document's own folder, and may climb from there up to the folder.
  @Test func linkedPicturesAreFoundFromTheDocument() throws {
    let files = FileManager.default
    for folder in ["root/drawings", "root/pictures"] {
      try files.createDirectory(at: directory.appendingPathComponent(folder), withIntermediateDirectories: true)
    }
    let blue = try Bitmap(width: 1, height: 1, format: .rgb8, pixels: [0, 0, 255]).encoded(as: .png)
    try write(blue, "outside.png")
    for name in ["root/pictures/a.png", "root/drawings/b.png", "root/c.png"] { try write(blue, name) }
    func alpha(_ link: String) throws -> UInt8 {
      try write(
        Array(
          "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'><image href='\(link)' width='1' height='1'/></svg>"
            .utf8), "root/drawings/in.svg")
      let run = try ToolRun(["convert", "root/drawings/in.svg", "out.png", "--resources", "root"], in: directory)
      #expect(run.exitCode == 0)
      return try Bitmap(decoding: try read("out.png")).converted(to: .rgba8)[0, 0].alpha
    }
    for link in ["../pictures/a.png", "b.png", "../c.png", "c.png", "pictures/a.png", "../../root/c.png"] {
      #expect(try alpha(link) == 255, "\(link)")
    }
    for link in ["../../outside.png", "../../../outside.png", "d.png"] { #expect(try alpha(link) == 0, "\(link)") }
  }

  @Test func textHasTheFontsOfTheFolderAlone() throws {
    let folder = directory.appendingPathComponent("fonts")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = "<text y='2' font-size='2.5' font-family='serif'>a</text>"
    let silent = try draw(text, "--width", "40", "--fonts", "fonts")
    #expect((0..<20).allSatisfy { silent[5, $0].alpha == 0 })
    for (family, top) in [("Low", 1000), ("High", 2000)] {
      var font = RectangleFont.squares("a", family: family)
      font.glyphs[0].box.3 = top / 5
      try write(font.bytes, "fonts/\(family).ttf")
    }
    // Two fifths and one fifth of 25 pixels, from row 20 up.
    let high = try draw(text, "--width", "40", "--serif-family", "High", "--fonts", "fonts")
    #expect(high[5, 11].alpha == 255 && high[5, 8].alpha == 0)
    let low = try draw(text, "--width", "40", "--serif-family", "Low", "--fonts", "fonts")
    #expect(low[5, 16].alpha == 255 && low[5, 13].alpha == 0)
  }

  @Test func jpegOptionsReachTheEncoder() throws {
    let pixels = (0..<4800).map { (index: Int) -> UInt8 in index % 4 == 3 ? 128 : UInt8(index / 7 % 256) }
    let picture = try Bitmap(width: 40, height: 30, format: .rgba8, pixels: pixels)
    try write(try picture.encoded(as: .png), "a.png")
    let options = JPEGEncoder.Options(
      quality: 61, subsampling: .yuv422, isProgressive: true, restartInterval: .rows(1),
      background: RGBA8(red: 10, green: 20, blue: 30))
    let run = try ToolRun(
      "convert", "a.png", "a.jpg", "--quality", "61", "--subsampling", "422", "--progressive", "--optimize",
      "--restart", "1", "--background", "0a141e", "--strip", in: directory)
    #expect(run.exitCode == 0 && run.errors.isEmpty)
    #expect(try [UInt8](read("a.jpg")) == JPEGEncoder(options: options).encode(picture))
    let gray = try ToolRun("convert", "a.png", "b.jpeg", "--subsampling", "gray", in: directory)
    #expect(gray.exitCode == 0)
    #expect(try ImageFile(try read("b.jpeg")).info().colorModel == .gray)
    let small = try ToolRun("convert", "a.png", "c.jpg", "--max-bytes", "900", in: directory)
    #expect(small.exitCode == 0)
    #expect(try read("c.jpg").count <= 900)
  }

  @Test func webPOptionsReachTheEncoder() throws {
    let pixels = (0..<4800).map { (index: Int) -> UInt8 in index % 4 == 3 ? 128 : UInt8(index / 7 % 256) }
    let picture = try Bitmap(width: 40, height: 30, format: .rgba8, pixels: pixels)
    try write(try picture.encoded(as: .png), "a.png")
    let lossy = WebPEncoder.Options(
      quality: 61, effort: 4, alphaQuality: 50, filterStrength: 20, filterSharpness: 3, segmentCount: 2,
      noiseShaping: 70, partitionCount: 2)
    let run = try ToolRun(
      "convert", "a.png", "a.webp", "--quality", "61", "--effort", "4", "--alpha-quality", "50", "--filter-strength",
      "20", "--filter-sharpness", "3", "--segments", "2", "--noise-shaping", "70", "--partitions", "2", in: directory)
    #expect(run.exitCode == 0 && run.errors.isEmpty)
    #expect(try [UInt8](read("a.webp")) == WebPEncoder(options: lossy).encode(picture))
    let lossless = try ToolRun(
      "convert", "a.png", "b.webp", "--lossless", "--near-lossless", "60", "--exact", in: directory)
    #expect(lossless.exitCode == 0)
    let options = WebPEncoder.Options(coding: .lossless, nearLossless: 60, keepsInvisibleColors: true)
    #expect(try [UInt8](read("b.webp")) == WebPEncoder(options: options).encode(picture))
    #expect(try ToolRun("convert", "a.png", "c.webp", "--max-bytes", "700", in: directory).exitCode == 0)
    #expect(try read("c.webp").count <= 700)
  }

  @Test func pngLevelsAndStripping() throws {
    let picture = try Bitmap(width: 60, height: 50, format: .rgb8, pixels: (0..<9000).map { UInt8($0 / 11 % 251) })
    var metadata = ImageMetadata()
    metadata.comments = ["a comment"]
    try write(try picture.encoded(as: .png, metadata: metadata), "a.png")
    for level in PNGEncoder.Options.Level.allCases {
      let run = try ToolRun(
        "convert", "a.png", "b.png", "--level", level.rawValue, "--strip", in: directory)
      #expect(run.exitCode == 0)
      #expect(try [UInt8](read("b.png")) == PNGEncoder(options: .init(level: level)).encode(picture))
    }
  }

  @Test func badEncodingArgumentsAreOneLine() throws {
    try write(try bitmap.encoded(as: .png), "a.png")
    try write([7], "old.jpg")
    let runs = [
      ["a.png", "old.jpg", "--quality", "0"], ["a.png", "old.jpg", "--quality", "101"],
      ["a.png", "old.jpg", "--quality", "x"], ["a.png", "old.jpg", "--subsampling", "421"],
      ["a.png", "old.jpg", "--restart", "0"], ["a.png", "old.jpg", "--max-bytes", "-1"],
      ["a.png", "old.jpg", "--background", "none of these"], ["a.png", "old.jpg", "--level", "small"],
      ["a.png", "b.png", "--quality", "5"], ["a.png", "b.png", "--level", "best"], ["a.png", "b.gif", "--optimize"],
      ["a.png", "b.webp", "--effort", "10"], ["a.png", "b.webp", "--lossless", "--mixed"],
      ["a.png", "b.png", "--lossless"],
    ]
    for arguments in runs {
      let run = try ToolRun(["convert"] + arguments, in: directory)
      #expect(run.exitCode == 2 && run.errors.split(separator: "\n").count == 1, "\(arguments): \(run.errors)")
    }
    // More than a JPEG of this size can be: the old file stays.
    #expect(try ToolRun("convert", "a.png", "old.jpg", "--max-bytes", "10", in: directory).exitCode == 1)
    #expect(try read("old.jpg") == Data([7]))
  }

  @Test func transformsAreLossless() throws {
    let picture = try Bitmap(width: 32, height: 16, format: .gray8, pixels: (0..<512).map { UInt8($0 / 2) })
    try write(try picture.encoded(as: .jpeg(.init(quality: 90, subsampling: .gray))), "a.jpg")
    #expect(try ToolRun("transform", "a.jpg", "b.jpg", "--rotate", "90", "--perfect", in: directory).exitCode == 0)
    #expect(try ImageFile(try read("b.jpg")).info().size == PixelSize(width: 16, height: 32))
    #expect(try ToolRun("transform", "b.jpg", "c.jpg", "--rotate", "270", in: directory).exitCode == 0)
    #expect(try read("c.jpg") == read("a.jpg"))
    #expect(
      try ToolRun("transform", "a.jpg", "d.jpg", "--crop", "8x8+8+8", "--progressive", in: directory).exitCode == 0)
    #expect(try ImageFile(try read("d.jpg")).info().size == PixelSize(width: 8, height: 8))
    var turned = picture
    turned.orientation = .left
    try write(try turned.encoded(as: .jpeg), "e.jpg")
    #expect(try ToolRun("transform", "e.jpg", "f.jpg", "--auto-orient", in: directory).exitCode == 0)
    let info = try ImageFile(try read("f.jpg")).info()
    #expect(info.orientation == .up && info.size == PixelSize(width: 16, height: 32))
    for arguments in [["--rotate", "45"], ["--crop", "8"], ["--flip", "both"], ["--transpose", "--auto-orient"]] {
      let run = try ToolRun(["transform", "a.jpg", "g.jpg"] + arguments, in: directory)
      #expect(run.exitCode == 2 && run.errors.split(separator: "\n").count == 1, "\(arguments): \(run.errors)")
    }
  }

  @Test func wrongUsageIsTwo() throws {
    for arguments in [["convert", "a"], ["frobnicate", "a"], ["identify", "missing.png"]] {
      let run = try ToolRun(arguments[0], arguments[1], in: directory)
      #expect(run.exitCode == 2)
      #expect(!run.errors.isEmpty)
    }
    try write(try bitmap.encoded(as: .png), "a.png")
    #expect(try ToolRun("convert", "a.png", "b.xyz", in: directory).exitCode == 2)
    #expect(try ToolRun("previews", "a.png", "out", "--chunk-size", "0", in: directory).exitCode == 2)
    let help = try ToolRun("--help", in: directory)
    #expect(help.exitCode == 0 && help.text.contains("identify"))
  }
}
