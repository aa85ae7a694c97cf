// A minimal encoder of DNG to generate an input: a mosaic of 14 bits, stored as such or as lossless JPEG of two components.
// It shares no code with the codec under test.

import ImageCoding

/// Encodes 8-bit RGB as the samples of a sensor with the primaries of sRGB.
struct PlainDNG {
  /// The categories of differences by the length of their codes: 2, 3, 3, 3, 3, 3, 4, 5, …, 14.
  private static let symbols: [UInt8] = [5, 4, 6, 3, 7, 2, 8, 1, 9, 0, 10, 11, 12, 13, 14, 15, 16]

  private let width: Int
  private let height: Int
  private let samples: [UInt16]

  /// Returns the file of an image whose sides are even.
  static func encode(_ bitmap: Bitmap, isCompressed: Bool) -> [UInt8] {
    let mosaic = PlainDNG(bitmap)
    return mosaic.file(isCompressed ? mosaic.stream() : mosaic.packed(), compression: isCompressed ? 7 : 1)
  }

  private init(_ bitmap: Bitmap) {
    width = bitmap.width
    height = bitmap.height
    let pixels = bitmap.packedPixels
    var samples: [UInt16] = []
    samples.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        // Red, green, green and blue; squares are about linear.
        let value = Int(pixels[(y * width + x) * 3 + y % 2 + x % 2])
        samples.append(UInt16(value * value * 16_383 / 65_025))
      }
    }
    self.samples = samples
  }

  // MARK: The directory

  private func file(_ data: [UInt8], compression: Int) -> [UInt8] {
    let matrix = [32_405, -15_371, -4_985, -9_693, 18_760, 416, 556, -2_040, 10_572]
    let ratios = matrix.flatMap { word($0) + word(10_000) }
    let fields: [(tag: Int, kind: Int, count: Int, value: [UInt8])] = [
      (254, 4, 1, word(0)), (256, 4, 1, word(width)), (257, 4, 1, word(height)), (258, 3, 1, word(14)),
      (259, 3, 1, word(compression)), (262, 3, 1, word(32_803)), (271, 2, 4, Array("Own\0".utf8)),
      (272, 2, 4, Array("DNG\0".utf8)), (273, 4, 1, []), (277, 3, 1, word(1)), (278, 4, 1, word(height)),
      (279, 4, 1, word(data.count)), (33_421, 3, 2, [2, 0, 2, 0]), (33_422, 1, 4, [0, 1, 1, 2]),
      (50_706, 1, 4, [1, 4, 0, 0]), (50_708, 2, 4, Array("DNG\0".utf8)), (50_717, 3, 1, word(Int(samples.max() ?? 1))),
      (50_721, 10, 9, ratios), (50_728, 5, 3, (0..<6).flatMap { _ in word(1) }), (50_778, 3, 1, word(21)),
    ]
    let start = 8 + 2 + fields.count * 12 + 4
    let dataOffset = start + fields.reduce(0) { $0 + ($1.value.count > 4 ? $1.value.count : 0) }
    var file = Array("II*\0".utf8) + word(8) + half(fields.count)
    var values: [UInt8] = []
    for field in fields {
      file += half(field.tag) + half(field.kind) + word(field.count)
      if field.tag == 273 {
        file += word(dataOffset)
      } else if field.value.count > 4 {
        file += word(start + values.count)
        values += field.value
      } else {
        file += field.value
      }
    }
    return file + word(0) + values + data
  }

  private func half(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }

  private func word(_ value: Int) -> [UInt8] { half(value & 0xFFFF) + half(value >> 16 & 0xFFFF) }

  // MARK: Samples

  private func packed() -> [UInt8] {
    var writer = BitWriter()
    for y in 0..<height {
      for x in 0..<width { writer.put(Int(samples[y * width + x]), count: 14) }
      writer.align(with: 0)
    }
    return writer.bytes
  }

  /// Codes differences from the left neighbour of the same component, and in the first column from the one above.
  private func stream() -> [UInt8] {
    let sides = [height >> 8, height & 255, (width / 2) >> 8, width / 2 & 255].map { UInt8($0) }
    var stream: [UInt8] = [0xFF, 0xD8]
    func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, marker, 0, UInt8(content.count + 2)] + content
    }
    let counts: [UInt8] = [0, 1, 5] + [UInt8](repeating: 1, count: 11) + [0, 0]
    stream += segment(0xC4, [0] + counts + Self.symbols)
    stream += segment(0xC3, [14] + sides + [2, 1, 0x11, 0, 2, 0x11, 0])
    stream += segment(0xDA, [2, 1, 0, 2, 0, 1, 0, 0])
    let codes = Self.codes()
    var writer = BitWriter(isStuffed: true)
    for y in 0..<height {
      for x in 0..<width {
        let place = y * width + x
        let expected = x > 1 ? samples[place - 2] : y > 0 ? samples[place - width] : 1 << 13
        let difference = Int(samples[place]) - Int(expected)
        let size = Int.bitWidth - difference.magnitude.leadingZeroBitCount
        writer.put(codes[size].code, count: codes[size].length)
        writer.put(difference < 0 ? difference + (1 << size) - 1 : difference, count: size)
      }
    }
    writer.align(with: 1)
    return stream + writer.bytes + [0xFF, 0xD9]
  }

  /// The codes by category.
  private static func codes() -> [(code: Int, length: Int)] {
    var codes = [(code: Int, length: Int)](repeating: (0, 0), count: symbols.count)
    var (code, previous) = (0, 2)
    for (index, symbol) in symbols.enumerated() {
      let length = index == 0 ? 2 : max(3, index - 2)
      code <<= length - previous
      codes[Int(symbol)] = (code, length)
      (code, previous) = (code + 1, length)
    }
    return codes
  }
}

/// Writes bits from the most significant on.
private struct BitWriter {
  /// Whether a byte of zeros follows a byte of ones.
  var isStuffed = false
  private(set) var bytes: [UInt8] = []
  private var bits = 0
  private var bitCount = 0

  init(isStuffed: Bool = false) { self.isStuffed = isStuffed }

  mutating func put(_ value: Int, count: Int) {
    bits = bits << count | value
    bitCount += count
    while bitCount >= 8 {
      bitCount -= 8
      let byte = UInt8(bits >> bitCount & 255)
      bytes.append(byte)
      if isStuffed, byte == 0xFF { bytes.append(0) }
    }
    bits &= 1 << bitCount - 1
  }

  /// Fills the last byte with a bit.
  mutating func align(with bit: Int) {
    while bitCount % 8 != 0 { put(bit, count: 1) }
  }
}
