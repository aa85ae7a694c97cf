import JPEGCodec
import Testing

@Suite struct ParallelismTests {
  /// Noise of 1024 × 640 pixels: more than the least that is worth a second thread.
  private static func noiseFile() throws -> [UInt8] {
    var noise = Noise(11)
    let blocks = (0..<128 * 80).map { index -> [Int] in
      var block = [Int](repeating: 0, count: 64)
      block[0] = Int(noise.next() % 1024) - 512
      for place in 1..<index % 13 + 1 { block[place] = Int(noise.next() % 64) - 32 }
      return block
    }
    return try grayFile(width: 1024, height: 640, blocks: blocks)
  }

  @Test func twoThreadsMakeTheSamePixelsAsOne() throws {
    let file = try Self.noiseFile()
    var bitmap = Bitmap()
    for length in [file.count, file.count - 2, file.count / 2, file.count / 3, 200] {
      let cut = Array(file.prefix(length))
      let one = try JPEGDecoder().decode(cut.span)
      for _ in 0..<5 {
        let details = try JPEGDecoder().decode(cut.span, into: &bitmap, options: DecodingOptions(parallelism: 2))
        #expect(bitmap == one.bitmap && details == one.details)
      }
    }
  }

  @Test func manyDecodesAtATimeDoNotWaitForEachOther() async throws {
    let file = try Self.noiseFile()
    let expected = try JPEGDecoder().decode(file.span).bitmap
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 {
        group.addTask {
          (try? JPEGDecoder().decode(file.span, options: DecodingOptions(parallelism: 4)))?.bitmap == expected
        }
      }
      for await isEqual in group { #expect(isEqual) }
    }
  }

  @Test func aParallelDecodeCanBeCancelled() throws {
    let file = try Self.noiseFile()
    let error = #expect(throws: DecodeError.self) {
      try JPEGDecoder().decode(file.span, options: DecodingOptions(parallelism: 2, shouldCancel: { true }))
    }
    #expect(error?.kind == .cancelled)
  }
}
