// The protocol of peers that render vector graphics with a library of the system.

/// A renderer of another library. Inputs must be valid files; an error ends the program.
package protocol DrawingPeer {
  /// The library's name and version.
  var name: String { get }

  /// Parses a document and renders it into a new image of a size, to which the document is stretched.
  ///
  /// - Returns: premultiplied 8-bit RGBA. The channels are reordered outside the measured time; see ``DrawnPicture``.
  func draw(_ bytes: [UInt8], width: Int, height: Int) -> DrawnPicture
}

/// A rendered image in the peer's memory layout.
package struct DrawnPicture: Sendable {
  /// The width in pixels.
  package var width: Int
  /// The height in pixels.
  package var height: Int
  /// Premultiplied 32-bit pixels, rows without padding: blue in the lowest byte, then green, red and alpha.
  package var pixels: [UInt32]

  /// The pixels as bytes in the order red, green, blue, alpha.
  package var rgba: [UInt8] {
    pixels.flatMap { pixel in [16, 8, 0, 24].map { UInt8(truncatingIfNeeded: pixel >> UInt32($0)) } }
  }
}
