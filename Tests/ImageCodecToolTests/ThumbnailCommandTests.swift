// `imagecodec thumbnail`, and the sizes of `convert`.

import Foundation
import ImageCodecs
import Testing

@Suite final class ThumbnailCommandTests {
  private let directory: URL
  private let bitmap: Bitmap

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    var pixels: [UInt8] = []
    for index in 0..<60 * 40 { pixels += [UInt8(index & 255), UInt8(index / 60 * 6), 30, UInt8(255 - index % 60)] }
    bitmap = try Bitmap(width: 60, height: 40, format: .rgba8, pixels: pixels)
    var turned = bitmap
    turned.orientation = .right
    try write(try bitmap.encoded(as: .png), "a.png")
    try write(try turned.encoded(as: .png), "turned.png")
    let frames = [bitmap, bitmap.flippedVertically()].map { AnimationFrame(bitmap: $0, delay: .milliseconds(50)) }
    try write(try GIFEncoder().encode(animation: frames, loopCount: .finite(2)), "a.gif")
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: directory.appendingPathComponent(name))
  }

  private func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: directory.appendingPathComponent(name)))
  }

  @Test func thumbnails() throws {
    let run = try ToolRun(
      "thumbnail", "a.png", "b.png", "--size", "20x20", "--fit", "cover", "--gravity", "topLeft", "--filter", "BOX",
      "--background", "white", in: directory)
    #expect(run.exitCode == 0 && run.errors.isEmpty)
    let request = Thumbnail(
      width: 20, height: 20, fit: .cover(.topLeft), filter: .box,
      background: RGBA8(red: 255, green: 255, blue: 255))
    let file = try read("a.png")
    #expect(
      try Bitmap(decoding: try read("b.png")).packedPixels == ImageFile(file).thumbnail(request).bitmap.packedPixels)
    #expect(try ToolRun("thumbnail", "turned.png", "c.jpg", "--size", "x30", in: directory).exitCode == 0)
    #expect(try Bitmap(decoding: try read("c.jpg")).pixelSize == PixelSize(width: 20, height: 30))
    #expect(try ToolRun("thumbnail", "a.gif", "d.gif", "--size", "30x", "--frames", "all", in: directory).exitCode == 0)
    let animation = try #require(try ImageFile(try read("d.gif")).animation())
    #expect(animation.frameCount == 2 && animation.loopCount == .finite(2))
    let piped = try ToolRun(
      "thumbnail", "-", "-", "--format", "ppm", "--size", "6x", input: Data(file), in: directory)
    #expect(piped.output.starts(with: Data("P6\n6 4\n255\n".utf8)))
  }

  @Test func gainMapsAreKept() throws {
    let picture = try bitmap.converted(to: .rgb8)
    let map = GainMap(
      bitmap: try picture.converted(to: .gray8),
      metadata: GainMapMetadata(components: [GainMapMetadata.Component(maximum: 2)], alternateHeadroom: 2))
    try write(try picture.encodedAsJPEG(with: map), "hdr.jpg")
    let run = try ToolRun("thumbnail", "hdr.jpg", "kept.jpg", "--size", "30x", "--keep-gain-map", in: directory)
    #expect(run.exitCode == 0 && run.errors.isEmpty)
    let kept = try read("kept.jpg")
    let found = try ImageFile(kept).gainMap()
    #expect(found?.metadata == map.metadata && found?.bitmap.pixelSize == PixelSize(width: 30, height: 20))
    #expect(try ToolRun("thumbnail", "hdr.jpg", "plain.jpg", "--size", "30x", in: directory).exitCode == 0)
    let plain = try read("plain.jpg")
    let none = try ImageFile(plain).gainMap()
    #expect(none == nil)
    #expect(
      try ToolRun("thumbnail", "hdr.jpg", "b.png", "--size", "3x", "--keep-gain-map", in: directory).exitCode == 2)
    let job = #"{"input":"hdr.jpg","output":"batch.jpg","size":"30x","gainMap":true,"quality":90}"#
    #expect(try ToolRun("batch", input: Data(job.utf8), in: directory).exitCode == 0)
    let batch = try read("batch.jpg")
    let fromBatch = try ImageFile(batch).gainMap()
    #expect(fromBatch != nil)
  }

  @Test func toneMappingIsAnOption() throws {
    var hdr = try bitmap.converted(to: .rgb8)
    hdr.colorSpace = .bt2020PQ
    try write(try hdr.encoded(as: .png), "hdr.png")
    for (name, method) in [("bt2408", ToneMapping.bt2408), ("bt2446a", .bt2446A)] {
      let run = try ToolRun(
        "convert", "hdr.png", "\(name).png", "--color-space", "srgb", "--tone-map", name, in: directory)
      #expect(run.exitCode == 0)
      let expected = try hdr.converted(to: .sRGB, toneMapping: method)
      #expect(try Bitmap(decoding: try read("\(name).png")).packedPixels == expected.packedPixels)
    }
    #expect(try ToolRun("convert", "hdr.png", "c.png", "--tone-map", "bt2408", in: directory).exitCode == 2)
  }

  @Test func filesAreMadeAsFromMemory() throws {
    var options = JPEGEncoder.Options()
    for isProgressive in [false, true] {
      options.isProgressive = isProgressive
      for name in ["a.png", "turned.png", "a.gif"] {
        let decoded = try Bitmap(decoding: try read(name)).converted(to: .rgb8)
        let source = try decoded.resized(toWidth: 700, height: 500)
        try write(try source.encoded(as: .jpeg(options)), "source.jpg")
        try write(try source.encoded(as: .png), "source.png")
        for source in ["source.jpg", "source.png", name] {
          let bytes = try read(source)
          let url = directory.appendingPathComponent(source)
          for request in [Thumbnail(width: 50), Thumbnail(width: 31, height: 40, fit: .cover(.right), sharpening: 1)] {
            let made = try ImageFile(bytes).thumbnail(request)
            #expect(try ImageFile(contentsOf: url).thumbnail(request).bitmap == made.bitmap)
            let encoded = try ImageFile(contentsOf: url).encodedThumbnail(request, as: .jpeg(options))
            #expect(encoded.bytes == (try ImageFile(bytes).encodedThumbnail(request, as: .jpeg(options)).bytes))
            // Rows that are encoded as they are resized, and a bitmap that is encoded.
            #expect(encoded.bytes == (try made.bitmap.encoded(as: .jpeg(options))))
            #expect(encoded.size == made.bitmap.pixelSize)
          }
        }
      }
    }
    let missing = #expect(throws: CodecError.self) {
      _ = try ImageFile(contentsOf: directory.appendingPathComponent("missing")).thumbnail(Thumbnail(width: 1))
    }
    #expect(missing?.kind == .fileAccessFailed)
    let folder = #expect(throws: CodecError.self) {
      _ = try ImageFile(contentsOf: directory).thumbnail(Thumbnail(width: 1))
    }
    #expect(folder?.kind == .fileAccessFailed)
  }

  @Test func convertResizes() throws {
    #expect(
      try ToolRun("convert", "a.png", "b.png", "--width", "30", "--filter", "Lanczos", in: directory).exitCode == 0)
    let expected = try bitmap.resized(toWidth: 30, height: 20)
    #expect(try Bitmap(decoding: try read("b.png")).packedPixels == expected.packedPixels)
    #expect(
      try ToolRun("convert", "turned.png", "c.png", "--width", "80", "--height", "10", in: directory).exitCode == 0)
    #expect(try Bitmap(decoding: try read("c.png")).pixelSize == PixelSize(width: 80, height: 10))
    #expect(try ToolRun("convert", "a.gif", "d.png", "--height", "10", in: directory).exitCode == 0)
    let animation = try #require(try ImageFile(try read("d.png")).animation())
    #expect(animation.frameCount == 2)
    #expect(animation.canvasSize == PixelSize(width: 15, height: 10))
    #expect(
      try ToolRun("convert", "a.gif", "e.ppm", "--frame", "1", "--width", "6", in: directory).exitCode == 0)
    #expect(try read("e.ppm").starts(with: Array("P6\n6 4\n".utf8)))
  }

  @Test func mistakesAreReported() throws {
    for arguments in [
      ["thumbnail", "a.png", "b.png"], ["thumbnail", "a.png", "b.png", "--size", "20"],
      ["thumbnail", "a.png", "b.png", "--size", "0x20"], ["thumbnail", "a.png", "b.xyz", "--size", "20x"],
      ["thumbnail", "a.png", "b.png", "--size", "2x", "--gravity", "top"],
      ["thumbnail", "a.png", "b.png", "--size", "2x", "--quality", "50"],
      ["thumbnail", "a.png", "b.png", "--size", "2x", "--deadline", "0"],
      ["convert", "a.png", "b.png", "--filter", "box"], ["convert", "a.png", "b.png", "--width", "2", "--filter", "x"],
      ["batch", "--jobs", "0"],
    ] {
      let run = try ToolRun(arguments, in: directory)
      #expect(run.exitCode == 2)
      #expect(run.errors.split(separator: "\n").count == 1)
    }
    let late = try ToolRun("thumbnail", "a.png", "b.png", "--size", "2x", "--deadline", "1e-9", in: directory)
    #expect(late.exitCode == 1)
    #expect(late.errors.contains("deadlineExceeded"))
  }
}
