// The colour space of BITMAPV4HEADER and BITMAPV5HEADER: a tag, primaries and gammas, or an ICC profile elsewhere in
// the file.

internal import ImageCoding

/// The colour space that a header states.
struct BMPColorTags: Hashable, Sendable {
  /// The colour space without the profile.
  private(set) var colorSpace = ColorSpace.unspecified
  /// The ICC.1 rendering intent (0…3) of an image marked as sRGB; `nil` if none is stated.
  private(set) var sRGBRenderingIntent: UInt8?
  /// The position of an embedded profile in the file; empty if there is none.
  private(set) var profileRange = 0..<0

  /// Creates the tags of a header without any.
  init() {}

  /// Reads the tags, which follow the masks.
  ///
  /// - Parameter headerOffset: the offset of the header, which that of the profile is relative to.
  init(parsing reader: inout ByteReader, headerOffset: Int, isVersion5: Bool) throws(CodecError) {
    let tag = FourCharacterCode(rawValue: try reader.readUInt32LittleEndian())
    var endpoints: [Double] = []
    for _ in 0..<9 { endpoints.append(Double(Int32(bitPattern: try reader.readUInt32LittleEndian())) / 0x4000_0000) }
    var gammas: [Double] = []
    for _ in 0..<3 { gammas.append(Double(try reader.readUInt32LittleEndian()) / 0x1_0000) }
    switch tag {
    // "Win " is the same colour space as "sRGB".
    case "sRGB", "Win ": colorSpace = .sRGB
    case FourCharacterCode(rawValue: 0): colorSpace = Self.calibration(endpoints, gammas)
    default: break
    }
    guard isVersion5 else { return }
    let intent = try reader.readUInt32LittleEndian()
    if colorSpace.isMarkedAsSRGB { sRGBRenderingIntent = Self.renderingIntent(intent) }
    let offset = Int(clamping: try reader.readUInt32LittleEndian())
    let byteCount = Int(clamping: try reader.readUInt32LittleEndian())
    try reader.skip(4)
    // A linked profile ("LINK") is a file name and is ignored.
    guard tag == "MBED", byteCount > 0 else { return }
    let (start, startOverflow) = headerOffset.addingReportingOverflow(offset)
    let (end, endOverflow) = start.addingReportingOverflow(byteCount)
    if !startOverflow, !endOverflow { profileRange = start..<end }
  }

  /// Returns the calibration by CIE XYZ endpoints and gammas; unspecified if they are not plausible, as in the many
  /// files that contain zeros.
  private static func calibration(_ endpoints: [Double], _ gammas: [Double]) -> ColorSpace {
    func point(_ x: Double, _ y: Double, _ z: Double) -> Chromaticities.Point? {
      let sum = x + y + z
      guard x >= 0, y > 0, z >= 0 else { return nil }
      return Chromaticities.Point(x: x / sum, y: y / sum)
    }
    guard let red = point(endpoints[0], endpoints[1], endpoints[2]),
      let green = point(endpoints[3], endpoints[4], endpoints[5]),
      let blue = point(endpoints[6], endpoints[7], endpoints[8]),
      let white = point(
        endpoints[0] + endpoints[3] + endpoints[6], endpoints[1] + endpoints[4] + endpoints[7],
        endpoints[2] + endpoints[5] + endpoints[8])
    else { return .unspecified }
    // One exponent applies to all samples here. Files with three different ones are not known.
    let gamma = gammas[1]
    let hasGamma = gamma > 0.1 && gamma < 10 && gammas.allSatisfy { abs($0 - gamma) < 0.01 }
    return .calibrated(
      gamma: hasGamma ? 1 / gamma : nil,
      chromaticities: Chromaticities(white: white, red: red, green: green, blue: blue))
  }

  /// Returns the ICC.1 intent of a GDI one: business, graphics, images or absolute colorimetric.
  private static func renderingIntent(_ intent: UInt32) -> UInt8? {
    switch intent {
    case 1: 2
    case 2: 1
    case 4: 0
    case 8: 3
    default: nil
    }
  }

  /// Returns the embedded profile; `nil` if there is none in the input.
  func profile(in bytes: Span<UInt8>, limits: DecodingLimits) -> [UInt8]? {
    guard !profileRange.isEmpty, profileRange.count <= limits.maximumMetadataChunkByteCount,
      profileRange.upperBound <= bytes.count
    else { return nil }
    return Array(copying: bytes.extracting(profileRange))
  }
}
