// A picture that is decoded and rendered band by band, without planes of its size.

internal import ImageCoding

/// Decodes the rows of groups of a VarDCT frame in order, and renders all pixels that do not depend on later rows.
///
/// The frame is the last of its picture, covers the canvas, and has nothing that needs the whole frame.
struct PictureBands: Sendable {
  private(set) var frame: FrameDecoder
  private let layout: FrameLayout
  private let renderer: TileRenderer
  private let colors: ColorConversion
  private let output: RenderedOutput
  private var samples: SampleGroups
  /// The planes of groups that are not needed any more.
  private var spare: [[SamplePlane]]? = []
  /// The next row of groups.
  private var nextGroupRow = 0
  /// The rows of the current band, and its pixels.
  private(set) var rows = 0..<0
  private var tiles: [PixelTile] = []

  init(_ frame: FrameDecoder, budget: inout ResourceBudget) throws(CodecError) {
    self.frame = frame
    layout = frame.layout
    renderer = TileRenderer(frame)
    colors = ColorConversion(frame.image, isYCbCr: frame.header.isYCbCr)
    output = RenderedOutput(frame.image, SampleOutput(frame.image).natural)
    try budget.allocate(SampleGroups.listByteCount(layout))
    samples = SampleGroups(layout)
    try requireMemory(budget)
  }

  /// Checks that a band fits into memory before anything is decoded.
  private func requireMemory(_ budget: borrowing ResourceBudget) throws(CodecError) {
    let height = min(layout.size.height, 2 * layout.groupSize)
    let (sampleCount, overflow) = layout.size.width.multipliedReportingOverflow(by: height * 12)
    try budget.requireMemory(overflow ? .max : sampleCount)
  }

  /// Decodes and renders the next band.
  mutating func advance(
    _ codestream: Span<UInt8>, parallelism: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    let columns = layout.groupColumns
    let groups = nextGroupRow * columns..<(nextGroupRow + 1) * columns
    nextGroupRow += 1
    budget.release(tiles.reduce(0) { $0 + $1.bytes.count })
    tiles = []
    let decoded = try frame.decodeGroups(groups, reusing: spare.take() ?? [], codestream, parallelism, &budget)
    for (group, planes) in zip(groups, decoded) { samples.set(planes, at: group) }
    let height = layout.size.height
    let isLast = nextGroupRow == layout.groupRows
    let decodedRowCount = nextGroupRow << layout.groupShift
    rows = rows.upperBound..<(isLast ? height : max(rows.upperBound, decodedRowCount - renderer.reach))
    try render(parallelism, &budget)
    // Later bands depend on the last row of groups only. The memory of earlier ones remains charged while it is reused.
    if isLast {
      for group in groups { samples.set([], at: group) }
    }
    spare = groups.reversed().compactMap { $0 >= columns ? samples.take(group: $0 - columns) : nil }
  }

  private mutating func render(_ parallelism: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    let (rows, size, width) = (rows, TileRenderer.tileWidth, layout.size.width)
    let (samples, renderer, colors, output) = (samples, renderer, colors, output)
    let alpha = frame.alpha
    tiles = try parallelResults(
      count: rows.isEmpty ? 0 : (width - 1) / size + 1, parallelism: parallelism, &budget
    ) { (column, budget) throws(CodecError) -> PixelTile in
      let x = column * size
      let tile = PixelRegion(x: x, y: rows.lowerBound, width: min(size, width - x), height: rows.count)
      return try renderer.pixels(tile, of: samples, colors, output, alpha: alpha, budget: &budget)
    }
  }

  /// Writes a row of the current band.
  func write(row y: Int, into pixels: inout MutableSpan<UInt8>) {
    for tile in tiles { tile.copy(row: y, into: &pixels) }
  }
}
