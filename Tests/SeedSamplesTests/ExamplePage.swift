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
    let info = try ImageFile(bytes).info()
    let image = try Bitmap(decoding: bytes)
    let color = image[10, 20]
    let jpeg = try image.encoded(as: .jpeg(quality: 0.8))
    #expect(info.width == 80 && color.alpha == 255)
    #expect(try ImageFile(jpeg).info().type == .jpeg)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("photo.jpg").path
    try image.write(toFile: path)
    #expect(try Bitmap(contentsOfFile: path).width == 80)
    let file = try ImageFile(bytes)
    #expect(try file.info().size == image.pixelSize)
    #expect(try file.thumbnail(width: 8).bitmap.height == 7)
    #expect(try file.stripped() == bytes)
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

    let upload = try ImageFile(
      Data(bytes), accepting: [.jpeg, .png, .webp, .heic], options: DecodingOptions(limits: .server))
    let pictures = try await upload.thumbnails([Thumbnail(width: 40), Thumbnail(width: 20)])
    #expect(try ThumbHash(pictures[1].bitmap).bytes.count > 5)
    #expect(try await Bitmap(decoding: upload.stripped()) == Bitmap(decoding: bytes))
    let picture = try await upload.decode().bitmap

    let pool = BufferPool(maximumByteCount: 64 << 20)
    let square = Thumbnail(width: 20, height: 20, fit: .cover, background: .init(red: 255, green: 255, blue: 255))
    let icon = try await ImageFile(bytes, options: DecodingOptions(bufferPool: pool)).encodedThumbnail(
      square, as: .jpeg)
    #expect(icon.size == PixelSize(width: 20, height: 20))

    let session = ImageSession(accepting: [.jpeg, .png, .webp], options: options)
    try session.append(bytes.span)
    #expect(session.nextPreview()?.width == 80)
    #expect(try session.finish().bitmap.width == 80)
    let thumbnails = try ThumbnailSession([Thumbnail(width: 32)], accepting: [.png])
    try thumbnails.append(bytes.span)
    #expect(try thumbnails.finish()[0].bitmap.width == 32)

    let gif = try GIFEncoder().encode(
      animation: [AnimationFrame(bitmap: picture, delay: .milliseconds(40))], loopCount: .infinite)
    #expect(try ImageFile(gif).type == .gif)
    let conversion = ColorConversion.to(.sRGB, intent: .relativeColorimetric, blackPointCompensation: true)
    #expect(try await ImageFile(bytes, colorConversion: conversion).decode().bitmap.colorSpace == .sRGB)
    let drawing = try SVGDocument(parsing: Array("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 1'/>".utf8))
    #expect(try drawing.render(width: 64).height == 32)
  }
}
