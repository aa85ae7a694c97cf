// Deadlines and cancellation are noticed within a strip.

import ImageCoding
import TIFFCodec
import TestSupport
import Testing

@Suite struct CheckpointTests {
  @Test(arguments: [false, true])
  func aLongStripOfLZWIsInterrupted(usesPredictor: Bool) throws {
    var random = TestRandom(7)
    let pixels = (0..<1000 * 300).map { _ in UInt8.random(in: 0...255, using: &random) }
    let picture = try Bitmap(width: 1000, height: 300, format: .gray8, pixels: pixels)
    var options = TIFFEncoder.Options()
    (options.compression, options.usesPredictor, options.rowsPerStrip) = (.lzw, usesPredictor, 300)
    let file = try TIFFEncoder(options: options).encode(picture, metadata: nil)
    let intervals = WorkBetweenCheckpoints()
    var budget = intervals.makeBudget()
    var decoded = Bitmap()
    _ = try TIFFDecoder().decode(file.span, into: &decoded, options: DecodingOptions(), budget: &budget)
    #expect(decoded.packedPixels == pixels)
    // Incompressible, so that the strip has about as many bytes as pixels: one check for each eight thousand.
    #expect(intervals.count >= 36)
  }
}
