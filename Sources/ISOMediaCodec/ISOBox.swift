// Framing: the boxes of ISO base media files and of the JPEG 2000 and JPEG XL containers (ISO/IEC 14496-12, 4.2).

package import ImageCore

/// A box: its type and the position of its payload in the input.
package struct ISOBox: Hashable, Sendable {
  /// The type.
  package let type: FourCharacterCode
  /// The payload as far as it has arrived.
  package let payload: Range<Int>
  /// Where the box ends, arrived or not.
  package let end: Int

  /// Whether all of the box has arrived.
  package var isComplete: Bool { end == payload.upperBound }

  /// The payload of a box that starts with a version and flags, behind both.
  var fullPayload: Range<Int> { min(payload.lowerBound + 4, payload.upperBound)..<payload.upperBound }

  /// Throws ``CodecError/Kind/truncated`` unless all of the box has arrived.
  func requireComplete(_ type: AssetType) throws(CodecError) {
    guard isComplete else {
      throw CodecError(
        .truncated, "the file ends inside of box '\(self.type)'", format: type, byteOffset: payload.upperBound,
        neededByteCount: end)
    }
  }
}

extension ISOBox {
  /// Checks that a box ends within the one that contains it, all of which has arrived.
  ///
  /// - Throws: ``CodecError/Kind/malformed``.
  func requireInside(_ range: Range<Int>) throws(CodecError) {
    guard end <= range.upperBound else {
      throw CodecError(
        .malformed, "box '\(type)' is longer than the box that contains it", format: ISOMediaDecoder.heif,
        byteOffset: payload.lowerBound - 8)
    }
  }
}

/// The boxes of a range of the input, in order. The last one may be cut off by the end of the input.
///
/// Every step moves on by at least the eight bytes of a header, so that a walk takes no longer than its range is long.
package struct ISOBoxIterator: ~Escapable {
  /// Units of work that a step costs.
  package static let workPerBox = 30

  private let bytes: Span<UInt8>
  /// Where the next box starts, arrived or not.
  package private(set) var position: Int
  private let end: Int

  /// Starts at the beginning of a range.
  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, in range: Range<Int>) {
    self.bytes = bytes
    end = min(range.upperBound, bytes.count)
    position = min(range.lowerBound, end)
  }

  /// The next box; `nil` at the end, or where no whole box header is left.
  @_lifetime(self: copy self)
  package mutating func next() -> ISOBox? {
    let start = position
    guard start <= end - 8, let size = FourCharacterCode(bytes, at: start),
      let type = FourCharacterCode(bytes, at: start + 4)
    else { return nil }
    var headerByteCount = 8
    var byteCount = UInt64(size.rawValue)
    if byteCount == 1 {
      guard let high = FourCharacterCode(bytes, at: start + 8), let low = FourCharacterCode(bytes, at: start + 12)
      else { return nil }
      byteCount = UInt64(high.rawValue) << 32 | UInt64(low.rawValue)
      headerByteCount = 16
    }
    let available = end - start
    // Size 0 is up to the end.
    if byteCount == 0 { byteCount = UInt64(available) }
    guard byteCount >= UInt64(headerByteCount), available >= headerByteCount else { return nil }
    let (boxEnd, overflow) = start.addingReportingOverflow(Int(clamping: byteCount))
    guard !overflow else { return nil }
    position = boxEnd
    return ISOBox(type: type, payload: start + headerByteCount..<min(boxEnd, end), end: boxEnd)
  }

  /// The next box of a type.
  @_lifetime(self: copy self)
  package mutating func first(_ type: FourCharacterCode) -> ISOBox? {
    while let box = next() {
      if box.type == type { return box }
    }
    return nil
  }
}
