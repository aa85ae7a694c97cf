import ByteCompression
import TestSupport
import Testing

@Suite struct CRC32Tests {
  /// The definition, bit by bit.
  private func definition(_ bytes: [UInt8]) -> UInt32 {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      for bit in 0..<8 {
        let isOdd = (value ^ UInt32(byte >> UInt8(bit))) & 1 == 1
        value = value >> 1 ^ (isOdd ? 0xEDB8_8320 : 0)
      }
    }
    return ~value
  }

  private func checksum(_ bytes: [UInt8], cutAt cuts: [Int] = []) -> UInt32 {
    var crc = CRC32()
    var start = 0
    for end in cuts + [bytes.count] {
      crc.update(bytes.span.extracting(start..<end))
      start = end
    }
    return crc.value
  }

  @Test func everyLengthAndCutGivesTheDefinedRemainder() {
    var random = TestRandom(32)
    for count in Array(0...130) + [1_000, 4_096, 100_003] {
      for bytes in [[UInt8](repeating: 255, count: count), random.bytes(count)] {
        let expected = definition(bytes)
        #expect(checksum(bytes) == expected)
        #expect(checksum(bytes, cutAt: [count / 3, count / 2]) == expected)
      }
    }
  }

  @Test func everyByteAtEveryPlaceOfAGroup() {
    for place in 0..<80 {
      for value in 0...255 {
        var bytes = [UInt8](repeating: 0, count: 83)
        bytes[place] = UInt8(value)
        #expect(checksum(bytes) == definition(bytes))
      }
    }
  }
}
