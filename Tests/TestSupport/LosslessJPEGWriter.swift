// Streams of the lossless process of JPEG, written sample by sample from the formulas of ITU-T T.81, annex H.

/// Writes streams of the lossless process.
package struct LosslessJPEGWriter {
  package var width: Int
  package var height: Int
  package var componentCount = 1
  package var precision = 16
  package var predictor = 1
  package var pointTransform = 0
  /// The number of rows of a restart interval; 0 for none.
  package var rowsPerInterval = 0
  /// The categories 0…16 in the order of their codes, which have 1, 2, 3, … 16 and 16 bits.
  package var categories = Array(0...16)

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Returns the stream of samples, which are interleaved by component and have no bits below the point transform.
  package func stream(_ samples: [UInt16]) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC3, 0, UInt8(8 + 3 * componentCount), UInt8(precision)]
    bytes += word(height) + word(width) + [UInt8(componentCount)]
    for component in 0..<componentCount { bytes += [UInt8(component + 1), 0x11, 0] }
    bytes += [0xFF, 0xC4] + word(2 + 1 + 16 + 17) + [0]
    bytes += [UInt8](repeating: 1, count: 15) + [2] + categories.map { UInt8($0) }
    if rowsPerInterval > 0 { bytes += [0xFF, 0xDD, 0, 4] + word(rowsPerInterval * width) }
    bytes += [0xFF, 0xDA, 0, UInt8(6 + 2 * componentCount), UInt8(componentCount)]
    for component in 0..<componentCount { bytes += [UInt8(component + 1), 0] }
    bytes += [UInt8(predictor), 0, UInt8(pointTransform)]
    var writer = BitWriter()
    for y in 0..<height {
      if rowsPerInterval > 0, y > 0, y % rowsPerInterval == 0 {
        bytes += stuffed(writer) + [0xFF, 0xD0 + UInt8((y / rowsPerInterval - 1) & 7)]
        writer = BitWriter()
      }
      for index in 0..<width * componentCount { write(difference(samples, y, index), to: &writer) }
    }
    return bytes + stuffed(writer) + [0xFF, 0xD9]
  }

  private func difference(_ samples: [UInt16], _ y: Int, _ index: Int) -> Int {
    let stride = width * componentCount
    func sample(_ y: Int, _ index: Int) -> Int { Int(samples[y * stride + index]) >> pointTransform }
    let isFirst = y == 0 || (rowsPerInterval > 0 && y % rowsPerInterval == 0)
    let isLeft = index < componentCount
    let prediction: Int
    if isFirst {
      prediction = isLeft ? 1 << (precision - pointTransform - 1) : sample(y, index - componentCount)
    } else if isLeft {
      prediction = sample(y - 1, index)
    } else {
      let (a, b, c) = (
        sample(y, index - componentCount), sample(y - 1, index), sample(y - 1, index - componentCount)
      )
      prediction = [0, a, b, c, a + b - c, a + ((b - c) >> 1), b + ((a - c) >> 1), (a + b) >> 1][predictor]
    }
    return (sample(y, index) - prediction) & 0xFFFF
  }

  private func write(_ difference: Int, to writer: inout BitWriter) {
    let value = difference > 32_768 ? difference - 65_536 : difference
    let category = value == 32_768 ? 16 : Int.bitWidth - abs(value).leadingZeroBitCount
    let place = categories.firstIndex(of: category) ?? 0
    // All ones but for the last bit, except that of the last code.
    writer.write(place == 16 ? 0xFFFF : (1 << (place + 1)) - 2, min(place + 1, 16))
    if category > 0, category < 16 { writer.write(value > 0 ? value : value + (1 << category) - 1, category) }
  }

  private func stuffed(_ writer: BitWriter) -> [UInt8] {
    var writer = writer
    while writer.bitCount % 8 != 0 { writer.write(1, 1) }
    return writer.bytes.flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }
  }

  private func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
}
