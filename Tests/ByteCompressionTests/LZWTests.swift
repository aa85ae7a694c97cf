import ByteCompression
import TestSupport
import Testing

@Suite struct LZWTests {
  static let gif8 = LZWCoding(literalWidth: 8, bitOrder: .leastSignificantFirst)
  static let codings: [LZWCoding] =
    [1, 2, 4, 8, 11].map { LZWCoding(literalWidth: $0, bitOrder: .leastSignificantFirst) } + [
      LZWCoding(literalWidth: 8, bitOrder: .mostSignificantFirst, hasEarlyChange: true),
      LZWCoding(literalWidth: 8, bitOrder: .mostSignificantFirst),
      LZWCoding(literalWidth: 3, bitOrder: .leastSignificantFirst, hasEarlyChange: true),
    ]

  /// Texts from noise to long runs, in bytes that the coding can hold.
  static func samples(_ coding: LZWCoding) -> [[UInt8]] {
    var random = TestRandom(7)
    func byte() -> UInt8 { UInt8(truncatingIfNeeded: random.next()) }
    let mask = UInt8(truncatingIfNeeded: min(coding.clearCode, 256) - 1)
    let noise = (0..<12_000).map { _ in byte() & mask }
    let runs = (0..<200).flatMap { _ -> [UInt8] in
      [UInt8](repeating: byte() & mask, count: Int(byte()) + 1)
    }
    let words = (0..<3000).flatMap { _ in
      noise[Int(byte() & 15) * 9..<Int(byte() & 15) * 9 + 300].prefix(9)
    }
    return [[], [0], [1 & mask, 1 & mask, 1 & mask], noise, runs, words, [UInt8](repeating: 1 & mask, count: 40_000)]
  }

  private func decode(
    _ bytes: [UInt8], _ coding: LZWCoding, room: Int, pieces: (inout TestRandom) -> Int = { _ in .max }
  ) -> (bytes: [UInt8], status: LZWDecoder.Status) {
    var decoder = LZWDecoder(coding)
    var output = [UInt8](repeating: 0, count: room)
    var random = TestRandom(99)
    var start = 0
    var span = output.mutableSpan
    while start < bytes.count {
      let end = start + min(bytes.count - start, pieces(&random))
      decoder.decode(bytes.span.extracting(start..<end), into: &span)
      start = end
    }
    return (Array(output[..<decoder.outputCount]), decoder.status)
  }

  /// The example of ISO 32000-1, 7.4.4.2.
  @Test func theExampleOfPDF() {
    let coding = LZWCoding(literalWidth: 8, bitOrder: .mostSignificantFirst, hasEarlyChange: true)
    let coded: [UInt8] = [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01]
    let plain: [UInt8] = [45, 45, 45, 45, 45, 65, 45, 45, 45, 66]
    let result = decode(coded, coding, room: 10)
    expectSame(result.bytes, plain)
    #expect(result.status == .ended)
    var encoder = LZWEncoder(coding)
    encoder.append(plain.span)
    #expect(encoder.finish() == coded)
  }

  /// The sample image that GIF tutorials take apart.
  @Test func theSampleImageOfGIF() {
    let coded: [UInt8] = [
      0x8C, 0x2D, 0x99, 0x87, 0x2A, 0x1C, 0xDC, 0x33, 0xA0, 0x02, 0x75, 0xEC, 0x95, 0xFA, 0xA8, 0xDE, 0x60, 0x8C, 0x04,
      0x91, 0x4C, 0x01,
    ]
    let rows = ["1111122222", "1110000222", "2220000111", "2222211111"]
    let plain = [0, 0, 0, 1, 1, 2, 2, 3, 3, 3].flatMap { rows[$0].utf8.map { $0 - 48 } }
    let result = decode(coded, LZWCoding(literalWidth: 2, bitOrder: .leastSignificantFirst), room: 100)
    expectSame(result.bytes, plain)
    #expect(result.status == .ended)
  }

  @Test(arguments: codings)
  func theSlowTwinAgrees(coding: LZWCoding) {
    let twin = SlowLZW(coding: coding)
    for sample in Self.samples(coding) {
      for clearsWhenFull in [true, false] {
        let coded = twin.encode(sample, clearsWhenFull: clearsWhenFull)
        let result = decode(coded, coding, room: sample.count)
        expectSame(result.bytes, sample)
        #expect(result.status == .ended)
      }
      var encoder = LZWEncoder(coding)
      encoder.append(sample.span.extracting(0..<sample.count / 3))
      encoder.append(sample.span.extracting(sample.count / 3..<sample.count))
      let ours = twin.decode(encoder.finish())
      expectSame(ours.bytes, sample)
      #expect(ours.status == .ended)
    }
  }

  @Test(arguments: codings)
  func piecesGiveTheSame(coding: LZWCoding) {
    for sample in Self.samples(coding) {
      let coded = SlowLZW(coding: coding).encode(sample, clearsWhenFull: false)
      for maximum in [1, 3, 40] {
        let result = decode(coded, coding, room: sample.count) { Int.random(in: 1...maximum, using: &$0) }
        expectSame(result.bytes, sample)
        #expect(result.status == .ended)
      }
    }
  }

  @Test(arguments: codings)
  func everyRoomIsFilled(coding: LZWCoding) {
    let sample = Array(Self.samples(coding)[4].prefix(300))
    let coded = SlowLZW(coding: coding).encode(sample, clearsWhenFull: true)
    for room in 0..<300 {
      let result = decode(coded, coding, room: room)
      expectSame(result.bytes, Array(sample.prefix(room)))
      #expect(result.status == .excess)
    }
  }

  @Test(arguments: codings)
  func damageIsSeenAsTheTwinSeesIt(coding: LZWCoding) {
    var random = TestRandom(3)
    let twin = SlowLZW(coding: coding)
    for sample in Self.samples(coding) {
      let coded = twin.encode(Array(sample.prefix(3000)), clearsWhenFull: true)
      for _ in 0..<40 {
        var damaged = coded
        for _ in 0..<3 {
          let place = Int.random(in: 0..<coded.count, using: &random)
          damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        damaged = Array(damaged.prefix(Int.random(in: 1...coded.count, using: &random)))
        let expected = twin.decode(damaged, limit: 4000)
        let result = decode(damaged, coding, room: 4000)
        expectSame(result.bytes, expected.bytes)
        #expect(result.status == expected.status)
      }
    }
  }

  @Test func aDecoderStartsAnew() {
    var decoder = LZWDecoder(Self.gif8)
    for coding in Self.codings + Self.codings.reversed() {
      let sample = Self.samples(coding)[5]
      decoder.restart(coding)
      var output = [UInt8](repeating: 0, count: sample.count)
      var span = output.mutableSpan
      decoder.decode(SlowLZW(coding: coding).encode(sample, clearsWhenFull: true).span, into: &span)
      expectSame(output, sample)
      #expect(decoder.status == .ended)
    }
  }
}

/// Compares without printing thousands of bytes.
func expectSame(_ bytes: [UInt8], _ expected: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
  let isSame = bytes == expected
  #expect(isSame, sourceLocation: sourceLocation)
}
