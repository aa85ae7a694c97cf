// Brotli streams of an independent encoder and streams written by hand (Fixtures/generate-brotli.py), damage, and
// bombs.

import ByteCompression
import ImageCore
import TestSupport
import Testing

@Suite struct BrotliTests {
  private struct Sample {
    var name: String
    var byteCount: Int
    var checksum: UInt32
    var stream: [UInt8]
  }

  private static func samples() throws -> [Sample] {
    return try Fixture("brotli.tsv", beside: #filePath).text.split(separator: "\n").map { line in
      let fields = line.split(separator: "\t").map(String.init)
      let encoded = Array(fields[4].utf8)
      let decoded = Base64.decode(encoded.span)
      var stream = try #require(decoded)
      // Streams with much repetition are compressed with zlib.
      if fields[3] == "z" { stream = try ZlibBlock.decompress(stream.span, maximumByteCount: 1 << 20) }
      return Sample(
        name: fields[0], byteCount: try #require(Int(fields[1])), checksum: try #require(UInt32(fields[2])),
        stream: stream)
    }
  }

  private func decompress(
    _ stream: [UInt8], maximumByteCount: Int = 1 << 20, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    try BrotliStream.decompress(stream.span, maximumByteCount: maximumByteCount, budget: &budget)
  }

  /// Written by hand after RFC 7932, section 9.2; the reference decoder agrees.
  @Test func theLastMetaBlockMayBeMetadata() throws {
    var budget = ResourceBudget(.default)
    for stream: [UInt8] in [[0x5A, 0, 0x41], [0x1A]] {
      let bytes = try decompress(stream, &budget)
      #expect(bytes.isEmpty)
    }
    // Nothing may follow, all of the metadata must be there, and the reserved bit must be 0.
    for stream: [UInt8] in [[0x5A, 0, 0x41, 0], [0x5A, 0], [0x1A, 0], [0x7A, 0, 0x41]] {
      #expect(throws: CodecError.self) { try decompress(stream, &budget) }
    }
  }

  @Test func streamsOfAnIndependentEncoderAreDecompressed() throws {
    let samples = try Self.samples()
    #expect(samples.count > 25)
    for sample in samples {
      var budget = ResourceBudget(.default)
      let bytes = try decompress(sample.stream, &budget)
      #expect(bytes.count == sample.byteCount, "\(sample.name)")
      let checksum = CRC32(of: bytes.span).value
      #expect(checksum == sample.checksum, "\(sample.name)")
      #expect(budget.heldByteCount >= bytes.count)
      // Exactly the necessary size suffices.
      let exact = try decompress(sample.stream, maximumByteCount: sample.byteCount, &budget)
      #expect(exact == bytes)
      if sample.byteCount > 0 {
        let error = #expect(throws: CodecError.self) {
          try decompress(sample.stream, maximumByteCount: sample.byteCount - 1, &budget)
        }
        #expect(error?.kind == .limitExceeded)
      }
    }
  }

  @Test func everyPrefixIsIncomplete() throws {
    for sample in try Self.samples() {
      for count in stride(from: 0, to: sample.stream.count, by: sample.stream.count > 2_000 ? 97 : 1) {
        var budget = ResourceBudget(.default)
        let error = #expect(throws: CodecError.self) { try decompress(Array(sample.stream[..<count]), &budget) }
        #expect(error?.kind == .truncated, "\(sample.name), \(count) bytes: \(String(describing: error))")
        #expect(budget.heldByteCount == 0)
      }
    }
  }

  @Test func flippedBitsGiveErrorsWithOffsetsOrOtherBytes() throws {
    for sample in try Self.samples() where sample.stream.count < 1_000 {
      for index in 0..<sample.stream.count * 8 {
        var stream = sample.stream
        stream[index >> 3] ^= 1 << UInt8(index & 7)
        var budget = ResourceBudget(.default)
        do throws(CodecError) {
          _ = try decompress(stream, &budget)
        } catch {
          let offset = try #require(error.byteOffset)
          #expect(0...stream.count ~= offset)
          #expect([.malformed, .truncated, .limitExceeded].contains(error.kind))
          #expect(budget.heldByteCount == 0)
        }
      }
    }
  }

  @Test func bytesAfterTheEndAreRefused() throws {
    let stream = try #require(try Self.samples().first).stream
    var budget = ResourceBudget(.default)
    let error = #expect(throws: CodecError.self) { try decompress(stream + [0], &budget) }
    #expect(error?.kind == .malformed)
    #expect(error?.byteOffset == stream.count)
  }

  /// A few bytes that expand to 16 MiB: a meta-block with one literal and a copy.
  @Test func expansionStopsAtTheLimits() throws {
    var bits = BitList()
    bits.append(0, 1)
    // The last meta-block, with six nibbles of length.
    bits.append(1, 1)
    bits.append(0, 1)
    bits.append(2, 2)
    bits.append((1 << 24) - 1, 24)
    bits.append(0, 13)
    bits.appendSymbol(65, bits: 8)
    // One literal and a copy of at least 2118 bytes, the length of which has 24 more bits.
    bits.appendSymbol(384 + 1 << 3 + 7, bits: 10)
    bits.appendSymbol(0, bits: 6)
    bits.append((1 << 24) - 1 - 2_118, 24)
    // The last of the recent distances is 4, and only one byte precedes: the copy is not a word of the dictionary.
    var budget = ResourceBudget(.default)
    let damaged = #expect(throws: CodecError.self) {
      try decompress(bits.bytes, maximumByteCount: 1 << 24, &budget)
    }
    #expect(damaged?.kind == .malformed)
    let limited = #expect(throws: CodecError.self) {
      try decompress(bits.bytes, maximumByteCount: 1 << 24 - 1, &budget)
    }
    #expect(limited?.kind == .limitExceeded)

    let runs = try #require(try Self.samples().first { $0.name == "runs" })
    #expect(runs.stream.count < 50)
    for (memory, work) in [(runs.byteCount - 1, Int64.max), (1 << 30, Int64(runs.byteCount))] {
      var limits = DecodingLimits.default
      (limits.maximumByteCount, limits.maximumWork) = (memory, work)
      var budget = ResourceBudget(limits)
      let error = #expect(throws: CodecError.self) { try decompress(runs.stream, &budget) }
      #expect(error?.kind == .limitExceeded)
      #expect(budget.heldByteCount == 0 && budget.peakByteCount <= memory)
    }
  }
}

/// Bits of a stream, the least significant one of each byte first.
private struct BitList {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  mutating func append(_ value: Int, _ bitCount: Int) {
    for bit in 0..<bitCount {
      if count & 7 == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(count & 7)
      count += 1
    }
  }

  /// Appends a prefix code of one symbol.
  mutating func appendSymbol(_ symbol: Int, bits bitCount: Int) {
    append(1, 4)
    append(symbol, bitCount)
  }
}
