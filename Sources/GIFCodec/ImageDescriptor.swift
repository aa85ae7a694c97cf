// Where an image stands on the screen and how its rows are ordered, GIF89a section 20.

internal import ImageCore

/// The nine bytes behind an image separator.
struct ImageDescriptor: Hashable, Sendable {
  static let byteCount = 9

  /// The image on the logical screen, which it may leave.
  let region: PixelRegion
  let isInterlaced: Bool
  /// Colours of the local colour table; 0 when there is none.
  let localColorCount: Int

  /// Reads nine bytes.
  init(parsing reader: inout ByteReader) throws(DecodeError) {
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
