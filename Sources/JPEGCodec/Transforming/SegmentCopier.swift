// Application segments and comments of a file whose coefficients are written again: which of them are copied, in which
// order, and what is new. The order follows jpegtran.

internal import ImageCoding
internal import MetadataFormats

/// Copies the segments of a file.
struct SegmentCopier {
  /// The size of the result.
  let size: PixelSize
  /// Whether the size is not that of the source.
  let isResized: Bool
  /// Whether EXIF is to say that the picture is upright.
  let resetsOrientation: Bool
  /// Whether the EXIF thumbnail is removed.
  let removesThumbnail: Bool

  /// Appends JFIF's or Adobe's segment, then those of the source.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` if the EXIF block grows beyond a segment.
  mutating func copy(
    _ bytes: Span<UInt8>, markers: JPEGTransformer.MarkerCopying, colorTransform: EncodingFrame.ColorTransform,
    to output: inout SegmentWriter
  ) throws(CodecError) {
    let segments = Self.segments(of: bytes)
    let isCopied = markers == .all
    let startsWithEXIF = isCopied && segments.first.map { Self.isEXIF(bytes, $0) } ?? false
    let hasJFIF = (colorTransform == .gray || colorTransform == .yCbCr) && !startsWithEXIF
    let hasAdobe = colorTransform != .gray && colorTransform != .yCbCr
    if hasJFIF { appendJFIF(bytes, segments, to: &output) }
    if hasAdobe { output.appendAdobe(transform: colorTransform == .ycck ? 2 : 0) }
    guard isCopied else { return }
    for (position, (marker, content)) in segments.enumerated() {
      let part = bytes.extracting(content)
      if hasJFIF, marker == .application0, part.starts(with: "JFIF\0") { continue }
      if hasAdobe, marker == .application14, part.starts(with: "Adobe") { continue }
      if Self.isEXIF(bytes, (marker, content)) {
        try appendEXIF(part, isFirst: position == 0, to: &output)
      } else {
        output.append(marker, Array(copying: part))
      }
    }
  }

  /// All application segments and comments, in order.
  private static func segments(of bytes: Span<UInt8>) -> [(marker: Marker, content: Range<Int>)] {
    var result: [(marker: Marker, content: Range<Int>)] = []
    var reader = SegmentReader(position: 2)
    while let (marker, content) = reader.nextSegment(bytes), marker != .endOfImage {
      if marker.isApplication || marker == .comment { result.append((marker, content)) }
      if marker == .startOfScan { reader.position = SegmentReader.endOfScan(bytes, from: content.upperBound) }
    }
    return result
  }

  private static func isEXIF(_ bytes: Span<UInt8>, _ segment: (marker: Marker, content: Range<Int>)) -> Bool {
    segment.marker == .application1 && bytes.extracting(segment.content).starts(with: "Exif\0\0")
  }

  /// Appends JFIF with the version and density of the source.
  private func appendJFIF(
    _ bytes: Span<UInt8>, _ segments: [(marker: Marker, content: Range<Int>)], to output: inout SegmentWriter
  ) {
    var fields: [UInt8] = [1, 1, 0, 0, 1, 0, 1]
    for (marker, content) in segments where marker == .application0 {
      let part = bytes.extracting(content)
      guard part.count >= 14, part.starts(with: "JFIF\0") else { continue }
      // Versions other than 1.x are mislabelled.
      if part[5] == 1 { fields.replaceSubrange(0..<2, with: [part[5], part[6]]) }
      for index in 2..<7 { fields[index] = part[index + 5] }
    }
    output.append(.application0, Array("JFIF\0".utf8) + fields + [0, 0])
  }

  /// Appends an EXIF segment, adapted to the result.
  private func appendEXIF(_ part: Span<UInt8>, isFirst: Bool, to output: inout SegmentWriter) throws(CodecError) {
    var block = Array(copying: part.extracting(6..<part.count))
    if isResized, isFirst { block = exifBlock(block, settingWidth: size.width, height: size.height) }
    if resetsOrientation { block = exifBlock(block, settingOrientation: .up) }
    if removesThumbnail { block = exifBlockRemovingThumbnail(block) }
    try output.append(.application1, name: "Exif\0\0", block, what: "the EXIF block")
  }
}
