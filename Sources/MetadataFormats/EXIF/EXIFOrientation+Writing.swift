// Stating an orientation in an EXIF block without touching anything else in it.

package import ImageCore

/// The smallest EXIF block that states an orientation: a big-endian TIFF header and IFD0 with one entry.
package func exifBlock(orientation: ImageOrientation) -> [UInt8] {
  let header: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
  return header + [0, 1] + orientationEntry(orientation, isBigEndian: true) + [0, 0, 0, 0]
}

/// The block with tag 0x0112 set. The tag is overwritten where it stands; where it is missing and the image is not
/// upright, IFD0 is written again behind the block with the tag in its place, and all offsets stay valid.
///
/// A damaged block is given back as it is.
package func exifBlock(_ bytes: [UInt8], settingOrientation orientation: ImageOrientation) -> [UInt8] {
  (try? settingOrientation(orientation, in: bytes)) ?? bytes
}

private func settingOrientation(_ orientation: ImageOrientation, in bytes: [UInt8]) throws(DecodeError) -> [UInt8] {
  var reader = ByteReader(bytes.span)
  let isBigEndian = try reader.readUInt16BigEndian() == 0x4D4D
  try reader.skip(2)
  try reader.seek(to: Int(try reader.readInteger(byteCount: 4, isBigEndian: isBigEndian)))
  let entryCount = Int(try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian))
  let firstEntry = reader.position
  let newEntry = orientationEntry(orientation, isBigEndian: isBigEndian)
  var insertion = 0
  for index in 0..<entryCount {
    let start = reader.position
    let tag = try reader.readInteger(byteCount: 2, isBigEndian: isBigEndian)
    try reader.skip(10)
    if tag == 0x0112 {
      var result = bytes
      result.replaceSubrange(start..<start + 12, with: newEntry)
      return result
    }
    if tag < 0x0112 { insertion = index + 1 }
  }
  if orientation == .up { return bytes }
  let next = try reader.readInteger(byteCount: 4, isBigEndian: isBigEndian)
  var result = bytes + [UInt8](repeating: 0, count: bytes.count & 1)
  let directory = result.count
  let split = firstEntry + insertion * 12
  result += integerBytes(UInt64(entryCount + 1), byteCount: 2, isBigEndian: isBigEndian)
  result += bytes[firstEntry..<split] + newEntry + bytes[split..<firstEntry + entryCount * 12]
  result += integerBytes(next, byteCount: 4, isBigEndian: isBigEndian)
  result.replaceSubrange(4..<8, with: integerBytes(UInt64(directory), byteCount: 4, isBigEndian: isBigEndian))
  return result
}

/// Tag, type SHORT, one value, and the value in the first half of the value field.
private func orientationEntry(_ orientation: ImageOrientation, isBigEndian: Bool) -> [UInt8] {
  integerBytes(0x0112, byteCount: 2, isBigEndian: isBigEndian)
    + integerBytes(3, byteCount: 2, isBigEndian: isBigEndian)
    + integerBytes(1, byteCount: 4, isBigEndian: isBigEndian)
    + integerBytes(UInt64(orientation.rawValue), byteCount: 2, isBigEndian: isBigEndian) + [0, 0]
}

private func integerBytes(_ value: UInt64, byteCount: Int, isBigEndian: Bool) -> [UInt8] {
  let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
  return isBigEndian ? bytes.reversed() : bytes
}
