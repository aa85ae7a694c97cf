// Bits of a codestream, least significant first (ISO/IEC 18181-1, 4.2).

internal import ImageCoding
internal import VectorLanes

/// Reads bits from a span of the codestream.
///
/// Reads past the end return zeros and set ``isOverrun``, so that hot loops need no error path. Fields of headers are
/// read with the throwing methods of `BitReader+Fields.swift`.
package struct BitReader: ~Escapable {
  let bytes: Span<UInt8>
  /// The offset of the first byte in the codestream.
  let baseOffset: Int
  /// The next bits. Bits above ``bitCount`` may be set; they equal the bits that follow.
  private var bits: UInt64 = 0
  /// The number of loaded bits.
  private var bitCount = 0
  /// The index of the next byte to load.
  private var index = 0
  /// The number of zero bits that were loaded past the end.
  private var paddingBitCount = 0

  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, baseOffset: Int) {
    self.bytes = bytes
    self.baseOffset = baseOffset
  }

  /// Whether more bits were consumed than there are.
  var isOverrun: Bool { paddingBitCount > bitCount }
  /// The number of consumed bits, of which the last ones may be past the end.
  private var consumedBitCount: Int { index &* 8 &+ paddingBitCount &- bitCount }
  /// The number of bits up to the next byte.
  var bitCountToByte: Int { (0 &- consumedBitCount) & 7 }
  /// The number of bytes of which at least one bit has been consumed.
  var bytePosition: Int { min(bytes.count, (consumedBitCount &+ 7) &>> 3) }
  /// The offset in the codestream of the next bit's byte.
  var byteOffset: Int { baseOffset + min(bytes.count, consumedBitCount &>> 3) }

  /// Creates an error at the next bit.
  func error(_ kind: CodecError.Kind, _ reason: String) -> CodecError {
    CodecError(kind, reason, format: JXLDecoder.type, byteOffset: byteOffset)
  }

  /// Loads at least 56 bits, and at most 63.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func refill() {
    if index &+ 8 <= bytes.count {
      bits |= loadLittleEndian64(bytes, at: index) &<< UInt64(truncatingIfNeeded: bitCount)
      index &+= (63 &- bitCount) &>> 3
      bitCount |= 56
    } else {
      self = refilledNearEnd()
    }
  }

  /// Returns a copy, so that readers that are local variables can be held in registers.
  @inline(never)
  @_lifetime(copy self)
  private func refilledNearEnd() -> BitReader {
    var reader = self
    // The fast path leaves bits above `bitCount` that equal the following bytes, so that setting them again is harmless.
    while reader.bitCount < 56 {
      if reader.index < bytes.count {
        reader.bits |= UInt64(bytes[reader.index]) &<< UInt64(truncatingIfNeeded: reader.bitCount)
        reader.index &+= 1
      } else {
        reader.paddingBitCount &+= 8
      }
      reader.bitCount &+= 8
    }
    return reader
  }

  /// The next loaded bits, without consuming them.
  @inline(__always)
  var loadedBits: UInt64 { bits }

  /// Consumes loaded bits.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func consume(_ count: Int) {
    bits &>>= UInt64(truncatingIfNeeded: count)
    bitCount &-= count
  }

  /// Returns and consumes loaded bits, at most 32 of them.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func takeLoaded(_ count: Int) -> UInt32 {
    let value = UInt32(truncatingIfNeeded: bits & (1 &<< UInt64(truncatingIfNeeded: count) &- 1))
    consume(count)
    return value
  }

  /// Reads at most 32 bits.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func read(_ count: Int) -> UInt32 {
    refill()
    return takeLoaded(count)
  }
}
