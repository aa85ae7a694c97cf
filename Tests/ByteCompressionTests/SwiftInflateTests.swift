// Our decompressor of DEFLATE streams: against the system's zlib call by call, and without it against what is known of
// its streams.

import ByteCompression
import ImageCore
import TestSupport
import Testing

/// The interface of both decompressors.
private protocol Inflating: AnyObject {
  init(_ container: InflateContainer)
  init(copying other: Self)
  func inflate(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> InflateProgress
}

extension SwiftInflateStream: Inflating {}
#if SystemZlib
  extension SystemInflateStream: Inflating {}
#endif

/// The output of a stream, and the effect of each call.
private struct Trace: Equatable {
  var output: [UInt8] = []
  var calls: [InflateProgress] = []
  var status = InflateProgress.Status.needsMore
  /// The number of bytes consumed.
  var position = 0
}

@Suite struct SwiftInflateTests {
  /// Decompresses a stream in parts of random sizes, up to the given ones. Continues once after the end.
  ///
  /// - Parameter copies: whether each part is decompressed by a copy of the stream that has decompressed those before.
  private func trace<Stream: Inflating>(
    _ type: Stream.Type, _ bytes: [UInt8], _ container: InflateContainer, inputs: Int, outputs: Int, seed: UInt64,
    copies: Bool = false
  ) -> Trace {
    var random = TestRandom(seed)
    var stream = type.init(container)
    var result = Trace()
    var chunk = [UInt8](repeating: 0xAA, count: outputs)
    var idleCount = 0
    while idleCount < 2 {
      let end = min(bytes.count, result.position + Int.random(in: min(1, inputs - 1)...inputs, using: &random))
      let room = Int.random(in: 1...outputs, using: &random)
      var all = chunk.mutableSpan
      var space = all._mutatingExtracting(0..<room)
      if copies {
        let copy = type.init(copying: stream)
        // The original goes on, and the copy must not notice.
        _ = stream.inflate(bytes.span.extracting(0..<end), into: &space)
        stream = copy
      }
      let progress = stream.inflate(bytes.span.extracting(result.position..<end), into: &space)
      result.position += progress.consumedCount
      result.output += chunk[..<progress.producedCount]
      result.calls.append(progress)
      result.status = progress.status
      let isIdle =
        progress.status != .needsMore
        || (result.position == bytes.count && progress.producedCount < room && progress.consumedCount == 0)
      if isIdle { idleCount += 1 }
    }
    return result
  }

  /// Sizes of the parts of input and output.
  private static let divisions: [(inputs: Int, outputs: Int)] = [
    (1 << 20, 1 << 18), (1, 1 << 18), (1 << 20, 1), (7, 11), (100, 1_000), (40, 20_000), (8_192, 70_000),
  ]

  /// Sizes for short streams.
  private static let fewDivisions: [(inputs: Int, outputs: Int)] = [(1 << 20, 4_000), (3, 5)]

  /// Compares a stream with zlib's results; returns our own.
  @discardableResult
  private func compare(
    _ bytes: [UInt8], _ container: InflateContainer, divisions: [(inputs: Int, outputs: Int)] = Self.divisions,
    _ comment: Comment? = nil
  ) -> Trace {
    var last = Trace()
    for (index, division) in divisions.enumerated() {
      let (inputs, outputs) = division
      let seed = UInt64(index)
      let ours = trace(
        SwiftInflateStream.self, bytes, container, inputs: inputs, outputs: outputs, seed: seed)
      #if SystemZlib
        let zlib = trace(
          SystemInflateStream.self, bytes, container, inputs: inputs, outputs: outputs, seed: seed)
        #expect(ours.output == zlib.output, comment)
        #expect(ours.calls == zlib.calls, comment)
      #endif
      if index > 0 {
        #expect(ours.output == last.output, comment)
        #expect(ours.status == last.status && ours.position == last.position, comment)
      }
      last = ours
    }
    return last
  }

  @Test(arguments: [0, 1, 5, 300, 5_000, 70_000, 200_000])
  func streamsOfAllLevels(count: Int) throws {
    let bytes = DeflateSamples.mixture(count, seed: UInt64(count))
    for level in [0, 1, 6, 9] {
      for isRaw in [false, true] {
        let stream = DeflateStream(level: level, isRaw: isRaw)
        let isAppended = stream.append(bytes.span)
        #expect(isAppended)
        let file = try #require(stream.finish()) + [1, 2, 3]
        let result = compare(file, isRaw ? .raw : .zlib)
        #expect(result.output == bytes)
        #expect(result.status == .finished)
        #expect(result.position == file.count - 3)
      }
    }
  }

  @Test(arguments: [InflateContainer.zlib, .raw])
  func copiesGoOnWhereTheStreamWas(_ container: InflateContainer) throws {
    let bytes = DeflateSamples.mixture(90_000, seed: 8)
    for level in [0, 6] {
      let stream = DeflateStream(level: level, isRaw: container == .raw)
      let isAppended = stream.append(bytes.span)
      #expect(isAppended)
      var file = try #require(stream.finish())
      for isDamaged in [false, true] {
        if isDamaged { file[file.count * 2 / 3] ^= 0x55 }
        for (inputs, outputs) in [(1 << 20, 5_000), (700, 900), (3_000, 60_000)] {
          let expected = trace(
            SwiftInflateStream.self, file, container, inputs: inputs, outputs: outputs, seed: 9)
          let ours = trace(
            SwiftInflateStream.self, file, container, inputs: inputs, outputs: outputs, seed: 9, copies: true)
          #expect(ours == expected)
          #if SystemZlib
            let zlib = trace(
              SystemInflateStream.self, file, container, inputs: inputs, outputs: outputs, seed: 9, copies: true)
            #expect(zlib == expected)
          #endif
        }
      }
    }
  }

  /// Streams of zlib in all its ways (Fixtures/generate-deflate.py).
  @Test func streamsOfAnIndependentEncoder() throws {
    var count = 0
    for line in Fixture("deflate.tsv", beside: #filePath).text.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let encoded = Array(fields[4].utf8)
      let decoded = Base64.decode(encoded.span)
      let stream = try #require(decoded)
      let container: InflateContainer = fields[1] == "zlib" ? .zlib : fields[1] == "raw" ? .raw : .gzip
      let result = compare(stream, container, divisions: [(1 << 20, 1 << 18), (17, 300)], "\(fields[0])")
      #expect(result.status == .finished)
      #expect(result.output.count == Int(fields[2]))
      let checksum = CRC32(of: result.output.span).value
      #expect(checksum == UInt32(fields[3]))
      count += 1
    }
    #expect(count > 100)
  }

  @Test func everySplitOfAShortStream() throws {
    let bytes = DeflateSamples.mixture(2_000, seed: 3)
    let compressed = ZlibBlock.compress(bytes.span, level: 9)
    let file = try #require(compressed)
    for split in 0...file.count {
      let stream = SwiftInflateStream(.zlib)
      var output = [UInt8](repeating: 0, count: bytes.count)
      var space = output.mutableSpan
      let first = stream.inflate(file.span.extracting(first: split), into: &space)
      var rest = space._mutatingExtracting(first.producedCount..<bytes.count)
      let second = stream.inflate(file.span.extracting(droppingFirst: split), into: &rest)
      #expect(first.consumedCount == split)
      #expect(second.status == .finished)
      #expect(output == bytes)
    }
  }

  @Test func prefixesAndFlippedBits() throws {
    for (level, count) in [(0, 30), (1, 700), (9, 700)] {
      let bytes = DeflateSamples.mixture(count, seed: 11)
      let compressed = ZlibBlock.compress(bytes.span, level: level)
      let file = try #require(compressed)
      for count in 0..<file.count {
        let result = compare(Array(file[..<count]), .zlib, divisions: Self.fewDivisions)
        #expect(result.status == .needsMore)
        #expect(result.position == count)
      }
      for bit in 0..<file.count * 8 {
        var damaged = file
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        compare(damaged, .zlib, divisions: Self.fewDivisions, "bit \(bit)")
      }
    }
  }

  @Test func damageFarFromTheEnds() throws {
    let bytes = DeflateSamples.mixture(20_000, seed: 21)
    var random = TestRandom(8)
    for level in [1, 6] {
      let compressed = ZlibBlock.compress(bytes.span, level: level)
      let file = try #require(compressed)
      for _ in 0..<300 {
        var damaged = file
        damaged[Int.random(in: 0..<file.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        compare(damaged, .zlib, divisions: [(1 << 20, 30_000), (300, 9_000)])
      }
    }
  }

  @Test func noise() {
    var random = TestRandom(77)
    for _ in 0..<2_000 {
      let bytes = random.bytes(Int.random(in: 0...200, using: &random))
      for container in [InflateContainer.raw, .zlib, .gzip] {
        compare(bytes, container, divisions: Self.fewDivisions)
      }
    }
  }

  @Test func invalidStreamsHaveTheReasonsOfZlib() {
    for (name, bytes, reason) in DeflateSamples.invalid {
      let result = compare(bytes, .raw, Comment(rawValue: name))
      #expect(result.status == .damaged(reason: reason), "\(name)")
    }
  }

  @Test func storedBlocksOfAllSizes() {
    var builder = BitStreamBuilder()
    var expected: [UInt8] = []
    for count in [0, 1, 65_535, 0, 0, 32_768, 7] {
      let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31 >> 3) }
      builder.stored(content)
      expected += content
    }
    builder.stored([], isFinal: true)
    let result = compare(builder.bytes, .raw)
    #expect(result.status == .finished)
    #expect(result.output == expected)
  }

  @Test func theLongestDistancesAcrossCalls() {
    let content = DeflateSamples.mixture(40_000, seed: 4)
    var builder = BitStreamBuilder()
    builder.stored(content)
    var expected = content
    builder.number(3, 3)
    // Distances 32,768, 24,577 and 1, so often that the window wraps around.
    for index in 0..<50_000 {
      let symbol = [29, 29, 0][index % 3]
      let extra = [8191, 0, 0][index % 3]
      builder.fixedMatch(distanceSymbol: symbol, extra: extra, extraCount: symbol == 29 ? 13 : 0)
      let distance = [32_768, 24_577, 1][index % 3]
      for _ in 0..<3 { expected.append(expected[expected.count - distance]) }
    }
    builder.fixedSymbol(256)
    let result = compare(builder.bytes, .raw)
    #expect(result.status == .finished)
    #expect(result.output == expected)
  }

  /// Long matches at distances of all kinds, divided wherever the output ends.
  @Test(arguments: [1, 2, 7, 31, 32, 33, 500])
  func matchesForWhichThereIsNoRoom(period: Int) throws {
    let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 % period * 7 + $0 / 3_000) }
    let compressed = ZlibBlock.compress(bytes.span, level: 9)
    let file = try #require(compressed)
    let result = compare(
      file, .zlib, divisions: [(1 << 20, 1 << 15), (1 << 20, 60), (1 << 20, 350), (1 << 20, 700), (9, 400)])
    #expect(result.output == bytes)
    #expect(result.status == .finished)
  }

  @Test func aSingleDistanceCode() {
    // Distance 1 has a code of one bit, the other one does not exist.
    for isValid in [true, false] {
      var builder = BitStreamBuilder()
      builder.dynamicHeader(
        literals: 258, distances: 1, codeLengths: (0..<19).map { [0: 2, 1: 3, 2: 3, 18: 1][$0] ?? 0 })
      // Lengths 1 for "A", 2 for the end of the block and for a length of 3, 1 for the distance.
      for (run, length) in [(65, 1), (190, 2), (0, 2), (0, 1)] {
        if run > 0 {
          for part in run > 138 ? [138, run - 138] : [run] {
            builder.code(0, 1)
            builder.number(part - 11, 7)
          }
        }
        builder.code(length == 1 ? 6 : 7, 3)
      }
      builder.code(0, 1)
      builder.code(3, 2)
      builder.code(isValid ? 0 : 1, 1)
      builder.code(2, 2)
      let result = compare(builder.bytes + [UInt8](repeating: 0, count: 300), .raw)
      #expect(result.output == [UInt8](repeating: 65, count: isValid ? 4 : 1))
      #expect(result.status == (isValid ? .finished : .damaged(reason: "invalid distance code")))
    }
  }

  @Test func zlibHeaders() {
    for first in 0...255 {
      for second in 0...255 {
        compare([UInt8(first), UInt8(second), 1, 2, 3, 4, 3, 0, 0, 0, 0, 1], .zlib, divisions: [(1 << 20, 100)])
      }
    }
  }

  @Test func gzipHeaders() {
    let content: [UInt8] = [0x4B, 0x4C, 0x4A, 0x06, 0x00, 0xC2, 0x41, 0x24, 0x35, 3, 0, 0, 0]
    for flags in 0...255 {
      var file: [UInt8] = [31, 139, 8, UInt8(flags), 1, 2, 3, 4, 0, 3]
      if flags & 4 != 0 { file += [5, 0, 1, 2, 3, 4, 5] }
      if flags & 8 != 0 { file += Array("name".utf8) + [0] }
      if flags & 16 != 0 { file += Array("comment".utf8) + [0] }
      if flags & 2 != 0 {
        let checksum = CRC32(of: file.span).value
        file += [UInt8(checksum & 255), UInt8(checksum >> 8 & 255)]
      }
      let result = compare(file + content, .gzip, divisions: Self.fewDivisions)
      #expect(result.status == (flags < 32 ? .finished : .damaged(reason: "unknown header flags set")))
      #expect(result.output == (flags < 32 ? [97, 98, 99] : []))
      guard flags < 32 else { continue }
      for index in file.indices {
        var damaged = file + content
        damaged[index] ^= 0x14
        compare(damaged, .gzip, divisions: Self.fewDivisions)
      }
    }
    for index in content.indices {
      var damaged: [UInt8] = [31, 139, 8, 0, 1, 2, 3, 4, 0, 3] + content
      damaged[10 + index] ^= 8
      let result = compare(damaged, .gzip, divisions: Self.fewDivisions)
      // The last bits of the data are not used.
      #expect((result.status == .finished) == (index == 4))
    }
  }
}
