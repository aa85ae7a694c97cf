// Which edges are deblocked and how strongly (section 8.7.2). All blocks are intra-coded, so that each edge of a transform
// block has the boundary strength 2.

internal import ImageCore

/// `tC′` and `β′` (table 8-12).
private let changeLimits: InlineArray<54, UInt8> = [
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5,
  5,
  6, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, 20, 22, 24,
]
private let flatnessLimits: InlineArray<52, UInt8> = [
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24, 26, 28,
  30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64,
]

/// How far the filters have come.
struct FilterProgress {
  /// Rows of tree blocks that are deblocked.
  var deblockedRowCount = 0
  /// Rows of tree blocks that are in the result.
  var writtenRowCount = 0
  /// The edges that are being filtered.
  var edges: [FilterEdge] = []
  /// A tree block of a component with its offsets.
  var tile: [UInt16]

  init(_ parameters: CodingParameters) {
    edges.reserveCapacity((parameters.width + 7) / 8)
    tile = [UInt16](repeating: 0, count: 64 * 64)
  }
}

private func filterLuma(
  _ samples: inout [UInt16], stride: Int, _ edges: [FilterEdge], isHorizontal: Bool, bitDepth: Int
) {
  var samples = samples.mutableSpan
  if isHorizontal {
    filterLumaRows(&samples, stride: stride, edges.span, bitDepth: bitDepth)
  } else {
    filterLumaColumns(&samples, stride: stride, edges.span, bitDepth: bitDepth)
  }
}

private func filterChroma(
  _ samples: inout [UInt16], step: Int, pitch: Int, lineCount: Int, _ edges: [FilterEdge], bitDepth: Int
) {
  var samples = samples.mutableSpan
  filterChroma(&samples, step: step, pitch: pitch, lineCount: lineCount, edges.span, bitDepth: bitDepth)
}

extension PictureDecoder {
  /// Filters what a row of tree blocks makes final, if they are decoded row by row.
  mutating func finishRow(_ address: Int) {
    guard layout.columnBounds.count == 2, address % layout.columnCount == layout.columnCount - 1 else { return }
    // The last samples of a row are predicted from by the next one, unfiltered.
    filterRows(deblocked: address / layout.columnCount, written: address / layout.columnCount - 1)
  }

  /// Filters all that is left. The work is part of that of decoding.
  mutating func finishPicture(_ budget: borrowing ResourceBudget) throws(CodecError) {
    for row in 0...layout.rowCount {
      try budget.checkpoint()
      filterRows(deblocked: row, written: row - 1)
    }
    filterRows(deblocked: layout.rowCount, written: layout.rowCount)
  }

  /// Deblocks rows of tree blocks and writes others, up to given numbers.
  private mutating func filterRows(deblocked: Int, written: Int) {
    while filters.deblockedRowCount < deblocked {
      deblockRow(filters.deblockedRowCount)
      filters.deblockedRowCount += 1
    }
    while filters.writtenRowCount < written {
      writeRow(filters.writtenRowCount)
      filters.writtenRowCount += 1
    }
  }

  private mutating func deblockRow(_ row: Int) {
    let count = parameters.treeBlockSize / 8
    let squares = row * count..<min((row + 1) * count, map.rows)
    for y in squares { deblock(y, isHorizontal: false) }
    for y in squares where y > 0 { deblock(y, isHorizontal: true) }
  }

  /// Filters the edges at the left or at the top of a row of squares.
  private mutating func deblock(_ row: Int, isHorizontal: Bool) {
    for component in 0..<parameters.componentCount {
      let shifts = parameters.shifts(component)
      // Edges of chroma are on a grid of eight of its own samples.
      if isHorizontal, row & ((1 << shifts.y) - 1) != 0 { continue }
      collectEdges(component, row, isHorizontal: isHorizontal)
      guard !filters.edges.isEmpty else { continue }
      let stride = buffer.strides[component]
      if component == 0, parameters.isWide {
        filterWideLuma(
          &buffer.samples, step: isHorizontal ? stride : 1, pitch: isHorizontal ? 1 : stride, filters.edges,
          bitDepth: parameters.bitDepth)
      } else if component == 0 {
        filterLuma(
          &buffer.samples, stride: stride, filters.edges, isHorizontal: isHorizontal, bitDepth: parameters.bitDepth)
      } else {
        filterChroma(
          &buffer.samples, step: isHorizontal ? stride : 1, pitch: isHorizontal ? 1 : stride,
          lineCount: isHorizontal ? 8 >> shifts.x : 8 >> shifts.y, filters.edges, bitDepth: parameters.bitDepth)
      }
    }
  }

  private mutating func collectEdges(_ component: Int, _ row: Int, isHorizontal: Bool) {
    filters.edges.removeAll(keepingCapacity: true)
    let shifts = parameters.shifts(component)
    let before = isHorizontal ? map.columns : 1
    let start = row &* map.columns
    let mask = isHorizontal ? 0 : 1 &<< shifts.x &- 1
    let depthShift = Int16(truncatingIfNeeded: parameters.bitDepth &- 8)
    let treeShift = parameters.log2TreeBlock &- 3
    let treeStart = (row &>> treeShift) &* layout.columnCount
    let origin = buffer.index(component, x: 0, y: (row &<< 3) &>> shifts.y)
    let picOffset = component == 1 ? parameters.cbOffset : parameters.crOffset
    for column in 0..<map.columns where column & mask == 0 {
      let square = start &+ column
      let segments = isHorizontal ? map.topEdges[square] : map.leftEdges[square]
      guard segments != 0 else { continue }
      let slice = slices[Int(treeBlocks[treeStart &+ column &>> treeShift].slice)]
      let mean = (Int(map.qp[square]) &+ Int(map.qp[square &- before]) &+ 1) &>> 1
      var edge = FilterEdge()
      edge.segments = segments
      edge.index = origin &+ (column &<< 3) &>> shifts.x
      if component == 0 {
        edge.flatness = Int16(flatnessLimits[min(max(mean &+ slice.betaOffset, 0), 51)]) &<< depthShift
        edge.limit = Int16(changeLimits[min(max(mean &+ 2 &+ slice.tcOffset, 0), 53)]) &<< depthShift
        guard edge.flatness > 0, edge.limit > 0 else { continue }
      } else {
        let qp = parameters.chromaParameter(mean &+ picOffset)
        edge.limit = Int16(changeLimits[min(max(qp &+ 2 &+ slice.tcOffset, 0), 53)]) &<< depthShift
        guard edge.limit > 0 else { continue }
      }
      if parameters.hasFinalSamples {
        edge.finals = (map.isFinal[square &- before] ? 1 : 0) | (map.isFinal[square] ? 2 : 0)
      }
      filters.edges.append(edge)
    }
  }
}
