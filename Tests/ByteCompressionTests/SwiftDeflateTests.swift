// Our compressor of DEFLATE streams: decompressors restore the bytes, and streams are about as small as zlib's.

import ByteCompression
import ImageCore
import TestSupport
import Testing

@Suite struct SwiftDeflateTests {
  static let strategies: [DeflateStrategy] = [.standard, .filtered, .runLength, .huffmanOnly]

  private func compress(
    _ bytes: [UInt8], level: Int, strategy: DeflateStrategy = .standard, isRaw: Bool = false, pieceByteCount: Int = .max
  ) throws -> [UInt8] {
    let stream = SwiftDeflateStream(level: level, strategy: strategy, isRaw: isRaw)
    var output: [UInt8] = []
    var start = 0
    while start < bytes.count {
      let end = start + min(pieceByteCount, bytes.count - start)
      stream.append(bytes.span.extracting(start..<end))
      start = end
      output += stream.takeOutput()
    }
    return output + (try #require(stream.finish()))
  }

  /// Checks that all decompressors restore the bytes: zlib among them, if it is there.
  private func check(_ compressed: [UInt8], restores bytes: [UInt8], _ comment: Comment? = nil) throws {
    let restored = try ZlibBlock.decompress(compressed.span, maximumByteCount: bytes.count)
    #expect(restored == bytes, comment)
    var inflate = WholeInflate()
    var output = [UInt8](repeating: 1, count: bytes.count)
    var span = output.mutableSpan
    let count = inflate.inflate(compressed.span, into: &span)
    #expect(count == bytes.count && output == bytes, comment)
  }

  /// Smooth rows of samples with some noise, as differences to the sample before.
  private func filteredSamples(_ count: Int) -> [UInt8] {
    var random = TestRandom(12)
    return (0..<count).map { index in
      let noise = Int.random(in: 0..<9, using: &random) + Int.random(in: 0..<9, using: &random) - 8
      return UInt8(truncatingIfNeeded: (index / 3_000) % 4 + noise / (1 + (index / 700) % 3))
    }
  }

  /// Words in random order.
  private func text(_ count: Int) -> [UInt8] {
    var random = TestRandom(7)
    let words = (0..<900).map { _ in
      (0..<Int.random(in: 1...9, using: &random)).map { _ in UInt8.random(in: 97...115, using: &random) }
    }
    var result: [UInt8] = []
    while result.count < count {
      // Frequent words come first.
      let bound = Int.random(in: 1...words.count, using: &random)
      result += words[Int.random(in: 0..<bound, using: &random)] + [32]
    }
    return Array(result.prefix(count))
  }

  @Test(arguments: [
    0, 1, 2, 3, 4, 5, 7, 8, 9, 258, 259, 300, 4_000, 32_768, 40_000, 131_071, 131_072, 131_073, 400_000,
  ])
  func theBytesAreRestored(count: Int) throws {
    for (kind, bytes) in [
      DeflateSamples.mixture(count, seed: UInt64(count)), [UInt8](repeating: 7, count: count), text(count),
    ].enumerated() {
      for level in count > 100_000 ? [0, 1, 6, 9] : Array(0...9) {
        for strategy in level == 6 ? Self.strategies : [.standard] {
          let pieceByteCount = [.max, 1_000, 131_072][(level + kind) % 3]
          let compressed = try compress(bytes, level: level, strategy: strategy, pieceByteCount: pieceByteCount)
          try check(compressed, restores: bytes, "kind \(kind), level \(level), \(strategy)")
          // At worst a block is stored.
          #expect(compressed.count <= count + 5 * (count / 32_768 + 1) + 16)
        }
      }
    }
  }

  #if SystemZlib
    @Test func streamsAreAboutAsSmallAsThoseOfZlib() throws {
      for (name, bytes, strategy) in [
        ("text", text(300_000), .standard), ("short text", text(900), .standard), ("a line", text(60), .standard),
        ("mixture", DeflateSamples.mixture(300_000, seed: 5), .standard),
        ("zeros", [UInt8](repeating: 0, count: 300_000), .standard),
        ("samples", filteredSamples(400_000), .filtered), ("samples", filteredSamples(400_000), .standard),
      ] as [(String, [UInt8], DeflateStrategy)] {
        for level in [6, 9] {
          let ours = try compress(bytes, level: level, strategy: strategy).count
          let system = SystemDeflateStream(level: level, strategy: strategy)
          let isAppended = system.append(bytes.span)
          #expect(isAppended)
          let zlib = try #require(system.finish()).count
          // Every 128 KiB have separate codes.
          let codesByteCount = 16 * (bytes.count >> 17)
          #expect(ours <= zlib + max(zlib / 50, 2) + codesByteCount, "\(name), level \(level)")
        }
      }
    }
  #endif

  @Test func blocksEndWhereStatisticsChange() throws {
    // Each half has its own alphabet, so that one block would take a bit more for each byte.
    var random = TestRandom(3)
    let bytes = (0..<80_000).map { UInt8(($0 < 40_000 ? 0 : 128) + Int.random(in: 0..<16, using: &random)) }
    let compressed = try compress(bytes, level: 6, strategy: .huffmanOnly)
    try check(compressed, restores: bytes)
    #expect(compressed.count < bytes.count / 2 + 1_000)
  }

  @Test func skewedFrequenciesStayWithinTheLongestCode() throws {
    // Frequencies of Fibonacci's numbers would need codes of more than 15 bits.
    var bytes: [UInt8] = []
    var (last, next) = (1, 1)
    for value in 0..<23 {
      bytes += [UInt8](repeating: UInt8(value * 7), count: last)
      (last, next) = (next, last + next)
    }
    var random = TestRandom(1)
    bytes.shuffle(using: &random)
    for strategy in Self.strategies {
      let compressed = try compress(bytes, level: 6, strategy: strategy)
      try check(compressed, restores: bytes)
    }
  }

  @Test func theLongestDistanceIsUsed() throws {
    var random = TestRandom(2)
    let string = random.bytes(100)
    for gap in [32_668, 32_669] {
      // Stored bytes between the strings; nothing else repeats.
      let bytes = string + random.bytes(gap) + string
      let compressed = try compress(bytes, level: 9)
      try check(compressed, restores: bytes)
      let other = try compress(random.bytes(bytes.count), level: 9).count
      #expect((compressed.count < other - 50) == (gap == 32_668))
    }
  }

  @Test func dictionariesAndFlushes() throws {
    let bytes = text(100_000)
    for level in [0, 1, 6, 9] {
      var joined: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: 20_000) {
        let stream = SwiftDeflateStream(level: level, isRaw: true)
        let window = bytes.span.extracting(max(0, start - 32_768)..<start)
        let isSet = window.isEmpty || stream.setDictionary(window)
        #expect(isSet)
        for part in stride(from: start, to: start + 20_000, by: 5_000) {
          stream.append(bytes.span.extracting(part..<part + 5_000))
          if part == start { joined += try #require(stream.flush()) }
        }
        joined += try #require(start == 80_000 ? stream.finish() : stream.flush())
      }
      let restored = try ZlibBlock.decompress(joined.span, container: .raw, maximumByteCount: bytes.count)
      #expect(restored == bytes)
      if level == 6 {
        let whole = try compress(bytes, level: level).count
        #expect(joined.count <= whole + whole / 20 + 100)
      }
    }
    let stream = SwiftDeflateStream(level: 6)
    let isRefused = !stream.setDictionary(bytes.span.extracting(first: 10))
    #expect(isRefused)
  }
}
