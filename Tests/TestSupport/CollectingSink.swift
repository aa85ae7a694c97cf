// A sink that keeps the rows of an image.

package import ImageCore

/// Collects the rows of an image, and holds memory for them.
package final class CollectingSink: ImageRowSink {
  /// The rows without padding.
  package private(set) var bytes: [UInt8] = []
  /// The image that the rows belong to; `nil` before the first row.
  package private(set) var image: StreamedImage?
  private let heldByteCount: Int

  /// Creates a sink that charges a number of bytes to the decode.
  package init(heldByteCount: Int = 0) {
    self.heldByteCount = heldByteCount
  }

  package func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) {
    try budget.allocate(heldByteCount)
    self.image = image
    bytes = []
  }

  package func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    for index in row.indices { bytes.append(row[index]) }
  }
}
