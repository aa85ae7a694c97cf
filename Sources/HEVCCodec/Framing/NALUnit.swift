// Network abstraction layer units (section 7.3.1) and how they are found in a byte stream (annex B) or in the samples
// of ISO/IEC 14496-15, which prefix each with its length.

internal import ImageCoding

/// The content of a NAL unit (table 7-1).
struct NALUnitType: Hashable {
  let rawValue: UInt8

  static let videoParameterSet = NALUnitType(rawValue: 32)
  static let sequenceParameterSet = NALUnitType(rawValue: 33)
  static let pictureParameterSet = NALUnitType(rawValue: 34)

  /// Whether it is a slice segment of a picture. Reserved types are not.
  var isSliceSegment: Bool { rawValue <= 9 || (16...21).contains(rawValue) }
  /// Whether it belongs to an intra random access point picture.
  var isRandomAccessPoint: Bool { (16...23).contains(rawValue) }
  /// Whether it belongs to an instantaneous decoding refresh picture.
  var isInstantaneousRefresh: Bool { rawValue == 19 || rawValue == 20 }
}

/// A NAL unit in its input.
struct NALUnit {
  let type: NALUnitType
  /// `nuh_layer_id`; 0 for the only layer that is decoded.
  let layer: UInt8
  /// The bytes after the header.
  let payload: Range<Int>

  static let headerByteCount = 2

  /// Parses the header; `nil` if there is none or its forbidden bit is set.
  init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    guard range.count >= Self.headerByteCount else { return nil }
    let (first, second) = (bytes[range.lowerBound], bytes[range.lowerBound + 1])
    guard first & 0x80 == 0, second & 7 != 0 else { return nil }
    type = NALUnitType(rawValue: first >> 1)
    layer = (first & 1) << 5 | second >> 3
    payload = range.lowerBound + Self.headerByteCount..<range.upperBound
  }
}

/// The delimitation of NAL units.
enum NALUnitFraming {
  /// Each is prefixed with its byte count, a big-endian number of 1…4 bytes.
  case lengthPrefixed(byteCount: Int)
  /// Each follows a start code, 00 00 01.
  case startCodes
}

/// Reads the NAL units of an input in order.
struct NALUnitReader {
  private let framing: NALUnitFraming
  private var position = 0
  /// Whether the last length exceeds the input.
  private(set) var isTruncated = false

  init(_ framing: NALUnitFraming) {
    self.framing = framing
  }

  /// The range of the next NAL unit, header included; `nil` at the end. One that is cut off is returned as far as it is
  /// present.
  mutating func next(_ bytes: Span<UInt8>) -> Range<Int>? {
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

/// The payload of a NAL unit without its emulation prevention bytes (section 7.3.1.1).
struct RawPayload {
  /// Zeros after the payload, so that entropy decoding loads whole words.
  static let paddingByteCount = 16

  /// The payload, then ``paddingByteCount`` zeros.
  let paddedBytes: [UInt8]
  /// Bytes of the payload.
  let byteCount: Int

  init(_ bytes: Span<UInt8>, _ range: Range<Int>, _ budget: inout ResourceBudget) throws(CodecError) {
    try budget.allocate(range.count + Self.paddingByteCount)
    try budget.chargeWork(count: range.count, unitsEach: 2)
    self.init(bytes, range)
  }

  /// A payload that is not charged: a parameter set in a header that is parsed without decoding.
  init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    chargedByteCount = range.count + Self.paddingByteCount
    var count = 0
    paddedBytes = [UInt8](capacity: range.count + Self.paddingByteCount) { output in
      var zeroCount = 0
      for index in range {
        let byte = bytes[index]
        if zeroCount >= 2, byte == 3 {
          zeroCount = 0
          continue
        }
        zeroCount = byte == 0 ? zeroCount &+ 1 : 0
        output.append(byte)
      }
      count = output.count
      for _ in 0..<Self.paddingByteCount { output.append(0) }
    }
    byteCount = count
  }

  /// The bytes that the budget holds for it.
  let chargedByteCount: Int
}
