// Replaces the metadata of a JPEG file and leaves its pixels byte-identical.

public import ImageCore
internal import MetadataFormats

/// Rewrites a JPEG file with other metadata. Tables, headers and entropy-coded data are copied, not decoded.
///
/// The result ends with the image. Anything after it is dropped together with the directory that refers to it: further
/// pictures of multi-picture files, gain maps and camera trailers, because they have metadata of their own. Stray bytes
/// between segments and all thumbnails are dropped too.
public struct JPEGMetadataRewriter: Sendable {
  /// Whether application segments of unknown kinds are copied. Set to `false` to strip metadata.
  public var keepsUnknownSegments: Bool

  /// Creates a rewriter; by default unknown segments are kept.
  public init(keepsUnknownSegments: Bool = true) {
    self.keepsUnknownSegments = keepsUnknownSegments
  }

  /// Returns the file with EXIF, XMP, IPTC and comments replaced by those of `metadata`. The ICC profile, density and
  /// colour transform are left unchanged.
  ///
  /// - Parameter orientation: the orientation to store in the EXIF block.
  /// - Throws: ``CodecError/Kind/encodingFailed`` if a block is larger than a segment, ``CodecError/Kind/malformed`` if
  ///   the file is not a JPEG.
  public func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation, limits: DecodingLimits = .default
  ) throws(CodecError) -> [UInt8] {
    var budget = ResourceBudget(limits, format: JPEGDecoder.type)
    return try rewrite(bytes, metadata: metadata, orientation: orientation, budget: &budget)
  }

  /// The work units for a segment, besides a quarter of a unit for each byte.
  private static let workPerSegment = 100

  /// Rewrites a file within a budget, which is charged for the result and for the work of reading and copying.
  package func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    try budget.allocate(bytes.count)
    guard case .yes = JPEGDecoder().probe(bytes) else {
      throw CodecError(
        .malformed, "the file does not start with an SOI marker", format: JPEGDecoder.type, byteOffset: 0)
    }
    var output = SegmentWriter()
    output.append(.startOfImage)
    var isInserted = false
    var segments = SegmentReader(position: 2)
    var chargedCount = 0
    while let (marker, content) = segments.nextSegment(bytes) {
      try budget.chargeWork(Self.workPerSegment + (content.upperBound - chargedCount) / 4)
      chargedCount = content.upperBound
      if marker == .endOfImage {
        output.append(marker)
        break
      }
      if marker.isAlone { continue }
      let kind = SegmentContent(bytes.extracting(content), of: marker)
      // JFIF must be first, EXIF next.
      if !isInserted, kind != .jfif {
        try append(metadata, orientation: orientation, to: &output)
        isInserted = true
      }
      try copy(kind, marker, content, of: bytes, to: &output)
      if marker == .startOfScan {
        let end = SegmentReader.endOfScan(bytes, from: content.upperBound)
        output.append(copying: bytes.extracting(content.upperBound..<end))
        segments.position = end
      }
    }
    if !isInserted { try append(metadata, orientation: orientation, to: &output) }
    return output.bytes
  }

  /// Copies a segment unless it contains metadata. Of segments with a fixed length, only the meaningful part is copied.
  private func copy(
    _ kind: SegmentContent, _ marker: Marker, _ content: Range<Int>, of bytes: Span<UInt8>,
    to output: inout SegmentWriter
  ) throws(CodecError) {
    switch kind {
    case .exif, .xmp, .extendedXMP, .imageResources, .comment, .jfifExtension, .multiPicture, .reserved: return
    case .otherApplication where !keepsUnknownSegments: return
    case .jfif where content.count >= 14:
      // Without the thumbnail, whose width and height are the last fields.
      let start = content.lowerBound
      let header = Array(copying: bytes.extracting(start..<start + 12))
      try output.append(marker, header + [0, 0], what: "JFIF")
    case .adobe where content.count >= 12:
      let start = content.lowerBound
      try output.append(marker, Array(copying: bytes.extracting(start..<start + 12)), what: "Adobe")
    case .jfif, .adobe: return
    case .iccProfile, .otherApplication, .image:
      output.append(copying: bytes.extracting(content.lowerBound - 4..<content.upperBound))
    }
  }

  private func append(
    _ metadata: ImageMetadata, orientation: ImageOrientation, to output: inout SegmentWriter
  ) throws(CodecError) {
    var metadata = metadata
    metadata.exif = metadata.exif.map(exifBlockRemovingThumbnail)
    try output.appendEXIFAndXMP(metadata, orientation: orientation)
    try output.appendIPTC(metadata)
    try output.appendComments(metadata)
  }
}
