// Files of a picture and its gain map.

internal import ImageCoding
package import MetadataFormats

extension JPEGEncoder {
  /// Returns a multi-picture file of a picture and its gain map, both of which are complete JPEG files.
  ///
  /// Describes the map by ISO 21496-1 and, if the picture has no XMP packet, by the properties of Ultra HDR. The file of
  /// the map should have ``MetadataFormats/GainMapMetadata/xmpPacket`` as its XMP packet.
  /// - Returns: `nil` if either file is not a JPEG.
  package static func attach(
    gainMap map: [UInt8], metadata: GainMapMetadata, to picture: [UInt8]
  ) -> [UInt8]? {
    let name = Array(GainMapMetadata.segmentName.utf8)
    guard let position = segmentPosition(picture), let mapPosition = segmentPosition(map) else { return nil }
    var described = Array(map[..<mapPosition])
    described += segment(0xE2, name + metadata.iso21496Bytes)
    described += map[mapPosition...]
    var inserted: [UInt8] = []
    if !hasXMP(picture) {
      let xmp = GainMapMetadata.basePacket(mapByteCount: described.count)
      inserted += segment(0xE1, Array(SegmentContent.xmp.name.utf8) + xmp)
    }
    // The version only.
    inserted += segment(0xE2, name + [0, 0, 0, 0])
    let directory = position + inserted.count
    let multiPicture = multiPictureSegment(
      pictureByteCount: picture.count + inserted.count, mapByteCount: described.count, at: directory)
    return Array(picture[..<position]) + inserted + multiPicture + picture[position...] + described
  }

  /// The position after SOI, JFIF and EXIF, which must come first.
  private static func segmentPosition(_ file: [UInt8]) -> Int? {
    guard file.count > 4, file[0] == 0xFF, file[1] == 0xD8 else { return nil }
    var reader = SegmentReader(position: 2)
    var position = 2
    while let (marker, content) = reader.nextSegment(file.span) {
      let kind = SegmentContent(file.span.extracting(content), of: marker)
      guard kind == .jfif || kind == .jfifExtension || kind == .exif else { break }
      position = reader.position
    }
    return position
  }

  private static func hasXMP(_ file: [UInt8]) -> Bool {
    var reader = SegmentReader(position: 2)
    while let (marker, content) = reader.nextSegment(file.span), marker != .startOfScan {
      if SegmentContent(file.span.extracting(content), of: marker) == .xmp { return true }
    }
    return false
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big16(content.count + 2) + content
  }

  private static func big16(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  private static func big32(_ value: Int) -> [UInt8] { big16(value >> 16) + big16(value) }

  /// The segment of the multi-picture directory: version, number of pictures, and two entries (CIPA DC-007, 5.2).
  private static func multiPictureSegment(pictureByteCount: Int, mapByteCount: Int, at position: Int) -> [UInt8] {
    let entriesOffset = 8 + 2 + 3 * 12 + 4
    let fields: [[UInt8]] = [
      big16(0xB000) + big16(7) + big32(4) + Array("0100".utf8),
      big16(0xB001) + big16(4) + big32(1) + big32(2),
      big16(0xB002) + big16(7) + big32(32) + big32(entriesOffset),
    ]
    // Marker, length and name precede the header, to which offsets are relative.
    let header = position + 4 + 4
    let segmentByteCount = 4 + 4 + entriesOffset + 32
    let total = pictureByteCount + segmentByteCount
    // The first picture is the representative one, a baseline primary image.
    let entries =
      big32(0x030000) + big32(total) + big32(0) + big32(0) + big32(0) + big32(mapByteCount)
      + big32(total - header) + big32(0)
    return segment(
      0xE2,
      Array("MPF\0".utf8) + Array("MM".utf8) + big16(42) + big32(8) + big16(fields.count) + fields.flatMap { $0 }
        + big32(0) + entries)
  }
}
