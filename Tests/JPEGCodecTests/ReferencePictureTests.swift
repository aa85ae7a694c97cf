import Foundation
import JPEGCodec
import TestSupport
import Testing

@Suite struct ReferencePictureTests {
  @Test func everySamplingSizeAndRestartIntervalIsThatOfLibjpegTurbo() throws {
    #expect(ReferencePicture.all.count > 500)
    for picture in ReferencePicture.all where !picture.name.hasPrefix("scaled-") {
      let image = try JPEGDecoder().decode(picture.file.span)
      #expect(image.isComplete && image.diagnostics.isEmpty, "\(picture.name)")
      #expect(fnv1a(image.bitmap.packedPixels) == picture.pixelHash, "\(picture.name)")
    }
  }

  @Test func fractionsOfTheSizeAreThoseOfLibjpegTurbo() throws {
    let pictures = ReferencePicture.all.filter { $0.name.hasPrefix("scaled-") }
    #expect(pictures.count == 36)
    for picture in pictures {
      let eighths = try #require(Int(picture.name.dropFirst(7).prefix(1)))
      let info = try JPEGDecoder().info(picture.file.span)
      let size = PixelSize(width: (info.width * eighths + 7) / 8, height: (info.height * eighths + 7) / 8)
      let image = try JPEGDecoder().decode(picture.file.span, options: DecodingOptions(targetSize: size))
      #expect(image.bitmap.pixelSize == size)
      #expect(fnv1a(image.bitmap.packedPixels) == picture.pixelHash, "\(picture.name)")
      // One column more than the fraction has takes the next one.
      let more = PixelSize(width: size.width + 1, height: size.height)
      let larger = try JPEGDecoder().decode(picture.file.span, options: DecodingOptions(targetSize: more)).bitmap
      #expect(larger.width > size.width)
    }
  }

  @Test func everyOutputFormatShowsTheSamePixels() throws {
    for picture in ReferencePicture.all where picture.name.hasSuffix("17x1") || picture.name.hasSuffix("7x16") {
      let natural = try JPEGDecoder().decode(picture.file.span).bitmap
      for format in PixelFormat.all {
        let image = try JPEGDecoder().decode(picture.file.span, options: DecodingOptions(pixelFormat: format))
        #expect(image.bitmap.format == format)
        #expect(
          try image.bitmap.packedPixels == natural.converted(to: format).packedPixels, "\(picture.name) \(format)")
      }
    }
  }

  @Test func aReusedBitmapKeepsNothingOfTheLastImage() throws {
    var bitmap = try Bitmap(
      width: 67, height: 53, format: .rgb8, pixels: [UInt8](repeating: 0xA5, count: 67 * 53 * 3))
    let cut = Array(ReferencePicture.named("standard-tables").prefix(1200))
    _ = try JPEGDecoder().decode(cut.span, into: &bitmap, options: DecodingOptions())
    let fresh = try JPEGDecoder().decode(cut.span)
    #expect(bitmap.packedPixels == fresh.bitmap.packedPixels)
    #expect(!fresh.isComplete)
    #expect(bitmap.row(52)[66 * 3] == 0)
  }

  /// Runs where libjpeg-turbo's tools are installed, and is skipped elsewhere.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/cjpeg")))
  func freshPicturesAreThoseOfTheInstalledLibjpegTurbo() throws {
    var noise = TestRandom(UInt64(Date().timeIntervalSince1970))
    for sampling in ["1x1", "2x2", "2x1", "1x2", "4x2"] {
      let width = Int.random(in: 18...90, using: &noise)
      let height = Int.random(in: 18...90, using: &noise)
      var source = Data("P6 \(width) \(height) 255\n".utf8)
      for _ in 0..<width * height * 3 { source.append(UInt8.random(in: 0...255, using: &noise)) }
      let quality = "\(Int.random(in: 1...100, using: &noise))"
      let file = try run("/usr/bin/cjpeg", ["-quality", quality, "-sample", sampling], input: source)
      let reference = try run("/usr/bin/djpeg", ["-dct", "int", "-pnm"], input: file)
      let image = try JPEGDecoder().decode([UInt8](file).span)
      #expect(image.bitmap.packedPixels == [UInt8](reference.suffix(width * height * 3)), "\(sampling) \(quality)")
    }
  }

  private func run(_ tool: String, _ arguments: [String], input: Data) throws -> Data {
    let folder = FileManager.default.temporaryDirectory
    let source = folder.appendingPathComponent(UUID().uuidString)
    try input.write(to: source)
    defer { try? FileManager.default.removeItem(at: source) }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = arguments + [source.path]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let result = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return result
  }
}
