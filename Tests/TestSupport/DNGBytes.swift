// DNG files that the tests write.

/// The description of a DNG whose only picture is that of the sensor.
package struct DNGBytes {
  package var width: Int
  package var height: Int
  package var samplesPerPixel = 1
  package var bits = 16
  /// The stored samples.
  package var samples: [UInt16]
  package var isBigEndian = false
  /// The size of tiles; `nil` for one strip.
  package var tile: (width: Int, height: Int)?
  /// The code of the compression.
  package var compression = 1
  /// Compresses the samples of a strip or tile of a width.
  package var compress: (([UInt16], Int) -> [UInt8])?
  /// The pattern of the filters; `nil` for linear pictures.
  package var pattern: [UInt8]? = [0, 1, 1, 2]
  package var neutral: [(Int, Int)] = [(1, 1), (1, 1), (1, 1)]
  package var further: [TIFFFieldBytes] = []
  /// Directories to which fields of the first one refer.
  package var others: [[TIFFFieldBytes]] = []

  package init(width: Int, height: Int, samplesPerPixel: Int = 1, samples: [UInt16]) {
    (self.width, self.height, self.samplesPerPixel, self.samples) = (width, height, samplesPerPixel, samples)
    if samplesPerPixel > 1 { pattern = nil }
  }

  /// From XYZ to a camera whose colours are those of linear sRGB.
  package static let sRGBMatrix = [32_405, -15_371, -4_985, -9_693, 18_760, 416, 556, -2_040, 10_572]

  package var bytes: [UInt8] {
    var fields: [TIFFFieldBytes] = [
      .long(254, [0]), .long(256, [width]), .long(257, [height]),
      .short(258, [Int](repeating: bits, count: samplesPerPixel)),
      .short(259, [compression]), .short(262, [pattern == nil ? 34892 : 32803]), .ascii(271, "Maker"),
      .short(277, [samplesPerPixel]), .byte(50706, [1, 4, 0, 0]),
      .signedRational(50721, Self.sRGBMatrix.map { ($0 & 0xFFFF_FFFF, 10_000) }), .rational(50728, neutral),
      .short(50778, [21]),
    ]
    if let pattern {
      let period = pattern.count == 4 ? 2 : 6
      fields += [.short(33421, [period, period]), .byte(33422, pattern)]
    }
    if let tile {
      fields += [.long(322, [tile.width]), .long(323, [tile.height]), .blobs(offsets: 324, counts: 325, blocks)]
    } else {
      fields += [.long(278, [height]), .blobs(offsets: 273, counts: 279, blocks)]
    }
    return TIFFBytes(directories: [fields + further], others: others, isBigEndian: isBigEndian).bytes
  }

  /// The strips or tiles, the latter padded with ones.
  private var blocks: [[UInt8]] {
    let (blockWidth, blockHeight) = tile.map { ($0.width, $0.height) } ?? (width, height)
    var blocks: [[UInt8]] = []
    for top in stride(from: 0, to: height, by: blockHeight) {
      for left in stride(from: 0, to: width, by: blockWidth) {
        var block: [UInt16] = []
        for y in top..<top + blockHeight {
          for x in left..<left + blockWidth {
            for sample in 0..<samplesPerPixel {
              block.append(x < width && y < height ? samples[(y * width + x) * samplesPerPixel + sample] : 1)
            }
          }
        }
        blocks.append(compress?(block, blockWidth) ?? packed(block, rowCount: blockHeight))
      }
    }
    return blocks
  }

  /// Packs samples bit by bit; those of 16 bits are in the byte order of the file.
  package func packed(_ samples: [UInt16], rowCount: Int) -> [UInt8] {
    if bits == 16 {
      return samples.flatMap { sample in
        let bytes = [UInt8(sample & 0xFF), UInt8(sample >> 8)]
        return isBigEndian ? bytes.reversed() : bytes
      }
    }
    var writer = BitWriter()
    let count = samples.count / rowCount
    for row in 0..<rowCount {
      for index in 0..<count { writer.write(Int(samples[row * count + index]), bits) }
      while writer.bitCount % 8 != 0 { writer.write(0, 1) }
    }
    return writer.bytes
  }

  /// Returns random samples.
  package static func noise(_ count: Int, bits: Int = 16) -> [UInt16] {
    var random = TestRandom(UInt64(count * 17 + bits))
    return (0..<count).map { _ in UInt16(truncatingIfNeeded: random.next() & ((1 << UInt64(bits)) - 1)) }
  }
}
