// A picture that is decoded and rendered band by band, without planes of its size.

internal import ImageCoding

/// Decodes the rows of groups of a VarDCT frame in order, and renders all pixels that do not depend on later rows.
///
/// The frame is the last of its picture, and covers the canvas. Only the groups that a region needs are decoded.
struct PictureBands: Sendable {
  private(set) var frame: FrameDecoder
  private let layout: FrameLayout
  private let renderer: PixelRenderer
  /// The decoded colours of groups, and the random numbers of groups of noise.
  private var samples: SampleGroups
  private var numbers: SampleGroups?
  /// The next row of groups of noise.
  private var nextNoiseRow: Int?
  /// The planes of groups that are not needed any more.
  private var spare: [[SamplePlane]]? = []
  /// The region of the coded frame that is rendered.
  private let region: PixelRegion
  /// The columns of groups that it needs.
  private let groupColumns: Range<Int>
  /// The next row of groups.
  private var nextGroupRow: Int
  /// The rows of the coded frame that are in the current band.
  private var codedRows: Range<Int>
  /// The pixels of the current band.
  private var tiles: [PixelTile] = []

  /// - Parameter number: the numbers of shown frames so far and of frames since the last one.
  init(
    _ frame: FrameDecoder, _ slots: ReferenceSlots, number: (visible: UInt32, invisible: UInt32),
    budget: inout ResourceBudget
  ) throws(CodecError) {
    self.frame = frame
    layout = frame.layout
    renderer = try PixelRenderer(frame, slots, number: number, budget: &budget)
    region = frame.region ?? PixelRegion(x: 0, y: 0, width: layout.size.width, height: layout.size.height)
    let needed = FrameRegion(region, layout)
    (groupColumns, nextGroupRow) = (needed.groupColumns, needed.groupRows.lowerBound)
    codedRows = region.y..<region.y
    try budget.allocate(SampleGroups.listByteCount(groupCount: layout.groupCount))
    samples = SampleGroups(layout, BlockGrid(frame.header, layout))
    if let noise = renderer.noise {
      try budget.allocate(SampleGroups.listByteCount(groupCount: noise.groupColumns * noise.groupRows))
      numbers = SampleGroups(noise.size, groupShift: noise.groupShift)
    }
    try requireMemory(budget)
  }

  /// The rows of the picture that are in the current band.
  var rows: Range<Int> {
    let height = frame.header.sampleSize.height
    return min(height, codedRows.lowerBound * renderer.factor)..<min(height, codedRows.upperBound * renderer.factor)
  }

  /// Checks that a band fits into memory before anything is decoded.
  private func requireMemory(_ budget: borrowing ResourceBudget) throws(CodecError) {
    let height = min(layout.size.height, 2 * layout.groupSize)
    let width = min(layout.size.width, groupColumns.count << layout.groupShift)
    let (sampleCount, overflow) = width.multipliedReportingOverflow(by: height * (numbers == nil ? 12 : 24))
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
    let reach = renderer.reach + samples.reach
    let finalRowCount = isLast ? layout.size.height : nextGroupRow << layout.groupShift - reach
    codedRows = codedRows.upperBound..<max(codedRows.upperBound, min(finalRowCount, region.y + region.height))
    try generateNoise(parallelism, &budget)
    try render(parallelism, &budget)
    // Later bands depend on the last row of groups only. The memory of earlier ones remains charged while it is reused.
    if isLast {
      for group in groups { samples.set([], at: group) }
    }
    spare = groups.reversed().compactMap { $0 >= columns ? samples.take(group: $0 - columns) : nil }
  }

  /// Generates the random numbers of the current band, and frees those of rows before it.
  private mutating func generateNoise(_ parallelism: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    guard let noise = renderer.noise, var groups = numbers.take(), !rows.isEmpty else { return }
    defer { numbers = groups }
    let (factor, shift, columnCount) = (renderer.factor, noise.groupShift, noise.groupColumns)
    let first = max(0, rows.lowerBound - NoiseRows.reach) >> shift
    let end = (min(noise.size.height, rows.upperBound + NoiseRows.reach) - 1) >> shift + 1
    // Windows have a margin on both sides.
    let left = max(0, region.x * factor - FilterWindow.margin - 7 * factor) >> shift
    let right = min(noise.size.width, (region.x + region.width) * factor + FilterWindow.margin) - 1
    let columns = left..<right >> shift + 1
    for row in max(nextNoiseRow ?? first, first)..<max(end, first) {
      let decoded = try parallelResults(count: columns.count, parallelism: parallelism, &budget) {
        (index, budget) throws(CodecError) -> [SamplePlane] in
        try noise.numbers(column: columns.lowerBound + index, row: row, budget: &budget)
      }
      for (index, planes) in decoded.enumerated() {
        groups.set(planes, at: row * columnCount + columns.lowerBound + index)
      }
    }
    for row in max(0, first - 2 * factor)..<first {
      for column in columns {
        budget.release(groups.take(group: row * columnCount + column).reduce(0) { $0 + $1.byteCount })
      }
    }
    nextNoiseRow = max(nextNoiseRow ?? 0, end)
  }

  private mutating func render(_ parallelism: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    let (rows, width) = (codedRows, renderer.tileWidth)
    // Tiles start at multiples of the size of blocks.
    let (left, right) = (region.x & ~7, region.x + region.width)
    let additionByteCount = renderer.additionByteCount
    try budget.allocate(additionByteCount)
    let source = PixelRenderer.Source(
      samples: samples, numbers: numbers, additions: try renderer.additions(toRows: rows, budget: &budget),
      extraChannels: frame.modular.channels)
    let renderer = renderer
    tiles = try parallelResults(
      count: rows.isEmpty ? 0 : (right - left - 1) / width + 1, parallelism: parallelism, &budget
    ) { (column, budget) throws(CodecError) -> PixelTile in
      let x = left + column * width
      let tile = PixelRegion(x: x, y: rows.lowerBound, width: min(width, right - x), height: rows.count)
      return try renderer.pixels(tile, of: source, budget: &budget)
    }
    budget.release(additionByteCount)
  }

  /// Writes columns of a row of the current band.
  func write(row y: Int, columns: Range<Int>, into pixels: inout MutableSpan<UInt8>) {
    for tile in tiles { tile.copy(row: y, columns: columns, into: &pixels) }
  }
}
