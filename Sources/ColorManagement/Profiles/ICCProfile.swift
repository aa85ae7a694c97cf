// An ICC profile: its header and the elements that a transform needs, read when they are needed.

internal import ImageCore
internal import MetadataFormats

/// The elements of an ICC profile (ICC.1:2022, and ICC.1:2001 for version 2).
struct ICCProfile: Sendable {
  let bytes: [UInt8]
  let header: ICCProfileHeader
  private let tags: ICCTagTable

  /// The colour space of device samples.
  let colorModel: PixelFormat.ColorModel
  /// Whether the profile connection space is CIELAB rather than XYZ.
  let connectsInLab: Bool

  /// Reads the header and the tag table.
  ///
  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.truncated`; `CodecError.Kind.unsupported` for colour
  ///   spaces other than gray, RGB and CMYK, and for profiles that describe no device.
  init(parsing bytes: [UInt8]) throws(CodecError) {
    header = try ICCProfileHeader(parsing: bytes.span)
    tags = try ICCTagTable(parsing: bytes.span)
    self.bytes = bytes
    switch header.dataColorSpace {
    case "GRAY": colorModel = .gray
    case "RGB ": colorModel = .rgb
    case "CMYK": colorModel = .cmyk
    default: throw CodecError(.unsupported, "the ICC profile is for the colour space \(header.dataColorSpace)")
    }
    switch header.connectionSpace {
    case "XYZ ": connectsInLab = false
    case "Lab ": connectsInLab = true
    default:
      throw CodecError(.malformed, "\(header.connectionSpace) is no profile connection space", byteOffset: 20)
    }
    guard ["scnr", "mntr", "prtr", "spac"].contains(header.profileClass) else {
      throw CodecError(.unsupported, "the ICC profile has the class \(header.profileClass), which describes no device")
    }
  }

  /// Returns the position of an element; `nil` if there is none.
  func range(of signature: FourCharacterCode) -> Range<Int>? { tags[signature] }

  private func require(_ signature: FourCharacterCode) throws(CodecError) -> Range<Int> {
    guard let range = tags[signature] else {
      throw CodecError(.malformed, "the ICC profile lacks the tag \(signature)")
    }
    return range
  }

  /// Reads an XYZ element.
  func xyz(_ signature: FourCharacterCode) throws(CodecError) -> SIMD3<Double> {
    let range = try require(signature)
    var reader = ByteReader(bytes.span.extracting(range), baseOffset: range.lowerBound)
    guard FourCharacterCode(rawValue: try reader.readUInt32BigEndian()) == "XYZ " else {
      throw CodecError(.malformed, "the tag \(signature) has the wrong type", byteOffset: range.lowerBound)
    }
    try reader.skip(4)
    return SIMD3(try reader.readFixed16(), try reader.readFixed16(), try reader.readFixed16())
  }

  /// Reads a curve element.
  func curve(
    _ signature: FourCharacterCode, budget: inout ResourceBudget
  ) throws(CodecError) -> ToneCurve {
    let range = try require(signature)
    var reader = ByteReader(bytes.span.extracting(range), baseOffset: range.lowerBound)
    return try ToneCurve(parsing: &reader, budget: &budget)
  }

  /// The white of the medium relative to D50, by the rule for displays of version 2, whose element is often wrong.
  var mediaWhite: SIMD3<Double> {
    guard let white = try? xyz("wtpt"), header.majorVersion >= 4 || header.profileClass != "mntr" else {
      return Colorimetry.d50
    }
    return white
  }

  /// Whether the elements of the matrix or gray type are present.
  var hasMatrixElements: Bool {
    let needed: [FourCharacterCode] =
      switch colorModel {
      case .gray: ["kTRC"]
      case .rgb, .bgr: ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]
      case .cmyk: []
      }
    return !needed.isEmpty && needed.allSatisfy { tags[$0] != nil }
  }
}

extension ByteReader {
  /// Reads an s15Fixed16Number.
  @_lifetime(self: copy self)
  mutating func readFixed16() throws(CodecError) -> Double {
    Double(Int32(bitPattern: try readUInt32BigEndian())) / 65536
  }
}
