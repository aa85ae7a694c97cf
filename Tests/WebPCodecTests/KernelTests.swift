import TestSupport
import Testing
import WebPCodec

@Suite struct KernelTests {
  @Test func copiesRepeatWhatTheyWriteAndGoAroundTheRing() {
    var noise = TestRandom(6)
    for _ in 0..<500 {
      let isRing = Bool.random(using: &noise)
      var pixels = (0..<64).map { _ in UInt32.random(in: 0...UInt32.max, using: &noise) }
      let mask = isRing ? 63 : -1
      let target = Int.random(in: 1..<(isRing ? 500 : 50), using: &noise)
      let distance = Int.random(in: 1...min(target, 60), using: &noise)
      let count = Int.random(in: 0...(isRing ? 60 : 64 - target), using: &noise)
      var expected = pixels
      for index in 0..<count { expected[(target + index) & mask] = expected[(target + index - distance) & mask] }
      var span = pixels.mutableSpan
      copyPixels(&span, from: target - distance, to: target, count: count, mask: mask)
      #expect(pixels == expected)
    }
  }

  @Test func blendingIsThatOfLibwebp() {
    var noise = TestRandom(7)
    let source = noise.bytes(400)
    let target = noise.bytes(400)
    var blended = target
    var span = blended.mutableSpan
    blendPixels(source.span, over: &span, except: 10..<20)
    for pixel in 0..<100 {
      let (s, d) = (source[pixel * 4..<pixel * 4 + 4].map(Int.init), target[pixel * 4..<pixel * 4 + 4].map(Int.init))
      var expected = d
      if s[3] == 255 || (10..<20).contains(pixel) {
        expected = s
      } else if s[3] > 0 {
        let below = d[3] * (256 - s[3]) / 256
        let alpha = s[3] + below
        let scale = (1 << 24) / alpha
        for sample in 0..<3 {
          let sum: Int = s[sample] * s[3] + d[sample] * below
          expected[sample] = (sum * scale) >> 24
        }
        expected[3] = alpha
      }
      #expect(blended[pixel * 4..<pixel * 4 + 4].map(Int.init) == expected)
    }
  }
}

@Suite struct EntropyTests {
  @Test func booleansAreThoseThatWereEncoded() {
    var noise = TestRandom(8)
    for length in [1, 10, 1000, 20000] {
      let probabilities = noise.bytes(length).map { max(1, $0) }
      let booleans = probabilities.map { UInt8.random(in: 0...255, using: &noise) >= $0 }
      var encoder = BoolEncoder()
      for (index, boolean) in booleans.enumerated() { encoder.write(boolean, probabilities[index]) }
      let bytes = encoder.finish()
      var decoder = BoolDecoder(0..<bytes.count)
      let decoded = probabilities.map { decoder.read($0, bytes.span) }
      #expect(decoded == booleans)
      #expect(!decoder.isExhausted)
    }
  }

  @Test func signsAreBooleansOfEvenChance() {
    let bytes: [UInt8] = [0x9E, 0x37, 0x79, 0xB9, 0x7F, 0x4A]
    var signs = BoolDecoder(0..<bytes.count)
    var booleans = BoolDecoder(0..<bytes.count)
    for index in 0..<100 {
      let magnitude = Int32(index + 1)
      let value = signs.readSigned(magnitude, bytes.span)
      let isNegative = booleans.read(128, bytes.span)
      #expect(value == (isNegative ? -magnitude : magnitude))
      #expect(signs.isExhausted == booleans.isExhausted)
    }
    #expect(signs.isExhausted)
  }

  /// Each code by its bits, one after the other, as the specification has it.
  private func slowSymbol(_ bits: UInt32, _ codes: [(bits: Int, length: Int)]) -> (symbol: Int, length: Int)? {
    var code = 0
    for length in 1...15 {
      code = code << 1 | Int(bits >> UInt32(length - 1) & 1)
      if let symbol = codes.firstIndex(where: { $0.length == length && $0.bits == code }) { return (symbol, length) }
    }
    return nil
  }

  @Test func tablesOfTwoLevelsNameEverySymbol() throws {
    var noise = TestRandom(10)
    for _ in 0..<30 {
      // A random complete code: split leaves.
      var leaves = [1, 1]
      while leaves.count < 60 {
        let index = Int.random(in: 0..<leaves.count, using: &noise)
        guard leaves[index] < 15 else { continue }
        leaves[index] += 1
        leaves.append(leaves[index])
      }
      let lengths = (leaves + [0, 0, 0]).shuffled(using: &noise)
      let bytes = lengths.map(UInt8.init)
      let found = PrefixTables.histogram(of: bytes.span)
      let histogram = try #require(found)
      var tables = PrefixTables()
      let code = tables.append(bytes.span, histogram)
      #expect(tables.entries.count == histogram.tableEntryCount)
      let codes = canonicalCodes(lengths)
      for _ in 0..<200 {
        let bits = UInt32.random(in: 0..<1 << 15, using: &noise)
        var entry = tables.entries[Int(bits & code.rootMask)]
        var length = 0
        if entry & 255 > 8 {
          length = 8
          let mask: UInt32 = 1 << ((entry & 255) - 8) - 1
          entry = tables.entries[Int(entry >> 16) + Int(bits >> 8 & mask)]
        }
        length += Int(entry & 255)
        let slow = try #require(slowSymbol(bits, codes))
        #expect(slow.symbol == Int(entry >> 16) && slow.length == length)
      }
    }
  }

  @Test func codesThatAreNotCompleteAreRefused() {
    func isValid(_ lengths: [UInt8]) -> Bool { PrefixTables.histogram(of: lengths.span) != nil }
    #expect(isValid([0, 7, 0]) && isValid([1, 1]) && isValid([1, 2, 2]))
    #expect(!isValid([]) && !isValid([0, 0]) && !isValid([1, 1, 1]) && !isValid([1, 2]) && !isValid([2, 2, 2]))
    #expect(!isValid([1, 2, 3, 4, 16, 16]))
    // As in CVE-2023-4863: codes of fifteen bits beyond what the shorter ones leave.
    #expect(!isValid([1, 2, 3, 4, 5, 6, 7, 8] + [UInt8](repeating: 15, count: 200)))
  }
}
