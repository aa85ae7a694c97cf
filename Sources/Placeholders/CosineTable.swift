// The cosines of a discrete cosine transform.

internal import ImageCore

/// cos(π · frequency · (position + ½) / size) for all positions and the lowest frequencies.
struct CosineTable {
  private let size: Int
  private let values: [Double]

  init(size: Int, frequencyCount: Int) {
    self.size = size
    values = (0..<frequencyCount).flatMap { frequency in
      (0..<size).map { ElementaryFunctions.cosine(Double.pi / Double(size) * Double(frequency) * (Double($0) + 0.5)) }
    }
  }

  subscript(frequency: Int, position: Int) -> Double { values[frequency * size + position] }
}
