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
}
