// The run-length coding of LogL and LogLuv (G. Ward, "LogLuv encoding for full-gamut, high-dynamic range images"): the
// bytes of the same significance of all pixels of a row are coded together.

/// Decompresses runs of bytes, row by row.
struct SGILogReader {
  private let width: Int
  /// The bytes of a pixel, the most significant one first.
  private let bytesPerPixel: Int
  /// The number of bytes read.
  private(set) var position = 0

  init(width: Int, bytesPerPixel: Int) {
    self.width = width
    self.bytesPerPixel = bytesPerPixel
  }

  /// Fills whole rows as far as the input allows.
  ///
  /// - Returns: the number of bytes of the rows that are complete.
  mutating func read(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Int {
    let rowByteCount = width * bytesPerPixel
    var written = 0
    while written + rowByteCount <= output.count {
      var row = output._mutatingExtracting(written..<written + rowByteCount)
      for place in 0..<bytesPerPixel {
        guard readPlane(input, into: &row, place) else { return written }
      }
      written += rowByteCount
    }
    return written
  }

  /// Reads a byte of every pixel. Returns `false` at the end of the input.
  private mutating func readPlane(_ input: Span<UInt8>, into row: inout MutableSpan<UInt8>, _ place: Int) -> Bool {
    var target = place
    while target < row.count {
      guard position < input.count else { return false }
      let code = Int(input[position])
      position += 1
      let isRun = code >= 128
      let pixelCount = min(isRun ? code - 126 : code, (row.count - target - 1) / bytesPerPixel + 1)
      guard position + (isRun ? 1 : pixelCount) <= input.count else { return false }
      for index in 0..<pixelCount {
        row[target] = input[isRun ? position : position + index]
        target += bytesPerPixel
      }
      position += isRun ? 1 : pixelCount
    }
    return true
  }
}
