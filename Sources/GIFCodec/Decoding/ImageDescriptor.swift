// The position of an image on the screen and the order of its rows, GIF89a section 20.

internal import ImageCoding

/// The nine bytes after an image separator.
struct ImageDescriptor: Hashable, Sendable {
  static let byteCount = 9

  /// The image's rectangle on the logical screen; it may extend beyond the screen.
  let region: PixelRegion
  let isInterlaced: Bool
  /// The number of colours in the local colour table; 0 if there is none.
  let localColorCount: Int

  /// Parses the nine bytes.
  init(parsing reader: inout ByteReader) throws(CodecError) {
    let x = Int(try reader.readUInt16LittleEndian())
    let y = Int(try reader.readUInt16LittleEndian())
    let width = Int(try reader.readUInt16LittleEndian())
    let height = Int(try reader.readUInt16LittleEndian())
    let flags = try reader.readUInt8()
    region = PixelRegion(x: x, y: y, width: width, height: height)
    isInterlaced = flags & 0x40 != 0
    localColorCount = colorCount(flags: flags)
  }
}
