// The part of a coded picture that is shown, stated by image items and by video tracks.

internal import ImageCoding

/// The clean aperture box: a size and offsets of the centre, as fractions (ISO/IEC 14496-12, 12.1.4).
struct CleanAperture {
  let width: Double
  let height: Double
  let offsetX: Double
  let offsetY: Double

  init(parsing reader: inout ByteReader) throws(CodecError) {
    func fraction(_ reader: inout ByteReader) throws(CodecError) -> Double {
      let numerator = Int32(bitPattern: try reader.readUInt32BigEndian())
      let denominator = Int32(bitPattern: try reader.readUInt32BigEndian())
      guard denominator > 0 else { throw reader.error(.malformed, "a clean aperture divides by zero") }
      return Double(numerator) / Double(denominator)
    }
    width = try fraction(&reader)
    height = try fraction(&reader)
    offsetX = try fraction(&reader)
    offsetY = try fraction(&reader)
  }

  /// Returns the aperture in whole pixels; `nil` if it is empty or not within the picture.
  func region(in size: PixelSize) -> PixelRegion? {
    let left = (offsetX + (Double(size.width) - 1) / 2 - (width - 1) / 2).rounded(.down)
    let top = (offsetY + (Double(size.height) - 1) / 2 - (height - 1) / 2).rounded(.down)
    guard let x = Int(exactly: left), let y = Int(exactly: top), let width = Int(exactly: width.rounded()),
      let height = Int(exactly: height.rounded()), width > 0, height > 0
    else { return nil }
    let region = PixelRegion(x: x, y: y, width: width, height: height)
    return region.fits(in: size) ? region : nil
  }
}
