// The perceptual difference of two drawings: edges may move by less than a pixel, everything else must be equal.

/// The difference of two drawings of equal size, in premultiplied 8-bit samples.
///
/// The difference of two pixels is the largest difference of their samples. The difference at a position is the
/// smallest difference between that pixel and the 3 × 3 pixels around the same position in the other drawing. It is
/// computed in both directions, and the larger value counts.
package struct PerceptualDifference: Sendable {
  /// The share of pixels whose difference exceeds 24.
  package let strayShare: Double
  /// The mean difference of samples at the same position.
  package let mean: Double

  private static let tolerance = 24
  private static let maximumStrayShare = 0.0005
  private static let maximumMean = 1.0

  /// Compares two drawings. `nil` if their sizes differ.
  package init?(_ ours: NormalizedImage, _ reference: NormalizedImage) {
    guard ours.width == reference.width, ours.height == reference.height else { return nil }
    let first = Self.premultiplied(ours)
    let second = Self.premultiplied(reference)
    var strayCount = 0
    for y in 0..<ours.height {
      for x in 0..<ours.width {
        let there = Self.distance(first, x, y, second, ours.width, ours.height)
        let back = Self.distance(second, x, y, first, ours.width, ours.height)
        if max(there, back) > Self.tolerance { strayCount += 1 }
      }
    }
    let sum = zip(first, second).reduce(0) { $0 + abs($1.0 - $1.1) }
    let pixelCount = max(ours.width * ours.height, 1)
    strayShare = Double(strayCount) / Double(pixelCount)
    mean = Double(sum) / Double(pixelCount * 4)
  }

  /// Whether at most 0.05 % of the pixels differ by more than 24, and the mean difference is at most 1.0.
  package var isAcceptable: Bool { strayShare <= Self.maximumStrayShare && mean <= Self.maximumMean }

  /// The difference in one line.
  package var summary: String {
    func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
    return "\(rounded(strayShare * 100)) % of the pixels differ by more than \(Self.tolerance), mean \(rounded(mean))"
  }

  /// Returns the samples with 8 bits and premultiplied alpha.
  package static func premultiplied(_ image: NormalizedImage) -> [Int] {
    let bytes = image.converted(toDepth: 8).bytes
    var samples: [Int] = []
    samples.reserveCapacity(bytes.count)
    for start in stride(from: 0, to: bytes.count, by: 4) {
      let alpha = Int(bytes[start + 3])
      for channel in 0..<3 { samples.append((Int(bytes[start + channel]) * alpha + 127) / 255) }
      samples.append(alpha)
    }
    return samples
  }

  private static func distance(
    _ first: [Int], _ x: Int, _ y: Int, _ second: [Int], _ width: Int, _ height: Int
  ) -> Int {
    let from = (y * width + x) * 4
    var least = Int.max
    for row in max(0, y - 1)...min(height - 1, y + 1) {
      for column in max(0, x - 1)...min(width - 1, x + 1) {
        let to = (row * width + column) * 4
        var largest = 0
        for channel in 0..<4 { largest = max(largest, abs(first[from + channel] - second[to + channel])) }
        least = min(least, largest)
        if least <= tolerance { return least }
      }
    }
    return least
  }
}
