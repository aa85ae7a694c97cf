// The axes of a variable font, and the normalisation of axis values to coordinates in the design space (OpenType,
// `fvar` and `avar`).

internal import ImageCore

/// The design space of a font.
struct DesignSpace: Sendable {
  /// The maximum number of axes read.
  private static let maximumAxisCount = 64
  /// The work units for comparing the tag of a value, and for a segment of a mapping.
  private static let workPerValue = 3
  private static let workPerSegment = 10

  let axes: [VariationAxis]
  private let mapping: TableBytes

  init(axes table: TableBytes, mapping: TableBytes) {
    self.mapping = mapping
    let start = table.uint16(at: 4)
    let stride = table.uint16(at: 10)
    let count = table.uint16(at: 0) == 1 && stride >= 20 ? table.uint16(at: 8) : 0
    axes = (0..<min(count, DesignSpace.maximumAxisCount)).compactMap { index in
      let record = start + index * stride
      guard table.contains(record, 20) else { return nil }
      let value = table.fixed(at: record + 8)
      return VariationAxis(
        tag: table.tag(at: record), minimum: min(table.fixed(at: record + 4), value), defaultValue: value,
        maximum: max(table.fixed(at: record + 12), value), isHidden: table.uint16(at: record + 16) & 1 != 0)
    }
  }

  /// Returns the coordinates of axis values; empty if all have their default values.
  ///
  /// - Parameter budget: charged for the comparison of axes with values, and for the mapping.
  func coordinates(
    _ values: [(tag: Tag, value: Double)], budget: inout ResourceBudget
  ) throws(CodecError) -> [Double] {
    try budget.chargeWork(count: axes.count, unitsEach: 20 + values.count * DesignSpace.workPerValue)
    var result = [Double](repeating: 0, count: axes.count)
    for (index, axis) in axes.enumerated() {
      guard let value = values.last(where: { $0.tag == axis.tag })?.value, value.isFinite else { continue }
      let cut = min(max(value, axis.minimum), axis.maximum)
      let reach = cut < axis.defaultValue ? axis.defaultValue - axis.minimum : axis.maximum - axis.defaultValue
      result[index] = reach > 0 ? DesignSpace.rounded((cut - axis.defaultValue) / reach) : 0
    }
    try remap(&result, &budget)
    return result.allSatisfy { $0 == 0 } ? [] : result
  }

  /// Coordinates have 14 fraction bits.
  private static func rounded(_ coordinate: Double) -> Double { (coordinate * 16384).rounded() / 16384 }

  private func remap(_ coordinates: inout [Double], _ budget: inout ResourceBudget) throws(CodecError) {
    let version = mapping.uint16(at: 0)
    guard version == 1 || version == 2 else { return }
    var position = 8
    for index in 0..<min(mapping.uint16(at: 6), DesignSpace.maximumAxisCount) {
      let count = mapping.uint16(at: position)
      if index < coordinates.count {
        try budget.chargeWork(count: count, unitsEach: DesignSpace.workPerSegment)
        coordinates[index] = DesignSpace.rounded(remapped(coordinates[index], segments: position + 2, count: count))
      }
      position += 2 + count * 4
    }
    if version == 2 { try shift(&coordinates, header: position, &budget) }
  }

  private func remapped(_ coordinate: Double, segments: Int, count: Int) -> Double {
    guard count > 1 else { return coordinate }
    func point(_ index: Int) -> (from: Double, to: Double) {
      (mapping.fraction14(at: segments + index * 4), mapping.fraction14(at: segments + index * 4 + 2))
    }
    if coordinate <= point(0).from { return coordinate - point(0).from + point(0).to }
    for index in 1..<count {
      let (next, previous) = (point(index), point(index - 1))
      guard coordinate <= next.from else { continue }
      if next.from == previous.from { return next.to }
      return previous.to + (coordinate - previous.from) / (next.from - previous.from) * (next.to - previous.to)
    }
    return coordinate - point(count - 1).from + point(count - 1).to
  }

  /// Version 2: coordinates that depend on each other.
  private func shift(
    _ coordinates: inout [Double], header: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let (map, store) = (mapping.uint32(at: header), mapping.uint32(at: header + 4))
    guard store != 0 else { return }
    let indices = DeltaSetIndexMap(map == 0 ? .empty : mapping.part(at: map))
    let deltas = ItemVariationStore(mapping.part(at: store))
    let before = coordinates
    for index in coordinates.indices {
      let (outer, inner) = indices[index]
      var work = 0
      let delta = deltas.delta(outer: outer, inner: inner, coordinates: before, work: &work)
      try budget.chargeWork(work)
      coordinates[index] = min(max(before[index] + delta.rounded() / 16384, -1), 1)
    }
  }
}
