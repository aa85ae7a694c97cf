// Dequantises the buffered coefficients of a band and transforms them to samples. In an incomplete progressive image,
// missing coefficients are estimated from neighbouring blocks.

internal import ImageCoding

/// Renders the bands of an image from its buffered coefficients.
struct BufferedRenderer {
  private let frame: FrameHeader
  /// For each component and zigzag index: the position in paired order in the low 8 bits, and the quantisation step
  /// above them.
  private var places: [UInt32] = []
  private let smoothing: BlockSmoothing?

  init(_ buffered: borrowing BufferedDecoding, frame: FrameHeader, smoothsBlocks: Bool) {
    self.frame = frame
    for table in buffered.quantization {
      for index in 0..<64 {
        places.append(UInt32(CoefficientOrder.paired[index]) | UInt32(table?.steps[index] ?? 0) << 8)
      }
    }
    smoothing =
      smoothsBlocks
      ? BlockSmoothing(frame: frame, quantization: buffered.quantization, precision: buffered.precision) : nil
  }

  /// Whether coefficients are estimated from those of neighbouring blocks.
  var estimatesCoefficients: Bool { smoothing != nil }

  /// Transforms the blocks of a band.
  func render(band: Int, of planes: borrowing CoefficientPlanes, into bands: inout SampleBands) {
    let coefficients = planes.coefficients.span
    let places = places
    let smoothing = smoothing
    var storage = InlineArray<64, Int16>(repeating: 0)
    for index in frame.components.indices {
      let component = frame.components[index]
      let plane = bands.planes[index]
      let blocks = planes.planes[index]
      let componentPlaces = places.span.extracting(index * 64..<index * 64 + 64)
      let blockRowsPerBand = plane.bandRowCount / plane.blockSize
      var samples = bands.samples.mutableSpan
      for blockRow in 0..<blockRowsPerBand {
        let row = band * blockRowsPerBand + blockRow
        if row >= component.blockRowCount { break }
        let rowStart = plane.start + ((band & 1) * plane.bandRowCount + blockRow * plane.blockSize) * plane.stride
        let target = SampleTarget(
          start: rowStart, step: plane.blockSize, stride: plane.stride, blockSize: plane.blockSize)
        for column in 0..<component.blocksPerRow {
          let start = blocks.block(row: row, column: column)
          var block = storage.mutableSpan
          let last: Int
          if blocks.blockLength == 1 {
            block[0] = coefficients[start] &* Int16(truncatingIfNeeded: componentPlaces[0] &>> 8)
            last = 0
          } else if let smoothing {
            let estimate = smoothing.estimate(component: index, row: row, column: column, coefficients, blocks)
            last = dequantize(estimate.span, componentPlaces, into: &block)
          } else {
            last = dequantize(coefficients.extracting(start..<start + 64), componentPlaces, into: &block)
          }
          target.transform(block.span, lastIndex: last, column: column, into: &samples)
        }
      }
    }
  }
}

/// Multiplies buffered coefficients by their steps and puts them in paired order.
///
/// - Parameters:
///   - coefficients: 64 values in zigzag order.
///   - places: the position of each in the low 8 bits, and its step above them.
///   - block: receives the 64 products.
/// - Returns: the zigzag index of the last nonzero coefficient.
@inline(__always)
private func dequantize(
  _ coefficients: Span<Int16>, _ places: Span<UInt32>, into block: inout MutableSpan<Int16>
) -> Int {
  for index in 0..<64 { block[index] = 0 }
  var remaining = nonzeroCoefficients(coefficients)
  let last = 63 &- (remaining | 1).leadingZeroBitCount
  while remaining != 0 {
    let index = remaining.trailingZeroBitCount
    let place = places[index]
    block[Int(place & 63)] = coefficients[index] &* Int16(truncatingIfNeeded: place &>> 8)
    remaining &= remaining &- 1
  }
  return last
}
