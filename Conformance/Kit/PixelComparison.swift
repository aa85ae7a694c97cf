// How decoded pixels are held against reference pixels, and what is said when they differ.

/// When two images count as the same.
package enum ComparisonRule: Hashable, Sendable {
  /// Every sample is equal.
  case exact
  /// No sample differs by more than so many steps of 1/255 (of 1/65535 at 16 bits).
  case maximumDifference(Int)
  /// For lossy formats whose decoders may round differently; see ``PixelDifference/isTolerable``.
  case tolerance
  /// Renderings of shapes: the picture is the same to the eye.
  case perceptual
  /// Two files that must render alike.
  case renderingTwin

  /// Reads the column `compare`; `nil` for none or one that is not known.
  package init?(manifest text: String) {
    switch text {
    case "exact": self = .exact
    // Compositing OVER rounds; decoders differ by one there.
    case "max<=1", "exact(max<=1 for OVER)": self = .maximumDifference(1)
    case "perceptual": self = .perceptual
    case "reftest": self = .renderingTwin
    case _ where text.hasPrefix("tol"): self = .tolerance
    default: return nil
    }
  }
}

/// How far two images of one size and depth are apart.
package struct PixelDifference: Sendable {
  /// The largest difference of two samples.
  package private(set) var maximum = 0
  /// The mean difference of two samples.
  package private(set) var mean = 0.0
  /// Pixels that differ at all.
  package private(set) var differingPixelCount = 0
  /// Pixels with a sample that differs by more than 32/255.
  package private(set) var strayPixelCount = 0
  /// All pixels.
  package let pixelCount: Int
  private let depth: Int
  private var first: (index: Int, ours: [Int], reference: [Int])?
  private let width: Int

  /// Compares two images; `nil` unless they have one size and depth.
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

  /// A pixel that one image makes transparent has lost its colours, so only the alphas can be compared.
  private static func differences(_ a: [Int], _ b: [Int]) -> [Int] {
    if a[3] == 0 || b[3] == 0 { return [abs(a[3] - b[3])] }
    return zip(a, b).map { abs($0 - $1) }
  }

  /// Whether the rule holds; `nil` for rules that are not about single samples.
  package func satisfies(_ rule: ComparisonRule) -> Bool? {
    switch rule {
    case .exact: differingPixelCount == 0
    case .maximumDifference(let bound): maximum <= bound
    case .tolerance: isTolerable
    case .perceptual, .renderingTwin: nil
    }
  }

  /// The rule `tol`: the mean difference is at most 2/255, and at most one pixel in a thousand has a sample that is
  /// more than 32/255 off.
  package var isTolerable: Bool {
    mean <= (depth == 8 ? 2 : 2 * 257) && strayPixelCount * 1000 <= pixelCount
  }

  /// One line: how many pixels differ, how much, and the first of them.
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
  /// Whether these pixels, once stored premultiplied with 8 bits and taken apart again, may have come from
  /// `original`: alpha is equal, and premultiplied again no colour is more than one step away.
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
