// A frame in decoding, or a part of one.

internal import ImageCoding

/// The samples of a frame, its blocks and its units of loop restoration. All are addressed by their position in the
/// frame.
struct Picture: Sendable {
  var buffer: SampleBuffer
  var map: BlockMap
  var restoration: RestorationUnits
  /// The first luma row of the superblocks of a window.
  private var windowTop = 0

  /// - Parameter isWindow: whether there are samples for some rows of superblocks at a time.
  init(_ parameters: FrameParameters, isWindow: Bool, _ budget: inout ResourceBudget) throws(CodecError) {
    buffer =
      isWindow
      ? try SampleBuffer(windowOf: parameters, &budget)
      : try SampleBuffer(columns: parameters.columns * 4, rows: (parameters.rows * 4 + 63) & ~63, parameters, &budget)
    map = try BlockMap(parameters, &budget)
    restoration = try RestorationUnits(parameters, &budget)
  }

  /// Moves a window to the row of superblocks that starts with a luma row, unless it contains that row.
  ///
  /// - Returns: the first luma row of the window before; `nil` if it stays.
  mutating func moveWindow(toRow top: Int, _ parameters: FrameParameters) -> Int? {
    let previous = windowTop
    guard top + 1 << parameters.log2Superblock > previous + SampleBuffer.windowRowCount else { return nil }
    buffer.moveWindow(toRow: top, from: previous, parameters)
    windowTop = top
    return previous
  }

  /// Makes part of a frame black.
  mutating func blacken(columns: Range<Int>, rows: Range<Int>, _ parameters: FrameParameters) {
    for plane in 0..<parameters.planeCount {
      let (shiftX, shiftY) = parameters.shifts(plane)
      let value = plane == 0 ? 0 : UInt16(1 << (parameters.bitDepth - 1))
      let origin = buffer.index(plane, x: columns.lowerBound * 4 >> shiftX, y: 0)
      let stride = buffer.strides[plane]
      var samples = buffer.samples.mutableSpan
      for y in rows.lowerBound * 4 >> shiftY..<rows.upperBound * 4 >> shiftY {
        let first = origin + y * stride
        for index in first..<first + columns.count * 4 >> shiftX { samples[index] = value }
      }
    }
  }
}

/// A part of a frame: a row of superblocks of a tile. Tiles that are decoded at the same time write to parts, which are
/// copied to the frame in order.
extension Picture {
  /// A part whose memory has been charged.
  ///
  /// - Parameter columnCount: the most units of 4 × 4 luma samples in a row.
  init(partOf parameters: FrameParameters, columnCount: Int) {
    let units = parameters.superblockUnits
    buffer = SampleBuffer(SampleLayout(columns: columnCount * 4, rows: units * 4, parameters))
    buffer.keepsEdges = true
    map = BlockMap(columns: columnCount, rows: units, parameters)
    restoration = RestorationUnits(partOf: parameters, columnCount: columnCount)
  }

  /// The memory of a part.
  static func byteCount(partOf parameters: FrameParameters, columnCount: Int) -> Int {
    let units = parameters.superblockUnits
    let sampleCount = SampleLayout(columns: columnCount * 4, rows: units * 4, parameters).count
    return Int(
      clamping: sampleCount * Int64(MemoryLayout<UInt16>.size)
        + BlockMap.byteCount(columns: columnCount, rows: units, parameters)
        + Int64(RestorationUnits.byteCount(partOf: parameters, columnCount: columnCount)))
  }

  /// Starts the part of the superblocks that start with a unit.
  ///
  /// - Parameter edges: the rows above, which ``keepEdges(to:endRow:_:)`` kept.
  mutating func startPart(column: Int, row: Int, edges: borrowing [UInt16], _ parameters: FrameParameters) {
    buffer.start(atRow: row * 4, column: column * 4, parameters)
    buffer.setEdges(edges)
    map.start(column: column, row: row, parameters)
    restoration.start(column: column, row: row, parameters)
  }

  /// Keeps the last row of a part, from which the next part of its tile is predicted.
  mutating func keepEdges(to edges: inout [UInt16], endRow: Int, _ parameters: FrameParameters) {
    for plane in 0..<parameters.planeCount {
      buffer.keepEdge(plane, y: endRow * 4 >> parameters.shifts(plane).y - 1)
    }
    buffer.copyEdges(to: &edges)
  }

  /// Copies a part.
  ///
  /// - Parameters:
  ///   - columns: the units of its tile.
  ///   - rows: its units in the frame.
  mutating func copy(
    _ part: borrowing Picture, columns: Range<Int>, rows: Range<Int>, _ parameters: FrameParameters
  ) {
    for plane in 0..<parameters.planeCount {
      let (shiftX, shiftY) = parameters.shifts(plane)
      buffer.copyRows(
        rows.lowerBound * 4 >> shiftY..<rows.upperBound * 4 >> shiftY,
        columns.lowerBound * 4 >> shiftX..<columns.upperBound * 4 >> shiftX, of: plane, from: part.buffer)
    }
    map.copy(columns: columns, rows: rows, from: part.map, parameters)
    let units = parameters.superblockUnits
    restoration.copy(
      columns: columns.lowerBound..<columns.lowerBound + (columns.count + units - 1) / units * units,
      rows: rows.lowerBound..<rows.lowerBound + units, from: part.restoration, parameters)
  }
}
