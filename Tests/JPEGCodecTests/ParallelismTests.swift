import JPEGCodec
import TestSupport
import Testing

@Suite struct ParallelismTests {
  /// TestRandom of 1024 × 640 pixels: more than the least that is worth a second thread.
  private static func noiseFile() throws -> [UInt8] {
    var noise = TestRandom(11)
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

  /// A colour picture with restart markers.
  static func fileWithIntervals(_ interval: Int, halvesChroma: Bool) throws -> [UInt8] {
    var noise = TestRandom(UInt64(interval))
    return try colorFile(width: 900, height: 600, halvesChroma: halvesChroma, interval: interval) {
      var block = [Int](repeating: 0, count: 64)
      block[0] = Int(noise.next() % 1024) - 512
      for place in 1..<Int(noise.next() % 4) + 2 { block[place] = Int(noise.next() % 64) - 32 }
      return block
    }
  }

  /// At 4:2:0 a row has 57 MCUs, at 4:4:4 it has 113: intervals of a part of a row, one row, two rows, and none of these.
  @Test(arguments: [(57, true), (19, true), (114, true), (10, true), (113, false), (1, false)])
  func restartIntervalsMakeTheSamePixelsOnAnyNumberOfThreads(interval: Int, halvesChroma: Bool) throws {
    let file = try Self.fileWithIntervals(interval, halvesChroma: halvesChroma)
    for format in [PixelFormat.rgba8, .rgb8, .gray8] {
      let serial = try JPEGDecoder().decode(file.span, options: DecodingOptions(pixelFormat: format))
      #expect(serial.diagnostics.isEmpty && serial.isComplete)
      for threads in [2, 3, 16] {
        let options = DecodingOptions(pixelFormat: format, parallelism: threads)
        let image = try JPEGDecoder().decode(file.span, options: options)
        #expect(image.bitmap == serial.bitmap && image.details == serial.details)
      }
    }
    let half = PixelSize(width: 450, height: 300)
    let serial = try JPEGDecoder().decode(file.span, options: DecodingOptions(targetSize: half))
    let image = try JPEGDecoder().decode(file.span, options: DecodingOptions(targetSize: half, parallelism: 4))
    #expect(image.bitmap == serial.bitmap && image.details == serial.details)
  }

  @Test func damagedRestartIntervalsAreThoseOfASerialDecode() throws {
    let file = try Self.fileWithIntervals(57, halvesChroma: true)
    let markers = file.indices.dropLast().filter { file[$0] == 0xFF && 0xD0...0xD7 ~= file[$0 + 1] }
    #expect(markers.count == 37)
    var damaged: [[UInt8]] = []
    for change in [[], [0xFF], [0xFF, 0xD9], [0xFF, 0xD6], [0, 0xFF, 0xD1], [0xFF, 0xFF, 0xD1]] as [[UInt8]] {
      var copy = file
      copy.replaceSubrange(markers[9]..<markers[9] + 2, with: change)
      damaged.append(copy)
    }
    var noise = TestRandom(31)
    for _ in 0..<25 {
      var copy = file
      for _ in 0...noise.next() % 3 {
        copy[Int.random(in: 700..<file.count, using: &noise)] = UInt8(truncatingIfNeeded: noise.next())
      }
      damaged.append(noise.next() % 4 == 0 ? copy.dropLast(Int(noise.next() % 50_000)) : copy)
    }
    for (index, copy) in damaged.enumerated() {
      let serial = try JPEGDecoder().decode(copy.span)
      let image = try JPEGDecoder().decode(copy.span, options: DecodingOptions(parallelism: 3))
      #expect(image.bitmap == serial.bitmap && image.details == serial.details, "\(index)")
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
    for file in [try Self.noiseFile(), try Self.fileWithIntervals(57, halvesChroma: true)] {
      let error = #expect(throws: CodecError.self) {
        try JPEGDecoder().decode(file.span, options: DecodingOptions(parallelism: 2, shouldCancel: { true }))
      }
      #expect(error?.kind == .cancelled)
    }
  }
}
