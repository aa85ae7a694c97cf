// The cosines of a discrete cosine transform.

internal import ImageCore

/// cos(π · frequency · position / size) for all positions and the lowest frequencies.
struct CosineTable {
  private let size: Int
  private let values: [Double]

  /// - Parameter origin: the position of the first pixel: ½ if positions are measured at the centres of pixels, 0 at their
  ///   corners.
  init(size: Int, frequencyCount: Int, origin: Double = 0.5) {
    self.size = size
    values = (0..<frequencyCount).flatMap { frequency in
      (0..<size).map {
        ElementaryFunctions.cosine(Double.pi / Double(size) * Double(frequency) * (Double($0) + origin))
      }
    }
  }

  subscript(frequency: Int, position: Int) -> Double { values[frequency * size + position] }
}
