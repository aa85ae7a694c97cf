// Network abstraction layer units (section 7.3.1).

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
