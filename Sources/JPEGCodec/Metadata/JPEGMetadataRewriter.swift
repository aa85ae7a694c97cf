// Replaces the metadata of a JPEG file and leaves its pixels unchanged.

public import ImageCoding
internal import MetadataFormats

/// Rewrites a JPEG file with other metadata. Tables, headers and entropy-coded data are copied.
///
/// The result ends with the image. Anything after it is dropped together with the directory that refers to it: further
/// pictures of multi-picture files, gain maps and camera trailers, because they have their own metadata. Stray bytes
/// between segments and all thumbnails are dropped too.
///
/// If metadata is stripped, bytes of segments that no decoder reads and bytes between the last MCU of a scan or of a
/// restart interval and the next marker are dropped too. To find them, Huffman-coded scans are decoded, but not
/// to pixels. Scans that are damaged, or coded by a process that is not decoded, are copied up to the next marker.
package struct JPEGMetadataRewriter: MetadataRewriter {
  /// ``JPEGDecoder/type``.
  package static var type: AssetType { JPEGDecoder.type }
  /// Whether application segments of unknown kinds are copied. Set to `false` to strip metadata.
  package var keepsUnknownParts: Bool

  /// Creates a rewriter; by default unknown segments are kept.
  package init(keepsUnknownParts: Bool = true) {
    self.keepsUnknownParts = keepsUnknownParts
  }

  /// The work units for a segment.
  private static let workPerSegment = 100
  /// The work units for a byte that is read and copied.
  private static let workPerByte = 12

  /// Returns the file with EXIF, XMP, IPTC and comments replaced by those of `metadata`. The ICC profile, density and
  /// colour transform are left unchanged.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` if a block is larger than a segment, `CodecError.Kind.malformed` if
  ///   the file is not a JPEG, `CodecError.Kind.unsupported` for hierarchical files,
  ///   `CodecError.Kind.limitExceeded`.
  package func rewrite(
    _ bytes: Span<UInt8>, metadata: ImageMetadata, orientation: ImageOrientation?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    guard case .yes = JPEGDecoder().probe(bytes) else {
      throw CodecError(
        .malformed, "the file does not start with an SOI marker", format: JPEGDecoder.type, byteOffset: 0)
    }
    let options = InfoOptions(limits: budget.limits)
    let orientation =
      if let orientation { orientation } else {
        try JPEGDecoder().info(bytes, options: options, budget: &budget).orientation
      }
    try budget.allocate(bytes.count)
    try budget.chargeWorkInParts(count: bytes.count, unitsEach: Self.workPerByte)
    let heldByteCount = budget.heldByteCount
    defer { budget.settle(heldByteCount: heldByteCount) }
    var output = SegmentWriter()
    output.append(.startOfImage)
    var state = State()
    var segments = SegmentReader(position: 2)
    while let (marker, content) = segments.nextSegment(bytes) {
      try budget.chargeWork(Self.workPerSegment, byteOffset: content.lowerBound)
      state.endsAtMarker = false
      if marker == .endOfImage {
        output.append(marker)
        break
      }
      if marker.isAlone { continue }
      let kind = SegmentContent(bytes.extracting(content), of: marker)
      // JFIF must be first, EXIF next.
      if !state.isInserted, kind != .jfif {
        try append(metadata, orientation: orientation, to: &output)
        state.isInserted = true
      }
      let end = marker == .startOfScan ? SegmentReader.endOfScan(bytes, from: content.upperBound) : content.upperBound
      segments.position = end
      if !keepsUnknownParts {
        try prepare(&state, marker, bytes, content, scanEnd: end, &budget)
        guard state.keeps(marker, kind, bytes.extracting(content)) else { continue }
      }
      try copy(kind, marker, content, of: bytes, to: &output)
      guard marker == .startOfScan else { continue }
      try copyScan(content.upperBound..<end, header: bytes.extracting(content), bytes, &state, to: &output, &budget)
      state.endsAtMarker = end < bytes.count
      if state.isComplete { break }
    }
    if !state.isInserted { try append(metadata, orientation: orientation, to: &output) }
    // The segment after the last scan is cut off by the end of the file. The scan still ends at a marker.
    if state.endsAtMarker { output.append(.endOfImage) }
    return output.bytes
  }

  /// The segments read so far.
  private struct State {
    var isInserted = false
    var scans = ScanContentReader()
    var scanCount = 0
    var frameCount = 0
    /// Whether there was a segment of hierarchical files.
    var isHierarchical = false
    /// Whether a scan was copied last, at the end of which there is a marker.
    var endsAtMarker = false
    /// Whether everything of the image has been copied.
    var isComplete = false
    private var profileChunks: Set<UInt8> = []

    /// Returns whether a segment has a meaning where it is.
    mutating func keeps(_ marker: Marker, _ kind: SegmentContent, _ content: Span<UInt8>) -> Bool {
      switch marker {
      // The frame header states the number of lines, unless it is 0.
      case .defineNumberOfLines: return scans.isHeightOpen && scanCount == 1
      case .defineHierarchicalProgression, .expandReference: return false
      default: break
      }
      guard kind == .iccProfile else { return true }
      // Decoders read profiles before the first scan, and one chunk of each number up to the stated count.
      guard scanCount == 0, content.count > 14, content[12] >= 1, content[12] <= content[13] else { return false }
      return profileChunks.insert(content[12]).inserted
    }
  }

  private func prepare(
    _ state: inout State, _ marker: Marker, _ bytes: Span<UInt8>, _ content: Range<Int>, scanEnd: Int,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    switch marker {
    case .defineHierarchicalProgression, .expandReference: state.isHierarchical = true
    case .startOfScan:
      state.scanCount += 1
      if state.scanCount == 1 { try state.scans.findHeight(bytes, scanEnd: scanEnd) }
    case _ where marker.isStartOfFrame:
      state.frameCount += 1
      if state.isHierarchical, state.frameCount > 1 {
        throw CodecError(
          .unsupported, "metadata cannot be removed from hierarchical JPEG files", format: JPEGDecoder.type,
          byteOffset: content.lowerBound)
      }
    default: break
    }
    state.scans.read(marker, bytes.extracting(content), budget: &budget)
  }

  /// Copies a segment unless it contains metadata. Of segments with a fixed length, only the meaningful part is copied.
  private func copy(
    _ kind: SegmentContent, _ marker: Marker, _ content: Range<Int>, of bytes: Span<UInt8>,
    to output: inout SegmentWriter
  ) throws(CodecError) {
    switch kind {
    case .exif, .xmp, .extendedXMP, .imageResources, .comment, .jfifExtension, .multiPicture, .reserved: return
    case .otherApplication where !keepsUnknownParts: return
    case .jfif where content.count >= 14:
      // Without the thumbnail, whose width and height are the last fields.
      let start = content.lowerBound
      let header = Array(copying: bytes.extracting(start..<start + 12))
      try output.append(marker, header + [0, 0], what: "JFIF")
    case .adobe where content.count >= 12:
      let start = content.lowerBound
      try output.append(marker, Array(copying: bytes.extracting(start..<start + 12)), what: "Adobe")
    case .jfif, .adobe: return
    case .image where !keepsUnknownParts:
      let segment = bytes.extracting(content)
      let part = segment.extracting(0..<min(segment.count, marker.meaningfulByteCount(of: segment)))
      try output.append(marker, Array(copying: part), what: "a segment")
    case .iccProfile, .otherApplication, .image:
      output.append(copying: bytes.extracting(content.lowerBound - 4..<content.upperBound))
    }
  }

  private func copyScan(
    _ range: Range<Int>, header: Span<UInt8>, _ bytes: Span<UInt8>, _ state: inout State,
    to output: inout SegmentWriter,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard !keepsUnknownParts else { return output.append(copying: bytes.extracting(range)) }
    let pieces = try state.scans.content(of: range, header, bytes, budget: &budget) ?? [range]
    for piece in pieces { output.append(copying: bytes.extracting(piece.clamped(to: range))) }
    // A scan that is cut off by the end of the file stays so.
    state.isComplete =
      range.upperBound < bytes.count && !state.isHierarchical && state.scanCount == 1
      && state.scans.isWholeImage(header) && !state.scans.isHeightOpen
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

extension JPEGDecoder {
  /// Returns a rewriter that copies parts of unknown kinds.
  public func metadataRewriter(of type: AssetType) -> AnyMetadataRewriter? { JPEGMetadataRewriter().erased }
}

extension Marker {
  /// Returns the number of bytes of a segment's content that the format defines (ITU-T T.81, B.2). Incomplete content
  /// may have fewer bytes.
  fileprivate func meaningfulByteCount(of content: Span<UInt8>) -> Int {
    switch self {
    case .defineNumberOfLines, .defineRestartInterval: return 2
    case .startOfScan: return content.count > 0 ? 4 + 2 * Int(content[0]) : 0
    case .defineHuffmanTables:
      var position = 0
      while content.count - position > 16 {
        var end = position + 17
        for index in position + 1...position + 16 { end += Int(content[index]) }
        guard end <= content.count else { return content.count }
        position = end
      }
      return position
    case _ where isStartOfFrame || rawValue == 0xF7: return content.count > 5 ? 6 + 3 * Int(content[5]) : content.count
    default: return content.count
    }
  }
}
