// PNG files made from known samples by the plainest means: stored or compressed rows, a bitwise CRC, filters as the
// specification writes them. The expected pixels are computed from the samples, not from the file.

import ByteCompression
import ImageCoding
import TestSupport

struct TestPNG {
  var width: Int
  var height: Int
  var colorType: Int
  var bitDepth: Int
  var isInterlaced = false
  /// Row-major samples at `bitDepth`, `sampleCount` a pixel.
  var samples: [UInt16]
  /// Red, green, blue of each palette entry.
  var palette: [[UInt8]] = []
  /// tRNS: palette alphas, or one colour's samples.
  var transparency: [UInt16] = []
  /// The filter of row n is entry n, cyclically.
  var filters: [Int] = [0, 1, 2, 3, 4]
  var idatByteCount = Int.max
  var extraChunks: [(String, [UInt8])] = []

  var sampleCount: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 0 }

  init(width: Int, height: Int, colorType: Int, bitDepth: Int, seed: UInt64 = 1, paletteCount: Int? = nil) {
    self.width = width
    self.height = height
    self.colorType = colorType
    self.bitDepth = bitDepth
    samples = []
    var random = TestRandom(seed)
    if colorType == 3 {
      let count = paletteCount ?? 1 << bitDepth
      palette = (0..<count).map { _ in (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) } }
    }
    let limit = colorType == 3 ? palette.count - 1 : 1 << bitDepth - 1
    samples = (0..<width * height * sampleCount).map { index in
      // Half gradients, half noise, so that every filter and predictor branch is met.
      let isNoise = random.next() & 1 == 0
      return UInt16((isNoise ? Int(random.next() & 0xFFFF) : index * 3) % (limit + 1))
    }
  }

  // MARK: The expected picture

  /// The pixels as RGBA of 16 bits, straight from the samples.
  var expectedRGBA16: [[UInt16]] {
    let limit = 1 << bitDepth - 1
    return (0..<width * height).map { pixel in
      let s = (0..<sampleCount).map { Int(samples[pixel * sampleCount + $0]) }
      func wide(_ value: Int) -> UInt16 { UInt16(value * 65535 / limit) }
      let isKey = !transparency.isEmpty && s.map { UInt16($0) } == transparency
      switch colorType {
      case 0: return [wide(s[0]), wide(s[0]), wide(s[0]), isKey ? 0 : 65535]
      case 2: return [wide(s[0]), wide(s[1]), wide(s[2]), isKey ? 0 : 65535]
      case 3:
        let alpha = s[0] < transparency.count ? transparency[s[0]] * 257 : 65535
        return palette[s[0]].map { UInt16($0) * 257 } + [alpha]
      case 4: return [wide(s[0]), wide(s[0]), wide(s[0]), wide(s[1])]
      default: return s.map(wide)
      }
    }
  }

  // MARK: The file

  static let signature: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]

  var bytes: [UInt8] { Self.file(chunks) }

  var chunks: [(String, [UInt8])] {
    var chunks: [(String, [UInt8])] = [("IHDR", header)]
    if !palette.isEmpty { chunks.append(("PLTE", palette.flatMap { $0 })) }
    if !transparency.isEmpty {
      let data =
        colorType == 3
        ? transparency.map { UInt8($0) } : transparency.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      chunks.append(("tRNS", data))
    }
    chunks += extraChunks
    let stream = imageStream
    var start = 0
    repeat {
      let end = min(stream.count, idatByteCount == .max ? stream.count : start + idatByteCount)
      chunks.append(("IDAT", Array(stream[start..<end])))
      start = end
    } while start < stream.count
    chunks.append(("IEND", []))
    return chunks
  }

  var header: [UInt8] {
    bigEndian(width) + bigEndian(height) + [UInt8(bitDepth), UInt8(colorType), 0, 0, isInterlaced ? 1 : 0]
  }

  var imageStream: [UInt8] { zlib(filteredRows) }

  /// The first column and row and the steps of each pass, by the table of PNG section 8.2.
  static let passes = [
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
  ]

  var filteredRows: [UInt8] {
    var result: [UInt8] = []
    let passes = isInterlaced ? Self.passes : [(0, 0, 1, 1)]
    let distance = max(1, bitDepth * sampleCount / 8)
    var rowIndex = 0
    for (firstColumn, firstRow, columnStep, rowStep) in passes where firstColumn < width && firstRow < height {
      var above: [UInt8] = []
      for y in stride(from: firstRow, to: height, by: rowStep) {
        let row = packedRow(y, columns: Array(stride(from: firstColumn, to: width, by: columnStep)))
        if above.isEmpty { above = [UInt8](repeating: 0, count: row.count) }
        let filter = filters[rowIndex % filters.count]
        result.append(UInt8(filter))
        for (index, value) in row.enumerated() {
          let left = index < distance ? 0 : Int(row[index - distance])
          let corner = index < distance ? 0 : Int(above[index - distance])
          result.append(value &- UInt8(predict(filter, left, Int(above[index]), corner)))
        }
        above = row
        rowIndex += 1
      }
    }
    return result
  }

  private func packedRow(_ y: Int, columns: [Int]) -> [UInt8] {
    var bits: [Bool] = []
    for x in columns {
      for sample in 0..<sampleCount {
        let value = samples[(y * width + x) * sampleCount + sample]
        for bit in (0..<bitDepth).reversed() { bits.append(value >> UInt16(bit) & 1 == 1) }
      }
    }
    while bits.count % 8 != 0 { bits.append(false) }
    return stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 << 1 | (bits[start + $1] ? 1 : 0) }
    }
  }

  static func file(_ chunks: [(String, [UInt8])]) -> [UInt8] {
    signature + chunks.flatMap { chunk($0.0, $0.1) }
  }

  static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return bigEndian(data.count) + body + bigEndian(Int(bitwiseCRC(body)))
  }
}

/// The predictors of PNG section 9.2, word for word.
func predict(_ filter: Int, _ a: Int, _ b: Int, _ c: Int) -> Int {
  switch filter {
  case 1: return a
  case 2: return b
  case 3: return (a + b) / 2
  case 4:
    let p = a + b - c
    let (pa, pb, pc) = (abs(p - a), abs(p - b), abs(p - c))
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
  default: return 0
  }
}

/// CRC-32 one bit at a time.
func bitwiseCRC(_ bytes: [UInt8]) -> UInt32 {
  var crc: UInt32 = 0xFFFF_FFFF
  for byte in bytes {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
  }
  return ~crc
}

/// A zlib stream of the bytes.
func zlib(_ bytes: [UInt8]) -> [UInt8] {
  ZlibBlock.compress(bytes.span, level: 6) ?? []
}

func bigEndian(_ value: Int, byteCount: Int = 4) -> [UInt8] {
  (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

extension Bitmap {
  /// The pixels as RGBA of 16 bits.
  var rgba16: [[UInt16]] {
    let wide = (try? converted(to: .rgba16)) ?? self
    return (0..<height).flatMap { y in
      let row = wide.row16(y)
      return (0..<width).map { x in (0..<4).map { row[x * 4 + $0] } }
    }
  }
}
