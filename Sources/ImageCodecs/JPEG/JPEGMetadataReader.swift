// The metadata segments of a JPEG file, as blocks.

internal import ImageCore
internal import MetadataFormats

/// Gathers what stands before the first scan.
struct JPEGMetadataReader {
  private let limits: DecodingLimits
  private var metadata = ImageMetadata()
  private var keptByteCount = 0
  private var keptCount = 0
  /// The pieces of the profile by their numbers, 1…255.
  private var profilePieces: [UInt8: [UInt8]] = [:]
  private var profilePieceCount: UInt8 = 0
  private var extendedXMP: [UInt8] = []

  /// Reads a file, or a prefix of it.
  static func read(_ bytes: Span<UInt8>, limits: DecodingLimits) -> ImageMetadata {
    var reader = JPEGMetadataReader(limits: limits)
    var segments = JPEGSegments(bytes)
    while let segment = segments.next() { reader.take(segment, of: bytes) }
    return reader.finished()
  }

  private init(limits: DecodingLimits) {
    self.limits = limits
  }

  private mutating func take(_ segment: JPEGSegments.Segment, of bytes: Span<UInt8>) {
    let payload = bytes.extracting(segment.payload)
    switch JPEGSegmentContent(segment, of: bytes) {
    case .jfif: takeDensity(payload)
    case .exif: if metadata.exif == nil { metadata.exif = keep(payload, from: 6) }
    case .xmp:
      if metadata.xmp == nil { metadata.xmp = keep(payload, from: JPEGSegmentContent.xmpName.utf8CodeUnitCount) }
    case .extendedXMP:
      // A GUID of 32 bytes, the whole length and the offset of this piece, four bytes each.
      extendedXMP += keep(payload, from: JPEGSegmentContent.extendedXMPName.utf8CodeUnitCount + 40) ?? []
    case .iccProfile: takeProfilePiece(payload)
    case .imageResources:
      let start = JPEGSegmentContent.resourcesName.utf8CodeUnitCount
      if metadata.iptc == nil, keep(payload, from: start) != nil {
        metadata.iptc = MetadataFormats.iptcRecords(inImageResources: payload.extracting(start..<payload.count))
      }
    case .comment:
      if let text = keep(payload, from: 0) { metadata.comments.append(String(decoding: text, as: UTF8.self)) }
    case .jfxx, .adobe, .otherApplication, .image: break
    }
  }

  private mutating func takeDensity(_ payload: Span<UInt8>) {
    guard payload.count >= 12 else { return }
    let x = Double(Int(payload[8]) << 8 | Int(payload[9]))
    let y = Double(Int(payload[10]) << 8 | Int(payload[11]))
    guard x > 0, y > 0 else { return }
    switch payload[7] {
    case 0: metadata.density = .init(x: x, y: y, unit: .aspectRatio)
    case 1: metadata.density = .init(x: x, y: y, unit: .perInch)
    case 2: metadata.density = .init(x: x * 100, y: y * 100, unit: .perMeter)
    default: break
    }
  }

  private mutating func takeProfilePiece(_ payload: Span<UInt8>) {
    guard payload.count > 14 else { return }
    profilePieceCount = max(profilePieceCount, payload[13])
    if profilePieces[payload[12]] == nil { profilePieces[payload[12]] = keep(payload, from: 14) }
  }

  /// A copy of a segment's bytes from an index on; `nil` when they pass a limit.
  private mutating func keep(_ payload: Span<UInt8>, from start: Int) -> [UInt8]? {
    let byteCount = payload.count - start
    guard byteCount >= 0, byteCount <= limits.maximumMetadataChunkByteCount,
      keptCount < limits.maximumMetadataChunkCount, byteCount <= limits.maximumMetadataByteCount - keptByteCount
    else { return nil }
    keptCount += 1
    keptByteCount += byteCount
    return Array(copying: payload.extracting(start..<payload.count))
  }

  private func finished() -> ImageMetadata {
    var result = metadata
    if !extendedXMP.isEmpty { result.xmp = (result.xmp ?? []) + extendedXMP }
    var profile: [UInt8] = []
    for number in 1...max(1, profilePieceCount) {
      guard let piece = profilePieces[number] else { return result }
      profile += piece
    }
    result.iccProfile = profile
    return result
  }
}
