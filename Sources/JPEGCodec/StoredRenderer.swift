// Stored coefficients of a band, dequantised and transformed to samples; where a progressive image is not complete,
// with the missing coefficients estimated from neighbouring blocks.

internal import ImageCore

/// Renders bands of a stored image.
struct StoredRenderer {
  var bands: SampleBands
  private let frame: FrameHeader
  /// For each component and zigzag index the place in paired order, and above 8 bits of it the step.
  private var places: [UInt32] = []
  private let smoothing: BlockSmoothing?

  init(_ stored: borrowing StoredDecoding, frame: FrameHeader, smoothsBlocks: Bool) {
    self.frame = frame
    bands = SampleBands(frame: frame)
    for table in stored.quantization {
      for index in 0..<64 {
        places.append(UInt32(CoefficientOrder.paired[index]) | UInt32(table?.steps[index] ?? 0) << 8)
      }
    }
    smoothing =
      smoothsBlocks ? BlockSmoothing(frame: frame, quantization: stored.quantization, precision: stored.precision) : nil
  }

  /// Transforms the blocks of a band.
  mutating func render(band: Int, of stored: borrowing StoredDecoding) {
    let coefficients = stored.planes.coefficients.span
    let places = places
    let smoothing = smoothing
    var storage = InlineArray<64, Int16>(repeating: 0)
    for index in frame.components.indices {
      let component = frame.components[index]
      let plane = bands.planes[index]
      let blocks = stored.planes.planes[index]
      let componentPlaces = places.span.extracting(index * 64..<index * 64 + 64)
      var samples = bands.samples.mutableSpan
      for blockRow in 0..<component.verticalFactor {
        let row = band * component.verticalFactor + blockRow
        if row >= component.blockRowCount { break }
        let rowStart = plane.start + ((band & 1) * plane.bandRowCount + blockRow * 8) * plane.stride
        for column in 0..<component.blocksPerRow {
          let start = blocks.block(row: row, column: column)
          var block = storage.mutableSpan
          let sparsity: BlockSparsity
          if let smoothing {
            let estimate = smoothing.estimate(component: index, row: row, column: column, coefficients, blocks)
            sparsity = dequantize(estimate.span, componentPlaces, into: &block)
          } else {
            sparsity = dequantize(coefficients.extracting(start..<start + 64), componentPlaces, into: &block)
          }
          inverseDCT(block.span, sparsity, into: &samples, at: rowStart + column * 8, stride: plane.stride)
        }
      }
    }
  }
}

/// Multiplies stored coefficients by their steps and puts them in paired order.
///
/// - Parameters:
///   - coefficients: 64 values in zigzag order.
///   - places: where each goes, and above 8 bits of it the step.
///   - block: takes 64 products.
/// - Returns: what the last coefficient tells about the block.
@inline(__always)
private func dequantize(
  _ coefficients: Span<Int16>, _ places: Span<UInt32>, into block: inout MutableSpan<Int16>
) -> BlockSparsity {
  for index in 0..<64 { block[index] = 0 }
  var remaining = nonzeroCoefficients(coefficients)
  let sparsity = BlockSparsity(lastIndex: 63 &- (remaining | 1).leadingZeroBitCount)
  while remaining != 0 {
    let index = remaining.trailingZeroBitCount
    let place = places[index]
    block[Int(place & 63)] = coefficients[index] &* Int16(truncatingIfNeeded: place &>> 8)
    remaining &= remaining &- 1
  }
  return sparsity
}
