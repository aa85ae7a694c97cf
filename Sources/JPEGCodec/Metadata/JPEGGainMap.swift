// Gain maps: pictures after the first one of a multi-picture file (CIPA DC-007), whose segments say what they are
// (ISO 21496-1, annex C; Ultra HDR 1.0; Apple's auxiliary images).

internal import ImageCoding
package import MetadataFormats

/// A gain map in a JPEG file.
package struct JPEGGainMap: Hashable, Sendable {
  /// The location of the map, which is a complete JPEG file.
  package let byteRange: Range<Int>
  /// The parameters of ISO 21496-1 or Ultra HDR; `nil` for Apple's maps, whose parameters are in the notes of the maker.
  package let metadata: GainMapMetadata?
}

extension JPEGDecoder {
  /// Finds the gain map of a file. Reads headers only; damaged or incomplete maps are ignored.
  ///
  /// - Parameter file: the whole file, because the map follows the picture.
  package func gainMap(in file: Span<UInt8>) -> JPEGGainMap? {
    guard case .yes = probe(file) else { return nil }
    var segments = SegmentReader(position: 2)
    while let (marker, content) = segments.nextSegment(file), marker != .startOfScan, marker != .endOfImage {
      let segment = file.extracting(content)
      guard SegmentContent(segment, of: marker) == .multiPicture else { continue }
      let start = content.lowerBound + SegmentContent.multiPicture.nameByteCount
      for range in multiPictureRanges(file, directory: start..<content.upperBound).prefix(8) {
        if let map = gainMap(at: range, in: file) { return map }
      }
    }
    return nil
  }

  /// Examines the segments of a picture in a multi-picture file.
  private func gainMap(at range: Range<Int>, in file: Span<UInt8>) -> JPEGGainMap? {
    let picture = file.extracting(range)
    guard case .yes = probe(picture) else { return nil }
    var segments = SegmentReader(position: 2)
    var found: JPEGGainMap?
    while let (marker, content) = segments.nextSegment(picture), marker != .startOfScan, marker != .endOfImage {
      let segment = picture.extracting(content)
      let name = GainMapMetadata.segmentName
      if marker == .application2, segment.starts(with: name) {
        let body = segment.extracting(name.utf8.count..<segment.count)
        // It takes precedence over XMP.
        if let metadata = try? GainMapMetadata(iso21496: body) {
          return JPEGGainMap(byteRange: range, metadata: metadata)
        }
      } else if SegmentContent(segment, of: marker) == .xmp, found == nil {
        let body = segment.extracting(SegmentContent.xmp.nameByteCount..<segment.count)
        found = Self.gainMap(described: Array(copying: body), at: range)
      }
    }
    return found
  }

  private static func gainMap(described xmp: [UInt8], at range: Range<Int>) -> JPEGGainMap? {
    guard let packet = try? XMPPacket(xmp) else { return nil }
    if let metadata = GainMapMetadata(packet) { return JPEGGainMap(byteRange: range, metadata: metadata) }
    let isApple = packet.value(of: "apdi:AuxiliaryImageType") == "urn:com:apple:photo:2020:aux:hdrgainmap"
    return isApple ? JPEGGainMap(byteRange: range, metadata: nil) : nil
  }
}

/// Returns the ranges of the pictures after the first one, as far as they are in the file (CIPA DC-007, 5.2.3.3).
private func multiPictureRanges(_ file: Span<UInt8>, directory: Range<Int>) -> [Range<Int>] {
  let bytes = file.extracting(directory)
  var reader = ByteReader(bytes)
  var budget = ResourceBudget(.default)
  guard let header = try? TIFFHeader(parsing: &reader),
    let fields = try? TIFFDirectory(
      bytes, at: header.firstDirectoryOffset, header: header, maximumFieldCount: 32, budget: &budget),
    let entries = fields[0xB002], entries.isContained(in: bytes)
  else { return [] }
  var ranges: [Range<Int>] = []
  // Each entry has 16 bytes: attributes, byte count, offset relative to the directory's header, dependent pictures.
  var position = entries.values.lowerBound + 16
  while position + 16 <= entries.values.upperBound {
    var entry = ByteReader(bytes.extracting(position..<position + 16))
    guard (try? entry.skip(4)) != nil,
      let byteCount = try? entry.readInteger(byteCount: 4, isBigEndian: header.isBigEndian),
      let offset = try? entry.readInteger(byteCount: 4, isBigEndian: header.isBigEndian)
    else { break }
    let (start, end) = (Int64(directory.lowerBound) + Int64(offset), Int64(byteCount))
    if offset > 0, start + end <= Int64(file.count) { ranges.append(Int(start)..<Int(start + end)) }
    position += 16
  }
  return ranges
}
