// The edges that are deblocked, and the strength of the filter (section 8.7.2). All blocks are intra-coded, so that
// each edge of a transform block has the boundary strength 2.

internal import ImageCoding

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

extension InLoopFilter {
  /// Deblocks a row of CTBs, except for the edges of the next row.
  mutating func deblockRow(_ row: Int, of picture: inout DecodedPicture) {
    let count = parameters.codingTreeBlockSize / 8
    let squares = row * count..<min((row + 1) * count, picture.blocks.rows)
    for y in squares { deblock(y, isHorizontal: false, &picture) }
    for y in squares where y > 0 { deblock(y, isHorizontal: true, &picture) }
  }

  /// Filters the edges at the left or at the top of a row of squares.
  private mutating func deblock(_ row: Int, isHorizontal: Bool, _ picture: inout DecodedPicture) {
    for component in 0..<parameters.componentCount {
      let shifts = parameters.shifts(component)
      // Edges of chroma are on a grid of eight of its own samples.
      if isHorizontal, row & ((1 << shifts.y) - 1) != 0 { continue }
      collectEdges(component, row, isHorizontal: isHorizontal, picture)
      guard !edges.isEmpty else { continue }
      let stride = picture.samples.strides[component]
      if component == 0, parameters.isWide {
        filterWideLuma(
          &picture.samples.values, step: isHorizontal ? stride : 1, pitch: isHorizontal ? 1 : stride, edges,
          bitDepth: parameters.bitDepth)
      } else if component == 0 {
        filterLuma(
          &picture.samples.values, stride: stride, edges, isHorizontal: isHorizontal, bitDepth: parameters.bitDepth)
      } else {
        filterChroma(
          &picture.samples.values, step: isHorizontal ? stride : 1, pitch: isHorizontal ? 1 : stride,
          lineCount: isHorizontal ? 8 >> shifts.x : 8 >> shifts.y, edges, bitDepth: parameters.bitDepth)
      }
    }
  }

  private mutating func collectEdges(
    _ component: Int, _ row: Int, isHorizontal: Bool, _ picture: borrowing DecodedPicture
  ) {
    edges.removeAll(keepingCapacity: true)
    let shifts = parameters.shifts(component)
    let before = isHorizontal ? picture.blocks.columns : 1
    let start = row &* picture.blocks.columns
    let mask = isHorizontal ? 0 : 1 &<< shifts.x &- 1
    let depthShift = Int16(truncatingIfNeeded: parameters.bitDepth &- 8)
    let ctbShift = parameters.log2CodingTreeBlock &- 3
    let firstAddress = (row &>> ctbShift) &* picture.layout.columnCount
    let origin = picture.samples.index(component, x: 0, y: (row &<< 3) &>> shifts.y)
    let picOffset = component == 1 ? parameters.cbOffset : parameters.crOffset
    for column in 0..<picture.blocks.columns where column & mask == 0 {
      let square = start &+ column
      let segments = isHorizontal ? picture.blocks.topEdges[square] : picture.blocks.leftEdges[square]
      guard segments != 0 else { continue }
      let slice = picture.slices[Int(picture[firstAddress &+ column &>> ctbShift].slice)]
      let mean = (Int(picture.blocks.qp[square]) &+ Int(picture.blocks.qp[square &- before]) &+ 1) &>> 1
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
        edge.finals = (picture.blocks.isFinal[square &- before] ? 1 : 0) | (picture.blocks.isFinal[square] ? 2 : 0)
      }
      edges.append(edge)
    }
  }
}
