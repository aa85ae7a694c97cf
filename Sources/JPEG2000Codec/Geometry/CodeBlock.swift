// Code-blocks and the precincts that contain them (ITU-T T.800, B.7).

internal import ImageCoding

/// A code-block, and what packets have said about it so far.
struct CodeBlock: Sendable {
  /// The position in the sub-band, relative to its first coefficient.
  let x: Int32
  let y: Int32
  let width: UInt16
  let height: UInt16
  var isIncluded = false
  /// The number of bit-planes that are zero and not coded.
  var zeroPlaneCount: UInt8 = 0
  /// The number of bits of lengths (Lblock).
  var lengthBitCount: UInt8 = 3
  /// The number of coding passes in all packets.
  var passCount: UInt16 = 0
  /// Whether a codeword segment of it has bytes.
  var hasData = false
  /// Whether it is an ordinary code-block among high-throughput ones.
  var isOrdinary = false
  /// The number of passes that the current codeword segment can still take.
  var segmentRoom: UInt16 = 0
  /// The first and the last piece of its data; -1 if there is none.
  var firstPiece: Int32 = -1
  var lastPiece: Int32 = -1

  init(x: Int32, y: Int32, width: UInt16, height: UInt16) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// A part of a codeword segment that one packet contains.
struct SegmentPiece: Sendable {
  /// The position in the packets of the tile.
  var offset: Int = 0
  var length: Int
  var passCount: UInt8
  /// Whether a new codeword segment starts with it.
  let startsSegment: Bool
  /// The next piece of the code-block; -1 after the last one.
  var next: Int32 = -1
}

/// The code-blocks of a precinct in a sub-band.
struct PrecinctBand: Sendable {
  let bandIndex: Int
  let blocksWide: Int
  let blocksHigh: Int
  var blocks: [CodeBlock]
  var inclusion: TagTree
  var zeroPlanes: TagTree

  /// Divides the part of a precinct in a band into code-blocks, which are charged before.
  init(_ band: Subband, index: Int, precinctX: Int64, precinctY: Int64, budget: inout ResourceBudget)
    throws(CodecError)
  {
    bandIndex = index
    blocks = []
    let cell = band.cell(precinctX: precinctX, precinctY: precinctY)
    guard !cell.isEmpty else {
      (blocksWide, blocksHigh) = (0, 0)
      inclusion = TagTree(width: 0, height: 0)
      zeroPlanes = TagTree(width: 0, height: 0)
      return
    }
    let (width, height) = (Int64(1) << Int64(band.blockWidthExponent), Int64(1) << Int64(band.blockHeightExponent))
    let columns = cell.x0 / width..<cell.x1.dividedUp(by: width)
    let rows = cell.y0 / height..<cell.y1.dividedUp(by: height)
    // A precinct has at most 2¹⁵ × 2¹⁵ coefficients, and a band at most 2³¹ in either direction.
    guard cell.x1 - band.area.x0 <= Int64(Int32.max), cell.y1 - band.area.y0 <= Int64(Int32.max) else {
      throw CodecError(
        .limitExceeded, "a sub-band has more than 2³¹ columns or rows", format: JPEG2000Decoder.type, limit: .pixelCount
      )
    }
    (blocksWide, blocksHigh) = (columns.count, rows.count)
    // The nodes of both tag trees are less than twice three times as many.
    try budget.allocate(
      count: blocksWide * blocksHigh, bytesEach: MemoryLayout<CodeBlock>.stride + 3 * MemoryLayout<TagTree.Node>.stride)
    try budget.chargeWork(count: blocksWide * blocksHigh, unitsEach: 20)
    blocks.reserveCapacity(blocksWide * blocksHigh)
    for row in rows {
      for column in columns {
        let block = GridArea(
          x0: column * width, y0: row * height, x1: (column + 1) * width, y1: (row + 1) * height
        ).intersection(cell)
        blocks.append(
          CodeBlock(
            x: Int32(truncatingIfNeeded: block.x0 - band.area.x0),
            y: Int32(truncatingIfNeeded: block.y0 - band.area.y0), width: UInt16(truncatingIfNeeded: block.width),
            height: UInt16(truncatingIfNeeded: block.height)))
      }
    }
    inclusion = TagTree(width: blocksWide, height: blocksHigh)
    zeroPlanes = TagTree(width: blocksWide, height: blocksHigh)
  }
}
