// The meaning of the colours of the decoded image (ISO/IEC 18181-1, A.4).

internal import ImageCoding

/// `ColorEncoding`.
package struct ColorEncoding: Hashable, Sendable {
  /// The colour model.
  package enum Model: Int, Hashable, Sendable {
    case rgb
    case gray
    case xyb
    case unknown
  }

  /// The transfer function.
  package enum Transfer: Hashable, Sendable {
    /// An encoding exponent of at most 1.
    case gamma(Double)
    /// A code point of H.273.
    case codePoint(UInt8)
  }

  /// Whether an ICC profile follows the headers, which describes the colours.
  package var hasICCProfile = false
  package var model = Model.rgb
  /// `nil` for XYB.
  package var white: Chromaticities.Point? = .jxlD65
  /// Red, green and blue; empty for other models.
  package var primaries: [Chromaticities.Point] = Chromaticities.Point.jxlSRGB
  /// The H.273 code point of white and primaries; `nil` if there is none.
  package var primariesCodePoint: UInt8? = 1
  package var transfer = Transfer.codePoint(13)
  /// The ICC rendering intent.
  package var intent = 1

  /// sRGB by default.
  package init() {}

  /// The primaries of sRGB without a transfer function.
  package static let linearSRGB: ColorEncoding = {
    var encoding = ColorEncoding()
    encoding.transfer = .codePoint(8)
    return encoding
  }()

  package init(parsing bits: inout BitReader) throws(CodecError) {
    if try bits.readFlag() { return }
    hasICCProfile = try bits.readFlag()
    guard let model = Model(rawValue: try bits.readEnum()) else {
      throw bits.error(.malformed, "the colour space is unknown")
    }
    self.model = model
    if hasICCProfile { return }
    if model == .xyb {
      (white, primaries, primariesCodePoint) = (nil, [], nil)
    } else {
      let whiteCode = try readWhite(&bits)
      try readPrimaries(&bits, whiteCode)
      try readTransfer(&bits)
    }
    intent = try bits.readEnum()
    guard intent <= 3 else { throw bits.error(.malformed, "the rendering intent is unknown") }
  }

  private mutating func readWhite(_ bits: inout BitReader) throws(CodecError) -> Int {
    let code = try bits.readEnum()
    switch code {
    case 1: white = .jxlD65
    case 2: white = try Chromaticities.Point(parsing: &bits)
    case 10: white = Chromaticities.Point(x: 1.0 / 3, y: 1.0 / 3)
    case 11: white = Chromaticities.Point(x: 0.314, y: 0.351)
    default: throw bits.error(.malformed, "the white point is unknown")
    }
    return code
  }

  private mutating func readPrimaries(_ bits: inout BitReader, _ whiteCode: Int) throws(CodecError) {
    guard model != .gray else {
      primaries = []
      primariesCodePoint = whiteCode == 1 ? 1 : nil
      return
    }
    let code = try bits.readEnum()
    switch code {
    case 1: primaries = Chromaticities.Point.jxlSRGB
    case 2:
      primaries = [
        try Chromaticities.Point(parsing: &bits), try Chromaticities.Point(parsing: &bits),
        try Chromaticities.Point(parsing: &bits),
      ]
    case 9: primaries = Chromaticities.Point.points((0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
    case 11: primaries = Chromaticities.Point.points((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
    default: throw bits.error(.malformed, "the primaries are unknown")
    }
    primariesCodePoint =
      switch (code, whiteCode) {
      case (1, 1): 1
      case (9, 1): 9
      case (11, 1): 12
      case (11, 11): 11
      default: nil
      }
  }

  private mutating func readTransfer(_ bits: inout BitReader) throws(CodecError) {
    if try bits.readFlag() {
      let gamma = try bits.readInt(24)
      guard gamma > 0, gamma <= 10_000_000 else {
        throw bits.error(.malformed, "the encoding exponent is \(gamma)·10⁻⁷")
      }
      transfer = .gamma(Double(gamma) * 1e-7)
      return
    }
    let code = try bits.readEnum()
    guard [1, 2, 8, 13, 16, 17, 18].contains(code) else {
      throw bits.error(.malformed, "the transfer function is unknown")
    }
    transfer = .codePoint(UInt8(truncatingIfNeeded: code))
  }

  /// The number of colour channels of the decoded image.
  package var channelCount: Int { model == .gray ? 1 : 3 }
}

extension Chromaticities.Point {
  static let jxlD65 = Chromaticities.Point(x: 0.3127, y: 0.3290)
  static let jxlSRGB = points(
    (0.639998686, 0.330010138), (0.300003784, 0.600003357), (0.150002046, 0.059997204))

  static func points(_ values: (Double, Double)...) -> [Chromaticities.Point] {
    values.map { Chromaticities.Point(x: $0.0, y: $0.1) }
  }

  /// Reads `Customxy`, in millionths.
  init(parsing bits: inout BitReader) throws(CodecError) {
    func readCoordinate(_ bits: inout BitReader) throws(CodecError) -> Double {
      let value = try bits.readU32(
        .bits(19), .bits(19, offset: 524_288), .bits(20, offset: 1_048_576), .bits(21, offset: 2_097_152))
      return Double(unpackSigned(value)) * 1e-6
    }
    self.init(x: try readCoordinate(&bits), y: try readCoordinate(&bits))
  }
}
