// The samples of a frame before and during deblocking: 16 bits each, whatever their depth, in one allocation.

internal import ImageCoding

/// A row of samples in the buffer, or every second one: where it starts and how far the next one is.
package struct SamplePosition {
  var index: Int
  var stride: Int

  package init(index: Int, stride: Int) { (self.index, self.stride) = (index, stride) }
}

/// The planes of a frame in decoding.
struct SampleBuffer: Sendable {
  var values: [UInt16]
  private var starts = InlineArray<3, Int>(repeating: 0)
  private var strides = InlineArray<3, Int>(repeating: 0)

  /// Black luma and neutral chroma.
  init(_ format: PictureFormat, _ budget: inout ResourceBudget) throws(CodecError) {
    var count: Int64 = 0
    for plane in 0..<format.planeCount {
      starts[plane] = Int(clamping: count)
      strides[plane] = format.columnCount * format.macroblockWidth(plane)
      count += Int64(strides[plane]) * Int64(format.rowCount * format.macroblockHeight(plane))
    }
    try budget.allocate(count: Int(clamping: count), bytesEach: MemoryLayout<UInt16>.size)
    values = [UInt16](repeating: 0, count: Int(count))
    guard format.planeCount > 1 else { return }
    let neutral = UInt16(1) << UInt16(format.bitDepth - 1)
    let start = starts[1]
    var span = values.mutableSpan
    for index in start..<span.count { span[index] = neutral }
  }

  func start(_ plane: Int) -> Int { starts[plane] }
  func stride(_ plane: Int) -> Int { strides[plane] }
}
