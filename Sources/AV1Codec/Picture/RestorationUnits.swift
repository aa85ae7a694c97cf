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

/// The filters of a frame's units.
struct RestorationUnits {
  /// The units of each plane in a row, and rows of them; 0 for planes that are not restored.
  let columns: InlineArray<3, Int>
  let rows: InlineArray<3, Int>
  /// The index of the first unit of each plane.
  private let starts: InlineArray<3, Int>
  var units: [RestorationUnit]

  init(_ parameters: FrameParameters, _ budget: inout ResourceBudget) throws(CodecError) {
    var columns = InlineArray<3, Int>(repeating: 0)
    var (rows, starts) = (columns, columns)
    var count = 0
    for plane in 0..<parameters.planeCount where parameters.restoration.types[plane] != .none {
      let (shiftX, shiftY) = parameters.shifts(plane)
      let log2Size = parameters.restoration.log2UnitSizes[plane]
      columns[plane] = Self.count((parameters.size.width + shiftX) >> shiftX, log2Size)
      rows[plane] = Self.count((parameters.size.height + shiftY) >> shiftY, log2Size)
      starts[plane] = count
      count += columns[plane] * rows[plane]
    }
    try budget.allocate(count: count, bytesEach: MemoryLayout<RestorationUnit>.stride)
    (self.columns, self.rows, self.starts) = (columns, rows, starts)
    units = [RestorationUnit](repeating: RestorationUnit(), count: count)
  }

  /// `count_units_in_frame`: the last unit may be half as large again as the others, or half as large.
  private static func count(_ length: Int, _ log2Size: Int) -> Int {
    max((length + (1 << log2Size) / 2) >> log2Size, 1)
  }

  /// The index of a unit.
  func index(_ plane: Int, column: Int, row: Int) -> Int { starts[plane] + row * columns[plane] + column }
}
