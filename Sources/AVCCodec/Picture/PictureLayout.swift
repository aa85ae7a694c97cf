// The positions of macroblocks in a frame or a field (section 6.4.1).

internal import ImageCoding

/// The arrangement of the macroblocks of a picture: of a frame, of a frame whose macroblocks form pairs, or of a field.
struct PictureLayout {
  let columnCount: Int
  let rowCount: Int
  let hasPairs: Bool
  let structure: PictureStructure

  init(_ format: PictureFormat, _ sequence: SequenceParameterSet, _ structure: PictureStructure) {
    columnCount = format.columnCount
    rowCount = structure == .frame ? format.rowCount : format.rowCount / 2
    hasPairs = structure == .frame && sequence.hasMacroblockPairs
    self.structure = structure
  }

  var isField: Bool { structure != .frame }
  var count: Int { columnCount * rowCount }

  /// Column and row of a macroblock, or of the first row of its pair.
  func place(_ address: Int) -> (column: Int, row: Int) {
    guard hasPairs else { return (address % columnCount, address / columnCount) }
    return (address / 2 % columnCount, address / 2 / columnCount * 2)
  }

  /// The address of the macroblock in a row and column of the picture; of the first one of a pair, that of its pair.
  func address(column: Int, row: Int) -> Int {
    hasPairs ? (row / 2 * columnCount + column) * 2 : row * columnCount + column
  }

  /// The first sample of a macroblock, and the distance of its rows.
  func position(_ address: Int, isField: Bool, plane: Int, _ format: PictureFormat, _ samples: SampleBuffer)
    -> SamplePosition
  {
    let (column, row) = place(address)
    let stride = samples.stride(plane)
    let height = format.macroblockHeight(plane)
    let start = samples.start(plane) + column * format.macroblockWidth(plane)
    if self.isField {
      let first = structure == .bottomField ? 1 : 0
      return SamplePosition(index: start + (2 * row * height + first) * stride, stride: 2 * stride)
    }
    guard hasPairs else { return SamplePosition(index: start + row * height * stride, stride: stride) }
    let isBottom = address & 1
    if isField { return SamplePosition(index: start + (row * height + isBottom) * stride, stride: 2 * stride) }
    return SamplePosition(index: start + (row + isBottom) * height * stride, stride: stride)
  }
}
