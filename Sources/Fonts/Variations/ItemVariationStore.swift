// Variation deltas of numbers over the design space, shared by most tables of a variable font (OpenType, font
// variations common table formats).

/// The variation deltas of a table.
package struct ItemVariationStore: Sendable {
  /// The work units for reading a delta, and for an axis of its region.
  private static let workPerDelta = 5
  private static let workPerAxis = 10

  private let table: TableBytes
  private let regions: Int
  private let dataCount: Int

  package init(_ table: TableBytes) {
    self.table = table
    regions = table.uint32(at: 2)
    dataCount = table.uint16(at: 6)
  }

  /// Whether there are no deltas.
  var isEmpty: Bool { dataCount == 0 }

  private func data(_ outer: Int) -> Int? {
    guard outer >= 0, outer < dataCount else { return nil }
    let offset = table.uint32(at: 8 + outer * 4)
    return offset == 0 ? nil : offset
  }

  /// Returns the scalar of each region in some variation data, at a position in the design space.
  ///
  /// - Parameter work: incremented by the work units spent.
  func regionScalars(of outer: Int, coordinates: [Double], work: inout Int) -> [Double] {
    guard let data = data(outer) else { return [] }
    let count = min(table.uint16(at: data + 4), 4096)
    var scalars: [Double] = []
    scalars.reserveCapacity(count)
    for region in 0..<count {
      scalars.append(
        scalar(ofRegion: table.uint16(at: data + 6 + region * 2), coordinates: coordinates, &work))
    }
    return scalars
  }

  /// Returns the delta of a number at a position in the design space.
  ///
  /// - Parameter work: incremented by the work units spent, at most a few millions.
  package func delta(outer: Int, inner: Int, coordinates: [Double], work: inout Int) -> Double {
    guard !coordinates.isEmpty, let data = data(outer), inner >= 0, inner < table.uint16(at: data) else { return 0 }
    let wordField = table.uint16(at: data + 2)
    let isLong = wordField & 0x8000 != 0
    let wordCount = wordField & 0x7FFF
    let regionCount = min(table.uint16(at: data + 4), 4096)
    let (wide, narrow) = isLong ? (4, 2) : (2, 1)
    let rowSize = min(wordCount, regionCount) * wide + max(0, regionCount - wordCount) * narrow
    var position = data + 6 + table.uint16(at: data + 4) * 2 + inner * rowSize
    var result = 0.0
    work += 20 + regionCount * ItemVariationStore.workPerDelta
    for region in 0..<regionCount {
      let delta: Int
      if region < wordCount {
        delta = isLong ? table.int32(at: position) : table.int16(at: position)
        position += wide
      } else {
        delta = isLong ? table.int16(at: position) : table.int8(at: position)
        position += narrow
      }
      if delta == 0 { continue }
      result +=
        Double(delta) * scalar(ofRegion: table.uint16(at: data + 6 + region * 2), coordinates: coordinates, &work)
    }
    return result
  }

  /// 1 at the peak of a region, falling to 0 at its boundaries.
  private func scalar(ofRegion index: Int, coordinates: [Double], _ work: inout Int) -> Double {
    let axisCount = table.uint16(at: regions)
    guard index < table.uint16(at: regions + 2) else { return 0 }
    var result = 1.0
    for axis in 0..<min(axisCount, 64) {
      work += ItemVariationStore.workPerAxis
      let record = regions + 4 + (index * axisCount + axis) * 6
      result *= VariationRegion.factor(
        start: table.fraction14(at: record), peak: table.fraction14(at: record + 2),
        end: table.fraction14(at: record + 4),
        coordinate: axis < coordinates.count ? coordinates[axis] : 0)
      if result == 0 { return 0 }
    }
    return result
  }
}

/// The extent of a region along one axis.
enum VariationRegion {
  /// The contribution of the axis: 1 at the peak, falling linearly to 0 at start and end. Invalid extents do not
  /// restrict the region.
  static func factor(start: Double, peak: Double, end: Double, coordinate: Double) -> Double {
    if peak == 0 || coordinate == peak { return 1 }
    if start > peak || peak > end || (start < 0 && end > 0) { return 1 }
    if coordinate <= start || coordinate >= end { return 0 }
    return coordinate < peak ? (coordinate - start) / (peak - start) : (end - coordinate) / (end - peak)
  }
}
