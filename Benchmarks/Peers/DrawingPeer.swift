// What a peer that draws is: a renderer of vector graphics in a library of the system.

/// A renderer of another library. Inputs are valid files: an error ends the program.
package protocol DrawingPeer {
  /// The library's name and version.
  var name: String { get }

  /// Reads a document and draws it into a new picture of a size, which the document is stretched to.
  ///
  /// - Returns: premultiplied RGBA of 8 bits. The order of the channels is put right outside of the time that counts:
  ///   see ``DrawnPicture``.
  func draw(_ bytes: [UInt8], width: Int, height: Int) -> DrawnPicture
}

/// A picture as a peer keeps it in memory.
package struct DrawnPicture: Sendable {
  /// Columns.
  package var width: Int
  /// Rows.
  package var height: Int
  /// Premultiplied pixels of 32 bits, rows packed: blue in the lowest byte, then green, red and alpha.
  package var pixels: [UInt32]

  /// The same pixels as bytes in the order red, green, blue, alpha.
  package var rgba: [UInt8] {
    pixels.flatMap { pixel in [16, 8, 0, 24].map { UInt8(truncatingIfNeeded: pixel >> UInt32($0)) } }
  }
}
