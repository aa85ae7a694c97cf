// A minimal encoder of baseline JPEG to generate an input: the DCT by definition, the tables of Annex K, one scan. It
// shares no code with the codec under test.

import ImageCoding

/// Encodes 8-bit RGB as 4:2:0.
struct PlainJPEG {
  private static let zigzag: [Int] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
    28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
    55,
    62, 63,
  ]
  /// Annex K, table K.1, halved: about quality 75.
  private static let quantization: [UInt8] = [
    8, 6, 5, 8, 12, 20, 26, 31, 6, 6, 7, 10, 13, 29, 30, 28, 7, 7, 8, 12, 20, 29, 35, 28, 7, 9, 11, 15, 26, 44, 40, 31,
    9,
    11, 19, 28, 34, 55, 52, 39, 12, 18, 28, 32, 41, 52, 57, 46, 25, 32, 39, 44, 52, 61, 60, 51, 36, 46, 48, 49, 56, 50,
    52,
    50,
  ]
  /// DC categories: eight-bit codes for all 12 sizes of a DC difference.
  private static let sizes = [UInt8](0..<12)
  /// AC symbols: runs of 0…15 zeros before values of 1…10 bits, the end of the block, and 16 zeros.
  private static let symbols: [UInt8] =
    [0x00, 0xF0] + (0..<16).flatMap { run in (1...10).map { UInt8(run << 4 | $0) } }

  private let planes: [Plane]
  private let width: Int
  private let height: Int
  private var output: [UInt8] = []
  private var bits: UInt32 = 0
  private var bitCount = 0

  private struct Plane {
    var width: Int
    var samples: [Float]
  }

  /// Returns the file of an image whose sides are multiples of 16.
  static func encode(_ bitmap: Bitmap) -> [UInt8] {
    var encoder = PlainJPEG(bitmap)
    encoder.writeHeaders()
    encoder.writeScan()
    return encoder.output
  }

  private init(_ bitmap: Bitmap) {
    width = bitmap.width
    height = bitmap.height
    let pixels = bitmap.packedPixels
    var luma = Plane(width: width, samples: [Float](repeating: 0, count: width * height))
    var chroma = [Plane](
      repeating: Plane(width: width / 2, samples: [Float](repeating: 0, count: width * height / 4)), count: 2)
    for y in 0..<height {
      for x in 0..<width {
        let start = (y * width + x) * 3
        let (red, green, blue) = (Float(pixels[start]), Float(pixels[start + 1]), Float(pixels[start + 2]))
        let level = 0.299 * red + 0.587 * green + 0.114 * blue
        luma.samples[y * width + x] = level - 128
        let index = y / 2 * (width / 2) + x / 2
        chroma[0].samples[index] += (blue - level) / 1.772 / 4
        chroma[1].samples[index] += (red - level) / 1.402 / 4
      }
    }
    planes = [luma] + chroma
  }

  // MARK: Headers

  private mutating func writeHeaders() {
    output = [0xFF, 0xD8]
    write(0xDB, [0] + Self.zigzag.map { Self.quantization[$0] })
    let sides = [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
    write(0xC0, [8] + sides + [3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0])
    let dcCounts: [UInt8] = [0, 0, 0, 12] + [UInt8](repeating: 0, count: 12)
    let acCounts: [UInt8] = [0, 1, 1] + [UInt8](repeating: 0, count: 5) + [160] + [UInt8](repeating: 0, count: 7)
    write(0xC4, [0x00] + dcCounts + Self.sizes)
    write(0xC4, [0x10] + acCounts + Self.symbols)
    write(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
  }

  private mutating func write(_ marker: UInt8, _ content: [UInt8]) {
    let length = content.count + 2
    output += [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
  }

  // MARK: Data

  private mutating func writeScan() {
    var levels = [Int](repeating: 0, count: 3)
    for y in stride(from: 0, to: height, by: 16) {
      for x in stride(from: 0, to: width, by: 16) {
        for (dx, dy) in [(0, 0), (8, 0), (0, 8), (8, 8)] { write(planes[0], x + dx, y + dy, &levels[0]) }
        write(planes[1], x / 2, y / 2, &levels[1])
        write(planes[2], x / 2, y / 2, &levels[2])
      }
    }
    if bitCount > 0 { put(0x7F, count: 8 - bitCount % 8) }
    output += [0xFF, 0xD9]
  }

  private mutating func write(_ plane: Plane, _ x: Int, _ y: Int, _ level: inout Int) {
    let values = coefficients(of: plane, x, y)
    // Codes: 0000 to 1011 for differences; 00, 010 and 011000000 + n for AC symbols.
    let (size, extra) = coded(values[0] - level)
    level = values[0]
    put(UInt32(size), count: 4)
    put(extra, count: size)
    var run = 0
    for value in values.dropFirst() {
      if value == 0 {
        run += 1
        continue
      }
      while run > 15 {
        put(0b010, count: 3)
        run -= 16
      }
      let (size, extra) = coded(value)
      put(UInt32(0b0_1100_0000 + run * 10 + size - 1), count: 9)
      put(extra, count: size)
      run = 0
    }
    if run > 0 { put(0, count: 2) }
  }

  /// Returns the number of bits of a value, and the bits.
  private func coded(_ value: Int) -> (size: Int, bits: UInt32) {
    let size = Int.bitWidth - value.magnitude.leadingZeroBitCount
    return (size, UInt32(truncatingIfNeeded: value > 0 ? value : value + (1 << size) - 1))
  }

  private mutating func put(_ value: UInt32, count: Int) {
    guard count > 0 else { return }
    bits = bits << UInt32(count) | (value & (1 << UInt32(count) - 1))
    bitCount += count
    while bitCount >= 8 {
      bitCount -= 8
      let byte = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
      output.append(byte)
      if byte == 0xFF { output.append(0) }
    }
  }

  // MARK: The transform

  private func coefficients(of plane: Plane, _ x: Int, _ y: Int) -> [Int] {
    var block = [Float](repeating: 0, count: 64)
    for row in 0..<8 {
      let start = (y + row) * plane.width + x
      transform(from: plane.samples, start, 1, into: &block, row * 8, 1)
    }
    var result = [Float](repeating: 0, count: 64)
    for column in 0..<8 { transform(from: block, column, 8, into: &result, column, 8) }
    return Self.zigzag.map { Int((result[$0] / Float(Self.quantization[$0])).rounded()) }
  }

  private func transform(
    from input: [Float], _ start: Int, _ step: Int, into output: inout [Float], _ target: Int, _ targetStep: Int
  ) {
    for frequency in 0..<8 {
      var sum: Float = 0
      for position in 0..<8 { sum += input[start + position * step] * Self.cosines[frequency * 8 + position] }
      output[target + frequency * targetStep] = sum
    }
  }

  /// cos((2p + 1)fπ/16) / 2, divided by √2 for f = 0, derived from half-angle values without a mathematics library.
  private static let cosines: [Float] = {
    let quarter: [Float] = [1, 0.98078528, 0.92387953, 0.83146961, 0.70710678, 0.55557023, 0.38268343, 0.19509032, 0]
    func cosine(_ step: Int) -> Float {
      let angle = step % 32
      if angle <= 8 { return quarter[angle] }
      if angle <= 16 { return -quarter[16 - angle] }
      return cosine(32 - angle)
    }
    return (0..<8).flatMap { frequency in
      (0..<8).map { position in
        cosine((2 * position + 1) * frequency) / 2 * (frequency == 0 ? 0.70710678 : 1)
      }
    }
  }()
}
