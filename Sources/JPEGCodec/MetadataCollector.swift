// APPn and COM segments: JFIF, Adobe, EXIF, XMP, ICC and IPTC as bytes, within the limits for metadata. ITU-T T.871,
// CIPA DC-008 section 4.7, XMP specification part 3, ICC.1 annex B.4.

internal import ImageCore
internal import MetadataFormats

/// Gathers what the segments before the image data carry beside it.
struct MetadataCollector {
  private(set) var metadata = ImageMetadata()
  /// Whether a JFIF segment was there.
  private(set) var hasJFIF = false
  /// The transform code of the Adobe segment, if there was one.
  private(set) var adobeTransform: UInt8?
  private let limits: DecodingLimits
  private var keptChunkCount = 0
  private var keptByteCount = 0
  /// The pieces of the ICC profile by their numbers, 1…255.
  private var profilePieces: [UInt8: [UInt8]] = [:]
  private var profilePieceCount: UInt8 = 0
  /// The pieces of extended XMP by their offsets, for the identifier that came first.
  private var extendedXMP: [Int: [UInt8]] = [:]
  private var extendedXMPIdentifier: [UInt8] = []

  init(limits: DecodingLimits) {
    self.limits = limits
  }

  /// Takes the content of an APPn or COM segment.
  mutating func take(_ segment: Span<UInt8>, of marker: Marker) {
    switch marker {
    case .application0: takeJFIF(segment)
    case .application1: takeEXIFOrXMP(segment)
    case .application2: takeProfilePiece(segment)
    case .application13: takeIPTC(segment)
    case .application14: takeAdobe(segment)
    case .comment:
      if let bytes = keep(segment, from: 0) { metadata.comments.append(String(decoding: bytes, as: UTF8.self)) }
    default: break
    }
  }

  /// The metadata, once all segments before the first scan were taken.
  func finished() -> ImageMetadata {
    var result = metadata
    result.iccProfile = assembledProfile()
    // Behind the packet, as far as the pieces join.
    for (offset, piece) in extendedXMP.sorted(by: { $0.key < $1.key }) {
      guard offset == (result.xmp?.count ?? 0) - (metadata.xmp?.count ?? 0) else { break }
      result.xmp = (result.xmp ?? []) + piece
    }
    return result
  }

  private mutating func takeJFIF(_ segment: Span<UInt8>) {
    // Five bytes of name, version, units, densities and the size of a thumbnail.
    guard segment.count >= 14, starts(segment, "JFIF\0") else { return }
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

  private mutating func takeEXIFOrXMP(_ segment: Span<UInt8>) {
    let xmpName: StaticString = "http://ns.adobe.com/xap/1.0/\0"
    let extensionName: StaticString = "http://ns.adobe.com/xmp/extension/\0"
    if starts(segment, "Exif\0") {
      // The sixth byte pads; some writers put something else there.
      if metadata.exif == nil, segment.count > 6, let bytes = keep(segment, from: 6) { metadata.exif = bytes }
    } else if starts(segment, xmpName) {
      if metadata.xmp == nil, let bytes = keep(segment, from: xmpName.utf8CodeUnitCount) { metadata.xmp = bytes }
    } else if starts(segment, extensionName) {
      takeExtendedXMP(segment, from: extensionName.utf8CodeUnitCount)
    }
  }

  /// A piece of extended XMP: an identifier of 32 bytes, the whole length and the piece's offset, four bytes each.
  private mutating func takeExtendedXMP(_ segment: Span<UInt8>, from start: Int) {
    guard segment.count > start + 40 else { return }
    let identifier = array(segment.extracting(start..<start + 32), from: 0)
    if extendedXMP.isEmpty { extendedXMPIdentifier = identifier }
    let offset = (start + 36..<start + 40).reduce(0) { $0 << 8 | Int(segment[$1]) }
    if identifier == extendedXMPIdentifier, extendedXMP[offset] == nil, let bytes = keep(segment, from: start + 40) {
      extendedXMP[offset] = bytes
    }
  }

  private mutating func takeProfilePiece(_ segment: Span<UInt8>) {
    guard segment.count > 14, starts(segment, "ICC_PROFILE\0") else { return }
    let number = segment[12]
    profilePieceCount = max(profilePieceCount, segment[13])
    if number > 0, profilePieces[number] == nil, let bytes = keep(segment, from: 14) {
      profilePieces[number] = bytes
    }
  }

  /// The profile when all its pieces are there.
  private func assembledProfile() -> [UInt8]? {
    guard profilePieceCount > 0 else { return nil }
    var profile: [UInt8] = []
    for number in 1...profilePieceCount {
      guard let piece = profilePieces[number] else { return nil }
      profile += piece
    }
    return profile
  }

  private mutating func takeIPTC(_ segment: Span<UInt8>) {
    let name: StaticString = "Photoshop 3.0\0"
    guard metadata.iptc == nil, starts(segment, name) else { return }
    var reader = ByteReader(segment.extracting(name.utf8CodeUnitCount..<segment.count))
    metadata.iptc = try? Self.iptcRecords(&reader, limit: limits.maximumMetadataChunkByteCount)
  }

  /// The image resource 0x0404 among those of Photoshop.
  private static func iptcRecords(_ reader: inout ByteReader, limit: Int) throws(DecodeError) -> [UInt8]? {
    while reader.remaining >= 12 {
      guard try reader.readUInt32BigEndian() == 0x3842_494D else { return nil }
      let identifier = try reader.readUInt16BigEndian()
      let nameLength = Int(try reader.readUInt8())
      // Name and content are padded to even lengths.
      try reader.skip(nameLength | 1)
      let byteCount = Int(try reader.readUInt32BigEndian())
      let content = try reader.read(byteCount)
      if identifier == 0x0404, byteCount <= limit { return array(content, from: 0) }
      if byteCount & 1 == 1, reader.remaining > 0 { try reader.skip(1) }
    }
    return nil
  }

  private mutating func takeAdobe(_ segment: Span<UInt8>) {
    if segment.count >= 12, starts(segment, "Adobe") { adobeTransform = segment[11] }
  }

  /// A copy of the segment's bytes from an index on; `nil` when they pass a limit.
  private mutating func keep(_ segment: Span<UInt8>, from start: Int) -> [UInt8]? {
    let byteCount = segment.count - start
    guard byteCount >= 0, byteCount <= limits.maximumMetadataChunkByteCount,
      keptChunkCount < limits.maximumMetadataChunkCount,
      byteCount <= limits.maximumMetadataByteCount - keptByteCount
    else { return nil }
    keptChunkCount += 1
    keptByteCount += byteCount
    return array(segment, from: start)
  }
}

/// Whether a segment begins with a name.
func starts(_ segment: Span<UInt8>, _ name: StaticString) -> Bool {
  guard segment.count >= name.utf8CodeUnitCount else { return false }
  var index = 0
  for unit in name.description.utf8 {
    if segment[index] != unit { return false }
    index += 1
  }
  return true
}

private func array(_ bytes: Span<UInt8>, from start: Int) -> [UInt8] {
  [UInt8](capacity: bytes.count - start) { output in
    for index in start..<bytes.count { output.append(bytes[index]) }
  }
}
