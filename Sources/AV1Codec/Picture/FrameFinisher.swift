// The stages after the decoding of a row of superblocks: the in-loop filters, and the copy of final rows to the result.

internal import ImageCore
internal import PixelPlanes

/// Filters a frame whose samples are a window, and collects its final rows.
struct FrameFinisher: Sendable {
  private let parameters: FrameParameters
  private var filters: RowFilters
  /// `nil` only while it is changed.
  private var result: PlanarPicture?
  private var storedRowCount = 0

  init(
    _ parameters: FrameParameters, _ color: ColorConfiguration, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    self.parameters = parameters
    filters = try RowFilters(parameters, &budget)
    result = try PlanarPicture(parameters, color, &budget)
  }

  /// Moves the window to the row of superblocks that starts with a luma row, unless it contains that row.
  mutating func moveWindow(toRow top: Int, _ picture: inout Picture) {
    guard let previous = picture.moveWindow(toRow: top, parameters) else { return }
    filters.moveWindow(toRow: top, from: previous)
  }

  /// Filters the rows of the superblocks that start with a unit, and copies those that are final.
  mutating func finishRow(
    _ first: Int, _ picture: inout Picture, _ interruption: Interruption
  ) throws(CodecError) {
    if parameters.loopFilter.isEnabled { DeblockingFilter(parameters).filterSuperblocks(first, &picture) }
    let last = try filters.filter(
      to: (first + parameters.superblockUnits) * 4, isLast: false, picture, interruption)
    store(to: last, picture)
  }

  /// Filters and copies the last rows.
  ///
  /// - Returns: the frame.
  mutating func finishFrame(
    _ picture: borrowing Picture, _ interruption: Interruption
  ) throws(CodecError) -> PlanarPicture? {
    store(to: try filters.filter(to: parameters.size.height, isLast: true, picture, interruption), picture)
    return result
  }

  /// Copies the luma rows before one, and their chroma, to the result.
  private mutating func store(to end: Int, _ picture: borrowing Picture) {
    let rows = storedRowCount..<max(storedRowCount, min(end, parameters.size.height))
    guard !rows.isEmpty, var stored = result.take() else { return }
    for plane in 0..<parameters.planeCount {
      let shift = parameters.shifts(plane).y
      let planeRows = (rows.lowerBound + shift) >> shift..<(rows.upperBound + shift) >> shift
      filters.withFinalSamples(plane, picture) { $0.copy(planeRows, of: plane, to: &stored) }
    }
    storedRowCount = rows.upperBound
    result = stored
  }
}

extension PlanarPicture {
  /// The planes of a frame, which are zero.
  init(
    _ parameters: FrameParameters, _ color: ColorConfiguration, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWorkInParts(
      count: parameters.size.width, unitsEach: parameters.size.height * FrameWork.copying)
    try self.init(
      width: parameters.size.width, height: parameters.size.height, bitDepth: parameters.bitDepth,
      chromaFormat: color.chromaFormat, coding: color.coding, budget: &budget)
    colorSpace = color.codePoints.map(ColorSpace.codePoints) ?? .unspecified
  }
}

extension SampleBuffer {
  /// Copies rows of a plane to a picture.
  func copy(_ rows: Range<Int>, of plane: Int, to picture: inout PlanarPicture) {
    let component: PlanarPicture.Component = plane == 0 ? .luma : plane == 1 ? .cb : .cr
    let source = samples.span
    picture.withMutablePlane(component) { target in
      let width = target.width
      for y in rows {
        let first = index(plane, x: 0, y: y)
        if target.isWide {
          var row = target.mutableWideRow(y)
          copySamples(source, from: first, to: &row, at: 0, count: width)
        } else {
          var row = target.mutableNarrowRow(y)
          narrowSamples(source, from: first, to: &row, at: 0, count: width)
        }
      }
    }
  }
}
