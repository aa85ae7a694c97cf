// How network abstraction layer units are found in a byte stream (annex B of H.264 and H.265) or in the samples of
// ISO/IEC 14496-15, which prefix each with its length.

/// The delimitation of NAL units.
package enum NALUnitFraming: Sendable {
  /// Each is prefixed with its byte count, a big-endian number of 1…4 bytes.
  case lengthPrefixed(byteCount: Int)
  /// Each follows a start code, 00 00 01.
  case startCodes
}

/// Reads the NAL units of an input in order.
package struct NALUnitReader {
  private let framing: NALUnitFraming
  private var position = 0
  /// Whether the last length exceeds the input.
  package private(set) var isTruncated = false

  package init(_ framing: NALUnitFraming) {
    self.framing = framing
  }

  /// The range of the next NAL unit, header included; `nil` at the end. One that is cut off is returned as far as it is
  /// present.
  package mutating func next(_ bytes: Span<UInt8>) -> Range<Int>? {
    switch framing {
    case .lengthPrefixed(let byteCount): nextPrefixed(bytes, byteCount)
    case .startCodes: nextAfterStartCode(bytes)
    }
  }

  private mutating func nextPrefixed(_ bytes: Span<UInt8>, _ byteCount: Int) -> Range<Int>? {
    guard position < bytes.count else { return nil }
    guard bytes.count - position >= byteCount else {
      isTruncated = true
      position = bytes.count
      return nil
    }
    var length: UInt32 = 0
    for index in position..<position + byteCount { length = length << 8 | UInt32(bytes[index]) }
    let start = position + byteCount
    if length > UInt32(clamping: bytes.count - start) { isTruncated = true }
    let end = start + Int(min(length, UInt32(clamping: bytes.count - start)))
    position = end
    return start..<end
  }

  private mutating func nextAfterStartCode(_ bytes: Span<UInt8>) -> Range<Int>? {
    guard let start = Self.startCode(bytes, from: position).map({ $0 + 3 }) else {
      position = bytes.count
      return nil
    }
    let next = Self.startCode(bytes, from: start)
    var end = next ?? bytes.count
    position = end
    while end > start, bytes[end - 1] == 0 { end -= 1 }
    return start..<end
  }

  private static func startCode(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index + 2 < bytes.count {
      if bytes[index + 2] > 1 {
        index += 3
      } else if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
        return index
      } else {
        index += 1
      }
    }
    return nil
  }
}
