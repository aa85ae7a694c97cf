// Framing: the boxes of ISO base media files and of the JPEG 2000 and JPEG XL containers (ISO/IEC 14496-12, 4.2).

internal import ImageCoding

/// A box: its type and the position of its payload in the input.
package struct ISOBox: Hashable, Sendable {
  /// The type.
  package let type: FourCharacterCode
  /// The range of the payload that is in the input.
  package let payload: Range<Int>
  /// The end of the box, which may be beyond the input.
  package let end: Int
  /// Whether the stated size is 0: the box extends to the end of the file, or of the box that contains it.
  let isOpenEnded: Bool

  /// Whether the box is completely in the input.
  package var isComplete: Bool { end == payload.upperBound }

  /// The payload of a full box, after its version and flags.
  var fullPayload: Range<Int> { min(payload.lowerBound + 4, payload.upperBound)..<payload.upperBound }

  /// Throws `CodecError.Kind.truncated` unless the box is completely in the input.
  func requireComplete(_ type: AssetType) throws(CodecError) {
    guard isComplete else {
      throw CodecError(
        .truncated, "the file ends inside of box '\(self.type)'", format: type, byteOffset: payload.upperBound,
        neededByteCount: end)
    }
  }
}

extension ISOBox {
  /// Returns why the box cannot be in a container, which is completely in the input; `nil` if it can. Only a box of the
  /// file itself may leave its size open (ISO/IEC 14496-12, 4.2).
  func violation(inside range: Range<Int>) -> String? {
    if end > range.upperBound { return "box '\(type)' is longer than the box that contains it" }
    return isOpenEnded ? "box '\(type)' states no size" : nil
  }
}

/// Iterates over the boxes in a range of the input. The last one may be cut off by the end of the input.
///
/// Every step advances by at least the eight bytes of a header, so that the time is linear in the length of the range.
package struct ISOBoxIterator: ~Escapable {
  /// The work units of a step.
  package static let workPerBox = 30

  private let bytes: Span<UInt8>
  /// The position of the next box, which may be beyond the input.
  package private(set) var position: Int
  private let end: Int

  /// Creates an iterator that starts at the beginning of a range.
  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, in range: Range<Int>) {
    self.bytes = bytes
    end = min(range.upperBound, bytes.count)
    position = min(range.lowerBound, end)
  }

  /// Returns the next box; `nil` at the end, or if no complete box header is left.
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
    // A size of 0 means up to the end.
    let isOpenEnded = byteCount == 0
    if isOpenEnded { byteCount = UInt64(available) }
    guard byteCount >= UInt64(headerByteCount), available >= headerByteCount else { return nil }
    let (boxEnd, overflow) = start.addingReportingOverflow(Int(clamping: byteCount))
    guard !overflow else { return nil }
    position = boxEnd
    return ISOBox(
      type: type, payload: start + headerByteCount..<min(boxEnd, end), end: boxEnd, isOpenEnded: isOpenEnded)
  }

  /// Returns the next box of a type.
  @_lifetime(self: copy self)
  package mutating func first(_ type: FourCharacterCode) -> ISOBox? {
    while let box = next() {
      if box.type == type { return box }
    }
    return nil
  }
}
