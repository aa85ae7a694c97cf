// The fast compressor and the compressor in pieces: zlib must decompress what they yield to the same bytes.

import ByteCompression
import ImageCore
import TestSupport
import Testing

@Suite struct FastDeflateTests {
  /// Bytes of one kind: noise, runs, text-like repetitions, a ramp, or a mixture.
  private func sample(_ kind: Int, count: Int, seed: UInt64) -> [UInt8] {
    var random = TestRandom(seed)
    func next() -> UInt64 { random.next() >> 33 }
    var result: [UInt8] = []
    while result.count < count {
      switch kind == 4 ? Int(next() % 4) : kind {
      case 0: for _ in 0..<100 { result.append(UInt8(truncatingIfNeeded: next())) }
      case 1: result += [UInt8](repeating: UInt8(truncatingIfNeeded: next()), count: Int(next() % 700))
      case 2 where result.count > 8:
        let start = Int(next() % UInt64(result.count))
        result += Array(result[start..<min(result.count, start + 3 + Int(next() % 300))])
      default: for value in 0..<60 { result.append(UInt8(truncatingIfNeeded: UInt64(value) * 4 + next() % 3)) }
      }
    }
    return Array(result.prefix(count))
  }

  static let counts = [0, 1, 2, 3, 4, 7, 8, 9, 300, 4_000, 32_768, 70_000, 131_071, 131_072, 131_073, 500_000]

  @Test(arguments: FastDeflateTests.counts)
  func zlibRestoresTheBytes(count: Int) throws {
    for kind in 0..<5 {
      let bytes = sample(kind, count: count, seed: UInt64(count))
      for pieceByteCount in [Int.max, 1_000, 131_072] {
        var stream = FastDeflateStream(byteCount: pieceByteCount == 1_000 ? count : .max)
        var start = 0
        while start < count {
          let end = start + min(pieceByteCount, count - start)
          stream.append(bytes.span.extracting(start..<end))
          start = end
        }
        let compressed = stream.finish()
        let restored = try ZlibBlock.decompress(compressed.span, maximumByteCount: count)
        #expect(restored == bytes, "kind \(kind)")
        // At worst a block is stored.
        #expect(compressed.count <= count + count / 65_000 * 5 + 5 * (count / 131_072 + 1) + 16)
      }
    }
  }

  @Test func runsAndRepetitionsBecomeSmall() {
    for kind in [1, 2] {
      var stream = FastDeflateStream()
      let bytes = sample(kind, count: 200_000, seed: 5)
      stream.append(bytes.span)
      let ours = stream.finish().count
      let zlib = ZlibBlock.compress(bytes.span, level: 1)?.count ?? 0
      #expect(ours < zlib * 3 / 2)
    }
  }

  @Test func skewedFrequenciesStayWithinTheLongestCode() throws {
    // Frequencies of Fibonacci's numbers would need codes of more than 15 bits.
    var bytes: [UInt8] = []
    var (last, next) = (1, 1)
    for value in 0..<24 {
      bytes += [UInt8](repeating: UInt8(value * 7), count: last)
      (last, next) = (next, last + next)
    }
    // A permutation without repeated strings of four bytes, mostly.
    var random = TestRandom(1)
    bytes.shuffle(using: &random)
    var stream = FastDeflateStream()
    stream.append(bytes.span)
    let compressed = stream.finish()
    let restored = try ZlibBlock.decompress(compressed.span, maximumByteCount: bytes.count)
    #expect(restored == bytes)
  }

  @Test func piecesAreOneStreamOnAnyNumberOfThreads() throws {
    for (kind, count) in [(4, 900_000), (2, 262_144), (0, 262_145), (4, 0), (1, 5)] {
      let bytes = sample(kind, count: count, seed: 3)
      var results: [[UInt8]] = []
      for parallelism in [1, 2, 3] {
        var stream = PiecewiseDeflate(level: 6, strategy: .standard, byteCount: count, parallelism: parallelism)
        stream.append(bytes.span.extracting(first: count / 3))
        stream.append(bytes.span.extracting(count / 3..<count))
        results.append(try #require(stream.finish()))
      }
      #expect(results[0] == results[1] && results[1] == results[2])
      let first = results[0]
      let restored = try ZlibBlock.decompress(first.span, maximumByteCount: count)
      #expect(restored == bytes)
      let wholeByteCount = ZlibBlock.compress(bytes.span, level: 6)?.count ?? 0
      // Each piece but the last ends with an empty stored block.
      #expect(results[0].count <= wholeByteCount + wholeByteCount / 100 + 200)
    }
  }
}
