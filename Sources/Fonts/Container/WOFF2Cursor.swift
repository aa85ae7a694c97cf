// Numbers in the streams of a WOFF 2 font (WOFF 2.0, sections 4.1 and 5.1).

internal import ImageCore

/// A position in a range of the decompressed data or of the file.
struct WOFF2Cursor {
  var position: Int
  /// The end of the range.
  let end: Int

  /// The number of bytes that remain.
  var remaining: Int { end - position }

  private var truncation: CodecError {
    CodecError(.malformed, "a stream of the WOFF 2 font is too short", format: .font)
  }

  /// Skips bytes and returns the index of the first one.
  mutating func skip(_ count: Int) throws(CodecError) -> Int {
    guard count >= 0, count <= remaining else { throw truncation }
    defer { position += count }
    return position
  }

  @inline(__always)
  mutating func uint8(_ bytes: Span<UInt8>) throws(CodecError) -> Int {
    guard position < end else { throw truncation }
    defer { position &+= 1 }
    return Int(bytes[position])
  }

  mutating func uint16(_ bytes: Span<UInt8>) throws(CodecError) -> Int {
    let high = try uint8(bytes)
    return high << 8 | (try uint8(bytes))
  }

  mutating func int16(_ bytes: Span<UInt8>) throws(CodecError) -> Int {
    Int(Int16(truncatingIfNeeded: try uint16(bytes)))
  }

  /// A number of up to 32 bits that must fit an `Int`.
  mutating func uint32(_ bytes: Span<UInt8>) throws(CodecError) -> Int {
    let high = try uint16(bytes)
    let value = UInt32(high) << 16 | UInt32(try uint16(bytes))
    guard let size = Int(exactly: value) else {
      throw CodecError(.limitExceeded, "a size in the WOFF 2 font is too large", format: .font)
    }
    return size
  }

  /// A number of one to three bytes (255UInt16).
  mutating func short(_ bytes: Span<UInt8>) throws(CodecError) -> Int {
    switch try uint8(bytes) {
    case 253: try uint16(bytes)
    case 254: try uint8(bytes) + 506
    case 255: try uint8(bytes) + 253
    case let value: value
    }
  }

  /// A number of up to 32 bits in groups of seven (UIntBase128).
  mutating func base128(_ bytes: Span<UInt8>) throws(CodecError) -> Int {
    let start = position
    var value: UInt64 = 0
    for index in 0..<5 {
      let byte = try uint8(bytes)
      value = value << 7 | UInt64(byte & 127)
      if index == 0, byte == 0x80 { break }
      if byte & 0x80 == 0 {
        guard value <= UInt64(UInt32.max), let size = Int(exactly: value) else { break }
        return size
      }
    }
    throw CodecError(.malformed, "a number in the WOFF 2 font is invalid", format: .font, byteOffset: start)
  }
}
