// Setting the orientation in an EXIF block without other changes.

package import ImageCore

/// Returns the smallest EXIF block with an orientation: a big-endian TIFF header and IFD0 with one entry.
package func exifBlock(orientation: ImageOrientation) -> [UInt8] {
  var block = ByteWriter(.bigEndian, after: Array("MM".utf8))
  block.append(42 as UInt16)
  block.append(8 as UInt32)
  block.append(1 as UInt16)
  block.append(orientationEntry(orientation, .bigEndian))
  block.append(0 as UInt32)
  return block.bytes
}

/// Returns the block with tag 0x0112 set. An existing tag is overwritten. If it is missing and the image is not
/// upright, a copy of IFD0 that includes the tag is appended to the block, so that all offsets remain valid.
///
/// A damaged block is returned unchanged.
package func exifBlock(_ bytes: [UInt8], settingOrientation orientation: ImageOrientation) -> [UInt8] {
  (try? settingOrientation(orientation, in: bytes)) ?? bytes
}

private func settingOrientation(_ orientation: ImageOrientation, in bytes: [UInt8]) throws(CodecError) -> [UInt8] {
  guard let (header, directory) = exifImageDirectory(bytes.span) else { return bytes }
  let order: ByteWriter.ByteOrder = header.isBigEndian ? .bigEndian : .littleEndian
  let newEntry = orientationEntry(orientation, order)
  var insertion = 0
  for index in 0..<directory.fieldCount {
    let tag = try directory.tag(at: index, in: bytes.span)
    if tag == 0x0112 {
      let entry = directory.entry(at: index)
      guard entry.upperBound <= bytes.count else { return bytes }
      var result = bytes
      result.replaceSubrange(entry, with: newEntry)
      return result
    }
    if tag < 0x0112 { insertion = index + 1 }
  }
  if orientation == .up || directory.fieldCount == 65_535 { return bytes }
  let next = try directory.readNextOffset(in: bytes.span)
  var result = ByteWriter(order, after: bytes + [UInt8](repeating: 0, count: bytes.count & 1))
  guard let newOffset = UInt32(exactly: result.count) else { return bytes }
  let split = directory.entry(at: insertion).lowerBound
  result.append(UInt64(directory.fieldCount + 1), byteCount: 2)
  result.append(bytes[directory.firstEntry..<split])
  result.append(newEntry)
  result.append(bytes[split..<directory.linkOffset])
  result.append(next, byteCount: 4)
  result.overwrite(at: 4, with: UInt64(newOffset), byteCount: 4)
  return result.bytes
}

/// An orientation entry: the tag, type SHORT, count 1, and the value in the first half of the value field.
private func orientationEntry(_ orientation: ImageOrientation, _ order: ByteWriter.ByteOrder) -> [UInt8] {
  var entry = ByteWriter(order)
  entry.append(0x0112 as UInt16)
  entry.append(3 as UInt16)
  entry.append(1 as UInt32)
  entry.append(UInt16(orientation.rawValue))
  entry.append(0 as UInt16)
  return entry.bytes
}
