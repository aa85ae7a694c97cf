// The lowest frequencies of a varblock, which the LF image contains (ISO/IEC 18181-1, I.8.6).

internal import ImageCoding

/// Converts LF coefficients of the blocks of a varblock to its lowest frequencies.
package struct LowestFrequencies {
  /// The cosine transforms of 1 to 32 values, by the binary logarithm of the number: rows of frequencies.
  private let transforms: [[Float]]
  private var rowFrequencies = [Float](repeating: 0, count: 32 * 32)

  private static let matrices: [[Float]] = (0...5).map { shift in
    let count = 1 << shift
    var matrix: [Float] = []
    for frequency in 0..<count {
      // The scale from a transform of `count` values to one of eight times as many.
      let angle = Double.pi * Double(frequency) / Double(16 * count)
      let low = ElementaryFunctions.cosine(angle) * ElementaryFunctions.cosine(2 * angle)
      let resampling = low * ElementaryFunctions.cosine(4 * angle)
      let scale = (frequency == 0 ? 1 : 2.squareRoot()) / (Double(count) * resampling)
      for index in 0..<count {
        let phase = Double.pi * Double(frequency * (2 * index + 1)) / Double(2 * count)
        matrix.append(Float(scale * ElementaryFunctions.cosine(phase)))
      }
    }
    return matrix
  }

  package init() {
    transforms = Self.matrices
  }

  /// Replaces the lowest frequencies among the coefficients of a varblock, in the order of storage.
  ///
  /// - Parameters:
  ///   - plane: the LF coefficients, in rows of `stride`.
  ///   - start: the index of that of the varblock's first block.
  package mutating func replace(
    in values: inout MutableSpan<Float>, _ kind: TransformKind, _ plane: Span<Float>, start: Int, stride: Int
  ) {
    let (columns, rows) = (kind.columns, kind.rows)
    guard columns * rows > 1 else {
      values[0] = plane[start]
      return
    }
    let horizontal = transforms[columns.trailingZeroBitCount]
    let vertical = transforms[rows.trailingZeroBitCount]
    for y in 0..<rows {
      for frequency in 0..<columns {
        var sum: Float = 0
        for x in 0..<columns { sum += horizontal[frequency * columns + x] * plane[start + y * stride + x] }
        rowFrequencies[y * 32 + frequency] = sum
      }
    }
    let isWide = columns > rows
    let width = 8 * max(columns, rows)
    for x in 0..<columns {
      for frequency in 0..<rows {
        var sum: Float = 0
        for y in 0..<rows { sum += vertical[frequency * rows + y] * rowFrequencies[y * 32 + x] }
        values[isWide ? frequency * width + x : x * width + frequency] = sum
      }
    }
  }
}
