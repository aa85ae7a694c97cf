// Applies the filters of PNG section 9.2 and chooses among them (section 12.7).

/// Filters rows, choosing the filter that promises the smallest output.
struct FilterSelection {
  private let filtering: PNGEncoder.Options.Filtering
  private let distance: Int
  private let isFilterable: Bool
  private var candidate: [UInt8] = []

  /// - Parameter isFilterable: whether samples have at least 8 bits and are not indices; neighbouring indices or bits
  ///   do not predict each other.
  init(_ filtering: PNGEncoder.Options.Filtering, distance: Int, isFilterable: Bool) {
    self.filtering = filtering
    self.distance = distance
    self.isFilterable = isFilterable
  }

  /// Writes the filter byte and the filtered row to `output`.
  ///
  /// - Parameter above: the row above, unfiltered; zeros for the first row.
  mutating func filter(_ row: Span<UInt8>, above: Span<UInt8>, into output: inout [UInt8]) {
    switch filtering {
    case .none: _ = apply(.none, row, above, &output)
    case .fixed(let filter): _ = apply(filter, row, above, &output)
    case .adaptive where !isFilterable, .fast where !isFilterable, .entropy where !isFilterable:
      _ = apply(.none, row, above, &output)
    case .adaptive: chooseByMagnitude(RowFilter.allCases, row, above, &output)
    case .fast: chooseByMagnitude([.up, .sub, .paeth], row, above, &output)
    case .entropy: chooseByEntropy(row, above, &output)
    }
  }

  private mutating func chooseByMagnitude(
    _ filters: [RowFilter], _ row: Span<UInt8>, _ above: Span<UInt8>, _ output: inout [UInt8]
  ) {
    var smallest = Int.max
    for filter in filters {
      let sum = apply(filter, row, above, &candidate)
      if sum < smallest {
        smallest = sum
        swap(&candidate, &output)
      }
    }
  }

  private mutating func chooseByEntropy(_ row: Span<UInt8>, _ above: Span<UInt8>, _ output: inout [UInt8]) {
    var largest = Int.min
    for filter in RowFilter.allCases {
      _ = apply(filter, row, above, &candidate)
      let information = repetition(candidate.span)
      if information > largest {
        largest = information
        swap(&candidate, &output)
      }
    }
  }

  private func apply(
    _ filter: RowFilter, _ row: Span<UInt8>, _ above: Span<UInt8>, _ output: inout [UInt8]
  ) -> Int {
    if output.count != row.count + 1 { output = [UInt8](repeating: 0, count: row.count + 1) }
    output[0] = filter.rawValue
    var target = output.mutableSpan
    var filtered = target._mutatingExtracting(1..<row.count + 1)
    return applyFilter(filter.rawValue, to: row, above: above, distance: distance, into: &filtered)
  }
}

/// The sum of n log2 n over the numbers of occurrences of all bytes: the larger, the smaller the entropy. The logarithm is
/// interpolated linearly between powers of two.
private func repetition(_ bytes: Span<UInt8>) -> Int {
  var counts = [Int](repeating: 0, count: 256)
  var places = counts.mutableSpan
  for index in bytes.indices { places[Int(bytes[index])] &+= 1 }
  return counts.reduce(0) { sum, count in
    if count < 2 { return sum }
    let logarithm = Int.bitWidth - 1 - count.leadingZeroBitCount
    return sum + count * logarithm + 2 * (count - 1 << logarithm)
  }
}
