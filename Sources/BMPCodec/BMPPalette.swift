// The colour table: three bytes per entry after the 12-byte header, four after all others, blue first.

internal import ImageCoding

/// The colours of a palette image.
struct BMPPalette: Sendable {
  /// The number of colours in the file.
  let count: Int
  /// Red, green and blue of 256 colours. Those that the file does not contain are black.
  let colors: [UInt8]
  /// Whether red, green and blue are equal in all colours.
  let isGray: Bool

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - bytes: the table and nothing else.
  ///   - entryByteCount: 3 or 4.
  init(_ bytes: Span<UInt8>, entryByteCount: Int) {
    count = min(256, bytes.count / entryByteCount)
    var colors = [UInt8](repeating: 0, count: 768)
    var isGray = true
    for index in 0..<count {
      let (blue, green, red) = (
        bytes[index * entryByteCount], bytes[index * entryByteCount + 1], bytes[index * entryByteCount + 2]
      )
      colors[index * 3] = red
      colors[index * 3 + 1] = green
      colors[index * 3 + 2] = blue
      if red != green || green != blue { isGray = false }
    }
    self.colors = colors
    self.isGray = isGray
  }

  /// The gray levels of a gray table.
  var grays: [UInt8] { (0..<256).map { colors[$0 * 3] } }
}
