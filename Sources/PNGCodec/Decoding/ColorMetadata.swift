// The chunks that define the meaning of colours, PNG section 11.3.2: cHRM, gAMA, iCCP, sBIT, sRGB, cICP, mDCV and cLLI;
// also bKGD, section 11.3.4.1.

internal import ByteCompression
internal import ImageCoding

extension ImageMetadata {
  mutating func readGamma(_ reader: inout ByteReader) throws(CodecError) {
    let value = try reader.readUInt32BigEndian()
    guard value > 0, value <= 0x7FFF_FFFF else { throw reader.error(.malformed, "gAMA has a gamma of 0") }
    var calibration = colorSpace.calibration ?? ColorSpace.Calibration()
    calibration.gamma = Double(value) / 100_000
    colorSpace.calibration = calibration
  }

  mutating func readChromaticities(_ reader: inout ByteReader) throws(CodecError) {
    var points: [Chromaticities.Point] = []
    for _ in 0..<4 {
      let x = Double(try reader.readUInt32BigEndian()) / 100_000
      let y = Double(try reader.readUInt32BigEndian()) / 100_000
      points.append(Chromaticities.Point(x: x, y: y))
    }
    var calibration = colorSpace.calibration ?? ColorSpace.Calibration()
    calibration.chromaticities = Chromaticities(
      white: points[0], red: points[1], green: points[2], blue: points[3])
    colorSpace.calibration = calibration
  }

  mutating func readStandardRGB(_ reader: inout ByteReader) throws(CodecError) {
    let intent = try reader.readUInt8()
    guard intent <= 3 else { throw reader.error(.malformed, "sRGB has an unknown rendering intent") }
    sRGBRenderingIntent = intent
    colorSpace.isMarkedAsSRGB = true
  }

  mutating func readCodePoints(_ reader: inout ByteReader) throws(CodecError) {
    guard reader.remaining == 4 else { throw reader.error(.malformed, "cICP is not 4 bytes long") }
    let primaries = try reader.readUInt8()
    let transfer = try reader.readUInt8()
    let matrix = try reader.readUInt8()
    let range = try reader.readUInt8()
    guard matrix == 0, range <= 1 else { throw reader.error(.malformed, "cICP describes samples that are not RGB") }
    colorSpace.codePoints = CodingIndependentCodePoints(
      colorPrimaries: primaries, transferFunction: transfer, matrixCoefficients: matrix, isFullRange: range == 1)
    preferCodePoints()
  }

  mutating func readSignificantBits(_ reader: inout ByteReader, header: ImageHeader) throws(CodecError) {
    let count = header.colorType == .palette ? 3 : header.colorType.sampleCount
    let depth = header.colorType == .palette ? 8 : header.bitDepth
    guard reader.remaining == count else { throw reader.error(.malformed, "sBIT is not \(count) bytes long") }
    let bits: [UInt8] = Array(copying: try reader.read(count))
    guard bits.allSatisfy({ $0 > 0 && $0 <= depth }) else {
      throw reader.error(.malformed, "sBIT has more bits than the samples")
    }
    significantBits = bits
  }

  mutating func readBackground(
    _ reader: inout ByteReader, header: ImageHeader, palette: Palette?
  ) throws(CodecError) {
    switch header.colorType {
    case .palette:
      let index = Int(try reader.readUInt8())
      guard let palette, index < palette.count else {
        throw reader.error(.malformed, "bKGD refers to an entry that PLTE does not have")
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

  mutating func readICCProfile(_ reader: inout ByteReader, budget: inout ResourceBudget) throws(CodecError) {
    let name = try reader.readKeyword()
    guard try reader.readUInt8() == 0 else { throw reader.error(.malformed, "iCCP has an unknown compression method") }
    let offset = reader.byteOffset
    colorSpace.iccProfile = try ZlibBlock.decompressMetadata(
      try reader.read(reader.remaining), budget: &budget, byteOffset: offset)
    iccProfileName = name
    preferCodePoints()
  }

  mutating func readMasteringDisplay(_ reader: inout ByteReader) throws(CodecError) {
    guard reader.remaining == 24 else { throw reader.error(.malformed, "mDCV is not 24 bytes long") }
    var points: [Chromaticities.Point] = []
    for _ in 0..<4 {
      let x = Double(try reader.readUInt16BigEndian()) / 50_000
      let y = Double(try reader.readUInt16BigEndian()) / 50_000
      points.append(Chromaticities.Point(x: x, y: y))
    }
    let maximum = Double(try reader.readUInt32BigEndian()) / 10_000
    let minimum = Double(try reader.readUInt32BigEndian()) / 10_000
    colorSpace.masteringDisplay = MasteringDisplay(
      chromaticities: Chromaticities(white: points[3], red: points[0], green: points[1], blue: points[2]),
      maximumLuminance: maximum, minimumLuminance: minimum)
  }

  mutating func readContentLightLevel(_ reader: inout ByteReader) throws(CodecError) {
    guard reader.remaining == 8 else { throw reader.error(.malformed, "cLLI is not 8 bytes long") }
    colorSpace.contentLightLevel = ContentLightLevel(
      maximum: Double(try reader.readUInt32BigEndian()) / 10_000,
      maximumFrameAverage: Double(try reader.readUInt32BigEndian()) / 10_000)
  }

  /// cICP takes precedence over iCCP (section 4.3).
  private mutating func preferCodePoints() {
    colorSpace.prefersCodePoints = colorSpace.codePoints != nil && colorSpace.iccProfile != nil
  }
}
