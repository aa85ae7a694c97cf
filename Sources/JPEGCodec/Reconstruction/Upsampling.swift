// Upsamples components of lower resolution to the resolution of the picture, row by row, with the filters that
// libjpeg-turbo selects for each ratio. ITU-T T.81, section A.1.1, and T.871, section 6.3, define sample positions; the
// filters are in PixelPlanes.

internal import ImageCoding
internal import PixelPlanes

/// The upsampling of a component to the resolution of the picture.
enum Upsampling: Hashable {
  /// No upsampling: the component has full resolution.
  case none
  /// Half the columns: weights 3 : 1.
  case doubleColumns
  /// Half the rows: weights 3 : 1.
  case doubleRows
  /// Half of both: weights 9 : 3 : 3 : 1.
  case doubleBoth
  /// Any other ratio: the sample at that position, as in libjpeg for integer ratios. libjpeg does not decode fractional
  /// ratios.
  case nearest

  /// Selects what libjpeg-turbo 2.1 does with default options.
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

  /// Whether a row depends on a neighbouring row of its component.
  var blendsRows: Bool { self == .doubleRows || self == .doubleBoth }
}

extension SampleBands {
  /// The two rows, nearer and farther, of a component with half the rows that are blended for a row of the picture.
  func blendedRows(_ plane: Plane, pictureRow: Int) -> (near: Int, far: Int) {
    let near = pictureRow >> 1
    let far = pictureRow & 1 == 0 ? near - 1 : near + 1
    return (plane.rowStart(near), plane.rowStart(far))
  }

  /// Upsamples a row of a component to the width of the picture and returns its location.
  mutating func upsample(
    component index: Int, _ upsampling: Upsampling, pictureRow: Int, frame: FrameHeader, width: Int
  ) -> RowPlace {
    let plane = planes[index]
    let component = frame.components[index]
    let row = plane.rowStart(pictureRow * component.verticalFactor / frame.maximumVerticalFactor)
    if upsampling == .none { return RowPlace(isUpsampled: false, start: row) }
    let place = RowPlace(isUpsampled: true, start: index * upsampledStride)
    // Moved out of the property, so that the other rows can be read meanwhile.
    var rows = upsampled
    upsampled = []
    var output = rows.mutableSpan
    var target = output._mutatingExtracting(place.start..<place.start + upsampledStride)
    if upsampling == .nearest {
      for x in 0..<width { target[x] = samples[row + x * component.horizontalFactor / frame.maximumHorizontalFactor] }
    } else {
      filter(plane, upsampling, pictureRow: pictureRow, width: width, into: &target)
    }
    upsampled = rows
    return place
  }

  /// Upsamples a row of a component with half the columns or rows.
  private func filter(
    _ plane: Plane, _ upsampling: Upsampling, pictureRow: Int, width: Int, into output: inout MutableSpan<UInt8>
  ) {
    if upsampling == .doubleColumns {
      let row = plane.rowStart(pictureRow)
      return TriangleUpsampling.doubleColumns(samples.span.extracting(row..<row + plane.width), into: &output)
    }
    let (near, far) = blendedRows(plane, pictureRow: pictureRow)
    let count = upsampling == .doubleRows ? width : plane.width
    let nearRow = samples.span.extracting(near..<near + count)
    let farRow = samples.span.extracting(far..<far + count)
    if upsampling == .doubleRows {
      TriangleUpsampling.doubleRows(near: nearRow, far: farRow, isUpper: pictureRow & 1 == 0, into: &output)
    } else {
      TriangleUpsampling.doubleBoth(near: nearRow, far: farRow, into: &output)
    }
  }

  /// Computes a row of a half-width component, multiplied by 4 and with its end samples repeated, as
  /// ``convertHalfWidthYCbCrRow`` requires.
  func weightRow(of index: Int, _ upsampling: Upsampling, pictureRow: Int, into output: inout [Int16]) {
    let plane = planes[index]
    let samples = samples.span
    var row = output.mutableSpan
    if upsampling == .doubleBoth {
      let (near, far) = blendedRows(plane, pictureRow: pictureRow)
      TriangleUpsampling.weight(
        near: samples.extracting(near..<near + plane.width), far: samples.extracting(far..<far + plane.width),
        into: &row)
    } else {
      let start = plane.rowStart(pictureRow)
      TriangleUpsampling.weight(samples.extracting(start..<start + plane.width), into: &row)
    }
  }
}
