// The units of loop restoration (section 5.11.58).

internal import ImageCoding

/// The filter of one unit.
package struct RestorationUnit: Sendable {
  var type = RestorationType.none
  /// `lr_sgr_set`.
  package var set: UInt8 = 0
  /// `LrSgrXqd`.
  package var weights = SIMD2<Int16>(0, 0)
  /// `LrWiener`: three taps of the vertical filter, then of the horizontal one.
  var taps: InlineArray<6, Int16> = [0, 0, 0, 0, 0, 0]

  package init() {}
}

/// The filters of a frame's units, or of those of a part of a frame.
struct RestorationUnits {
  /// The units of each plane of the frame in a row, and rows of them; 0 for planes that are not restored.
  let columns: InlineArray<3, Int>
  let rows: InlineArray<3, Int>
  /// The index of the first unit of each plane, and the distance of rows of units.
  private let starts: InlineArray<3, Int>
  private let strides: InlineArray<3, Int>
  /// The index that the first unit of each plane of the frame has or would have.
  private var origins: InlineArray<3, Int>
  var units: [RestorationUnit]

  /// The units of a frame.
  init(_ parameters: FrameParameters, _ budget: inout ResourceBudget) throws(CodecError) {
    let (columns, rows) = Self.size(parameters)
    try budget.allocate(count: Self.count(columns, rows), bytesEach: MemoryLayout<RestorationUnit>.stride)
    self.init(columns: columns, rows: rows, storedColumns: columns, storedRows: rows)
  }

  /// Units of a row of superblocks, whose memory has been charged.
  ///
  /// - Parameter columnCount: units of 4 × 4 luma samples in the row.
  init(partOf parameters: FrameParameters, columnCount: Int) {
    let (columns, rows) = Self.size(parameters)
    let (storedColumns, storedRows) = Self.partSize(parameters, columnCount: columnCount)
    self.init(columns: columns, rows: rows, storedColumns: storedColumns, storedRows: storedRows)
  }

  private init(
    columns: InlineArray<3, Int>, rows: InlineArray<3, Int>, storedColumns: InlineArray<3, Int>,
    storedRows: InlineArray<3, Int>
  ) {
    var starts = InlineArray<3, Int>(repeating: 0)
    for plane in 1..<3 { starts[plane] = starts[plane - 1] + storedColumns[plane - 1] * storedRows[plane - 1] }
    (self.columns, self.rows, strides) = (columns, rows, storedColumns)
    (self.starts, origins) = (starts, starts)
    units = [RestorationUnit](repeating: RestorationUnit(), count: Self.count(storedColumns, storedRows))
  }

  /// The memory of the units of a row of superblocks.
  static func byteCount(partOf parameters: FrameParameters, columnCount: Int) -> Int {
    let (columns, rows) = partSize(parameters, columnCount: columnCount)
    return count(columns, rows) * MemoryLayout<RestorationUnit>.stride
  }

  private static func count(_ columns: InlineArray<3, Int>, _ rows: InlineArray<3, Int>) -> Int {
    (0..<3).reduce(0) { $0 + columns[$1] * rows[$1] }
  }

  /// The units of all planes of a frame.
  private static func size(
    _ parameters: FrameParameters
  ) -> (columns: InlineArray<3, Int>, rows: InlineArray<3, Int>) {
    var (columns, rows) = (InlineArray<3, Int>(repeating: 0), InlineArray<3, Int>(repeating: 0))
    for plane in 0..<parameters.planeCount where parameters.restoration.types[plane] != .none {
      let (shiftX, shiftY) = parameters.shifts(plane)
      let log2Size = parameters.restoration.log2UnitSizes[plane]
      columns[plane] = Self.count((parameters.size.width + shiftX) >> shiftX, log2Size)
      rows[plane] = Self.count((parameters.size.height + shiftY) >> shiftY, log2Size)
    }
    return (columns, rows)
  }

  /// The most units of all planes that a row of superblocks has.
  private static func partSize(
    _ parameters: FrameParameters, columnCount: Int
  ) -> (columns: InlineArray<3, Int>, rows: InlineArray<3, Int>) {
    var (columns, rows) = (InlineArray<3, Int>(repeating: 0), InlineArray<3, Int>(repeating: 0))
    let units = parameters.superblockUnits
    for plane in 0..<parameters.planeCount where parameters.restoration.types[plane] != .none {
      columns[plane] = parameters.firstRestorationColumn(plane, at: (columnCount + units - 1) / units * units)
      rows[plane] = parameters.firstRestorationRow(plane, at: units)
    }
    return (columns, rows)
  }

  /// `count_units_in_frame`: the last unit may be half as large again as the others, or half as large.
  private static func count(_ length: Int, _ log2Size: Int) -> Int {
    max((length + (1 << log2Size) / 2) >> log2Size, 1)
  }

  /// The index of a unit.
  func index(_ plane: Int, column: Int, row: Int) -> Int { origins[plane] + row * strides[plane] + column }

  /// `read_lr`: the units of a plane that are coded in superblocks, those whose first samples are in them.
  ///
  /// - Parameters:
  ///   - columns, rows: of whole superblocks, in units of 4 × 4 luma samples.
  func coded(
    _ plane: Int, columns: Range<Int>, rows: Range<Int>, _ parameters: FrameParameters
  ) -> (columns: Range<Int>, rows: Range<Int>) {
    func limited(_ first: Int, _ end: Int, _ count: Int) -> Range<Int> { first..<max(first, min(end, count)) }
    return (
      limited(
        parameters.firstRestorationColumn(plane, at: columns.lowerBound),
        parameters.firstRestorationColumn(plane, at: columns.upperBound), self.columns[plane]),
      limited(
        parameters.firstRestorationRow(plane, at: rows.lowerBound),
        parameters.firstRestorationRow(plane, at: rows.upperBound), self.rows[plane])
    )
  }
}

extension RestorationUnits {
  /// Makes the units of a part those of superblocks that start with a column and a row, none of which is restored yet.
  mutating func start(column: Int, row: Int, _ parameters: FrameParameters) {
    for plane in 0..<parameters.planeCount where parameters.restoration.types[plane] != .none {
      origins[plane] =
        starts[plane] - parameters.firstRestorationRow(plane, at: row) * strides[plane]
        - parameters.firstRestorationColumn(plane, at: column)
    }
    for index in units.indices { units[index] = RestorationUnit() }
  }

  /// Copies the units that are coded in superblocks from a part.
  mutating func copy(
    columns: Range<Int>, rows: Range<Int>, from part: borrowing RestorationUnits, _ parameters: FrameParameters
  ) {
    for plane in 0..<parameters.planeCount where parameters.restoration.types[plane] != .none {
      let coded = coded(plane, columns: columns, rows: rows, parameters)
      for row in coded.rows {
        for column in coded.columns {
          units[index(plane, column: column, row: row)] = part.units[part.index(plane, column: column, row: row)]
        }
      }
    }
  }
}

extension FrameParameters {
  /// The first restoration unit whose first column is not before a unit of 4 × 4 luma samples.
  fileprivate func firstRestorationColumn(_ plane: Int, at column: Int) -> Int {
    let shift = shifts(plane).x
    let numerator = (4 >> shift) * (size.usesSuperResolution ? size.superResolutionDenominator : 1)
    let denominator =
      (size.usesSuperResolution ? FrameSize.superResolutionNumerator : 1) << restoration.log2UnitSizes[plane]
    return (column * numerator + denominator - 1) / denominator
  }

  /// The first restoration unit whose first row is not before a unit of 4 × 4 luma samples.
  fileprivate func firstRestorationRow(_ plane: Int, at row: Int) -> Int {
    let log2Size = restoration.log2UnitSizes[plane]
    return (row * (4 >> shifts(plane).y) + 1 << log2Size - 1) >> log2Size
  }
}
