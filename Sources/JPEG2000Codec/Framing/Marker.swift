// The markers of a codestream (ITU-T T.800, A.2).

/// A marker: two bytes, of which the first is 0xFF.
struct Marker: Hashable, Sendable {
  let code: UInt16

  static let startOfCodestream = Marker(code: 0xFF4F)
  static let capabilities = Marker(code: 0xFF50)
  static let size = Marker(code: 0xFF51)
  static let codingStyleDefault = Marker(code: 0xFF52)
  static let codingStyleComponent = Marker(code: 0xFF53)
  static let quantizationDefault = Marker(code: 0xFF5C)
  static let quantizationComponent = Marker(code: 0xFF5D)
  static let regionOfInterest = Marker(code: 0xFF5E)
  static let progressionOrderChange = Marker(code: 0xFF5F)
  static let packedHeadersMain = Marker(code: 0xFF60)
  static let packedHeadersTile = Marker(code: 0xFF61)
  static let comment = Marker(code: 0xFF64)
  static let startOfTilePart = Marker(code: 0xFF90)
  static let startOfPacket = Marker(code: 0xFF91)
  static let endOfPacketHeader = Marker(code: 0xFF92)
  static let startOfData = Marker(code: 0xFF93)
  static let endOfCodestream = Marker(code: 0xFFD9)

  /// Whether a length and parameters follow.
  var hasSegment: Bool {
    let isBare = self == .startOfCodestream || self == .startOfData || self == .endOfCodestream
    return !isBare && self != .endOfPacketHeader && !(0xFF30...0xFF3F).contains(code)
  }

  /// The extension of ITU-T T.801 that the marker belongs to, if it changes how the samples are decoded.
  var extensionName: String? {
    switch code {
    case 0xFF72: "arbitrary decomposition styles or transformation kernels (ADS, ATK)"
    case 0xFF73: "downsampling factor styles (DFS)"
    case 0xFF74...0xFF78: "component transforms of Part 2 (MCT, MCC, MCO, CBD)"
    case 0xFF79: "arbitrary transformation kernels (ATK)"
    case 0xFF70, 0xFF71, 0xFF7A...0xFF7F: "marker \(String(code, radix: 16)) of Part 2"
    default: nil
    }
  }

  /// Reads the marker at an offset; `nil` if fewer than two bytes remain.
  init?(_ bytes: Span<UInt8>, at offset: Int) {
    guard offset >= 0, offset <= bytes.count - 2 else { return nil }
    code = UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
  }

  private init(code: UInt16) {
    self.code = code
  }
}
