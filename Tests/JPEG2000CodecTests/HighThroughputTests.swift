// The parts of high-throughput block decoding, against writers that follow the definitions.

import JPEG2000Codec
import TestSupport
import Testing

/// Packs bits into bytes, the least significant one first. A byte after 0xFF has seven.
private func forwardBytes(_ bits: [UInt32]) -> [UInt8] {
  var bytes: [UInt8] = []
  var position = 0
  while position < bits.count {
    let count = bytes.last == 0xFF ? 7 : 8
    var byte: UInt8 = 0
    for index in 0..<count where position + index < bits.count {
      byte |= UInt8(bits[position + index]) << UInt8(index)
    }
    bytes.append(byte)
    position += count
  }
  return bytes
}

/// Packs bits into bytes from the end, the least significant one first. Seven ones before a byte above 0x8F are a byte.
private func backwardBytes(_ bits: [UInt32]) -> [UInt8] {
  var bytes: [UInt8] = []
  var position = 0
  while position < bits.count {
    var byte: UInt8 = 0
    for index in 0..<7 where position + index < bits.count {
      byte |= UInt8(bits[position + index]) << UInt8(index)
    }
    position += 7
    if !((bytes.last ?? 0xFF) > 0x8F && byte == 0x7F) {
      if position < bits.count { byte |= UInt8(bits[position]) << 7 }
      position += 1
    }
    bytes.append(byte)
  }
  return bytes.reversed()
}

/// Encodes events as adaptive run lengths (ITU-T T.814, 7.3.3), most significant bit first.
private func eventBytes(_ events: [Bool]) -> [UInt8] {
  let exponents = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5]
  var bits: [UInt8] = []
  var (state, run) = (0, 0)
  for event in events {
    if event {
      bits.append(0)
      for bit in (0..<exponents[state]).reversed() { bits.append(UInt8(run >> bit & 1)) }
      state = max(0, state - 1)
      run = 0
    } else {
      run += 1
      if run == 1 << exponents[state] {
        bits.append(1)
        state = min(12, state + 1)
        run = 0
      }
    }
  }
  bits.append(1)
  var bytes: [UInt8] = []
  var position = 0
  while position < bits.count {
    let count = bytes.last == 0xFF ? 7 : 8
    var byte: UInt8 = 0
    for index in 0..<count { byte = byte << 1 | (position + index < bits.count ? bits[position + index] : 1) }
    bytes.append(byte)
    position += count
  }
  return bytes
}

@Suite struct HighThroughputTests {
  /// Each codeword is found by exactly the bits that it consists of, and all bits are the start of a codeword.
  @Test func codesAreCompletePrefixCodes() {
    for table in [HTCodeTable.first, HTCodeTable.others] {
      for context in 0..<8 {
        for word in 0..<128 {
          let entry = table.entries[context << 7 | word]
          let length = Int(entry & 7)
          #expect((1...7).contains(length))
          let codeword = word & (1 << length - 1)
          for rest in 0..<(1 << (7 - length)) {
            #expect(table.entries[context << 7 | rest << length | codeword] == entry)
          }
          // Known exponents and their values are those of significant samples only.
          let (pattern, known, values) = (entry >> 4 & 15, entry >> 12 & 15, entry >> 16 & 15)
          #expect(known & ~pattern == 0 && values & ~known == 0)
        }
      }
    }
  }

  @Test func bitsAreRestored() {
    var random = TestRandom(5)
    for _ in 0..<50 {
      // Many ones, so that bytes are stuffed.
      let bits = (0..<500).map { _ in UInt32(Int.random(in: 0..<10, using: &random) < 9 ? 1 : 0) }
      let forward = forwardBytes(bits)
      var reader = HTForwardBits(0..<forward.count, filler: 0)
      #expect(bits.map { _ in reader.read(1, forward.span) } == bits)
      let backward = backwardBytes(bits)
      var other = HTBackwardBits(0..<backward.count)
      #expect(bits.map { _ in other.read(1, backward.span) } == bits)
    }
  }

  @Test func eventsAreRestored() {
    var random = TestRandom(6)
    for chance in [1, 5, 50, 90] {
      let events = (0..<2000).map { _ in Int.random(in: 0..<100, using: &random) < chance }
      // The last byte of a segment, and the lower half of the byte before it, belong to the other stream.
      let bytes = eventBytes(events) + [0, 0, 0]
      var decoder = HTEventDecoder(suffix: 0..<bytes.count)
      #expect(events.map { _ in decoder.decode(bytes.span) } == events)
    }
  }
}
