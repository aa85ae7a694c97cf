// Colour quantisation: boxes of colours are split where they vary most, then each palette colour moves to the mean of
// the colours assigned to it (Heckbert's median cut with Wu's criterion, then k-means).

internal import ImageCoding

/// Counts colours in cells of 8 × 8 × 8, keeping exact sums.
struct ColorHistogram {
  fileprivate struct Cell {
    var count = 0
    /// Sums of red, green and blue.
    var sums = SIMD3<Int>.zero

    var mean: SIMD3<Float> { SIMD3<Float>(sums) / Float(max(1, count)) }
  }

  fileprivate var cells: [Cell]

  private static let cellCount = 1 << 15
  /// The work of comparing a cell with a centre of a cluster, twice, and of dividing boxes of cells.
  private static let workPerCellAndColor = 6

  /// Charges the cells.
  init(_ budget: inout ResourceBudget) throws(CodecError) {
    try budget.allocate(count: Self.cellCount, bytesEach: MemoryLayout<Cell>.stride)
    try budget.chargeWork(Self.cellCount * 10)
    cells = [Cell](repeating: Cell(), count: Self.cellCount)
  }

  /// Counts opaque pixels.
  mutating func add(_ pixels: Span<UInt32>) {
    for x in pixels.indices where pixels[x] != 0 {
      let pixel = pixels[x]
      let color = SIMD3<Int>(Int(pixel & 255), Int(pixel >> 8 & 255), Int(pixel >> 16 & 255))
      let index = (color.x >> 3) << 10 | (color.y >> 3) << 5 | color.z >> 3
      cells[index].count += 1
      cells[index].sums &+= color
    }
  }

  /// Reduces the colours to at most `count`, returned as pixels. Charges the work, and the memory of the boxes.
  func quantized(to count: Int, _ budget: inout ResourceBudget) throws(CodecError) -> [UInt32] {
    let used = cells.filter { $0.count > 0 }
    guard !used.isEmpty else { return [0xFF00_0000] }
    try budget.allocate(count: used.count, bytesEach: 3 * MemoryLayout<Cell>.stride)
    // The search for the widest box, and the comparison of each cell with each colour.
    try budget.chargeWork(count: count * count, unitsEach: 2)
    try budget.chargeWork(count: used.count * count, unitsEach: Self.workPerCellAndColor)
    var boxes = [ColorBox(used)]
    while boxes.count < count {
      guard let widest = boxes.indices.max(by: { boxes[$0].error < boxes[$1].error }), boxes[widest].error > 0
      else { break }
      let (lower, upper) = boxes[widest].split()
      boxes[widest] = lower
      boxes.append(upper)
    }
    return refine(boxes.map { $0.mean }, cells: used).map(pixel)
  }

  /// Two rounds of k-means.
  private func refine(_ centers: [SIMD3<Float>], cells: [Cell]) -> [SIMD3<Float>] {
    var centers = centers
    for _ in 0..<2 {
      var members = [Cell](repeating: Cell(), count: centers.count)
      for cell in cells {
        let nearest = nearest(cell.mean, among: centers)
        members[nearest].count += cell.count
        members[nearest].sums &+= cell.sums
      }
      for index in centers.indices where members[index].count > 0 { centers[index] = members[index].mean }
    }
    return centers
  }

  private func nearest(_ color: SIMD3<Float>, among centers: [SIMD3<Float>]) -> Int {
    var best = (distance: Float.infinity, index: 0)
    for (index, center) in centers.enumerated() {
      let difference = color - center
      let distance = difference.x * difference.x + difference.y * difference.y + difference.z * difference.z
      if distance < best.distance { best = (distance, index) }
    }
    return best.index
  }

  private func pixel(_ color: SIMD3<Float>) -> UInt32 {
    // Avoids the library's rounding, which calls libm.
    let rounded = SIMD3<UInt32>(truncatingIfNeeded: SIMD3<Int32>(color + 0.5))
    return rounded.x | rounded.y << 8 | rounded.z << 16 | 0xFF00_0000
  }
}

/// The cells that one palette colour will replace.
private struct ColorBox {
  private let cells: [ColorHistogram.Cell]
  let mean: SIMD3<Float>
  /// The sum of squared distances from the mean, per channel.
  private let errors: SIMD3<Float>
  /// The sum over all channels; 0 for a single cell.
  let error: Float

  init(_ cells: [ColorHistogram.Cell]) {
    self.cells = cells
    var total = ColorHistogram.Cell()
    for cell in cells {
      total.count += cell.count
      total.sums &+= cell.sums
    }
    let mean = total.mean
    self.mean = mean
    errors = cells.reduce(SIMD3<Float>.zero) { sum, cell in
      let difference = cell.mean - mean
      return sum + difference * difference * Float(cell.count)
    }
    error = cells.count < 2 ? 0 : errors.x + errors.y + errors.z
  }

  /// Splits the box in two at the mean of the channel that varies most.
  func split() -> (ColorBox, ColorBox) {
    let channel = errors.x >= errors.y && errors.x >= errors.z ? 0 : errors.y >= errors.z ? 1 : 2
    let lower = cells.filter { $0.mean[channel] <= mean[channel] }
    let upper = cells.filter { $0.mean[channel] > mean[channel] }
    // Rounding can leave one side empty.
    if lower.isEmpty || upper.isEmpty {
      return (ColorBox(Array(cells.prefix(1))), ColorBox(Array(cells.dropFirst())))
    }
    return (ColorBox(lower), ColorBox(upper))
  }
}
