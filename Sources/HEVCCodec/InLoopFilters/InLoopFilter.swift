// The filters of decoded rows (section 8.7): DeblockingFilter, then SampleAdaptiveOffset on the way to the planes.

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// Filters the rows of a picture, and writes those that are final to planes.
struct InLoopFilter: Sendable {
  let parameters: CodingParameters
  /// The conformance window.
  let columns: Range<Int>
  let rows: Range<Int>
  var planes: PlanarPicture
  private var deblockedRowCount = 0
  private var writtenRowCount = 0
  /// The edges that are being filtered.
  var edges: [FilterEdge] = []
  /// The samples of a CTB of one component with their offsets.
  var tile = [UInt16](repeating: 0, count: 64 * 64)

  init(
    _ sequence: SequenceParameterSet, _ parameters: CodingParameters, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    planes = try PlanarPicture(
      width: sequence.columns.count, height: sequence.rows.count, bitDepth: sequence.bitDepth,
      chromaFormat: sequence.chromaFormat, coding: sequence.coding, budget: &budget)
    planes.colorSpace = sequence.usability.codePoints.map(ColorSpace.codePoints) ?? .unspecified
    let squareCount = (parameters.width + 7) / 8
    try budget.allocate(tile.count * MemoryLayout<UInt16>.stride + squareCount * MemoryLayout<FilterEdge>.stride)
    edges.reserveCapacity(squareCount)
    self.parameters = parameters
    (columns, rows) = (sequence.columns, sequence.rows)
  }

  /// Filters the rows of CTBs that become final when rows are decoded.
  mutating func filter(_ picture: inout DecodedPicture, decodedRowCount count: Int) {
    // The next row is predicted from the last one unfiltered. Its upper edge changes the last samples of the one above.
    let isWhole = count == picture.layout.rowCount
    while deblockedRowCount < (isWhole ? count : count - 1) {
      deblockRow(deblockedRowCount, of: &picture)
      deblockedRowCount += 1
    }
    while writtenRowCount < (isWhole ? count : count - 2) {
      writeRow(writtenRowCount, of: picture)
      writtenRowCount += 1
    }
  }
}
