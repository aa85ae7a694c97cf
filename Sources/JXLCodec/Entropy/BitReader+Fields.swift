// The field types of headers (ISO/IEC 18181-1, 4.2 and 9.2).

internal import ImageCoding

/// One of the four forms of a `U32` field.
enum FieldForm {
  /// A constant.
  case value(UInt32)
  /// A number of bits, added to an offset.
  case bits(Int, offset: UInt32 = 0)
}

extension BitReader {
  /// Throws if bits were read past the end.
  func checkEnd() throws(CodecError) {
    guard isOverrun else { return }
    throw CodecError(
      .truncated, "the codestream ends inside a field", format: JXLDecoder.type, byteOffset: baseOffset + bytes.count)
  }

  /// `u(n)`, at most 32 bits.
  @_lifetime(self: copy self)
  mutating func readBits(_ count: Int) throws(CodecError) -> UInt32 {
    let value = read(count)
    try checkEnd()
    return value
  }

  /// `u(n)` of at most 30 bits as an integer.
  @_lifetime(self: copy self)
  mutating func readInt(_ count: Int) throws(CodecError) -> Int {
    Int(try readBits(count))
  }

  /// `Bool`.
  @_lifetime(self: copy self)
  mutating func readFlag() throws(CodecError) -> Bool {
    try readBits(1) == 1
  }

  /// `U32`: two bits select one of four forms.
  @_lifetime(self: copy self)
  mutating func readU32(
    _ first: FieldForm, _ second: FieldForm, _ third: FieldForm, _ fourth: FieldForm
  ) throws(CodecError) -> UInt32 {
    let form =
      switch try readBits(2) {
      case 0: first
      case 1: second
      case 2: third
      default: fourth
      }
    switch form {
    case .value(let value): return value
    case .bits(let count, let offset): return try readBits(count) &+ offset
    }
  }

  /// `U32` whose forms all fit in 31 bits, as an integer.
  @_lifetime(self: copy self)
  mutating func readInt(
    _ first: FieldForm, _ second: FieldForm, _ third: FieldForm, _ fourth: FieldForm
  ) throws(CodecError) -> Int {
    Int(try readU32(first, second, third, fourth) & 0x7FFF_FFFF)
  }

  /// `U64`.
  @_lifetime(self: copy self)
  package mutating func readU64() throws(CodecError) -> UInt64 {
    switch try readBits(2) {
    case 0: return 0
    case 1: return 1 + UInt64(try readBits(4))
    case 2: return 17 + UInt64(try readBits(8))
    default: break
    }
    var value = UInt64(try readBits(12))
    var shift: UInt64 = 12
    while try readFlag() {
      if shift == 60 { return value | UInt64(try readBits(4)) << 60 }
      value |= UInt64(try readBits(8)) << shift
      shift += 8
    }
    return value
  }

  /// `F16`: a finite half-precision number.
  @_lifetime(self: copy self)
  mutating func readF16() throws(CodecError) -> Float {
    let bits = UInt16(truncatingIfNeeded: try readBits(16))
    guard bits & 0x7C00 != 0x7C00 else { throw error(.malformed, "a number of a header is not finite") }
    return Float(halfPrecisionBits: bits)
  }

  /// `Enum`: the raw value, of at most 81.
  @_lifetime(self: copy self)
  mutating func readEnum() throws(CodecError) -> Int {
    try readInt(.value(0), .value(1), .bits(4, offset: 2), .bits(6, offset: 18))
  }

  /// A string in UTF-8.
  @_lifetime(self: copy self)
  mutating func readName() throws(CodecError) -> String {
    let count = try readInt(.value(0), .bits(4), .bits(5, offset: 16), .bits(10, offset: 48))
    var bytes: [UInt8] = []
    for _ in 0..<count { bytes.append(UInt8(truncatingIfNeeded: try readBits(8))) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Skips the extensions of a bundle, none of which is defined.
  @_lifetime(self: copy self)
  mutating func skipExtensions() throws(CodecError) {
    var mask = try readU64()
    var total: UInt64 = 0
    while mask != 0 {
      mask &= mask - 1
      let (sum, overflow) = total.addingReportingOverflow(try readU64())
      guard !overflow else { throw error(.malformed, "the size of the extensions overflows") }
      total = sum
    }
    while total > 0 {
      let count = min(total, 32)
      _ = try readBits(Int(count))
      total -= count
    }
  }

  /// Skips to the next byte. The skipped bits must be zero.
  @_lifetime(self: copy self)
  mutating func align() throws(CodecError) {
    guard read(bitCountToByte) == 0 else { throw error(.malformed, "padding bits are not zero") }
    try checkEnd()
  }
}

/// Converts an unsigned number to a signed one: even numbers are positive, odd ones negative.
@inline(__always)
package func unpackSigned(_ value: UInt32) -> Int32 {
  Int32(bitPattern: (value &>> 1) ^ (0 &- (value & 1)))
}
