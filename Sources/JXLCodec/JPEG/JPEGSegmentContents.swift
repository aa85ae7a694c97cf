// The segments of a JPEG file that are copied: those of the reconstruction data, and metadata of the JPEG XL file
// (ISO/IEC 18181-2).

internal import ByteCompression
internal import ImageCoding

/// The contents of application segments, comments, the gaps between segments, and the tail.
struct JPEGSegmentContents: Sendable {
  /// Metadata that is stored outside the reconstruction data.
  struct Metadata: Sendable {
    /// Empty if the file has none; there are JPEG files whose profile is empty.
    var colorProfile: [UInt8] = []
    /// The EXIF block, from its TIFF header on.
    var exif: [UInt8]?
    var xmp: [UInt8]?
  }

  /// Segments from the second byte of their marker on.
  private(set) var applications: [[UInt8]] = []
  private(set) var comments: [[UInt8]] = []
  private(set) var gaps: [[UInt8]] = []
  private(set) var tail: [UInt8] = []

  private static let profileIdentifier = Array("ICC_PROFILE\0".utf8)
  private static let exifIdentifier = Array("Exif\0\0".utf8)
  private static let xmpIdentifier = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// Decompresses the stored bytes.
  ///
  /// - Parameters:
  ///   - stored: the compressed bytes, which start at `byteOffset` in the file.
  init(
    _ structure: JPEGStructure, decompressing stored: Span<UInt8>, byteOffset: Int, _ metadata: Metadata,
    budget: inout ResourceBudget
  ) throws(CodecError) {
    func error(_ reason: String) -> CodecError {
      CodecError(.malformed, reason, format: JXLDecoder.type, byteOffset: byteOffset)
    }
    let storedApplications = structure.applications.filter { $0.source == .stored }
    let storedSegments = storedApplications + structure.comments
    let counts = storedSegments.map { $0.byteCount } + structure.gapByteCounts + [structure.tailByteCount]
    // At most 16384 sizes of 16 bits, and one of 22.
    let byteCount = counts.reduce(0, +)
    let bytes = try Self.decompress(stored, byteCount, byteOffset, &budget)
    let total = byteCount + structure.applications.reduce(0) { $0 + $1.byteCount }
    try budget.allocate(total)
    try budget.chargeWorkInParts(count: total, unitsEach: 1)
    var position = 0
    func next(_ count: Int) -> [UInt8] {
      position += count
      return Array(bytes[(position - count)..<position])
    }
    func nextSegment(_ segment: JPEGStructure.Segment) throws(CodecError) -> [UInt8] {
      let content = next(segment.byteCount)
      guard Int(content[1]) << 8 + Int(content[2]) == segment.byteCount - 1 else {
        throw error("a stored segment of the JPEG file has another length")
      }
      return content
    }
    var sources = MetadataSegments(metadata, structure)
    for segment in structure.applications {
      if segment.source == .stored {
        applications.append(try nextSegment(segment))
        continue
      }
      guard let content = sources.next(segment) else {
        throw error("the metadata of the file is not that of the JPEG file")
      }
      applications.append(content)
    }
    guard sources.isAtEnd else { throw error("the ICC profile of the file is not that of the JPEG file") }
    for segment in structure.comments { comments.append(try nextSegment(segment)) }
    for count in structure.gapByteCounts { gaps.append(next(count)) }
    tail = next(structure.tailByteCount)
  }

  private static func decompress(
    _ stored: Span<UInt8>, _ byteCount: Int, _ byteOffset: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    if byteCount == 0, stored.isEmpty { return [] }
    // The decompressor may hold twice as many bytes, and some more.
    try budget.requireMemory(Int(clamping: 2 * UInt64(byteCount) + 8192), byteOffset: byteOffset)
    var bytes: [UInt8]?
    do throws(CodecError) {
      bytes = try BrotliStream.decompress(
        stored, maximumByteCount: byteCount, budget: &budget, byteOffset: byteOffset)
    } catch {
      // With the memory that is there, the stream can only exceed the size that the fields state.
      guard error.kind == .limitExceeded, error.limit == .memory else { throw error }
    }
    guard let bytes, bytes.count == byteCount else {
      throw CodecError(
        .malformed, "the stored segments of the JPEG file do not have \(byteCount) bytes", format: JXLDecoder.type,
        byteOffset: byteOffset)
    }
    return bytes
  }

  /// Segments with metadata of the file.
  private struct MetadataSegments {
    private var metadata: Metadata
    private let profileSegmentCount: Int
    private var profileSegmentIndex = 0
    private var profilePosition = 0

    init(_ metadata: Metadata, _ structure: JPEGStructure) {
      self.metadata = metadata
      profileSegmentCount = structure.applications.count { $0.source == .colorProfile }
    }

    /// Whether all of the ICC profile has been used, if any of it is.
    var isAtEnd: Bool { profileSegmentCount == 0 || profilePosition == metadata.colorProfile.count }

    /// Returns the next segment; `nil` if the file has no metadata of this size.
    mutating func next(_ segment: JPEGStructure.Segment) -> [UInt8]? {
      switch segment.source {
      case .stored: return nil
      case .colorProfile:
        profileSegmentIndex += 1
        let numbers = [profileSegmentIndex, profileSegmentCount].map { UInt8(truncatingIfNeeded: $0) }
        let count = segment.byteCount - 3 - profileIdentifier.count - numbers.count
        guard count >= 0, count <= metadata.colorProfile.count - profilePosition else { return nil }
        let part = metadata.colorProfile[profilePosition..<profilePosition + count]
        profilePosition += count
        return Self.segment(0xE2, profileIdentifier + numbers + part, segment.byteCount)
      case .exif:
        // Each block is one segment.
        defer { metadata.exif = nil }
        return metadata.exif.flatMap { Self.segment(0xE1, exifIdentifier + $0, segment.byteCount) }
      case .xmp:
        defer { metadata.xmp = nil }
        return metadata.xmp.flatMap { Self.segment(0xE1, xmpIdentifier + $0, segment.byteCount) }
      }
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8], _ byteCount: Int) -> [UInt8]? {
      guard content.count + 3 == byteCount else { return nil }
      return [marker] + UInt16(truncatingIfNeeded: byteCount - 1).bigEndianBytes + content
    }
  }
}
