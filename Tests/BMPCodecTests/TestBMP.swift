// Bitmaps written field by field, with the pixels that they contain.

import ImageCoding
import TestSupport

func little(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

/// A file with random pixels.
struct TestBMP {
  var headerByteCount = 40
  var width = 7
  var height = 5
  var bits = 24
  var compression = 0
  var isTopDown = false
  var palette: [[UInt8]] = []
  var masks: [UInt32] = []
  /// The stored rows from top to bottom, without padding.
  var rows: [[UInt8]] = []
  /// Coded pixels in place of the rows.
  var data: [UInt8]?
  var hasFileHeader = true
  var tail: [UInt8] = []
  /// Fields after the masks of version 4 and 5.
  var colorTags: [UInt8] = []

  /// Red, green, blue and alpha of all pixels.
  private(set) var pixels: [UInt8] = []

  init() {}

  /// A file of palette indices.
  init(bits: Int, width: Int = 7, height: Int = 5, colorCount: Int? = nil, isGray: Bool = false, seed: UInt64 = 1) {
    self.bits = bits
    (self.width, self.height) = (width, height)
    var random = TestRandom(seed)
    let count = colorCount ?? 1 << bits
    palette = (0..<count).map { _ in
      let color = random.bytes(3)
      return isGray ? [color[0], color[0], color[0]] : color
    }
    for _ in 0..<height {
      var row = [UInt8](repeating: 0, count: (width * bits + 7) / 8)
      for x in 0..<width {
        let index = Int.random(in: 0..<count, using: &random)
        for bit in 0..<bits where index >> (bits - 1 - bit) & 1 == 1 {
          row[(x * bits + bit) / 8] |= 0x80 >> UInt8((x * bits + bit) % 8)
        }
        pixels += palette[index] + [255]
      }
      rows.append(row)
    }
  }

  /// A file of colours. Without masks, those that the format implies.
  init(colorBits bits: Int, width: Int = 7, height: Int = 5, masks: [UInt32] = [], seed: UInt64 = 1) {
    self.bits = bits
    (self.width, self.height, self.masks) = (width, height, masks)
    if !masks.isEmpty { compression = 3 }
    var random = TestRandom(seed)
    let effective = masks.isEmpty ? (bits == 16 ? [0x7C00, 0x3E0, 0x1F] : [0xFF0000, 0xFF00, 0xFF]) : masks
    for _ in 0..<height {
      var row: [UInt8] = []
      for _ in 0..<width {
        let pixel = UInt32.random(in: 0...UInt32.max, using: &random) >> UInt32(32 - bits)
        row += little(Int(pixel), bits / 8)
        var samples = effective.map { mask in
          mask == 0
            ? UInt8(0)
            : UInt8(
              (Double((pixel & mask) / (mask & ~(mask - 1))) * 255 / Double(mask / (mask & ~(mask - 1)))).rounded())
        }
        if samples.count == 3 { samples.append(255) }
        pixels += samples
      }
      rows.append(row)
    }
  }

  var informationHeader: [UInt8] {
    if headerByteCount == 12 {
      return little(12, 4) + little(width, 2) + little(height, 2) + little(1, 2) + little(bits, 2)
    }
    var header = little(headerByteCount, 4) + little(width, 4) + little(isTopDown ? -height : height, 4) + little(1, 2)
    header += little(bits, 2) + little(compression, 4) + little(0, 4) + little(2835, 4) + little(2835, 4)
    header += little(palette.count == 1 << bits ? 0 : palette.count, 4) + little(0, 4)
    header += masks.flatMap { little(Int($0), 4) } + colorTags
    return header.count < headerByteCount
      ? header + [UInt8](repeating: 0, count: headerByteCount - header.count) : header
  }

  private var storedPixels: [UInt8] {
    if let data { return data }
    let stored = isTopDown ? rows : rows.reversed()
    return stored.flatMap { $0 + [UInt8](repeating: 0, count: (4 - $0.count % 4) % 4) }
  }

  var bytes: [UInt8] {
    let filler: [UInt8] = headerByteCount == 12 ? [] : [0]
    let table: [UInt8] = palette.flatMap { (color: [UInt8]) -> [UInt8] in [color[2], color[1], color[0]] + filler }
    let body = informationHeader + table + storedPixels
    guard hasFileHeader else { return body }
    let offset = 14 + informationHeader.count + table.count
    return Array("BM".utf8) + little(14 + body.count + tail.count, 4) + little(0, 4) + little(offset, 4) + body + tail
  }
}
