// Rows of a planar picture to rows of pixels: chroma is upsampled to the resolution of luma, converted and combined
// with alpha. The arithmetic is fixed per picture and selected by one switch per row.

package import ImageCoding

/// The arithmetic of the colour conversion. All three follow the same equations and differ in chroma filters and
/// rounding.
public enum PlanarArithmetic: String, Hashable, Sendable {
  /// ITU-T H.273 in single precision, rounded once. Supports any matrix, range and depth.
  case exact
  /// The fixed point of libjpeg-turbo. Supports 8 bits, BT.601, full range.
  case libjpeg
  /// The fixed point of libwebp. Supports 8 bits, BT.601, limited range, 4:2:0 or 4:4:4.
  case libwebp

  func supports(_ picture: borrowing PlanarPicture) -> Bool {
    let coding = picture.coding
    let isFixed = picture.bitDepth == 8 && coding.matrix.lumaWeights == MatrixCoefficients.bt601.lumaWeights
    return switch self {
    case .exact: true
    case .libjpeg: isFixed && coding.range == .full
    case .libwebp:
      isFixed && coding.range == .limited && (picture.chromaFormat == .yuv420 || picture.chromaFormat == .yuv444)
    }
  }
}

/// Converts rows of pictures of one size and coding.
package struct PlanarRowConverter {
  private let arithmetic: PlanarArithmetic
  private let interpolation: ChromaInterpolation
  private let chromaFormat: ChromaFormat
  private let coding: PlanarPicture.Coding
  private let equations: ColorEquations
  private let width: Int
  private let height: Int
  /// The format of ``staging``: RGBA of 8 or 16 bits.
  private let stagedFormat: PixelFormat
  /// Whether premultiplied colours are divided by alpha before they are rounded, as libavif does where chroma is
  /// interpolated. Elsewhere, premultiplied pixels are rounded, then divided and rounded again.
  private let dividesByAlpha: Bool
  private var converter: PixelRowConverter
  private var staging: [UInt8]
  private var numbers: Numbers
  /// The scales of luma and chroma, and the values of 8-bit samples.
  private let scales: (luma: SampleScale, chroma: SampleScale)
  private let tables: (luma: [Float], chroma: [Float])
  private var samples: Samples

  /// Rows of floating-point values for the exact arithmetic.
  private struct Numbers {
    var luma, cb, cr, near, far, alpha: [Float]
  }

  /// Rows of 8-bit samples for the integer arithmetics.
  private struct Samples {
    var luma, cb, cr: [UInt8]
  }

  /// Creates a converter to `format`.
  ///
  /// - Throws: `CodecError.Kind.unsupported` if the arithmetic or the matrix is not applicable to the picture.
  package init(
    for picture: borrowing PlanarPicture, format: PixelFormat, arithmetic: PlanarArithmetic,
    interpolation: ChromaInterpolation
  ) throws(CodecError) {
    guard arithmetic.supports(picture) else {
      throw CodecError(
        .unsupported,
        "\(arithmetic) conversion of \(picture.bitDepth)-bit \(picture.chromaFormat.rawValue) planes with this matrix and "
          + "range is not supported")
    }
    (self.arithmetic, self.interpolation) = (arithmetic, interpolation)
    (chromaFormat, coding, width, height) = (picture.chromaFormat, picture.coding, picture.width, picture.height)
    equations = try Self.equations(picture)
    guard equations != .identity || chromaFormat == .yuv444 || chromaFormat == .monochrome else {
      throw CodecError(.malformed, "planes of green, blue and red have different sizes")
    }
    let isWide = format.bitsPerSample == 16 && arithmetic == .exact
    let staged: PixelFormat = isWide ? .rgba16 : .rgba8
    let isPremultiplied = picture.isPremultiplied && picture.alpha != nil
    dividesByAlpha =
      isPremultiplied && arithmetic == .exact && format.alpha != .premultiplied && interpolation != .nearest
      && (chromaFormat.horizontalRatio == 2 || chromaFormat.verticalRatio == 2)
    stagedFormat = isPremultiplied && !dividesByAlpha ? staged.premultiplied : staged
    converter = PixelRowConverter(from: stagedFormat, to: format)
    let padded = (width + 15) & ~15
    staging = [UInt8](repeating: 0, count: padded * (isWide ? 8 : 4))
    let isExact = arithmetic == .exact
    let none = [Float](repeating: 0, count: isExact ? padded : 0)
    let lumaScale = SampleScale.luma(bitDepth: picture.bitDepth, range: coding.range)
    let chromaScale =
      equations == .identity ? lumaScale : SampleScale.chroma(bitDepth: picture.bitDepth, range: coding.range)
    scales = (lumaScale, chromaScale)
    tables = isExact && picture.bitDepth == 8 ? (lumaScale.table, chromaScale.table) : ([], [])
    numbers = Numbers(luma: none, cb: none, cr: none, near: none, far: none, alpha: dividesByAlpha ? none : [])
    // Room for whole chroma samples, which upsampling writes even if the width is odd.
    let row = [UInt8](repeating: 128, count: isExact ? 0 : padded + 16)
    samples = Samples(luma: row, cb: row, cr: row)
  }

  private static func equations(_ picture: borrowing PlanarPicture) throws(CodecError) -> ColorEquations {
    let matrix = picture.coding.matrix
    if matrix == .identity { return .identity }
    if matrix == .yCgCo { return .yCgCo }
    let primaries = picture.colorSpace.codePoints?.colorPrimaries ?? 2
    guard let weights = matrix.lumaWeights(colorPrimaries: primaries) else {
      let missing =
        matrix == .chromaticityDerived ? "the colour primaries \(primaries)" : "matrix coefficients \(matrix.rawValue)"
      throw CodecError(.unsupported, "\(missing) are not supported")
    }
    return .weights(weights)
  }

  /// Converts row `y` of a picture of the size and coding for which the converter was created.
  package mutating func convert(
    row y: Int, of picture: borrowing PlanarPicture, into row: inout MutableSpan<UInt8>
  ) {
    precondition(picture.width == width && picture.height == height, "the picture does not have the converter's size")
    // Moved out, so that the rest of this value can be used while it is written.
    var pixels = staging
    staging = []
    var staged = pixels.mutableSpan
    if arithmetic == .exact {
      convertExactly(y, picture, into: &staged)
    } else {
      convertInIntegers(y, picture, into: &staged)
    }
    if let alpha = picture.alpha { setAlpha(from: alpha, y, in: &staged) }
    converter.convert(pixels.span.extracting(0..<width * stagedFormat.bytesPerPixel), into: &row)
    staging = pixels
  }
}

// MARK: Exact arithmetic

extension PlanarRowConverter {
  private mutating func convertExactly(
    _ y: Int, _ picture: borrowing PlanarPicture, into output: inout MutableSpan<UInt8>
  ) {
    normalize(picture.luma, y, scales.luma, tables.luma, into: &numbers.luma)
    if let cb = picture.cb, let cr = picture.cr {
      numbers.cb = interpolate(cb, y, into: exchange(&numbers.cb, with: []))
      numbers.cr = interpolate(cr, y, into: exchange(&numbers.cr, with: []))
    }
    if dividesByAlpha, let alpha = picture.alpha {
      normalize(alpha, y, SampleScale.luma(bitDepth: alpha.bitDepth, range: .full), [], into: &numbers.alpha)
    }
    let isWide = stagedFormat.bitsPerSample == 16
    let (luma, alpha) = (numbers.luma.span, numbers.alpha.span)
    if picture.cb == nil {
      // Gray: every channel is luma.
      convertExactRow(
        luma: luma, cb: luma, cr: luma, premultipliedBy: alpha, pixelCount: width, equations: .identity,
        isWide: isWide, into: &output)
    } else {
      convertExactRow(
        luma: luma, cb: numbers.cb.span, cr: numbers.cr.span, premultipliedBy: alpha, pixelCount: width,
        equations: equations, isWide: isWide, into: &output)
    }
  }

  /// Writes a row of chroma at the resolution of luma to an array, and returns that.
  private mutating func interpolate(
    _ plane: borrowing SamplePlane, _ y: Int, into output: consuming [Float]
  ) -> [Float] {
    let (columnRatio, rowRatio) = (chromaFormat.horizontalRatio, chromaFormat.verticalRatio)
    let rows = InterpolationTaps.rows(of: chromaFormat, interpolation, coding.siting)
    let near = y / rowRatio
    let far = min(max(near + rows.step(y), 0), plane.height - 1)
    if columnRatio == 1, rowRatio == 1 {
      normalize(plane, near, scales.chroma, tables.chroma, into: &output)
    } else {
      normalize(plane, near, scales.chroma, tables.chroma, into: &numbers.near)
      normalize(plane, far, scales.chroma, tables.chroma, into: &numbers.far)
      var row = output.mutableSpan
      interpolateRow(
        near: numbers.near.span, far: numbers.far.span, nearWeight: rows.weight(y),
        columns: .columns(of: chromaFormat, interpolation, coding.siting), ratio: columnRatio, width: width, into: &row)
    }
    return output
  }
}

/// Converts a row of samples to floating-point values.
///
/// - Parameter table: the values of 8-bit samples; empty if they are calculated.
private func normalize(
  _ plane: borrowing SamplePlane, _ y: Int, _ scale: SampleScale, _ table: [Float], into output: inout [Float]
) {
  var target = output.mutableSpan
  if plane.isWide {
    let row = plane.wideRow(y)
    for x in row.indices { target[x] = scale.value(Float(row[x])) }
  } else {
    let row = plane.narrowRow(y)
    if table.isEmpty {
      for x in row.indices { target[x] = scale.value(Float(row[x])) }
      return
    }
    let table = table.span
    for x in row.indices { target[x] = table[Int(row[x])] }
  }
}

extension SampleScale {
  fileprivate func value(_ sample: Float) -> Float { (sample - bias) / range }

  /// The values of all samples of 8 bits.
  fileprivate var table: [Float] { (0..<256).map { value(Float($0)) } }
}

// MARK: Integer arithmetics

extension PlanarRowConverter {
  private mutating func convertInIntegers(
    _ y: Int, _ picture: borrowing PlanarPicture, into output: inout MutableSpan<UInt8>
  ) {
    copy(picture.luma.narrowRow(y), to: &samples.luma)
    if let cb = picture.cb, let cr = picture.cr {
      upsample(cb, y, into: &samples.cb)
      upsample(cr, y, into: &samples.cr)
    }
    if arithmetic == .libwebp {
      convertLibwebpRow(
        luma: samples.luma.span, u: samples.cb.span, v: samples.cr.span, pixelCount: width, order: .rgba,
        into: &output)
    } else {
      convertYCbCrRow(
        luma: samples.luma.span, cb: samples.cb.span, cr: samples.cr.span, pixelCount: width, order: .rgba,
        into: &output)
    }
  }

  private func upsample(_ plane: borrowing SamplePlane, _ y: Int, into output: inout [UInt8]) {
    let near = y / chromaFormat.verticalRatio
    let far = min(max(y & 1 == 0 ? near - 1 : near + 1, 0), plane.height - 1)
    // libjpeg does not filter chroma rows of one or two samples.
    let filters = interpolation != .nearest && (arithmetic == .libwebp || plane.width > 2)
    if chromaFormat == .yuv444 { return copy(plane.narrowRow(near), to: &output) }
    var row = output.mutableSpan
    switch chromaFormat {
    case .yuv420 where filters && arithmetic == .libwebp:
      upsampleLibwebpRow(near: plane.narrowRow(near), far: plane.narrowRow(far), width: width, into: &row)
    case .yuv420 where filters:
      TriangleUpsampling.doubleBoth(near: plane.narrowRow(near), far: plane.narrowRow(far), into: &row)
    case .yuv422 where filters:
      TriangleUpsampling.doubleColumns(plane.narrowRow(near), into: &row)
    case .yuv440 where interpolation != .nearest:
      TriangleUpsampling.doubleRows(
        near: plane.narrowRow(near), far: plane.narrowRow(far), isUpper: y & 1 == 0, into: &row)
    default:
      let samples = plane.narrowRow(near)
      let ratio = chromaFormat.horizontalRatio
      for x in 0..<width { row[x] = samples[x / ratio] }
    }
  }

  private func copy(_ row: Span<UInt8>, to output: inout [UInt8]) {
    var target = output.mutableSpan
    for x in row.indices { target[x] = row[x] }
  }
}

// MARK: Alpha

extension PlanarRowConverter {
  /// Replaces the alpha samples of the staged row, scaled to its depth and rounded to nearest.
  private func setAlpha(
    from plane: borrowing SamplePlane, _ y: Int, in row: inout MutableSpan<UInt8>
  ) {
    let maximum = UInt32(truncatingIfNeeded: plane.maximumValue)
    let isWide = stagedFormat.bitsPerSample == 16
    let full: UInt32 = isWide ? 65535 : 255
    func scaled(_ value: UInt32) -> UInt32 { maximum == full ? value : (value &* full &+ maximum / 2) / maximum }
    for x in 0..<width {
      let value = scaled(plane.isWide ? UInt32(plane.wideRow(y)[x]) : UInt32(plane.narrowRow(y)[x]))
      if isWide {
        storeNativeUInt16(UInt16(truncatingIfNeeded: value), into: &row, at: x &* 8 &+ 6)
      } else {
        row[x &* 4 &+ 3] = UInt8(truncatingIfNeeded: value)
      }
    }
  }
}
