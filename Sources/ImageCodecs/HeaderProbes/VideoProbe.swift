// Video containers that are recognised, so that errors name them: Matroska, WebM and MPEG transport streams.

internal import ImageCoding

/// Recognises videos. Reading anything else of them throws `CodecError.Kind.unsupported`.
struct VideoProbe: HeaderProbe {
  let types: [AssetType] = [.matroska, .webm, .mpegTransportStream]

  /// The identifier of an EBML header (RFC 8794, 11.2.1).
  private static let headerIdentifier: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
  /// The identifier of the document type in it (RFC 8794, 11.2.6).
  private static let documentTypeIdentifier: UInt32 = 0x4282
  /// The length of the part of the header in which the document type is searched; headers have about 40 bytes.
  private static let maximumHeaderByteCount = 1_024
  /// Packets of a transport stream start with this byte (ITU-T H.222.0, 2.4.3.2).
  private static let syncByte: UInt8 = 0x47
  /// The position of the first one and the distances between them: in plain streams, and in those of camcorders, where
  /// a time stamp precedes each packet.
  private static let packetLayouts = [(start: 0, byteCount: 188), (start: 4, byteCount: 192)]
  private static let comparedPacketCount = 3

  func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    switch ProbeResult(prefix, signatures: [Self.headerIdentifier], type: .matroska) {
    case .yes: documentType(prefix)
    case .needs(let byteCount): .needs(byteCount: byteCount)
    case .no: transportStream(prefix)
    }
  }

  /// Returns whether a file with an EBML header is Matroska or its subset WebM.
  private func documentType(_ prefix: Span<UInt8>) -> ProbeResult {
    var reader = ByteReader(prefix)
    guard let header = EBMLElement(parsing: &reader) else {
      return .needs(byteCount: prefix.count + EBMLElement.maximumHeaderByteCount)
    }
    let end = min(header.end, Self.maximumHeaderByteCount)
    while reader.byteOffset < end {
      guard let element = EBMLElement(parsing: &reader) else { break }
      if element.identifier == Self.documentTypeIdentifier {
        guard element.end <= prefix.count else { return .needs(byteCount: element.end) }
        let name = Array(copying: prefix.extracting(reader.byteOffset..<element.end)).prefix { $0 != 0 }
        return .yes(name.elementsEqual("webm".utf8) ? .webm : .matroska)
      }
      guard (try? reader.seek(to: element.end)) != nil else { break }
    }
    return prefix.count < end ? .needs(byteCount: end) : .yes(.matroska)
  }

  /// One byte at the start is a weak signature; several at equal distances are not.
  private func transportStream(_ prefix: Span<UInt8>) -> ProbeResult {
    for (start, byteCount) in Self.packetLayouts where start < prefix.count {
      let places = (0..<Self.comparedPacketCount).map { start + $0 * byteCount }
      let present = places.filter { $0 < prefix.count }
      guard present.allSatisfy({ prefix[$0] == Self.syncByte }) else { continue }
      return present.count == places.count
        ? .yes(.mpegTransportStream) : .needs(byteCount: places[Self.comparedPacketCount - 1] + 1)
    }
    return .no
  }

  func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    throw unsupported(bytes)
  }

  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    throw unsupported(bytes)
  }

  private func unsupported(_ bytes: Span<UInt8>) -> CodecError {
    var type = types[0]
    if case .yes(let found) = probe(bytes) { type = found }
    return CodecError(.unsupported, "\(type.formatName) videos are identified but not read", format: type)
  }
}

/// The header of an element: an identifier and a length, both of variable size (RFC 8794, 4 and 5).
private struct EBMLElement {
  static let maximumHeaderByteCount = 12

  /// The identifier, including the bit that marks its length.
  let identifier: UInt32
  /// The end of the element in the file.
  let end: Int

  /// Reads a header; `nil` if it is damaged or cut off.
  init?(parsing reader: inout ByteReader) {
    guard let first = try? reader.readUInt8(), first >= 0x10 else { return nil }
    var identifier = UInt32(first)
    for _ in 0..<first.leadingZeroBitCount {
      guard let byte = try? reader.readUInt8() else { return nil }
      identifier = identifier << 8 | UInt32(byte)
    }
    guard let marked = try? reader.readUInt8(), marked > 0 else { return nil }
    var byteCount = UInt64(marked & ~(0x80 >> UInt8(marked.leadingZeroBitCount)))
    for _ in 0..<marked.leadingZeroBitCount {
      guard let byte = try? reader.readUInt8() else { return nil }
      byteCount = byteCount << 8 | UInt64(byte)
    }
    let (end, overflow) = reader.byteOffset.addingReportingOverflow(Int(clamping: byteCount))
    guard !overflow else { return nil }
    (self.identifier, self.end) = (identifier, end)
  }
}
