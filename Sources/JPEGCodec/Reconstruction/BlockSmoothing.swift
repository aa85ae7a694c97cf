// Estimates coefficients not yet received from the DC coefficients of the 5 × 5 blocks around a block, as libjpeg-turbo
// (since 2.1) does to display incomplete progressive images. ITU-T T.81, section K.8, describes the idea for 3 × 3
// blocks; the weights are those of libjpeg-turbo.

internal import ImageCoding

/// Inter-block smoothing of one image.
struct BlockSmoothing {
  /// Zigzag indices 1…9 are estimated.
  private static let coefficientCount = 10

  private struct Component {
    /// The quantisation steps of zigzag indices 0…9.
    var steps: [Int]
    /// Their bit positions; -1 for coefficients not in any scan yet.
    var bitPositions: [Int]
    /// Whether no AC coefficient is known. In that case all nine are estimated, and DC too.
    var knowsOnlyDC: Bool
    var blocksPerRow: Int
    var blockRowCount: Int
    /// The number of block rows in a band, which is a row of MCUs.
    var verticalFactor: Int

    /// The block rows from two above to two below the given row.
    ///
    /// Near the edges libjpeg-turbo 2.1 works in bands: it uses a row two above only from the third band on, and a row
    /// two below only up to the third band from the end. Only for the last band does it know where the padding starts.
    func rowsAround(_ row: Int) -> InlineArray<5, Int> {
      let band = row / verticalFactor
      let rowInBand = row % verticalFactor
      let lastBand = (blockRowCount - 1) / verticalFactor
      let rowsInBand = band == lastBand ? blockRowCount - lastBand * verticalFactor : verticalFactor
      let previous = row > 0 ? row - 1 : row
      let next = band < lastBand || rowInBand < rowsInBand - 1 ? row + 1 : row
      return [
        band > 1 || rowInBand > 1 ? row - 2 : previous, previous, row, next,
        band < lastBand - 1 || rowInBand + 1 < rowsInBand - 1 ? row + 2 : next,
      ]
    }
  }

  private let components: [Component]

  /// Creates the smoothing for an image; `nil` if its first coefficients are all known or its DC coefficients are not.
  init?(frame: FrameHeader, quantization: [QuantizationTable?], precision: CoefficientPrecision) {
    var components: [Component] = []
    var isUseful = false
    for (index, component) in frame.components.enumerated() {
      guard let table = quantization[index], precision[index, 0] >= 0 else { return nil }
      let steps = table.steps.prefix(Self.coefficientCount).map { Int($0) }
      if steps.contains(0) { return nil }
      let bitPositions = (0..<Self.coefficientCount).map { precision[index, $0] }
      if bitPositions.dropFirst().contains(where: { $0 != 0 }) { isUseful = true }
      components.append(
        Component(
          steps: steps, bitPositions: bitPositions, knowsOnlyDC: bitPositions.dropFirst().allSatisfy { $0 == -1 },
          blocksPerRow: component.blocksPerRow, blockRowCount: component.blockRowCount,
          verticalFactor: component.verticalFactor))
    }
    guard isUseful else { return nil }
    self.components = components
  }

  /// Returns a block's coefficients, with estimates for those that are zero and not known exactly.
  func estimate(
    component index: Int, row: Int, column: Int, _ coefficients: Span<Int16>, _ plane: CoefficientPlanes.Plane
  ) -> InlineArray<64, Int16> {
    let component = components[index]
    let start = plane.block(row: row, column: column)
    var block = InlineArray<64, Int16> { coefficients[start + $0] }
    let dc = neighbours(row: row, column: column, component, coefficients, plane)
    for coefficient in 1..<(component.knowsOnlyDC ? Self.coefficientCount : 6) {
      let bitPosition = component.bitPositions[coefficient]
      guard bitPosition != 0, block[coefficient] == 0 else { continue }
      let sum = component.knowsOnlyDC ? Self.wideSum(coefficient, dc) : Self.narrowSum(coefficient, dc)
      block[coefficient] = Self.estimate(
        sum * component.steps[0], step: component.steps[coefficient], bitPosition: bitPosition)
    }
    if component.knowsOnlyDC {
      block[0] = Self.estimate(Self.dcSum(dc) * component.steps[0], step: component.steps[0], bitPosition: 0)
    }
    return block
  }

  /// `sum / (256 · step)`, rounded to nearest and limited to less than the scans so far could have represented.
  private static func estimate(_ sum: Int, step: Int, bitPosition: Int) -> Int16 {
    var magnitude = (step << 7 + abs(sum)) / (step << 8)
    if bitPosition > 0, magnitude >= 1 << bitPosition { magnitude = 1 << bitPosition - 1 }
    return Int16(truncatingIfNeeded: sum >= 0 ? magnitude : -magnitude)
  }

  /// The DC coefficients of 5 × 5 blocks, row by row. Beyond an edge, the nearest block is repeated.
  private func neighbours(
    row: Int, column: Int, _ component: Component, _ coefficients: Span<Int16>, _ plane: CoefficientPlanes.Plane
  ) -> InlineArray<25, Int> {
    var result = InlineArray<25, Int>(repeating: 0)
    let rows = component.rowsAround(row)
    for y in 0..<5 {
      for x in 0..<5 {
        let neighbourColumn = min(max(column + x - 2, 0), component.blocksPerRow - 1)
        result[y * 5 + x] = Int(coefficients[plane.block(row: rows[y], column: neighbourColumn)])
      }
    }
    return result
  }

  /// The weighted sum if only the DC coefficients of the component are known: a Gaussian-like filter over all 25
  /// blocks.
  private static func wideSum(_ coefficient: Int, _ d: InlineArray<25, Int>) -> Int {
    switch coefficient {
    case 1:
      let outer = -d[0] - d[1] + d[3] + d[4] - d[20] - d[21] + d[23] + d[24]
      let inner = 13 * (d[6] - d[8] + d[16] - d[18]) - 3 * (d[5] - d[9] + d[15] - d[19])
      return outer + inner + 38 * (d[11] - d[13]) - 3 * (d[10] - d[14])
    case 2:
      let outer = -d[0] - d[4] - d[5] - d[9] + d[15] + d[19] + d[20] + d[24]
      let middle = 3 * (d[21] + d[22] + d[23] - d[1] - d[2] - d[3])
      return outer + middle + 13 * (d[6] + d[8] - d[16] - d[18]) + 38 * (d[7] - d[17])
    case 3:
      let corners = 2 * (d[6] + d[8] + d[16] + d[18])
      return d[2] + d[22] + corners + 7 * (d[7] + d[17]) - 5 * (d[11] + d[13]) - 14 * d[12]
    case 4:
      return -d[0] + d[4] + d[20] - d[24] + 9 * (d[6] - d[8] - d[16] + d[18])
    case 5:
      let corners = 2 * (d[6] + d[8] + d[16] + d[18])
      return d[10] + d[14] + corners + 7 * (d[11] + d[13]) - 5 * (d[7] + d[17]) - 14 * d[12]
    case 6: return d[6] - d[8] + 2 * (d[11] - d[13]) + d[16] - d[18]
    case 7: return d[6] - 3 * d[7] + d[8] - d[16] + 3 * d[17] - d[18]
    case 8: return d[6] - d[8] - 3 * (d[11] - d[13]) + d[16] - d[18]
    default: return d[6] + 2 * d[7] + d[8] - d[16] - 2 * d[17] - d[18]
    }
  }

  /// The weighted sum if some AC coefficients of the component are known.
  private static func narrowSum(_ coefficient: Int, _ d: InlineArray<25, Int>) -> Int {
    switch coefficient {
    case 1: return 50 * (d[11] - d[13]) - 7 * (d[10] - d[14])
    case 2: return 50 * (d[7] - d[17]) - 7 * (d[2] - d[22])
    case 3: return 13 * (d[7] + d[17]) - d[2] - d[22] - 24 * d[12]
    case 4:
      let outer = d[9] + d[15] - d[1] - d[19] + d[21] - d[23] + d[3] - d[5]
      return outer + 10 * (d[6] - d[8] - d[16] + d[18])
    default: return 13 * (d[11] + d[13]) - d[10] - d[14] - 24 * d[12]
    }
  }

  /// The weighted sum that replaces DC itself; its weights add up to 256.
  private static func dcSum(_ d: InlineArray<25, Int>) -> Int {
    let corners = -2 * (d[0] + d[4] + d[20] + d[24])
    let beside = -6 * (d[1] + d[3] + d[5] + d[9] + d[15] + d[19] + d[21] + d[23])
    let middles = -8 * (d[2] + d[10] + d[14] + d[22])
    let diagonal = 6 * (d[6] + d[8] + d[16] + d[18])
    return corners + beside + middles + diagonal + 42 * (d[7] + d[11] + d[13] + d[17]) + 152 * d[12]
  }
}
