import ByteCompression
import ImageCore
import Testing

@Suite struct ZlibTests {
  /// "hello hello hello hello\n" as RFC 1950 and RFC 1952 streams, written by Python's zlib and gzip.
  static let text = Array("hello hello hello hello\n".utf8)

  private func decompress(
    _ bytes: [UInt8], _ container: InflateStream.Container = .zlib, limit: Int = 1000
  ) throws(CodecError) -> [UInt8] {
    try ZlibBlock.decompress(bytes.span, container: container, maximumByteCount: limit, format: "x", byteOffset: 7)
  }

  @Test func checksumsOfPublishedVectors() {
    let digits = Array("123456789".utf8)
    let crc = CRC32(of: digits.span).value
    #expect(crc == 0xCBF4_3926)
    var adler = Adler32()
    adler.update(Array("Wikipedia".utf8).span)
    #expect(adler.value == 0x11E6_0398)
    var split = CRC32()
    for byte in digits { split.update([byte].span) }
    #expect(split.value == 0xCBF4_3926)
    #expect(CRC32().value == 0)
    #expect(Adler32().value == 1)
  }

  @Test func storedBlocksOfRFC1951() throws {
    // A final stored block of three bytes, in each container.
    let raw: [UInt8] = [1, 3, 0, 0xFC, 0xFF, 97, 98, 99]
    #expect(try decompress(raw, .raw) == [97, 98, 99])
    let zlib: [UInt8] = [0x78, 0x01] + raw + [0x02, 0x4D, 0x01, 0x27]
    #expect(try decompress(zlib) == [97, 98, 99])
    let gzip: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 3] + raw + [0xC2, 0x41, 0x24, 0x35, 3, 0, 0, 0]
    #expect(try decompress(gzip, .gzip) == [97, 98, 99])
  }

  @Test func fixedCodesOfRFC1951() throws {
    // "abc" by the fixed code: 1, 01, then 8-bit codes 0x30 + value, then seven zeros.
    #expect(try decompress([0x4B, 0x4C, 0x4A, 0x06, 0x00], .raw) == [97, 98, 99])
  }

  @Test func roundTrips() throws {
    for level in 0...9 {
      for count in [0, 1, 1000, 200_000] {
        let bytes = (0..<count).map { UInt8($0 * $0 >> 3 & 255) }
        let packed = try #require(compress(bytes, level))
        #expect(try decompress(packed, limit: count) == bytes)
      }
    }
  }

  private func compress(_ bytes: [UInt8], _ level: Int) -> [UInt8]? { ZlibBlock.compress(bytes.span, level: level) }

  @Test func theCapIsExact() throws {
    let packed = try #require(compress([UInt8](repeating: 0, count: 100_000), 9))
    #expect(try decompress(packed, limit: 100_000).count == 100_000)
    let error = #expect(throws: CodecError.self) { try decompress(packed, limit: 99_999) }
    #expect(error?.kind == .limitExceeded)
  }

  @Test func damageIsTyped() throws {
    let packed = try #require(compress(Self.text, 9))
    for count in 0..<packed.count {
      let error = #expect(throws: CodecError.self) { try decompress(Array(packed[..<count])) }
      #expect(error?.kind == .truncated)
    }
    var damaged = packed
    damaged[packed.count - 1] ^= 1
    let error = #expect(throws: CodecError.self) { try decompress(damaged) }
    #expect(error?.kind == .malformed)
    #expect(error?.reason == "incorrect data check")
    for bit in 0..<packed.count * 8 {
      var flipped = packed
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect((try? decompress(flipped)) == nil || (try? decompress(flipped)) == Self.text)
    }
  }

  @Test func outputStopsWhereItIsFull() throws {
    let bytes = (0..<5000).map { UInt8($0 & 255) }
    let packed = try #require(compress(bytes, 6))
    let stream = InflateStream(.zlib)
    var result: [UInt8] = []
    var position = 0
    var status = InflateStream.Status.needsMore
    while status == .needsMore {
      var chunk = [UInt8](repeating: 0, count: 7)
      var space = chunk.mutableSpan
      let end = min(packed.count, position + 3)
      let progress = stream.inflate(packed.span.extracting(position..<end), into: &space)
      position += progress.consumedCount
      result += chunk[..<progress.producedCount]
      status = progress.status
    }
    #expect(status == .finished)
    #expect(result == bytes)
  }
}

@Suite struct Adler32Tests {
  /// The definition of RFC 1950 in wide integers.
  private func definition(_ bytes: [UInt8]) -> UInt32 {
    var a: UInt64 = 1
    var b: UInt64 = 0
    for byte in bytes {
      a = (a + UInt64(byte)) % 65521
      b = (b + a) % 65521
    }
    return UInt32(b << 16 | a)
  }

  private func checksum(_ bytes: [UInt8], cutAt cuts: [Int] = []) -> UInt32 {
    var adler = Adler32()
    var start = 0
    for end in cuts + [bytes.count] {
      adler.update(bytes.span.extracting(start..<end))
      start = end
    }
    return adler.value
  }

  private func portable(_ bytes: [UInt8]) -> UInt32 {
    let sums = adler32Portable(bytes.span, after: Adler32Sums(low: 1, high: 0))
    return sums.high << 16 | sums.low
  }

  @Test func everyLengthAndCutGivesTheDefinedSum() {
    for count in Array(0...70) + [5535, 5536, 5537, 5552, 5553, 11_072, 100_003] {
      for bytes in [[UInt8](repeating: 255, count: count), (0..<count).map { UInt8($0 * 7 & 255) }] {
        let expected = definition(bytes)
        #expect(checksum(bytes) == expected)
        #expect(checksum(bytes, cutAt: [count / 3, count / 2]) == expected)
        #expect(portable(bytes) == expected)
      }
    }
  }
}
