// The chunks that say what colours mean, PNG section 11.3.2: cHRM, gAMA, iCCP, sBIT, sRGB, cICP; and bKGD, 11.3.4.1.

internal import ByteCompression
internal import ImageCore

extension ImageMetadata {
  mutating func readGamma(_ reader: inout ByteReader) throws(DecodeError) {
    let value = try reader.readUInt32BigEndian()
    guard value > 0, value <= 0x7FFF_FFFF else { throw reader.error(.malformed, "gAMA states a gamma of 0") }
    gamma = Double(value) / 100_000
  }

  mutating func readChromaticities(_ reader: inout ByteReader) throws(DecodeError) {
    var points: [Chromaticities.Point] = []
    for _ in 0..<4 {
      let x = Double(try reader.readUInt32BigEndian()) / 100_000
      let y = Double(try reader.readUInt32BigEndian()) / 100_000
      points.append(Chromaticities.Point(x: x, y: y))
    }
    chromaticities = Chromaticities(white: points[0], red: points[1], green: points[2], blue: points[3])
  }

  mutating func readStandardRGB(_ reader: inout ByteReader) throws(DecodeError) {
    let intent = try reader.readUInt8()
    guard intent <= 3 else { throw reader.error(.malformed, "sRGB states an unknown rendering intent") }
    sRGBRenderingIntent = intent
  }

  mutating func readCodePoints(_ reader: inout ByteReader) throws(DecodeError) {
    guard reader.remaining == 4 else { throw reader.error(.malformed, "cICP is not 4 bytes long") }
    let primaries = try reader.readUInt8()
    let transfer = try reader.readUInt8()
    let matrix = try reader.readUInt8()
    let range = try reader.readUInt8()
    guard matrix == 0, range <= 1 else { throw reader.error(.malformed, "cICP describes samples that are not RGB") }
    codePoints = CodingIndependentCodePoints(
      colorPrimaries: primaries, transferFunction: transfer, matrixCoefficients: matrix, isFullRange: range == 1)
  }

  mutating func readSignificantBits(_ reader: inout ByteReader, header: ImageHeader) throws(DecodeError) {
    let count = header.colorType == .palette ? 3 : header.colorType.sampleCount
    let depth = header.colorType == .palette ? 8 : header.bitDepth
    guard reader.remaining == count else { throw reader.error(.malformed, "sBIT is not \(count) bytes long") }
    let bits: [UInt8] = Array(copying: try reader.read(count))
    guard bits.allSatisfy({ $0 > 0 && $0 <= depth }) else {
      throw reader.error(.malformed, "sBIT states more bits than the samples have")
    }
    significantBits = bits
  }

  mutating func readBackground(
    _ reader: inout ByteReader, header: ImageHeader, palette: Palette?
  ) throws(DecodeError) {
    switch header.colorType {
    case .palette:
      let index = Int(try reader.readUInt8())
      guard let palette, index < palette.count else {
        throw reader.error(.malformed, "bKGD names an entry that PLTE does not have")
      }
      background = SampleColor(samples: palette.samples[index * 3..<index * 3 + 3].map(UInt16.init))
    case .gray, .grayAlpha:
      background = SampleColor(samples: [try reader.readUInt16BigEndian()])
    case .rgb, .rgba:
      var samples: [UInt16] = []
      for _ in 0..<3 { samples.append(try reader.readUInt16BigEndian()) }
      background = SampleColor(samples: samples)
    }
  }

  mutating func readICCProfile(_ reader: inout ByteReader, limits: DecodingLimits) throws(DecodeError) {
    let name = try reader.readKeyword()
    guard try reader.readUInt8() == 0 else { throw reader.error(.malformed, "iCCP is compressed by unknown means") }
    let offset = reader.byteOffset
    iccProfile = try ZlibBlock.decompress(
      try reader.read(reader.remaining), maximumByteCount: limits.maximumMetadataChunkByteCount,
      format: PNGDecoder.type, byteOffset: offset)
    iccProfileName = name
  }

  /// What the samples mean, by the precedence of section 4.3: cICP, iCCP, sRGB, gAMA with cHRM.
  var colorSpace: ColorSpace {
    if let codePoints { return .codePoints(codePoints) }
    if let iccProfile { return .icc(iccProfile) }
    if sRGBRenderingIntent != nil { return .sRGB }
    if gamma != nil || chromaticities != nil { return .calibrated(gamma: gamma, chromaticities: chromaticities) }
    return .unspecified
  }
}
