// Decoded rows on their way to a sink.

package import ImageCore

/// Passes rows from a bitmap, or from the window of one, to a sink.
package struct RowDelivery {
  private let sink: any ImageRowSink
  /// The number of rows that the sink has received.
  private(set) var deliveredRowCount = 0
  private var hasBegun = false
  /// The error of the sink, which receives nothing after it. A decoder that tolerates damage may take it for that.
  private var failure: CodecError?
  /// The number of bytes that the sink holds.
  private(set) var sinkByteCount = 0

  package init(_ sink: any ImageRowSink) {
    self.sink = sink
  }

  /// Passes on the rows up to `end`, which are final, and moves a window past them.
  ///
  /// - Throws: the error of the sink, again if it has failed before.
  mutating func deliver(
    _ bitmap: inout Bitmap, upTo end: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    if let failure { throw failure }
    do throws(CodecError) {
      try pass(&bitmap, upTo: end, budget: &budget)
    } catch {
      failure = error
      throw error
    }
  }

  private mutating func pass(
    _ bitmap: inout Bitmap, upTo end: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    let heldByteCount = budget.heldByteCount
    defer { sinkByteCount += budget.heldByteCount - heldByteCount }
    if !hasBegun {
      hasBegun = true
      let image = StreamedImage(
        width: bitmap.width, height: bitmap.height, format: bitmap.format, colorSpace: bitmap.colorSpace)
      try sink.begin(image, budget: &budget)
    }
    guard end > deliveredRowCount else { return }
    for y in deliveredRowCount..<end { try sink.append(bitmap.row(y), budget: &budget) }
    deliveredRowCount = end
    if bitmap.isWindow { bitmap.moveHeldRows(to: end) }
  }

  /// Passes on a row that is final once the window is full.
  package mutating func deliver(
    _ bitmap: inout Bitmap, fullWindowAt y: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    if bitmap.isWindow, y + 1 == bitmap.heldRows.upperBound { try deliver(&bitmap, upTo: y + 1, budget: &budget) }
  }

  /// Passes on the remaining rows. Rows below a window are zero.
  mutating func finish(_ bitmap: inout Bitmap, budget: inout ResourceBudget) throws(CodecError) {
    try deliver(&bitmap, upTo: min(bitmap.heldRows.upperBound, bitmap.height), budget: &budget)
    guard deliveredRowCount < bitmap.height else { return }
    let heldByteCount = budget.heldByteCount
    defer { sinkByteCount += budget.heldByteCount - heldByteCount }
    let zeros = [UInt8](repeating: 0, count: bitmap.width * bitmap.format.bytesPerPixel)
    while deliveredRowCount < bitmap.height {
      try sink.append(zeros.span, budget: &budget)
      deliveredRowCount += 1
    }
  }
}
