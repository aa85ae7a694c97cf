// References that contain samples as stored in the file, before scaling and inversion.

package import ImageCore

/// The meaning of the samples of a file, from the features in the manifest.
package struct StoredSamples: Hashable, Sendable {
  /// The bits per sample.
  package var bitDepth: Int
  /// Whether 0 is white.
  package var isInverted: Bool
  /// Whether samples are indices, which pixels cannot be compared with.
  package var isPalette: Bool

  /// Reads the features of a TIFF. `nil` if the depth is not among them.
  package init?(features: String) {
    let names = features.split(separator: ",")
    guard let depth = names.first(where: { $0.hasPrefix("bps") }).flatMap({ Int($0.dropFirst(3)) }) else { return nil }
    bitDepth = depth
    isInverted = names.first == "MINISWHITE"
    isPalette = names.first == "PALETTE"
  }
}

extension NumPyArray {
  /// Returns the difference of a bitmap's samples from the array's in one line. `nil` if all are equal after scaling to
  /// the bitmap's sample type.
  ///
  /// The array has rows of samples, rows of pixels of samples, or planes.
  package func difference(from bitmap: Bitmap, _ stored: StoredSamples) -> String? {
    let count = bitmap.format.samplesPerPixel
    let (width, height) = (bitmap.width, bitmap.height)
    let isPlanar = shape == [count, height, width]
    guard isPlanar || shape == [height, width, count] || (count == 1 && shape == [height, width]) else {
      return "\(width) × \(height) of \(count) samples, reference \(shape)"
    }
    let hasFractions = elements.contains { $0 != $0.rounded() }
    var differingCount = 0
    var first: String?
    for y in 0..<height {
      let row = bitmap.samples(ofRow: y)
      for index in row.indices {
        let (x, channel) = (index / count, index % count)
        let place = isPlanar ? (channel * height + y) * width + x : y * width * count + index
        let expected = expectedSample(
          elements[place], bitmap.format.sampleType, stored, isNumber: hasFractions && stored.bitDepth >= 16)
        if row[index] == expected || (row[index].isNaN && expected.isNaN) { continue }
        differingCount += 1
        first = first ?? "first at (\(x), \(y)): \(row[index]), reference \(expected)"
      }
    }
    return first.map { "\(differingCount) samples differ, \($0)" }
  }

  private func expectedSample(
    _ value: Double, _ type: SampleType, _ stored: StoredSamples, isNumber: Bool
  ) -> Double {
    if type.isFloatingPoint, isNumber || type == .float16 {
      let number = stored.isInverted ? 1 - value : value
      return Double(Float(number))
    }
    let maximum = Double(sign: .plus, exponent: stored.bitDepth, significand: 1) - 1
    // Signed integers are compared by their bits.
    let unsigned = value < 0 ? value + maximum + 1 : value
    let sample = stored.isInverted ? maximum - unsigned : unsigned
    if type.isFloatingPoint { return Double(Float(sample / maximum)) }
    return (sample * Double(type.maximum) / maximum).rounded()
  }
}

extension Bitmap {
  /// The samples of a row as numbers.
  fileprivate func samples(ofRow y: Int) -> [Double] {
    let row = row(y)
    let count = width * format.samplesPerPixel
    return (0..<count).map { index in
      switch format.sampleType {
      case .uint8: Double(row[index])
      case .uint16: Double(nativeUInt16(row, at: index * 2))
      case .float16: Double(Float(halfPrecisionBits: nativeUInt16(row, at: index * 2)))
      case .float32: Double(Float(bitPattern: nativeUInt32(row, at: index * 4)))
      }
    }
  }
}
