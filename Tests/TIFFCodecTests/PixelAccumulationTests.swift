// The kernels of the horizontal predictor compared with sums sample by sample.

import TIFFCodec
import TestSupport
import Testing

@Suite struct PixelAccumulationTests {
  @Test(arguments: 0...40) func sumsOfBytes(pixelCount: Int) {
    var random = TestRandom(UInt64(pixelCount))
    for samplesPerPixel in [3, 4] {
      for excess in 0..<samplesPerPixel {
        let row = random.bytes(pixelCount * samplesPerPixel + excess)
        var expected = row
        for index in samplesPerPixel..<max(samplesPerPixel, pixelCount * samplesPerPixel) {
          expected[index] = expected[index] &+ expected[index - samplesPerPixel]
        }
        var result = row
        var span = result.mutableSpan
        accumulateBytePixels(&span, samplesPerPixel: samplesPerPixel)
        #expect(result == expected)
      }
    }
  }

  @Test(arguments: 0...20) func sumsOfWords(pixelCount: Int) {
    var random = TestRandom(UInt64(pixelCount))
    for samplesPerPixel in [3, 4] {
      for isBigEndian in [false, true] {
        let row = random.bytes(2 * pixelCount * samplesPerPixel)
        let high = isBigEndian ? 0 : 1
        var expected = row
        for index in samplesPerPixel..<max(samplesPerPixel, pixelCount * samplesPerPixel) {
          func value(_ index: Int) -> Int { Int(expected[2 * index + high]) << 8 | Int(expected[2 * index + 1 - high]) }
          let sum = value(index) + value(index - samplesPerPixel)
          expected[2 * index + high] = UInt8(truncatingIfNeeded: sum >> 8)
          expected[2 * index + 1 - high] = UInt8(truncatingIfNeeded: sum)
        }
        var result = row
        var span = result.mutableSpan
        let swapsBytes = isBigEndian != (UInt16(bigEndian: 1) == 1)
        accumulateWordPixels(&span, samplesPerPixel: samplesPerPixel, swapsBytes: swapsBytes)
        #expect(result == expected)
      }
    }
  }
}
