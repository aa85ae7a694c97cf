// Comparison of decoded pixels with reference pixels, and the description of differences.

/// The condition for two images to be considered equal.
package enum ComparisonRule: Hashable, Sendable {
  /// All samples are equal.
  case exact
  /// No sample differs by more than the given number of steps of 1/255, or of 1/65535 for 16 bits.
  case maximumDifference(Int)
  /// The tolerance for lossy formats whose decoders may round differently; see ``PixelDifference/isTolerable``.
  case tolerance
  /// The root mean square and the peak of the errors are limited; see ``SampleErrors``.
  case limits(ErrorLimits)
  /// Renderings of shapes are perceptually equal; see ``PerceptualDifference``.
  case perceptual
  /// Two files must have equal renderings.
  case renderingTwin
  /// Only samples before conversion to colours are compared: the components of a codestream, within the limits of each
  /// (see ``ExpectedComponent``), or those of a sensor.
  case components
  /// The errors of a developed camera raw picture are limited; see ``DevelopmentErrors``.
  case developed(DevelopmentLimits)
  /// The size is that of the largest embedded picture.
  case preview

  /// Parses the column `compare`. `nil` if it is empty or unknown.
  package init?(manifest text: String) {
    let clauses = text.split(separator: ";")
    if clauses.count == 2, clauses[1].hasPrefix("rgb max<="), let bound = Int(clauses[1].dropFirst(9)) {
      self = .maximumDifference(bound)
      return
    }
    switch text {
    case "exact": self = .exact
    // Compositing with OVER rounds, so that decoders may differ by one.
    case "max<=1", "exact(max<=1 for OVER)": self = .maximumDifference(1)
    case "perceptual": self = .perceptual
    case "reftest": self = .renderingTwin
    case "samples only": self = .components
    case "preview": self = .preview
    case _ where text.hasPrefix("raw("):
      guard let limits = DevelopmentLimits(manifest: text) else { return nil }
      self = .developed(limits)
    case _ where text.hasPrefix("tol(peak="): self = .components
    case _ where text.hasPrefix("tol"): self = ErrorLimits(manifest: text).map { .limits($0) } ?? .tolerance
    default: return nil
    }
  }
}

/// The difference of two images of equal size and depth.
package struct PixelDifference: Sendable {
  /// The largest difference of two samples.
  package private(set) var maximum = 0
  /// The mean difference of two samples.
  package private(set) var mean = 0.0
  /// The number of pixels that differ.
  package private(set) var differingPixelCount = 0
  /// The number of pixels with a sample that differs by more than 32/255.
  package private(set) var strayPixelCount = 0
  /// The number of pixels.
  package let pixelCount: Int
  private let depth: Int
  private var first: (index: Int, ours: [Int], reference: [Int])?
  private let width: Int

  /// Compares two images. `nil` if their sizes or depths differ.
  package init?(_ ours: NormalizedImage, _ reference: NormalizedImage) {
    guard ours.width == reference.width, ours.height == reference.height, ours.depth == reference.depth else {
      return nil
    }
    pixelCount = ours.width * ours.height
    depth = ours.depth
    width = ours.width
    if ours.bytes == reference.bytes { return }
    let stray = depth == 8 ? 32 : 32 * 257
    var sum = 0
    for index in 0..<pixelCount {
      let (a, b) = (ours.pixel(at: index), reference.pixel(at: index))
      if a == b { continue }
      let differences = Self.differences(a, b)
      let largest = differences.max() ?? 0
      sum += differences.reduce(0, +)
      maximum = max(maximum, largest)
      differingPixelCount += 1
      if largest > stray { strayPixelCount += 1 }
      if first == nil { first = (index, a, b) }
    }
    mean = pixelCount == 0 ? 0 : Double(sum) / Double(pixelCount * 4)
  }

  /// If a pixel is transparent in one image, its colours are lost, so only alpha can be compared.
  private static func differences(_ a: [Int], _ b: [Int]) -> [Int] {
    if a[3] == 0 || b[3] == 0 { return [abs(a[3] - b[3])] }
    return zip(a, b).map { abs($0 - $1) }
  }

  /// Returns whether the difference satisfies a rule, or `nil` for rules that do not compare individual samples.
  package func satisfies(_ rule: ComparisonRule) -> Bool? {
    switch rule {
    case .exact: differingPixelCount == 0
    case .maximumDifference(let bound): maximum <= bound
    case .tolerance: isTolerable
    case .limits, .perceptual, .renderingTwin, .components, .developed, .preview: nil
    }
  }

  /// Whether the rule `tol` holds: the mean difference is at most 2/255, and at most one pixel in a thousand has a
  /// sample that differs by more than 32/255.
  package var isTolerable: Bool {
    mean <= (depth == 8 ? 2 : 2 * 257) && strayPixelCount * 1000 <= pixelCount
  }

  /// The share of differing pixels, the largest difference and the first differing pixel, in one line.
  package var summary: String {
    guard let first else { return "no difference" }
    let share = (Double(differingPixelCount) / Double(max(pixelCount, 1)) * 10_000).rounded() / 100
    let ours = first.ours.map { String($0) }.joined(separator: ",")
    let reference = first.reference.map { String($0) }.joined(separator: ",")
    return "\(share) % of the pixels differ, by \(maximum) at most, first at (\(first.index % width), "
      + "\(first.index / width)): \(ours), reference \(reference)"
  }
}

extension NormalizedImage {
  /// Returns whether these pixels, after conversion to 8-bit premultiplied alpha and back, may have come from
  /// `original`: alpha is equal, and no premultiplied colour differs by more than one.
  package func isWithinPremultiplication(of original: NormalizedImage) -> Bool {
    guard width == original.width, height == original.height else { return false }
    let (ours, theirs) = (converted(toDepth: 8), original.converted(toDepth: 8))
    return (0..<width * height).allSatisfy { index in
      let (a, b) = (ours.pixel(at: index), theirs.pixel(at: index))
      guard a[3] == b[3] else { return false }
      return (0..<3).allSatisfy { channel in
        let (premultiplied, reference) = ((a[channel] * a[3] + 127) / 255, (b[channel] * b[3] + 127) / 255)
        return abs(premultiplied - reference) <= 1
      }
    }
  }
}
