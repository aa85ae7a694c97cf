// Thumbnails of animations keep frames, durations and loops.

import ImageCodecs
import TestSupport
import Testing

@Suite struct AnimatedThumbnailTests {
  private static let delays: [Duration] = [.milliseconds(30), .milliseconds(70), .milliseconds(1100)]

  private static func animation() throws -> [AnimationFrame] {
    try delays.enumerated().map { index, delay in
      AnimationFrame(
        bitmap: try ThumbnailPictures.photo(width: 48, height: 32, .rgba8, seed: UInt64(index)).converted(to: .rgb8),
        delay: delay)
    }
  }

  @Test func framesDelaysAndLoopsAreKept() throws {
    let frames = try Self.animation()
    let files = [
      try PNGEncoder().encode(animation: frames, loopCount: .finite(3)),
      try GIFEncoder().encode(animation: frames, loopCount: .finite(3)),
    ]
    for file in files {
      let source = try #require(try ImageFile(file).animation())
      for format in [EncodingFormat.png, .gif] {
        let made = try ImageFile(file).encodedThumbnail(Thumbnail(width: 12, frames: .all), as: format)
        #expect(made.frameCount == 3)
        #expect(made.size == PixelSize(width: 12, height: 8))
        let again = try #require(try ImageFile(made.bytes).animation())
        #expect(again.frameCount == 3)
        #expect(again.loopCount == .finite(3))
        #expect((0..<3).map { again.frameInfo(at: $0).storedDelay } == Self.delays)
        #expect(again.canvasSize == made.size)
        guard format.type == .png else { continue }
        for index in 0..<3 {
          let expected = try source.frame(at: index).resized(toWidth: 12, height: 8)
          #expect(try again.frame(at: index).converted(to: .rgba8) == expected.converted(to: .rgba8))
        }
      }
      let first = try ImageFile(file).encodedThumbnail(Thumbnail(width: 12), as: .gif)
      #expect(first.frameCount == 1)
      #expect(try ImageFile(file).encodedThumbnail(Thumbnail(width: 12, frames: .all), as: .jpeg).frameCount == 1)
    }
  }

  @Test func damagedFramesHaveDiagnostics() throws {
    var file = try PNGEncoder().encode(animation: try Self.animation(), loopCount: .infinite)
    let request = Thumbnail(width: 12, frames: .all)
    #expect(try ImageFile(file).encodedThumbnail(request, as: .png).details.diagnostics == [])
    let parts = file.indices.filter { file[$0...].starts(with: Array("fdAT".utf8)) }
    // The header of the zlib stream follows the sequence number.
    file[try #require(parts.last) + 8] = 0xFF
    let made = try ImageFile(file).encodedThumbnail(request, as: .png)
    #expect(made.frameCount == 3 && made.details.diagnostics.map(\.frame) == [2])
    #expect(made.details.diagnostics.first?.severity == .damage)
    // With and without conversion of colours.
    for conversion in [ColorConversion.keep, .to(.sRGB)] {
      let animation = try #require(try ImageFile(file, colorConversion: conversion).animation())
      for index in 0..<3 {
        #expect(try animation.diagnostics(ofFrameAt: index).map(\.frame) == (index == 2 ? [2] : []))
      }
    }
  }

  @Test func stillPicturesHaveOneFrame() throws {
    let file = try ThumbnailPictures.photo(width: 20, height: 20).encoded(as: .gif)
    let made = try ImageFile(file).encodedThumbnail(Thumbnail(width: 5, frames: .all), as: .gif)
    #expect(made.frameCount == 1)
    #expect(made.size == PixelSize(width: 5, height: 5))
  }

  @Test func allFramesTogetherAreLimited() throws {
    let file = try GIFEncoder().encode(animation: try Self.animation(), loopCount: .infinite)
    func encode(_ limits: DecodingLimits) throws -> Int {
      try ImageFile(file, options: DecodingOptions(limits: limits)).encodedThumbnail(
        Thumbnail(width: 6, frames: .all), as: .gif
      ).frameCount
    }
    // Enough for two frames, and none is allowed for the third one.
    var limits = DecodingLimits(
      maximumPixelCount: 48 * 32, maximumWork: 30_000, maximumWorkPerPixel: 1000, maximumAnimationWorkPerByte: 0)
    #expect(try encode(limits) == 3)
    limits.maximumWorkPerPixel = 1
    let error = #expect(throws: CodecError.self) { _ = try encode(limits) }
    #expect(error?.kind == .limitExceeded)
    // Their pixels are those of one image, unless the bytes of the file pay for them.
    let count = 48 * 32 * 3
    limits = DecodingLimits(maximumSourcePixelCount: count, maximumAnimationWorkPerByte: 0)
    #expect(try encode(limits) == 3)
    limits.maximumSourcePixelCount = count - 1
    #expect(throws: CodecError.self) { _ = try encode(limits) }
    limits.maximumAnimationWorkPerByte = 10 * Int64(count)
    #expect(try encode(limits) == 3)
  }

  /// Lenient decoding shows the still picture of an animation with a frame that is not supported, and says so.
  @Test func animationsWithUnsupportedFramesBecomeStillPictures() throws {
    let file = try GIFEncoder().encode(animation: try Self.animation(), loopCount: .infinite)
    let formats = ImageFormatRegistry(decoders: [WithholdingDecoder()])
    let request = Thumbnail(width: 12, frames: .all)
    for format in [EncodingFormat.png, .gif] {
      let made = try ImageFile(file, formats: formats).encodedThumbnail(request, as: format)
      #expect(made.frameCount == 1 && made.size == PixelSize(width: 12, height: 8))
      #expect(
        made.details.diagnostics == [
          ImageDiagnostic(
            .warning, "only a still picture is shown of the animation: frame 1 is withheld", byteOffset: 77)
        ])
      let still = try ImageFile(file).encodedThumbnail(Thumbnail(width: 12), as: format)
      #expect(made.bytes == still.bytes && still.details.diagnostics.isEmpty)
      let strict = DecodingOptions(tolerance: .strict)
      let error = #expect(throws: CodecError.self) {
        try ImageFile(file, options: strict, formats: formats).encodedThumbnail(request, as: format)
      }
      #expect(error?.kind == .unsupported && error?.reason == "frame 1 is withheld")
    }
  }
}

/// Decodes GIF files, except for the second frame of an animation.
private struct WithholdingDecoder: ImageFormatDecoder {
  private let base = GIFDecoder()
  var types: [AssetType] { base.types }

  func probe(_ prefix: Span<UInt8>) -> ProbeResult { base.probe(prefix) }

  func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    try base.info(bytes, options: options, budget: &budget)
  }

  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    try base.decode(bytes, into: &bitmap, options: options, budget: &budget)
  }

  func animation(_ bytes: [UInt8], options: DecodingOptions) throws(CodecError) -> (any AnimatedImageSource)? {
    guard let source = try base.animation(bytes, options: options) else { return nil }
    return try ComposedAnimation(WithholdingFrames(source: source, options: options))
  }
}

private final class WithholdingFrames: AnimationFrames {
  let source: any AnimatedImageSource
  let options: DecodingOptions

  init(source: any AnimatedImageSource, options: DecodingOptions) {
    self.source = source
    self.options = options
  }

  var canvasSize: PixelSize { source.canvasSize }
  var canvasFormat: PixelFormat { .rgba8 }
  var loopCount: LoopCount { source.loopCount }
  var frames: [AnimationFrameInfo] { (0..<source.frameCount).map { source.frameInfo(at: $0) } }

  func draw(
    frameAt index: Int, onto canvas: inout Bitmap, budget: inout ResourceBudget
  ) throws(CodecError) -> [ImageDiagnostic] {
    if index == 1 { throw CodecError(.unsupported, "frame 1 is withheld", byteOffset: 77) }
    canvas = try source.frame(at: index)
    return []
  }
}
