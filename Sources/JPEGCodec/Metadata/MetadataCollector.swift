// APPn and COM segments: JFIF, Adobe, EXIF, XMP, ICC and IPTC as bytes, within the limits for metadata. ITU-T T.871,
// CIPA DC-008 section 4.7, XMP specification part 3, ICC.1 annex B.4.

internal import ImageCoding
internal import MetadataFormats

/// Collects metadata from the segments before the image data.
struct MetadataCollector {
  private(set) var metadata = ImageMetadata()
  /// Whether there was a JFIF segment.
  private(set) var hasJFIF = false
  /// The transform code of the Adobe segment, if there was one.
  private(set) var adobeTransform: UInt8?
  /// The chunks of the ICC profile by their sequence numbers, 1…255.
  private var profilePieces: [UInt8: [UInt8]] = [:]
  private var profilePieceCount: UInt8 = 0
  /// The portions of extended XMP by their offsets, for the GUID that appeared first.
  private var extendedXMP: [Int: [UInt8]] = [:]
  private var extendedXMPIdentifier: [UInt8] = []

  /// Processes the content of an APPn or COM segment.
  ///
  /// - Parameter budget: charged for the metadata that is kept; metadata it does not admit is skipped.
  mutating func take(_ segment: Span<UInt8>, of marker: Marker, budget: inout ResourceBudget) {
    let kind = SegmentContent(segment, of: marker)
    switch kind {
    case .jfif: takeJFIF(segment)
    case .exif:
      if metadata.exif == nil { metadata.exif = keep(segment, from: kind.nameByteCount, &budget) }
    case .xmp:
      if metadata.xmp == nil { metadata.xmp = keep(segment, from: kind.nameByteCount, &budget) }
    case .extendedXMP: takeExtendedXMP(segment, from: kind.nameByteCount, &budget)
    case .iccProfile: takeProfilePiece(segment, &budget)
    case .imageResources:
      if metadata.iptc == nil { takeIPTC(segment.extracting(kind.nameByteCount..<segment.count), &budget) }
    case .adobe:
      if segment.count >= 12 { adobeTransform = segment[11] }
    case .comment:
      if budget.admitMetadata(segment.count) { metadata.comments.append(String(utf8OrLatin1: segment)) }
    case .jfifExtension, .multiPicture, .otherApplication, .image, .reserved: break
    }
  }

  /// Joins the chunks and returns the metadata. Can be called again.
  mutating func finish() -> ImageMetadata {
    joinProfile()
    joinExtendedXMP()
    return metadata
  }

  private mutating func takeJFIF(_ segment: Span<UInt8>) {
    // The five-byte name, version, units, densities and the thumbnail's size.
    guard segment.count >= 14 else { return }
    hasJFIF = true
    let x = Double(Int(segment[8]) << 8 | Int(segment[9]))
    let y = Double(Int(segment[10]) << 8 | Int(segment[11]))
    guard x > 0, y > 0 else { return }
    switch segment[7] {
    case 0: metadata.density = .init(x: x, y: y, unit: .aspectRatio)
    case 1: metadata.density = .init(x: x, y: y, unit: .perInch)
    case 2: metadata.density = .init(x: x * 100, y: y * 100, unit: .perMeter)
    default: break
    }
  }

  /// A portion of extended XMP: a 32-byte GUID, then the total length and the portion's offset, four bytes each.
  private mutating func takeExtendedXMP(_ segment: Span<UInt8>, from start: Int, _ budget: inout ResourceBudget) {
    guard segment.count > start + 40, let code = FourCharacterCode(segment, at: start + 36),
      let offset = Int(exactly: code.rawValue)
    else { return }
    let identifier = Array(copying: segment.extracting(start..<start + 32))
    if extendedXMP.isEmpty { extendedXMPIdentifier = identifier }
    if identifier == extendedXMPIdentifier, extendedXMP[offset] == nil,
      let bytes = keep(segment, from: start + 40, &budget)
    {
      extendedXMP[offset] = bytes
    }
  }

  /// Appends the portions to the packet, in order, up to the first gap.
  private mutating func joinExtendedXMP() {
    guard !extendedXMP.isEmpty else { return }
    let pieces = extendedXMP.sorted { $0.key < $1.key }
    extendedXMP = [:]
    var packet = metadata.xmp ?? []
    metadata.xmp = nil
    packet.reserveCapacity(packet.count + pieces.reduce(0) { $0 + $1.value.count })
    var joinedByteCount = 0
    for (offset, piece) in pieces {
      guard offset == joinedByteCount else { break }
      packet += piece
      joinedByteCount += piece.count
    }
    if !packet.isEmpty { metadata.xmp = packet }
  }

  private mutating func takeProfilePiece(_ segment: Span<UInt8>, _ budget: inout ResourceBudget) {
    guard segment.count > 14 else { return }
    let number = segment[12]
    profilePieceCount = max(profilePieceCount, segment[13])
    if number > 0, profilePieces[number] == nil, let bytes = keep(segment, from: 14, &budget) {
      profilePieces[number] = bytes
    }
  }

  /// Joins the chunks of the ICC profile if all are present.
  private mutating func joinProfile() {
    guard profilePieceCount > 0, metadata.colorSpace.iccProfile == nil,
      (1...profilePieceCount).allSatisfy({ profilePieces[$0] != nil })
    else { return }
    var profile: [UInt8] = []
    profile.reserveCapacity(profilePieces.values.reduce(0) { $0 + $1.count })
    for number in 1...profilePieceCount { profile += profilePieces[number] ?? [] }
    metadata.colorSpace.iccProfile = profile
    profilePieces = [:]
  }

  private mutating func takeIPTC(_ resources: Span<UInt8>, _ budget: inout ResourceBudget) {
    guard let range = iptcRecords(inImageResources: resources), budget.admitMetadata(range.count) else { return }
    metadata.iptc = Array(copying: resources.extracting(range))
  }

  /// Copies the segment's bytes starting at an index; `nil` if the budget does not admit them.
  private func keep(_ segment: Span<UInt8>, from start: Int, _ budget: inout ResourceBudget) -> [UInt8]? {
    guard segment.count > start, budget.admitMetadata(segment.count - start) else { return nil }
    return Array(copying: segment.extracting(start..<segment.count))
  }
}
