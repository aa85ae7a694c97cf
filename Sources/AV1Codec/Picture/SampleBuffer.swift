// The samples of a frame before and during filtering: 16 bits each, whatever their depth, in one allocation.

internal import ImageCore

/// The planes of a frame in decoding.
///
/// Transform blocks that extend past the coded units write there, so that planes have up to 60 additional columns and
/// rows.
struct SampleBuffer {
  /// Samples before the first and after the last plane, for loads of whole vectors.
  private static let padding = 64

  var samples: [UInt16]
  /// Where each plane starts, and the distance of its rows: multiples of 16 samples.
  let starts: InlineArray<3, Int>
  let strides: InlineArray<3, Int>

  /// Planes of zeros.
  ///
  /// - Parameter columns: those of luma that are stored at least.
  init(
    columns: Int, rows: Int, _ parameters: FrameParameters, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var starts = InlineArray<3, Int>(repeating: 0)
    var strides = InlineArray<3, Int>(repeating: 0)
    var count = Int64(Self.padding)
    for plane in 0..<parameters.planeCount {
      let (shiftX, shiftY) = parameters.shifts(plane)
      strides[plane] = ((columns + 63) & ~63) >> shiftX + 16
      starts[plane] = Int(clamping: count)
      count += Int64(strides[plane]) * Int64(((rows + 63) & ~63) >> shiftY)
    }
    count += Int64(Self.padding)
    try budget.allocate(count: Int(clamping: count), bytesEach: MemoryLayout<UInt16>.size)
    (self.starts, self.strides) = (starts, strides)
    samples = [UInt16](repeating: 0, count: Int(count))
  }

  /// The index of a sample.
  @inline(__always)
  func index(_ plane: Int, x: Int, y: Int) -> Int { starts[plane] &+ y &* strides[plane] &+ x }
}
