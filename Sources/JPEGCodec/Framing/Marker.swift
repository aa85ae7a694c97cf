// The marker codes of ITU-T T.81, table B.1: the byte that follows 0xFF.

/// The second byte of a marker.
struct Marker: Hashable, RawRepresentable {
  var rawValue: UInt8

  static let temporary = Marker(rawValue: 0x01)
  static let defineHuffmanTables = Marker(rawValue: 0xC4)
  static let defineArithmeticConditioning = Marker(rawValue: 0xCC)
  static let startOfImage = Marker(rawValue: 0xD8)
  static let endOfImage = Marker(rawValue: 0xD9)
  static let startOfScan = Marker(rawValue: 0xDA)
  static let defineQuantizationTables = Marker(rawValue: 0xDB)
  static let defineNumberOfLines = Marker(rawValue: 0xDC)
  static let defineRestartInterval = Marker(rawValue: 0xDD)
  static let defineHierarchicalProgression = Marker(rawValue: 0xDE)
  static let expandReference = Marker(rawValue: 0xDF)
  static let application0 = Marker(rawValue: 0xE0)
  static let application1 = Marker(rawValue: 0xE1)
  static let application2 = Marker(rawValue: 0xE2)
  static let application13 = Marker(rawValue: 0xED)
  static let application14 = Marker(rawValue: 0xEE)
  static let comment = Marker(rawValue: 0xFE)

  /// Whether the marker is one of APP0…APP15.
  var isApplication: Bool { rawValue & 0xF0 == 0xE0 }
  /// Whether the segment is needed to decode pixels: frames, scans, tables, restart intervals and numbers of lines,
  /// including the frame and parameters of JPEG-LS (F7, F8).
  var isPartOfImage: Bool {
    switch rawValue {
    case 0xC0...0xC7, 0xC9...0xCF, 0xDA...0xDF, 0xF7, 0xF8: true
    default: false
    }
  }
  /// Whether the marker is one of RST0…RST7.
  var isRestart: Bool { rawValue & 0xF8 == 0xD0 }
  /// Whether the marker is one of SOF0…SOF15: the codes C0…CF except DHT, JPG and DAC.
  var isStartOfFrame: Bool {
    rawValue & 0xF0 == 0xC0 && rawValue != 0xC4 && rawValue != 0xC8 && rawValue != 0xCC
  }
  /// Whether the segment defines tables: DQT, DHT or DAC.
  var definesTables: Bool {
    self == .defineQuantizationTables || self == .defineHuffmanTables || self == .defineArithmeticConditioning
  }
  /// Whether the marker has no length and no segment.
  var isAlone: Bool { isRestart || self == .temporary || self == .startOfImage || self == .endOfImage }
}
