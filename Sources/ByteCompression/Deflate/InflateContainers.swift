// The headers of zlib and gzip streams, byte by byte, with the reasons of zlib for what is invalid.

/// The effect of a byte of a header.
enum InflateHeaderProgress {
  case incomplete
  case complete
  case damaged(InflateProgress.Status)

  static func damaged(_ reason: String) -> Self { .damaged(.damaged(reason: reason)) }
}

/// The header of RFC 1950, section 2.2.
struct ZlibHeader {
  private var field: UInt32 = 0
  private var byteCount = 0

  /// Adds the next byte.
  mutating func append(_ byte: UInt8) -> InflateHeaderProgress {
    field = field << 8 | UInt32(byte)
    byteCount += 1
    switch byteCount {
    case 2:
      if field % 31 != 0 { return .damaged("incorrect header check") }
      if field >> 8 & 15 != 8 { return .damaged("unknown compression method") }
      if field >> 12 > 7 { return .damaged("invalid window size") }
      return field & 0x20 == 0 ? .complete : .incomplete
    // The identifier of the dictionary.
    case 6: return .damaged(.needsDictionary)
    default: return .incomplete
    }
  }
}

/// The header of RFC 1952, section 2.3.
struct GzipHeader {
  private enum Field {
    case magic
    case method
    case time
    case system
    case extraLength
    case extra
    case name
    case comment
    case checksum
  }

  private static let hasChecksum: UInt32 = 0x0200

  private var field = Field.magic
  /// The bytes of the field, first one lowest.
  private var value: UInt32 = 0
  private var byteCount = 0
  /// The compression method in the low byte, the flags above.
  private var flags: UInt32 = 0
  private var remainingExtraCount: UInt32 = 0
  private var checksum = CRC32()

  /// Adds the next byte.
  mutating func append(_ byte: UInt8) -> InflateHeaderProgress {
    if field != .checksum { checksum.update(byte) }
    switch field {
    case .extra:
      remainingExtraCount -= 1
      return remainingExtraCount == 0 ? proceed(to: .name) : .incomplete
    case .name: return byte == 0 ? proceed(to: .comment) : .incomplete
    case .comment: return byte == 0 ? proceed(to: .checksum) : .incomplete
    default: break
    }
    if byteCount < 4 { value |= UInt32(byte) << UInt32(byteCount * 8) }
    byteCount += 1
    guard byteCount == (field == .time ? 4 : 2) else { return .incomplete }
    let complete = value
    (value, byteCount) = (0, 0)
    switch field {
    case .magic:
      field = .method
      return complete == 0x8B1F ? .incomplete : .damaged("incorrect header check")
    case .method:
      flags = complete
      field = .time
      if flags & 0xFF != 8 { return .damaged("unknown compression method") }
      return flags & 0xE000 == 0 ? .incomplete : .damaged("unknown header flags set")
    case .time:
      field = .system
      return .incomplete
    case .system: return proceed(to: .extraLength)
    case .extraLength:
      remainingExtraCount = complete
      return proceed(to: complete > 0 ? .extra : .name)
    default: return complete == checksum.value & 0xFFFF ? .complete : .damaged("header crc mismatch")
    }
  }

  /// Moves to a field or, if the flags lack it, the next one.
  private mutating func proceed(to next: Field) -> InflateHeaderProgress {
    field = next
    switch next {
    case .extraLength where flags & 0x0400 == 0: return proceed(to: .name)
    case .name where flags & 0x0800 == 0: return proceed(to: .comment)
    case .comment where flags & 0x1000 == 0: return proceed(to: .checksum)
    case .checksum where flags & Self.hasChecksum == 0: return .complete
    default: return .incomplete
    }
  }
}
