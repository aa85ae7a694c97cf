// The errors of developed camera raw pictures, and their limits: demosaicing guesses, so that no sample is defined exactly.

/// The limits of the errors of a developed picture, in steps of 1/255.
package struct DevelopmentLimits: Hashable, Sendable {
  /// The limit of the mean error.
  package var mean: Double
  /// The limit of the error that 95 % of the samples do not exceed.
  package var percentile95: Double

  /// Creates limits.
  package init(mean: Double, percentile95: Double) {
    (self.mean, self.percentile95) = (mean, percentile95)
  }

  /// Parses `raw(mean<=M,p95<=P)`. `nil` for other rules.
  package init?(manifest text: String) {
    guard text.hasPrefix("raw("), text.hasSuffix(")") else { return nil }
    let clauses = text.dropFirst(4).dropLast().split(separator: ",")
    guard clauses.count == 2, clauses[0].hasPrefix("mean<="), clauses[1].hasPrefix("p95<="),
      let mean = Double(clauses[0].dropFirst(6)), let percentile95 = Double(clauses[1].dropFirst(5))
    else { return nil }
    self.init(mean: mean, percentile95: percentile95)
  }
}

/// The errors of red, green and blue of a developed picture. Pixels at the edges, which lack neighbours, do not count.
package struct DevelopmentErrors: Sendable {
  /// The mean error, in steps of 1/255.
  package let mean: Double
  /// The error that 95 % of the samples do not exceed.
  package let percentile95: Int

  /// The width of the border that is not compared, in pixels.
  package static let border = 4

  /// Compares two images. `nil` if their sizes differ, or if they consist of borders only.
  package init?(_ ours: NormalizedImage, _ reference: NormalizedImage) {
    let (ours, reference) = (ours.converted(toDepth: 8), reference.converted(toDepth: 8))
    let (width, height, border) = (ours.width, ours.height, Self.border)
    guard width == reference.width, height == reference.height, width > 2 * border, height > 2 * border else {
      return nil
    }
    var counts = [Int](repeating: 0, count: 256)
    for y in border..<height - border {
      for x in border..<width - border {
        let index = (y * width + x) * 4
        for channel in 0..<3 {
          counts[abs(ours.sample(at: index + channel) - reference.sample(at: index + channel))] += 1
        }
      }
    }
    let total = counts.reduce(0, +)
    mean = Double(counts.enumerated().reduce(0) { $0 + $1.offset * $1.element }) / Double(total)
    var (seen, error) = (0, 0)
    while seen * 100 < total * 95 {
      seen += counts[error]
      error += 1
    }
    percentile95 = error - 1
  }

  /// Returns whether the errors are within limits.
  package func satisfy(_ limits: DevelopmentLimits) -> Bool {
    mean <= limits.mean && Double(percentile95) <= limits.percentile95
  }

  /// The errors in one line.
  package var summary: String { "mean error \(mean), \(percentile95) or less in 95 % of the samples" }
}
