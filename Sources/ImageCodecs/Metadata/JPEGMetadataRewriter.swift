// Metadata of a JPEG file exchanged, with every byte of its pixels as it was.

internal import ImageCore
internal import MetadataFormats

/// Writes a JPEG file again with other metadata. Tables, frame headers and scans are copied, not decoded.
struct JPEGMetadataRewriter {
  /// The most bytes of a segment behind its length.
  private static let maximumPayloadByteCount = 65_533

  /// Whether segments that only their application understands are dropped too, as a strip wants it. Multi-picture
  /// directories and thumbnails never stay: they would speak of what is no longer there.
  let dropsUnknown: Bool

  /// The file with EXIF, XMP, IPTC and comments exchanged. Profile, density and colour transform stay as they are.
  ///
  /// - Throws: ``DecodeError/Kind/encodingFailed`` for a block that is larger than a segment.
  func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation
  ) throws(DecodeError) -> [UInt8] {
    let inserted = try segments(of: metadata, orientation: orientation)
    var output = Array(copying: bytes.extracting(0..<2))
    var isInserted = false
    var segments = JPEGSegments(bytes)
    while let segment = segments.next() {
      let content = JPEGSegmentContent(segment, of: bytes)
      // JFIF wants to be first, EXIF next.
      if !isInserted, !isFirst(content) {
        output += inserted
        isInserted = true
      }
      if stays(content, segment, bytes) { output += Array(copying: bytes.extracting(segment.range)) }
    }
    if !isInserted { output += inserted }
    return output + Array(copying: bytes.extracting(segments.position..<bytes.count))
  }

  private func isFirst(_ content: JPEGSegmentContent) -> Bool {
    if case .jfif = content { true } else { false }
  }

  private func stays(_ content: JPEGSegmentContent, _ segment: JPEGSegments.Segment, _ bytes: Span<UInt8>) -> Bool {
    switch content {
    case .exif, .xmp, .extendedXMP, .imageResources, .comment, .jfxx: return false
    case .otherApplication:
      let isMultiPicture = segment.marker == 0xE2 && FourCharacterCode(bytes, at: segment.payload.lowerBound) == "MPF\0"
      return !dropsUnknown && !isMultiPicture
    case .jfif, .iccProfile, .adobe, .image: return true
    }
  }

  private func segments(of metadata: ImageMetadata, orientation: ImageOrientation) throws(DecodeError) -> [UInt8] {
    var output: [UInt8] = []
    if let exif = metadata.exif {
      output += try segment(
        0xE1, JPEGSegmentContent.exifName, exifBlock(exifBlockRemovingThumbnail(exif), settingOrientation: orientation),
        "EXIF")
    } else if orientation != .up {
      output += try segment(0xE1, JPEGSegmentContent.exifName, exifBlock(orientation: orientation), "EXIF")
    }
    if let xmp = metadata.xmp { output += try segment(0xE1, JPEGSegmentContent.xmpName, xmp, "XMP") }
    if let iptc = metadata.iptc {
      let count = UInt32(truncatingIfNeeded: iptc.count)
      let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> UInt32($0)) }
      let resource = Array("8BIM".utf8) + [4, 4, 0, 0] + length + iptc + [UInt8](repeating: 0, count: iptc.count & 1)
      output += try segment(0xED, JPEGSegmentContent.resourcesName, resource, "IPTC")
    }
    let texts = metadata.comments + metadata.texts.map { "\($0.keyword): \($0.value)" }
    for text in texts { output += try segment(0xFE, "", Array(text.utf8), "a comment") }
    return output
  }

  private func segment(
    _ marker: UInt8, _ name: StaticString, _ payload: [UInt8], _ what: String
  ) throws(DecodeError) -> [UInt8] {
    let content = Array(name.description.utf8) + payload
    guard content.count <= Self.maximumPayloadByteCount else {
      throw DecodeError(.encodingFailed, "\(what) of \(payload.count) bytes does not fit into a segment", format: .jpeg)
    }
    let byteCount = content.count + 2
    return [0xFF, marker, UInt8(byteCount >> 8), UInt8(byteCount & 255)] + content
  }
}
