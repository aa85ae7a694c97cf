// Writing the samples of a frame to planes, cropped.

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// The planes of a picture, and the part of the frame that they show.
struct PlaneWriter {
  private(set) var planes: PlanarPicture
  /// Columns and rows of luma.
  private let columns: Range<Int>
  private let rows: Range<Int>

  /// - Throws: `CodecError.Kind.limitExceeded`.
  init(_ sequence: SequenceParameterSet, _ budget: inout ResourceBudget) throws(CodecError) {
    planes = try PlanarPicture(
      width: sequence.columns.count, height: sequence.rows.count, bitDepth: sequence.bitDepth,
      chromaFormat: sequence.chromaFormat, coding: sequence.coding, budget: &budget)
    planes.colorSpace = sequence.usability.codePoints.map(ColorSpace.codePoints) ?? .unspecified
    (columns, rows) = (sequence.columns, sequence.rows)
  }

  /// Writes all rows. The work is part of that of decoding.
  ///
  /// - Parameter field: the field whose rows are written twice, because the other one is missing.
  mutating func write(
    _ samples: SampleBuffer, _ format: PictureFormat, doubling field: PictureStructure?,
    _ budget: borrowing ResourceBudget
  ) throws(CodecError) {
    for plane in 0..<format.planeCount {
      let component: PlanarPicture.Component = plane == 0 ? .luma : plane == 1 ? .cb : .cr
      let firstColumn = columns.lowerBound * format.macroblockWidth(plane) / 16
      let firstRow = rows.lowerBound * format.macroblockHeight(plane) / 16
      try planes.withMutablePlane(component) { (target: inout SamplePlane) throws(CodecError) in
        for y in 0..<target.height {
          if y % 64 == 0 { try budget.checkpoint() }
          var row = firstRow + y
          if let field { row = field == .bottomField ? row | 1 : row & ~1 }
          let start = samples.start(plane) + row * samples.stride(plane) + firstColumn
          Self.copy(samples.values.span.extracting(start..<start + target.width), y, &target)
        }
      }
    }
  }

  private static func copy(_ source: Span<UInt16>, _ y: Int, _ target: inout SamplePlane) {
    let isWide = target.isWide
    if isWide {
      var row = target.mutableWideRow(y)
      for x in 0..<min(source.count, row.count) { row[x] = source[x] }
    } else {
      var row = target.mutableNarrowRow(y)
      for x in 0..<min(source.count, row.count) { row[x] = UInt8(truncatingIfNeeded: source[x]) }
    }
  }
}
