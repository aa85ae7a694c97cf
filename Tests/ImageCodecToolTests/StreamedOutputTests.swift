// Files that are written while they are made: they are those of the encoders in memory, and are not held.

import ImageCodecs
import TestSupport
import Testing
import imagecodec

private final class Recorder: EncodedOutputDestination {
  var bytes: [UInt8] = []
  var partCount = 0

  func append(_ part: [UInt8]) {
    bytes += part
    partCount += 1
  }

  func replace(at offset: Int, with replacement: [UInt8]) {
    bytes.replaceSubrange(offset..<offset + replacement.count, with: replacement)
  }
}

@Suite struct StreamedOutputTests {
  /// A format with options, and whether the encoder holds none of its file.
  struct Coding: Sendable, CustomTestStringConvertible {
    var format: OutputFormat
    var settings = EncodingSettings()
    var holdsNothing = true
    var name: String
    var testDescription: String { name }

    init(
      _ format: OutputFormat, _ name: String, holdsNothing: Bool = true,
      _ change: (inout EncodingSettings) -> Void = { _ in }
    ) {
      (self.format, self.name, self.holdsNothing) = (format, name, holdsNothing)
      change(&settings)
    }
  }

  static let codings: [Coding] = [
    Coding(.png, "PNG"), Coding(.png, "PNG, fastest") { $0.png = PNGEncoder.Options(level: .fastest) },
    // Both attempts are held.
    Coding(.png, "PNG, small", holdsNothing: false) { $0.png = PNGEncoder.Options(level: .small) },
    Coding(.png, "PNG, interlaced") { $0.png.isInterlaced = true },
    Coding(.jpeg, "JPEG") { $0.jpeg.quality = 100 },
    Coding(.jpeg, "JPEG, restart markers") { ($0.jpeg.quality, $0.jpeg.restartInterval) = (100, .rows(2)) },
    Coding(.jpeg, "JPEG, progressive") { ($0.jpeg.quality, $0.jpeg.isProgressive) = (100, true) },
    Coding(.jpeg, "JPEG, optimised") { ($0.jpeg.quality, $0.jpeg.optimizesHuffmanTables) = (100, true) },
    // The search holds the best file.
    Coding(.jpeg, "JPEG, limited", holdsNothing: false) { $0.jpeg.maximumByteCount = 300_000 },
    Coding(.gif, "GIF"), Coding(.bmp, "BMP"), Coding(.ppm, "PPM"), Coding(.pam, "PAM"),
    Coding(.tiff, "TIFF"), Coding(.tiff, "TIFF, Deflate") { $0.tiff.compression = .deflate(level: 1) },
    Coding(.tiff, "BigTIFF, tiles") {
      ($0.tiff.isBig, $0.tiff.isBigEndian, $0.tiff.tileSize) = (true, true, PixelSize(width: 64, height: 64))
    },
    // The picture is encoded before its first byte is written.
    Coding(.webP, "WebP", holdsNothing: false),
    Coding(.webP, "WebP, lossless", holdsNothing: false) { ($0.webP.coding, $0.webP.effort) = (.lossless, 1) },
    Coding(.ico, "ICO", holdsNothing: false),
  ]

  private static let noise: Result<Bitmap, any Error> = Result {
    var random = TestRandom(7)
    let (width, height) = (901, 700)
    return try Bitmap(
      width: width, height: height, format: .rgb8,
      pixels: (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  @Test(arguments: codings) func theFileIsThatInMemoryAndNotHeld(_ coding: Coding) throws {
    let bitmap = try Self.noise.get()
    var metadata = ImageMetadata()
    metadata.xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)
    var limits = DecodingLimits.default
    limits.maximumWork = .max
    var held = ResourceBudget(limits)
    var streamed = ResourceBudget(limits)
    let file = try coding.format.encode(bitmap, metadata: metadata, settings: coding.settings, budget: &held)
    let recorder = Recorder()
    recorder.bytes += try coding.format.encode(
      bitmap, metadata: metadata, settings: coding.settings, to: EncodedOutput(to: recorder), budget: &streamed)
    #expect(recorder.bytes == file)
    guard coding.holdsNothing else { return }
    #expect(recorder.partCount > 1)
    #expect(streamed.heldByteCount <= held.heldByteCount - file.count * 3 / 4)
    // Converting pixels takes more than the file.
    if coding.format == .gif || coding.format == .pam { return }
    #expect(streamed.peakByteCount <= held.peakByteCount - file.count * 3 / 4)
  }

  @Test(arguments: [OutputFormat.gif, .png, .webP], [false, true])
  func animationsArePassedOnFrameByFrame(_ format: OutputFormat, isPlain: Bool) throws {
    let noise = try Self.noise.get()
    let frames = try (0..<6).map { index in
      let part = try noise.copy(of: PixelRegion(x: index * 100, y: 0, width: 256, height: 256))
      return AnimationFrame(bitmap: try part.converted(to: .rgba8), delay: .milliseconds(70))
    }
    let source = try PNGEncoder().encode(animation: frames, loopCount: .finite(3))
    var settings = EncodingSettings()
    settings.png.reducesColors = !isPlain
    settings.webP.coding = isPlain ? .lossless : .lossy
    settings.webP.effort = 1
    func encode(_ output: EncodedOutput, _ budget: inout ResourceBudget) throws -> [UInt8] {
      let animation = try #require(
        try ImageFile(source, options: DecodingOptions()).animation(budget: &budget))
      return try #require(
        try format.encode(animation, metadata: nil, settings: settings, to: output, budget: &budget))
    }
    var limits = DecodingLimits.default
    limits.maximumWork = .max
    var held = ResourceBudget(limits)
    var streamed = ResourceBudget(limits)
    let file = try encode(EncodedOutput(), &held)
    let recorder = Recorder()
    recorder.bytes += try encode(EncodedOutput(to: recorder), &streamed)
    #expect(recorder.bytes == file)
    #expect(streamed.peakByteCount <= held.peakByteCount)
    var budget = ResourceBudget(.default)
    let result = try #require(
      try ImageFile(file, options: DecodingOptions()).animation(budget: &budget))
    #expect(result.frameCount == 6)
    guard format == .png || isPlain, format != .gif else { return }
    for (index, frame) in frames.enumerated() {
      let pixels = try result.frame(at: index).converted(to: .rgba8).packedPixels
      #expect(pixels == frame.bitmap.packedPixels)
    }
  }
}
