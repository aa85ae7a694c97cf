// The destinations of decoded rows of pixels: a whole bitmap, or a band of it.

/// Rows of pixels that are written one at a time.
package protocol WritableRows: ~Copyable {
  /// Calls `body` with the bytes of a row of the picture.
  mutating func withRow(_ y: Int, _ body: (inout MutableSpan<UInt8>) -> Void)
}

extension BitmapBand: WritableRows {}

extension Bitmap: WritableRows {
  package mutating func withRow(_ y: Int, _ body: (inout MutableSpan<UInt8>) -> Void) {
    var row = mutableRow(y)
    body(&row)
  }
}
