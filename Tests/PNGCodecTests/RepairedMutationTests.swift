// Flipped bits whose chunks have the right checksum again: without it a decoder skips every damaged ancillary chunk, and
// what reads these chunks never sees damage.

import ByteCompression
import ImageCoding
import PNGCodec
import Testing

struct RepairedMutationTests {
  /// A palette image with one of every chunk that is read.
  private static let chunks: [(String, [UInt8])] = [
    ("IHDR", bigEndian(3) + bigEndian(2) + [8, 3, 0, 0, 0]),
    ("cICP", [1, 13, 0, 1]), ("gAMA", bigEndian(45_455)),
    ("cHRM", [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000].flatMap { bigEndian($0) }),
    ("iCCP", Array("p".utf8) + [0, 0] + zlib([UInt8](repeating: 7, count: 140))), ("sBIT", [8, 8, 8]), ("sRGB", [0]),
    ("PLTE", [1, 2, 3, 4, 5, 6, 7, 8, 9]), ("tRNS", [0, 128]), ("bKGD", [1]),
    ("pHYs", bigEndian(2_835) + bigEndian(2_835) + [1]), ("tIME", [7, 234, 1, 2, 3, 4, 5]),
    ("tEXt", Array("Title".utf8) + [0] + Array("a".utf8)),
    ("zTXt", Array("Comment".utf8) + [0, 0] + zlib(Array("text".utf8))),
    ("iTXt", Array("Author".utf8) + [0, 1, 0] + Array("en".utf8) + [0, 0] + zlib(Array("words".utf8))),
    ("eXIf", [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]),
    ("acTL", bigEndian(2) + bigEndian(0)),
    ("fcTL", bigEndian(0) + bigEndian(3) + bigEndian(2) + bigEndian(0) + bigEndian(0) + [0, 1, 0, 10, 0, 0]),
    ("IDAT", zlib([0, 0, 1, 2, 0, 2, 1, 0])),
    ("fcTL", bigEndian(1) + bigEndian(1) + bigEndian(1) + bigEndian(2) + bigEndian(1) + [0, 1, 0, 10, 1, 1]),
    ("fdAT", bigEndian(2) + zlib([0, 1])), ("IEND", []),
  ]

  @Test func theFileIsSound() throws {
    let file = TestPNG.file(Self.chunks)
    let strict = DecodingOptions(orientation: .report, tolerance: .strict)
    #expect(try PNGDecoder().decode(file.span, options: strict).bitmap.width == 3)
    #expect(try PNGDecoder().animation(file, options: strict)?.frameCount == 2)
  }

  @Test(arguments: chunks.indices)
  func noFlippedBitTraps(inChunk index: Int) {
    for bit in 0..<Self.chunks[index].1.count * 8 {
      var damaged = Self.chunks
      damaged[index].1[bit / 8] ^= 1 << UInt8(bit % 8)
      let file = TestPNG.file(damaged)
      for tolerance in [DecodingOptions.Tolerance.lenient, .strict] {
        let options = DecodingOptions(tolerance: tolerance, limits: DecodingLimits(maximumPixelCount: 10_000))
        check(file, options)
      }
    }
  }

  /// At once and in two pieces the same pixels or the same kind of error; frames without a trap.
  private func check(_ file: [UInt8], _ options: DecodingOptions) {
    _ = try? PNGDecoder().metadata(file.span, options: InfoOptions(limits: options.limits))
    let whole = Result { try PNGDecoder().decode(file.span, options: options).bitmap.packedPixels }
    let pieces = Result {
      let session = PNGDecoder().makeSession(options: options)
      try session.append(file.span.extracting(0..<file.count / 2))
      try session.append(file.span.extracting(file.count / 2..<file.count))
      return try session.finish().bitmap.packedPixels
    }
    #expect((try? whole.get()) == (try? pieces.get()))
    guard let animation = try? PNGDecoder().animation(file, options: options) else { return }
    for frame in 0..<min(animation.frameCount, 3) { _ = try? animation.frame(at: frame) }
  }
}
