// A picture that is decoded and rendered band by band, without planes of its size.

internal import ImageCoding

/// Decodes the rows of groups of a VarDCT frame in order, and renders all pixels that do not depend on later rows.
///
/// The frame is the last of its picture, covers the canvas, and has nothing that needs the whole frame. Only the groups
/// that a region needs are decoded.
struct PictureBands: Sendable {
  private(set) var frame: FrameDecoder
  private let layout: FrameLayout
  private let renderer: TileRenderer
  private let colors: ColorConversion
  private let output: RenderedOutput
  private var samples: SampleGroups
  /// The planes of groups that are not needed any more.
  private var spare: [[SamplePlane]]? = []
  /// The region that is rendered.
  private let region: PixelRegion
  /// The columns of groups that it needs.
  private let groupColumns: Range<Int>
  /// The next row of groups.
  private var nextGroupRow: Int
  /// The rows of the current band, and its pixels.
  private(set) var rows: Range<Int>
  private var tiles: [PixelTile] = []

  init(_ frame: FrameDecoder, budget: inout ResourceBudget) throws(CodecError) {
    self.frame = frame
    layout = frame.layout
    renderer = TileRenderer(frame)
    colors = ColorConversion(frame.image, isYCbCr: frame.header.isYCbCr)
    output = RenderedOutput(frame.image, SampleOutput(frame.image).natural)
    region = frame.region ?? PixelRegion(x: 0, y: 0, width: layout.size.width, height: layout.size.height)
    let needed = FrameRegion(region, layout)
    (groupColumns, nextGroupRow) = (needed.groupColumns, needed.groupRows.lowerBound)
    rows = region.y..<region.y
    try budget.allocate(SampleGroups.listByteCount(layout))
    samples = SampleGroups(layout)
    try requireMemory(budget)
  }

  /// Checks that a band fits into memory before anything is decoded.
  private func requireMemory(_ budget: borrowing ResourceBudget) throws(CodecError) {
    let height = min(layout.size.height, 2 * layout.groupSize)
    let width = min(layout.size.width, groupColumns.count << layout.groupShift)
    let (sampleCount, overflow) = width.multipliedReportingOverflow(by: height * 12)
    try budget.requireMemory(overflow ? .max : sampleCount)
  }

  /// Decodes and renders the next band.
  mutating func advance(
    _ codestream: Span<UInt8>, parallelism: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    let columns = layout.groupColumns
    let groups = groupColumns.map { nextGroupRow * columns + $0 }
    nextGroupRow += 1
    budget.release(tiles.reduce(0) { $0 + $1.bytes.count })
    tiles = []
    let decoded = try frame.decodeGroups(groups, reusing: spare.take() ?? [], codestream, parallelism, &budget)
    for (group, planes) in zip(groups, decoded) { samples.set(planes, at: group) }
    let isLast = nextGroupRow == layout.groupRows
    let finalRowCount = isLast ? layout.size.height : nextGroupRow << layout.groupShift - renderer.reach
    rows = rows.upperBound..<max(rows.upperBound, min(finalRowCount, region.y + region.height))
    try render(parallelism, &budget)
    // Later bands depend on the last row of groups only. The memory of earlier ones remains charged while it is reused.
    if isLast {
      for group in groups { samples.set([], at: group) }
    }
    spare = groups.reversed().compactMap { $0 >= columns ? samples.take(group: $0 - columns) : nil }
  }

  private mutating func render(_ parallelism: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    let (rows, size) = (rows, TileRenderer.tileWidth)
    // Tiles start at multiples of the size of blocks.
    let (left, right) = (region.x & ~7, region.x + region.width)
    let (samples, renderer, colors, output) = (samples, renderer, colors, output)
    let alpha = frame.alpha
    tiles = try parallelResults(
      count: rows.isEmpty ? 0 : (right - left - 1) / size + 1, parallelism: parallelism, &budget
    ) { (column, budget) throws(CodecError) -> PixelTile in
      let x = left + column * size
      let tile = PixelRegion(x: x, y: rows.lowerBound, width: min(size, right - x), height: rows.count)
      return try renderer.pixels(tile, of: samples, colors, output, alpha: alpha, budget: &budget)
    }
  }

  /// Writes columns of a row of the current band.
  func write(row y: Int, columns: Range<Int>, into pixels: inout MutableSpan<UInt8>) {
    for tile in tiles { tile.copy(row: y, columns: columns, into: &pixels) }
  }
}
