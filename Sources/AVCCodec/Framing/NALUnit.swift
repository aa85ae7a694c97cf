// Network abstraction layer units (section 7.3.1).

/// The content of a NAL unit (table 7-1).
struct NALUnitType: Hashable {
  let rawValue: UInt8

  static let slice = NALUnitType(rawValue: 1)
  static let instantaneousRefreshSlice = NALUnitType(rawValue: 5)
  static let supplementalInformation = NALUnitType(rawValue: 6)
  static let sequenceParameterSet = NALUnitType(rawValue: 7)
  static let pictureParameterSet = NALUnitType(rawValue: 8)

  /// Whether it is a slice of the primary picture, or of an auxiliary or redundant picture in the same syntax.
  var isSlice: Bool { self == .slice || self == .instantaneousRefreshSlice }
  /// Whether it is a part of a slice whose data is partitioned by importance.
  var isDataPartition: Bool { (2...4).contains(rawValue) }
}

/// A NAL unit in its input.
struct NALUnit {
  let type: NALUnitType
  /// `nal_ref_idc` is not 0.
  let isReference: Bool
  /// The bytes after the header.
  let payload: Range<Int>

  /// Parses the header; `nil` if there is none or its forbidden bit is set.
  init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    guard !range.isEmpty else { return nil }
    let header = bytes[range.lowerBound]
    guard header & 0x80 == 0 else { return nil }
    type = NALUnitType(rawValue: header & 31)
    isReference = header >> 5 & 3 != 0
    payload = range.lowerBound + 1..<range.upperBound
  }
}
