// The samples of the components of a codestream, as COMPONENTS.tsv describes them.

/// The expected samples of a component: a row of COMPONENTS.tsv.
package struct ExpectedComponent: Hashable, Sendable {
  /// The index of the component in the codestream.
  package var index: Int
  /// The number of the highest resolutions that are discarded.
  package var reduction: Int
  /// The number of columns.
  package var width: Int
  /// The number of rows.
  package var height: Int
  /// The bits per sample.
  package var depth: Int
  /// Whether samples are signed.
  package var isSigned: Bool
  /// The SHA-256 of the samples; see ``ComponentSamples/bytes``.
  package var hash: String?
  /// The path of a picture of the samples relative to the folder; `nil` if there is none.
  package var reference: String?
  /// The channel of that picture.
  package var channel: Int
  /// The limit of the largest error; 0 if samples must be equal.
  package var peak: Int
  /// The limit of the mean of the squared errors.
  package var meanSquare: Double

  /// Reads a row. `nil` if a column is missing.
  package init?(_ row: TabSeparatedTable.Row) {
    guard let index = row.integer("component"), let reduction = row.integer("reduce"),
      let width = row.integer("width"), let height = row.integer("height"), let depth = row.integer("depth"),
      let sign = row.integer("signed")
    else { return nil }
    (self.index, self.reduction, self.width, self.height) = (index, reduction, width, height)
    (self.depth, isSigned) = (depth, sign == 1)
    hash = row.text("sha256")
    peak = row.integer("peak") ?? 0
    meanSquare = row.text("mse").flatMap { Double($0) } ?? 0
    let parts = row.path("reference")?.split(separator: "#", maxSplits: 1) ?? []
    reference = parts.first.map { String($0) }
    channel = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
  }
}

/// The samples of a component.
package struct ComponentSamples: Sendable {
  private let width: Int
  private let height: Int
  private let depth: Int
  private let isSigned: Bool
  private let values: [Int]

  /// - Parameter values: the samples, row by row.
  package init(width: Int, height: Int, depth: Int, isSigned: Bool, values: [Int]) {
    (self.width, self.height, self.depth, self.isSigned, self.values) = (width, height, depth, isSigned, values)
  }

  /// The samples in two's complement: of one byte up to 8 bits, of two up to 16, little-endian.
  package var bytes: [UInt8] {
    if depth <= 8 { return values.map { UInt8(truncatingIfNeeded: $0) } }
    return values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  /// Returns the difference from the expected samples in one line. `nil` if there is none, or if it is within the limits.
  ///
  /// - Parameters:
  ///   - hash: the SHA-256 of ``bytes``.
  ///   - reference: returns the samples of the channel of a picture, to which half the range is added if they are signed;
  ///     called if the hash differs and samples need not be equal.
  package func difference(
    from expected: ExpectedComponent, hash: String, reference: (String, Int) -> [Int]?
  ) -> String? {
    let name = "component \(expected.index), reduced \(expected.reduction) times"
    guard (width, height, depth) == (expected.width, expected.height, expected.depth), isSigned == expected.isSigned
    else {
      return "\(name): \(width) × \(height) of \(depth) bits, reference \(expected.width) × \(expected.height) of "
        + "\(expected.depth)"
    }
    if hash == expected.hash { return nil }
    guard expected.peak > 0 else { return "\(name): the hash of the samples differs" }
    // Only the size is known.
    guard let path = expected.reference else { return nil }
    guard let samples = reference(path, expected.channel), samples.count == values.count else {
      return "\(name): \(path) is not a supported reference"
    }
    let offset = isSigned ? 1 << (depth - 1) : 0
    var (peak, sum) = (0, 0.0)
    for (value, sample) in zip(values, samples) {
      let error = abs(value + offset - sample)
      peak = max(peak, error)
      sum += Double(error * error)
    }
    let meanSquare = sum / Double(max(1, values.count))
    guard peak > expected.peak || meanSquare > expected.meanSquare else { return nil }
    return "\(name): peak error \(peak), mean square error \(meanSquare)"
  }
}
