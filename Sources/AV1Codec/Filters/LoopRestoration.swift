// Loop restoration (section 7.17).

internal import ImageCoding

/// Filters the units of each plane, in stripes of 64 luma rows that are offset upwards by 8.
struct LoopRestoration {
  private let parameters: FrameParameters
  private var window = RestorationWindow()
  private var scratch = SelfGuidedScratch()

  private static let stripeHeight = 64
  private static let stripeOffset = 8

  init(_ parameters: FrameParameters) {
    self.parameters = parameters
  }

  /// The memory of a filter.
  static let byteCount = RestorationWindow.byteCount + SelfGuidedScratch.byteCount

  /// The number of stripes of a frame.
  static func stripeCount(_ parameters: FrameParameters) -> Int {
    (parameters.size.height + stripeOffset + stripeHeight - 1) / stripeHeight
  }

  /// Returns the end of the first stripes, in luma rows. The last stripe may end after the frame.
  static func end(ofStripes count: Int) -> Int { max(0, count * stripeHeight - stripeOffset) }

  /// Filters one stripe of all planes that are restored.
  ///
  /// - Parameters:
  ///   - deblocked: the frame before directional enhancement, from which rows outside of the stripe are read.
  ///   - enhanced: the frame after it.
  ///   - target: a buffer of the same layout.
  mutating func filterStripe(
    _ stripe: Int, _ units: borrowing RestorationUnits, deblocked: borrowing SampleBuffer,
    enhanced: borrowing SampleBuffer, _ target: inout SampleBuffer
  ) {
    for plane in 0..<parameters.planeCount where parameters.restoration.types[plane] != .none {
      let (shiftX, shiftY) = parameters.shifts(plane)
      let width = (parameters.size.width + shiftX) >> shiftX
      let height = (parameters.size.height + shiftY) >> shiftY
      let start = (stripe * Self.stripeHeight - Self.stripeOffset) >> shiftY
      let rows = max(start, 0)..<min(start + Self.stripeHeight >> shiftY, height)
      guard !rows.isEmpty else { continue }
      let log2Size = parameters.restoration.log2UnitSizes[plane]
      let unitRow = min(
        (rows.lowerBound + Self.stripeOffset >> shiftY) >> log2Size, units.rows[plane] - 1)
      var x = 0
      while x < width {
        let unitColumn = min(x >> log2Size, units.columns[plane] - 1)
        let unitEnd = unitColumn == units.columns[plane] - 1 ? width : (unitColumn + 1) << log2Size
        let columns = x..<min(unitEnd, x + RestorationWindow.maximumWidth)
        x = columns.upperBound
        let unit = units.units[units.index(plane, column: unitColumn, row: unitRow)]
        guard unit.type == .wiener || unit.type == .selfGuided else {
          target.copyRows(rows, columns, of: plane, from: enhanced)
          continue
        }
        window.load(
          plane, columns: columns, rows: rows, stripe: start..<start + Self.stripeHeight >> shiftY, width: width,
          height: height, deblocked: deblocked, enhanced: enhanced)
        let block = RestorationBlock(
          width: columns.count, height: rows.count,
          index: target.index(plane, x: columns.lowerBound, y: rows.lowerBound), stride: target.strides[plane])
        if unit.type == .wiener {
          var samples = target.samples.mutableSpan
          filterWiener(window.samples.span, unit, block, &samples)
        } else {
          let samples = window.samples
          scratch.filter(samples.span, unit, block, bitDepth: parameters.bitDepth, &target.samples)
        }
      }
    }
  }

  /// The Wiener filter (section 7.17.4).
  private func filterWiener(
    _ window: Span<UInt16>, _ unit: RestorationUnit, _ block: RestorationBlock, _ samples: inout MutableSpan<UInt16>
  ) {
    var (vertical, horizontal) = (InlineArray<8, Int16>(repeating: 0), InlineArray<8, Int16>(repeating: 0))
    (vertical[3], horizontal[3]) = (128, 128)
    for tap in 0..<3 {
      (vertical[tap], vertical[6 - tap]) = (unit.taps[tap], unit.taps[tap])
      (horizontal[tap], horizontal[6 - tap]) = (unit.taps[tap + 3], unit.taps[tap + 3])
      vertical[3] -= 2 * unit.taps[tap]
      horizontal[3] -= 2 * unit.taps[tap + 3]
    }
    restoreWiener(
      window, WienerTaps(vertical: vertical, horizontal: horizontal), block, bitDepth: parameters.bitDepth, &samples)
  }
}

/// The destination of a filter.
package struct RestorationBlock {
  let width: Int
  let height: Int
  /// The index of the first sample.
  let index: Int
  let stride: Int

  package init(width: Int, height: Int, index: Int, stride: Int) {
    (self.width, self.height, self.index, self.stride) = (width, height, index, stride)
  }
}

/// The samples of part of a unit and three rows and columns around it (section 7.17.6).
package struct RestorationWindow: Sendable {
  /// Columns of the largest part.
  static let maximumWidth = 128
  /// Samples from one row to the next. The first one of the part is in column 3 of row 3.
  package static let stride = 144
  static let rowCount = 70
  static let border = 3
  package static let sampleCount = stride * rowCount + 16
  static let byteCount = sampleCount * 2

  private(set) var samples = [UInt16](repeating: 0, count: sampleCount)

  /// - Parameters:
  ///   - stripe: the rows that are read from `enhanced`.
  ///   - width, height: those of the plane.
  mutating func load(
    _ plane: Int, columns: Range<Int>, rows: Range<Int>, stripe: Range<Int>, width: Int, height: Int,
    deblocked: borrowing SampleBuffer, enhanced: borrowing SampleBuffer
  ) {
    for row in 0..<rows.count + 2 * Self.border {
      var y = min(max(rows.lowerBound + row - Self.border, 0), height - 1)
      if y < stripe.lowerBound {
        y = max(y, stripe.lowerBound - 2)
        copyRow(row, columns, width: width, deblocked.samples.span, deblocked.index(plane, x: 0, y: y))
      } else if y >= stripe.upperBound {
        y = min(y, stripe.upperBound + 1)
        copyRow(row, columns, width: width, deblocked.samples.span, deblocked.index(plane, x: 0, y: y))
      } else {
        copyRow(row, columns, width: width, enhanced.samples.span, enhanced.index(plane, x: 0, y: y))
      }
    }
  }

  private mutating func copyRow(
    _ row: Int, _ columns: Range<Int>, width: Int, _ source: Span<UInt16>, _ first: Int
  ) {
    var span = samples.mutableSpan
    let target = row &* Self.stride &+ Self.border &- columns.lowerBound
    let wanted = columns.lowerBound &- Self.border..<columns.upperBound &+ Self.border
    let present = max(wanted.lowerBound, 0)..<min(wanted.upperBound, width)
    for x in wanted.lowerBound..<present.lowerBound { span[target &+ x] = source[first] }
    copySamples(
      source, from: first &+ present.lowerBound, to: &span, at: target &+ present.lowerBound, count: present.count)
    for x in present.upperBound..<wanted.upperBound { span[target &+ x] = source[first &+ width &- 1] }
  }
}
