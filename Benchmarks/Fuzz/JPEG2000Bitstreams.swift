// JPEG 2000 codestreams around input that is a part of one, to fuzz the decoders of that part directly.

import ImageCoding
import JPEG2000Codec

/// Decodes a codestream within limits on one thread, and some on two.
func fuzzJPEG2000(_ bytes: [UInt8]) {
  let effort = FuzzingEffort(bytes)
  let limits = effort.limits
  let one = try? JPEG2000Decoder().decode(bytes, options: DecodingOptions(limits: limits))
  if effort.isQuick { return }
  let two = try? JPEG2000Decoder().decode(bytes, options: DecodingOptions(limits: limits, parallelism: 2))
  precondition(one?.bitmap == two?.bitmap, "the pixels depend on the number of threads")
}

/// The kind of data that an input is used as.
enum JPEG2000Bitstream {
  /// The packets of three components with four resolutions, precincts and two layers. The first byte selects their order.
  case packets
  /// One code-block of 32 × 32 coefficients. The first byte selects its style.
  case block
  /// One high-throughput code-block. The first byte selects whether it has refinement passes.
  case highThroughputBlock

  /// Returns a codestream that contains the input.
  func codestream(_ input: [UInt8]) -> [UInt8] {
    let selector = input.first ?? 0
    let data = Array(input.dropFirst())
    switch self {
    case .packets:
      // Precincts of 8, 16 and 32 samples; SOP and EPH in half of the inputs.
      let style: [UInt8] = [
        0x01 | (selector & 0x80 == 0 ? 0 : 0x06), selector % 5, 0, 2, 1, 3, 1, 1, selector >> 3 & 1, 1,
      ]
      return Self.headers(componentCount: 3, style + [0x33, 0x33, 0x44, 0x55], levelCount: 3) + data
    case .block:
      // The last pass of nine bit-planes, or the only segment's.
      let style: [UInt8] = [0, 0, 0, 1, 0, 0, 3, 3, selector & 0x2A, 1]
      var header = PacketHeader()
      header.append(passCount: 25, lengths: [(data.count, 4)])
      return Self.headers(componentCount: 1, style, levelCount: 0) + header.bytes + data
    case .highThroughputBlock:
      let style: [UInt8] = [0, 0, 0, 1, 0, 0, 3, 3, 0x40, 1]
      var header = PacketHeader()
      if selector & 1 == 0 {
        header.append(passCount: 1, lengths: [(data.count, 0)])
      } else {
        let first = data.count * Int(selector) / 256
        header.append(passCount: 3, lengths: [(first, 0), (data.count - first, 1)])
      }
      return Self.headers(componentCount: 1, style, levelCount: 0) + header.bytes + data
    }
  }

  /// SOC, SIZ of 32 × 32 samples of 8 bits, COD, QCD without quantisation, and the start of the only tile-part.
  private static func headers(componentCount: Int, _ style: [UInt8], levelCount: Int) -> [UInt8] {
    let side: [UInt8] = [0, 0, 0, 32]
    let origin: [UInt8] = [0, 0, 0, 0]
    var bytes: [UInt8] = [0xFF, 0x4F]
    func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, marker, 0, UInt8(content.count + 2)] + content
    }
    var size: [UInt8] = [0, 0] + side + side + origin + origin
    size += side + side + origin + origin + [0, UInt8(componentCount)]
    for _ in 0..<componentCount { size += [7, 1, 1] }
    bytes += segment(0x51, size)
    bytes += segment(0x52, style)
    bytes += segment(0x5C, [0x40] + [UInt8](repeating: 0x40, count: 3 * levelCount + 1))
    // A tile-part that extends to the end.
    return bytes + segment(0x90, [0, 0, 0, 0, 0, 0, 0, 1]) + [0xFF, 0x93]
  }
}

/// The header of a packet with one code-block.
private struct PacketHeader {
  private(set) var bytes: [UInt8] = []
  private var bits: [Bool] = []

  /// Adds a code-block without missing bit-planes.
  ///
  /// - Parameter lengths: the number of bytes of each segment, and the number of bits by which its field is longer than
  ///   that of a segment of one pass.
  mutating func append(passCount: Int, lengths: [(byteCount: Int, extraBitCount: Int)]) {
    // Not empty; included in this layer; no missing bit-planes.
    append(0b111, bitCount: 3)
    switch passCount {
    case 1: append(0, bitCount: 1)
    case 3: append(0b1100, bitCount: 4)
    default: append(0b1111 << 5 | (passCount - 6), bitCount: 9)
    }
    // Lengths have three bits and 13 more.
    append(0b11_1111_1111_1110, bitCount: 14)
    for length in lengths { append(length.byteCount, bitCount: 16 + length.extraBitCount) }
    stuff()
  }

  private mutating func append(_ value: Int, bitCount: Int) {
    for shift in (0..<bitCount).reversed() { bits.append(value >> shift & 1 == 1) }
  }

  /// Packs the bits. The bit after a byte of ones is zero.
  private mutating func stuff() {
    var position = 0
    while position < bits.count || bytes.last == 0xFF {
      let count = bytes.last == 0xFF ? 7 : 8
      var byte: UInt8 = 0
      for index in 0..<count {
        let bit = position + index < bits.count && bits[position + index]
        byte = byte << 1 | (bit ? 1 : 0)
      }
      bytes.append(byte)
      position += count
    }
    bits = []
  }
}
