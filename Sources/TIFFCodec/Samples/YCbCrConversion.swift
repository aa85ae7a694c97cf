// YCbCr to RGB with the coefficients and the range that a directory states (TIFF 6.0, sections 20 and 21).

internal import ImageCoding

/// The conversion of 8-bit YCbCr samples to RGB.
struct YCbCrConversion {
  /// For each value: luma, and the shares of Cr in red and of Cb in blue, with 16 fraction bits.
  private let luma: [Int32]
  private let redOfCr: [Int32]
  private let blueOfCb: [Int32]
  /// The shares of Cr and Cb in green.
  private let greenOfCr: [Int32]
  private let greenOfCb: [Int32]

  /// Creates the conversion of an image. The defaults are BT.601 and, for the range, 0…255 with chroma centred at 128.
  init(_ values: borrowing DirectoryValues) {
    let stated = values.fractions(.yCbCrCoefficients, count: 3)
    let weights = stated.count == 3 && stated[1] > 0 ? stated : [0.299, 0.587, 0.114]
    let range = values.fractions(.referenceBlackWhite, count: 6)
    let limits: [Float] = range.count == 6 ? range : [0, 255, 128, 255, 128, 255]
    func table(_ value: (Float) -> Float) -> [Int32] {
      (0..<256).map { index in
        let number = value(Float(index)) * 65536
        return number.isFinite ? Int32(max(-0x1000_0000, min(0x1000_0000, number))) : 0
      }
    }
    func chroma(_ code: Float, _ black: Float, _ white: Float) -> Float {
      white == black ? 0 : (code - black) * 127 / (white - black)
    }
    luma = table { limits[1] == limits[0] ? 0 : ($0 - limits[0]) * 255 / (limits[1] - limits[0]) + 0.5 }
    let (red, green, blue) = (weights[0], weights[1], weights[2])
    redOfCr = table { chroma($0, limits[4], limits[5]) * (2 - 2 * red) }
    blueOfCb = table { chroma($0, limits[2], limits[3]) * (2 - 2 * blue) }
    greenOfCr = table { -chroma($0, limits[4], limits[5]) * (2 - 2 * red) * red / green }
    greenOfCb = table { -chroma($0, limits[2], limits[3]) * (2 - 2 * blue) * blue / green }
  }

  /// Converts one pixel.
  @inline(__always)
  func rgb(_ y: UInt8, _ cb: UInt8, _ cr: UInt8) -> (UInt8, UInt8, UInt8) {
    let (y, cb, cr) = (Int(y), Int(cb), Int(cr))
    return (
      clamp(luma[y] &+ redOfCr[cr]), clamp(luma[y] &+ greenOfCr[cr] &+ greenOfCb[cb]), clamp(luma[y] &+ blueOfCb[cb])
    )
  }

  @inline(__always)
  private func clamp(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: max(0, min(255, value &>> 16)))
  }
}

/// Chroma with fewer samples than luma, stored in units of some luma samples, one Cb and one Cr.
struct SubsampledRow {
  /// The number of luma samples from left to right and from top to bottom of a unit.
  let horizontal: Int
  let vertical: Int

  /// The number of bytes of a unit.
  var unitByteCount: Int { horizontal * vertical + 2 }

  /// Extracts one row of pixels from a row of units. Chroma is replicated, as in libtiff.
  ///
  /// - Parameters:
  ///   - units: a row of units.
  ///   - line: the index of the row of pixels within the units.
  ///   - output: receives Y, Cb and Cr of `width` pixels.
  func expand(_ units: Span<UInt8>, line: Int, width: Int, into output: inout MutableSpan<UInt8>) {
    for x in 0..<width {
      let unit = x / horizontal * unitByteCount
      output[3 &* x] = units[unit &+ line &* horizontal &+ x % horizontal]
      output[3 &* x &+ 1] = units[unit &+ horizontal &* vertical]
      output[3 &* x &+ 2] = units[unit &+ horizontal &* vertical &+ 1]
    }
  }
}
