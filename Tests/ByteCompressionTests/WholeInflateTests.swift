// The fast decompressor compared with zlib: all kinds of blocks, damage, and outputs of other sizes.

import ByteCompression
import TestSupport
import Testing

@Suite struct WholeInflateTests {
  private func inflate(_ file: [UInt8], _ count: Int) -> [UInt8]? {
    var inflate = WholeInflate()
    var output = [UInt8](repeating: 0xAA, count: count)
    var span = output.mutableSpan
    guard let written = inflate.inflate(file.span, into: &span) else { return nil }
    return Array(output.prefix(written))
  }

  @Test func validStreamsAreThoseOfZlib() throws {
    for (index, count) in [0, 1, 5, 300, 5_000, 70_000, 300_000].enumerated() {
      let bytes = DeflateSamples.mixture(count, seed: UInt64(index + 1))
      for level in [0, 1, 6, 9] {
        for strategy in [DeflateStream.Strategy.standard, .runLength, .huffmanOnly] {
          let stream = DeflateStream(level: level, strategy: strategy)
          let isAppended = stream.append(bytes.span)
          #expect(isAppended)
          let file = try #require(stream.finish())
          #expect(inflate(file, count) == bytes)
          #expect(inflate(file, count + 1_000) == bytes)
          #expect(inflate(file + [1, 2, 3], count) == bytes)
          if count > 0 { #expect(inflate(file, count - 1) == nil) }
          #expect(inflate(Array(file.dropLast()), count) == nil)
        }
      }
    }
  }

  /// Matches that end with the output or shortly before.
  @Test func longMatchesFitTheOutput() throws {
    for period in [1, 2, 7, 31, 33, 200] {
      for count in stride(from: 200, to: 1_000, by: 17) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 % period * 5) }
        let compressed = ZlibBlock.compress(bytes.span, level: 9)
        let file = try #require(compressed)
        for excess in [0, 1, 31, 32, 33, 39, 40, 41, 300] { #expect(inflate(file, count + excess) == bytes) }
        for lack in [1, 32, 100] { #expect(inflate(file, count - lack) == nil) }
      }
    }
  }

  @Test func damageIsNeverAccepted() throws {
    let bytes = DeflateSamples.mixture(3_000, seed: 9)
    for level in [0, 1, 9] {
      let compressed = ZlibBlock.compress(bytes.span, level: level)
      let file = try #require(compressed)
      var random = TestRandom(5)
      func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
      for _ in 0..<2_000 {
        var damaged = file
        for _ in 0..<1 + number(3) { damaged[number(file.count)] ^= UInt8(1 << number(8)) }
        // The checksum detects what the codes do not.
        if let result = inflate(damaged, bytes.count) { #expect(result == bytes) }
      }
      for count in 0..<file.count { #expect(inflate(Array(file.prefix(count)), bytes.count) == nil) }
    }
  }
}
