// The examples of the README, compiled and run.

import Foundation
import ImageCodecs
import Testing

/// A sink that counts how often each byte occurs.
private final class Histogram: ImageRowSink {
  var counts = [Int](repeating: 0, count: 256)
  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) {}
  func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    for index in row.indices { counts[Int(row[index])] += 1 }
  }
}

@Suite struct ExamplePage {
  private static func file() throws -> [UInt8] {
    try Bitmap(width: 80, height: 70, format: .rgb8) { pixels in
      for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index) }
    }.encoded(as: .png)
  }

  @Test func oneLineEach() throws {
    let bytes = try Self.file()
    let info = try ImageInfo(reading: bytes)
    let image = try Bitmap(decoding: bytes)
    let color = image[10, 20]
    let jpeg = try image.encoded(as: .jpeg(quality: 0.8))
    #expect(info.width == 80 && color.alpha == 255)
    #expect(try ImageInfo(reading: jpeg).type == .jpeg)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("photo.jpg").path
    try image.write(toFile: path)
    #expect(try Bitmap(contentsOfFile: path).width == 80)
  }

  @Test func beyondOneLine() async throws {
    let bytes = try Self.file()
    var frame = Bitmap()
    let options = DecodingOptions(pixelFormat: .bgra8, tolerance: .strict, limits: .server)
    let details = try PNGDecoder().decode(bytes.span, into: &frame, options: options)
    #expect(details.isComplete && frame.format == .bgra8)

    let histogram = Histogram()
    _ = try PNGDecoder().decode(bytes.span, to: histogram)
    let sum = histogram.counts.reduce(0, +)
    #expect(sum == 16_800)

    let part = PixelRegion(x: 0, y: 0, width: 64, height: 64)
    let detail = try Bitmap(decoding: bytes, options: DecodingOptions(region: part))
    #expect(detail.pixelSize == PixelSize(width: 64, height: 64))

    let picture = try await Bitmap.decode(Data(bytes))
    #expect(picture.width == 80)

    let session = ImageSession(accepting: [.jpeg, .png, .webp], options: options)
    try session.append(bytes.span)
    #expect(session.nextPreview()?.width == 80)
    #expect(try session.finish().bitmap.width == 80)

    let gif = try GIFEncoder().encode(
      animation: [AnimationFrame(bitmap: picture, delay: .milliseconds(40))], loopCount: .infinite)
    #expect(try ImageInfo(reading: gif).type == .gif)
    let drawing = try SVGDocument(parsing: Array("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 1'/>".utf8))
    #expect(try drawing.render(width: 64).height == 32)
    let stripped = try ImageMetadata.stripped(from: bytes)
    #expect(try Bitmap(decoding: stripped) == Bitmap(decoding: bytes))
  }
}
