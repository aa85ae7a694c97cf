// Components of less resolution to the resolution of the picture, row by row, with the filters that libjpeg-turbo
// chooses for a ratio. ITU-T T.81, section A.1.1, and T.871, section 6.3, say what samples mean; the triangle filter
// is libjpeg's ("fancy upsampling").

internal import ImageCore

/// How a component is brought to the resolution of the picture.
enum Upsampling: Hashable {
  /// It has that resolution.
  case none
  /// Half the columns: weights 3 : 1.
  case doubleColumns
  /// Half the rows: weights 3 : 1.
  case doubleRows
  /// Half of both: weights 9 : 3 : 3 : 1.
  case doubleBoth
  /// Any other ratio: the sample at that place. For whole ratios libjpeg does so too; fractional ones it does not
  /// decode.
  case nearest

  /// What libjpeg-turbo 2.1 does with default options.
  init(_ component: FrameHeader.Component, in frame: FrameHeader) {
    let columns = (component.horizontalFactor, frame.maximumHorizontalFactor)
    let rows = (component.verticalFactor, frame.maximumVerticalFactor)
    let halfColumns = columns.0 * 2 == columns.1
    let halfRows = rows.0 * 2 == rows.1
    // Rows of one or two samples have no inner columns. At an eighth of the size nothing is filtered.
    let filters = frame.blockSize > 1
    let isWideEnough = component.width > 2 && filters
    if columns.0 == columns.1, rows.0 == rows.1 {
      self = .none
    } else if halfColumns, rows.0 == rows.1, isWideEnough {
      self = .doubleColumns
    } else if columns.0 == columns.1, halfRows, filters {
      self = .doubleRows
    } else if halfColumns, halfRows, isWideEnough {
      self = .doubleBoth
    } else {
      self = .nearest
    }
  }

  /// Whether a row needs a neighbour of its component.
  var blendsRows: Bool { self == .doubleRows || self == .doubleBoth }
}

extension SampleBands {
  /// The rows of a component with half the rows that make a row of the picture: the nearer one and the farther one.
  func blendedRows(_ plane: Plane, pictureRow: Int) -> (near: Int, far: Int) {
    let near = pictureRow >> 1
    let far = pictureRow & 1 == 0 ? near - 1 : near + 1
    return (plane.rowStart(near), plane.rowStart(far))
  }

  /// Brings a row of a component to the width of the picture and returns where it starts in ``samples``.
  mutating func upsample(
    component index: Int, _ upsampling: Upsampling, pictureRow: Int, frame: FrameHeader, width: Int
  ) -> Int {
    let plane = planes[index]
    let component = frame.components[index]
    let output = scratchStart + index * scratchStride
    let verticalFactor = component.verticalFactor
    let row = plane.rowStart(pictureRow * verticalFactor / frame.maximumVerticalFactor)
    switch upsampling {
    case .none:
      return row
    case .doubleColumns:
      doubleColumns(from: row, count: plane.width, to: output)
    case .doubleRows:
      let (near, far) = blendedRows(plane, pictureRow: pictureRow)
      doubleRows(near: near, far: far, bias: pictureRow & 1 == 0 ? 1 : 2, count: width, to: output)
    case .doubleBoth:
      let (near, far) = blendedRows(plane, pictureRow: pictureRow)
      doubleBoth(near: near, far: far, count: plane.width, to: output)
    case .nearest:
      for x in 0..<width {
        samples[output + x] = samples[row + x * component.horizontalFactor / frame.maximumHorizontalFactor]
      }
    }
    return output
  }

  private mutating func doubleColumns(from row: Int, count: Int, to output: Int) {
    var rows = samples.mutableSpan
    for column in 0..<count {
      let this = UInt32(rows[row &+ column]) &* 3
      let previous = UInt32(rows[row &+ max(column &- 1, 0)])
      let next = UInt32(rows[row &+ min(column &+ 1, count &- 1)])
      rows[output &+ 2 &* column] = UInt8(truncatingIfNeeded: (this &+ previous &+ 1) &>> 2)
      rows[output &+ 2 &* column &+ 1] = UInt8(truncatingIfNeeded: (this &+ next &+ 2) &>> 2)
    }
  }

  private mutating func doubleRows(near: Int, far: Int, bias: UInt16, count: Int, to output: Int) {
    var rows = samples.mutableSpan
    for column in 0..<count {
      let sum = UInt16(rows[near &+ column]) &* 3 &+ UInt16(rows[far &+ column]) &+ bias
      rows[output &+ column] = UInt8(truncatingIfNeeded: sum &>> 2)
    }
  }

  private mutating func doubleBoth(near: Int, far: Int, count: Int, to output: Int) {
    var rows = samples.mutableSpan
    var this = UInt32(rows[near]) &* 3 &+ UInt32(rows[far])
    var previous = this
    for column in 0..<count {
      let following = min(column &+ 1, count &- 1)
      let next = UInt32(rows[near &+ following]) &* 3 &+ UInt32(rows[far &+ following])
      rows[output &+ 2 &* column] = UInt8(truncatingIfNeeded: (this &* 3 &+ previous &+ 8) &>> 4)
      rows[output &+ 2 &* column &+ 1] = UInt8(truncatingIfNeeded: (this &* 3 &+ next &+ 7) &>> 4)
      previous = this
      this = next
    }
  }
}

extension SampleBands {
  /// A row of a component of half width, times 4 and with its ends repeated, as ``convertHalfWidthYCbCrRow`` takes it.
  func weightRow(of index: Int, _ upsampling: Upsampling, pictureRow: Int, into output: inout [Int16]) {
    let plane = planes[index]
    let samples = samples.span
    var row = output.mutableSpan
    if upsampling == .doubleBoth {
      let (near, far) = blendedRows(plane, pictureRow: pictureRow)
      blendRows(
        near: samples.extracting(near..<near + plane.width), far: samples.extracting(far..<far + plane.width),
        into: &row)
    } else {
      let start = plane.rowStart(pictureRow)
      quadruple(samples.extracting(start..<start + plane.width), into: &row)
    }
  }
}

/// Three times one row plus another, ends repeated.
private func blendRows(near: Span<UInt8>, far: Span<UInt8>, into output: inout MutableSpan<Int16>) {
  let count = near.count
  var inner = output._mutatingExtracting(weightedRowMargin..<weightedRowMargin + count)
  for index in 0..<count {
    inner[index] = Int16(truncatingIfNeeded: near[index]) &* 3 &+ Int16(truncatingIfNeeded: far[index])
  }
  repeatEnds(&output, count: count)
}

/// Four times a row, ends repeated.
private func quadruple(_ input: Span<UInt8>, into output: inout MutableSpan<Int16>) {
  let count = input.count
  var inner = output._mutatingExtracting(weightedRowMargin..<weightedRowMargin + count)
  for index in 0..<count { inner[index] = Int16(truncatingIfNeeded: input[index]) &* 4 }
  repeatEnds(&output, count: count)
}

private func repeatEnds(_ row: inout MutableSpan<Int16>, count: Int) {
  row[weightedRowMargin - 1] = row[weightedRowMargin]
  row[weightedRowMargin + count] = row[weightedRowMargin + count - 1]
}
