// Logarithmic luminance with CIE u′v′ chromaticity to RGB (G. Ward, "LogLuv encoding for full-gamut, high-dynamic range
// images"), shown as by libtiff: the primaries of BT.709 with a white of equal energy, and a gamma of 2.

internal import ImageCoding

/// The pixels of a row in LogL or LogLuv.
struct LogLuvRow {
  /// The coding of a pixel, the most significant byte first.
  enum Coding {
    /// A sign and a logarithm of 15 bits.
    case luminance16
    /// A logarithm of 10 bits and the index of a chromaticity.
    case luv24
    /// As ``luminance16``, then u′ and v′ in 8 bits each.
    case luv32
  }

  let coding: Coding
  /// The powers of 2 of the fractions of a logarithm, each in the middle of its step.
  private let powers: [Float]

  init(_ coding: Coding) {
    self.coding = coding
    let stepCount = coding == .luv24 ? 64 : 256
    powers = (0..<stepCount).map {
      Float(ElementaryFunctions.power(2, (Double($0) + 0.5) / Double(stepCount)))
    }
  }

  /// The number of bytes of a pixel.
  var bytesPerPixel: Int {
    switch coding {
    case .luminance16: 2
    case .luv24: 3
    case .luv32: 4
    }
  }

  /// Converts a row to gray or RGB in single precision. Values above 1 are brighter than white; negative ones, of
  /// colours outside the gamut, become 0.
  func expand(_ row: Span<UInt8>, width: Int, into output: inout MutableSpan<UInt8>) {
    let chromaticities = coding == .luv24 ? LogLuvChromaticities.all : []
    for x in 0..<width {
      let from = x &* bytesPerPixel
      let first = Int(row[from]) << 8 | Int(row[from &+ 1])
      switch coding {
      case .luminance16:
        storeNativeUInt32(encoded(luminance16(first)), into: &output, at: 4 &* x)
      case .luv24:
        let index = (first & 0x3F) << 8 | Int(row[from &+ 2])
        storeColor(luminance10(first >> 6), chromaticities[index], x, &output)
      case .luv32:
        let chromaticity = SIMD2(Float(row[from &+ 2]) + 0.5, Float(row[from &+ 3]) + 0.5) / 410
        storeColor(luminance16(first), chromaticity, x, &output)
      }
    }
  }

  /// The luminance of a logarithm in steps of 1/256 from -64; 0 for 0 and negative luminances.
  private func luminance16(_ code: Int) -> Float {
    if code == 0 || code & 0x8000 != 0 { return 0 }
    return Float(sign: .plus, exponent: code >> 8 - 64, significand: powers[code & 0xFF])
  }

  /// The luminance of a logarithm in steps of 1/64 from -12; 0 for 0.
  private func luminance10(_ code: Int) -> Float {
    code == 0 ? 0 : Float(sign: .plus, exponent: code >> 6 - 12, significand: powers[code & 0x3F])
  }

  private func storeColor(
    _ luminance: Float, _ chromaticity: SIMD2<Float>, _ x: Int, _ output: inout MutableSpan<UInt8>
  ) {
    // X and Z for Y = 1 from u′ and v′.
    let (u, v) = (chromaticity[0], chromaticity[1])
    let relativeX = 9 * u / (4 * v)
    let relativeZ = (12 - 3 * u - 20 * v) / (4 * v)
    let red = 2.690 * relativeX - 1.276 - 0.414 * relativeZ
    let green = -1.022 * relativeX + 1.978 + 0.044 * relativeZ
    let blue = 0.061 * relativeX - 0.224 + 1.163 * relativeZ
    storeNativeUInt32(encoded(red * luminance), into: &output, at: 12 &* x)
    storeNativeUInt32(encoded(green * luminance), into: &output, at: 12 &* x &+ 4)
    storeNativeUInt32(encoded(blue * luminance), into: &output, at: 12 &* x &+ 8)
  }

  private func encoded(_ light: Float) -> UInt32 { max(0, light).squareRoot().bitPattern }
}
