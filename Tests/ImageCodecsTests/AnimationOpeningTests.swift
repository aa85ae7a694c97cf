// The damage of animations that is tolerated when they are opened: frames are not left out in silence.

import ImageCodecs
import TestSupport
import Testing

@Suite struct AnimationOpeningTests {
  private static func files() throws -> [[UInt8]] {
    var random = TestRandom(11)
    let frames = try (0..<4).map { _ in
      AnimationFrame(
        bitmap: try Bitmap(width: 9, height: 7, format: .rgba8, pixels: random.bytes(9 * 7 * 4)),
        delay: .milliseconds(50))
    }
    return [
      try GIFEncoder().encode(animation: frames, loopCount: .infinite),
      try PNGEncoder().encode(animation: frames, loopCount: .infinite),
      try WebPEncoder().encode(animation: frames, loopCount: .infinite),
    ]
  }

  /// Whatever strict decoding rejects when it opens a prefix, lenient decoding reports.
  @Test(arguments: 0..<3) func prefixesAreReported(_ format: Int) throws {
    let whole = try Self.files()[format]
    let decoder = try ImageFormatRegistry.shared.decoder(for: whole.span)
    #expect(try decoder.animation(whole, options: DecodingOptions())?.diagnostics == [])
    var reportedCount = 0
    for count in 0..<whole.count {
      let file = Array(whole.prefix(count))
      guard let animation = try? decoder.animation(file, options: DecodingOptions()) else { continue }
      do throws(CodecError) {
        _ = try decoder.animation(file, options: DecodingOptions(tolerance: .strict))
      } catch {
        #expect(!animation.diagnostics.isEmpty, "\(count): \(error)")
        reportedCount += 1
      }
    }
    #expect(reportedCount > 0)
  }
}
