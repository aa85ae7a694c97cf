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
  mutating func filter(_ row: [UInt8], above: [UInt8], into output: inout [UInt8]) {
    switch filtering {
    case .none: apply(.none, row, above, &output)
    case .fixed(let code): apply(RowFilter(rawValue: code) ?? .none, row, above, &output)
    case .adaptive where !isFilterable: apply(.none, row, above, &output)
    case .adaptive: chooseFilter(row, above, &output)
    }
  }

  private mutating func chooseFilter(_ row: [UInt8], _ above: [UInt8], _ output: inout [UInt8]) {
    apply(.none, row, above, &output)
    var smallest = sumOfAbsoluteDifferences(output.span)
    for filter in [RowFilter.sub, .up, .average, .paeth] {
      apply(filter, row, above, &candidate)
      let sum = sumOfAbsoluteDifferences(candidate.span)
      if sum < smallest {
        smallest = sum
        swap(&candidate, &output)
      }
    }
  }

  private func apply(_ filter: RowFilter, _ row: [UInt8], _ above: [UInt8], _ output: inout [UInt8]) {
    if output.count != row.count + 1 { output = [UInt8](repeating: 0, count: row.count + 1) }
    output[0] = filter.rawValue
    var target = output.mutableSpan
    var filtered = target._mutatingExtracting(1..<row.count + 1)
    let head = min(distance, row.count)
    switch filter {
    case .none: filterNone(row.span, into: &filtered)
    case .sub: filterSub(row.span, distance: head, into: &filtered)
    case .up: filterUp(row.span, above: above.span, into: &filtered)
    case .average: filterAverage(row.span, above: above.span, distance: head, into: &filtered)
    case .paeth: filterPaeth(row.span, above: above.span, distance: head, into: &filtered)
    }
  }
}

/// The sum of the absolute values of the filtered bytes as signed integers, without the filter byte.
private func sumOfAbsoluteDifferences(_ bytes: Span<UInt8>) -> Int {
  var sum = 0
  var index = 1
  while index < bytes.count {
    let value = Int32(Int8(truncatingIfNeeded: bytes[index]))
    sum &+= Int(value < 0 ? 0 &- value : value)
    index &+= 1
  }
  return sum
}

private func filterNone(_ row: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
  for index in row.indices { output[index] = row[index] }
}

private func filterSub(_ row: Span<UInt8>, distance: Int, into output: inout MutableSpan<UInt8>) {
  for index in 0..<distance { output[index] = row[index] }
  var index = distance
  while index < row.count {
    output[index] = row[index] &- row[index &- distance]
    index &+= 1
  }
}

private func filterUp(_ row: Span<UInt8>, above: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
  for index in row.indices { output[index] = row[index] &- above[index] }
}

private func filterAverage(
  _ row: Span<UInt8>, above: Span<UInt8>, distance: Int, into output: inout MutableSpan<UInt8>
) {
  for index in 0..<distance { output[index] = row[index] &- above[index] &>> 1 }
  var index = distance
  while index < row.count {
    let mean = (UInt16(row[index &- distance]) &+ UInt16(above[index])) &>> 1
    output[index] = row[index] &- UInt8(truncatingIfNeeded: mean)
    index &+= 1
  }
}

private func filterPaeth(
  _ row: Span<UInt8>, above: Span<UInt8>, distance: Int, into output: inout MutableSpan<UInt8>
) {
  for index in 0..<distance { output[index] = row[index] &- above[index] }
  var index = distance
  while index < row.count {
    let left = Int16(row[index &- distance])
    let up = Int16(above[index])
    let corner = Int16(above[index &- distance])
    let leftDistance = abs(up &- corner)
    let upDistance = abs(left &- corner)
    let cornerDistance = abs(left &+ up &- corner &- corner)
    let nearestBut = upDistance <= cornerDistance ? up : corner
    let predicted = leftDistance <= upDistance && leftDistance <= cornerDistance ? left : nearestBut
    output[index] = row[index] &- UInt8(truncatingIfNeeded: predicted)
    index &+= 1
  }
}
