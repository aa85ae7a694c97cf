// The errors of samples in floating point, and their limits.

/// The limits of the errors of an image, in fractions of a full sample.
package struct ErrorLimits: Hashable, Sendable {
  /// The limit of the root mean square of the errors of a channel.
  package var rootMeanSquare: Double
  /// The limit of the largest error.
  package var peak: Double

  /// Creates limits.
  package init(rootMeanSquare: Double, peak: Double) {
    self.rootMeanSquare = rootMeanSquare
    self.peak = peak
  }

  /// Parses `tol rms<=R peak<=P`. `nil` for other rules.
  package init?(manifest text: String) {
    let words = text.split(separator: " ")
    guard words.count == 3, words[0] == "tol", words[1].hasPrefix("rms<="), words[2].hasPrefix("peak<="),
      let rootMeanSquare = Double(words[1].dropFirst(5)), let peak = Double(words[2].dropFirst(6))
    else { return nil }
    self.init(rootMeanSquare: rootMeanSquare, peak: peak)
  }
}

/// The errors of an image with respect to a reference that may consist of some of its rows or of the means of its tiles.
package struct SampleErrors: Sendable {
  /// The part of an image that a reference has.
  package enum Part: Hashable, Sendable {
    case whole
    /// Every `step`-th row, the first of which has the index `step / 2`.
    case rows(step: Int)
    /// The means of square tiles. Those at the right and lower edges may be smaller.
    case tiles(side: Int)

    /// Reads the part from the end of a file name such as `a.rows3.png` or `a.tiles32.png`.
    package init(fileName: String) {
      let parts = fileName.split(separator: ".")
      let word = parts.count > 1 ? parts[parts.count - 2] : ""
      if word.hasPrefix("rows"), let step = Int(word.dropFirst(4)), step > 0 {
        self = .rows(step: step)
      } else if word.hasPrefix("tiles"), let side = Int(word.dropFirst(5)), side > 0 {
        self = .tiles(side: side)
      } else {
        self = .whole
      }
    }
  }

  /// The root mean square of the errors of a channel, the greatest of the four, in fractions of a full sample.
  package private(set) var rootMeanSquare = 0.0
  /// The largest error, in fractions of a full sample.
  package private(set) var peak = 0.0
  /// The error that may result from rounding the two images to their depths.
  package let rounding: Double

  /// Compares an image with a part of a reference. `nil` if the size of the reference is not that of the part.
  package init?(_ ours: NormalizedImage, _ reference: NormalizedImage, _ part: Part) {
    rounding = 0.5 / ours.fullSample + 0.5 / reference.fullSample
    switch part {
    case .whole:
      guard ours.height == reference.height else { return nil }
      guard compareRows(of: ours, reference, { $0 }) else { return nil }
    case .rows(let step):
      guard reference.height == (ours.height - step / 2 + step - 1) / step else { return nil }
      guard compareRows(of: ours, reference, { step / 2 + $0 * step }) else { return nil }
    case .tiles(let side):
      guard compareTiles(of: ours, reference, side) else { return nil }
    }
  }

  /// Returns whether the errors are within limits, apart from the rounding of both images to their depths. Means of
  /// tiles have errors as large as those of single samples at most.
  package func satisfy(_ limits: ErrorLimits) -> Bool {
    let slack = rounding + 1e-9
    return rootMeanSquare <= limits.rootMeanSquare + slack && peak <= limits.peak + slack
  }

  /// The errors in one line.
  package var summary: String { "root mean square error \(rootMeanSquare), peak \(peak)" }

  private mutating func compareRows(
    of ours: NormalizedImage, _ reference: NormalizedImage, _ row: (Int) -> Int
  ) -> Bool {
    guard ours.width == reference.width else { return false }
    var sums = [Double](repeating: 0, count: 4)
    for y in 0..<reference.height {
      for x in 0..<reference.width {
        let (a, b) = (ours.fractions(x, row(y)), reference.fractions(x, y))
        // Colours of transparent pixels are lost.
        let first = a[3] == 0 || b[3] == 0 ? 3 : 0
        for channel in first..<4 {
          let error = abs(a[channel] - b[channel])
          sums[channel] += error * error
          peak = max(peak, error)
        }
      }
    }
    let count = Double(max(1, reference.width * reference.height))
    rootMeanSquare = ((sums.max() ?? 0) / count).squareRoot()
    return true
  }

  private mutating func compareTiles(
    of ours: NormalizedImage, _ reference: NormalizedImage, _ side: Int
  ) -> Bool {
    guard reference.width == (ours.width + side - 1) / side, reference.height == (ours.height + side - 1) / side
    else { return false }
    for tileY in 0..<reference.height {
      for tileX in 0..<reference.width {
        let columns = tileX * side..<min(ours.width, (tileX + 1) * side)
        let rows = tileY * side..<min(ours.height, (tileY + 1) * side)
        var mean = SIMD4<Double>.zero
        for y in rows { for x in columns { mean += ours.fractions(x, y) } }
        mean /= Double(rows.count * columns.count)
        let expected = reference.fractions(tileX, tileY)
        let isOpaque = mean[3] == 1 && expected[3] == 1
        for channel in (isOpaque ? 0 : 3)..<4 { peak = max(peak, abs(mean[channel] - expected[channel])) }
      }
    }
    return true
  }
}

extension NormalizedImage {
  /// The value of a full sample.
  fileprivate var fullSample: Double { depth == 8 ? 255 : 65535 }

  /// Returns the samples of a pixel in fractions of a full sample.
  fileprivate func fractions(_ x: Int, _ y: Int) -> SIMD4<Double> {
    let index = (y * width + x) * 4
    var samples = SIMD4<Double>.zero
    for channel in 0..<4 { samples[channel] = Double(sample(at: index + channel)) }
    return samples / fullSample
  }
}
