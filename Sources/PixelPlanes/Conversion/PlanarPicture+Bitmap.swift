// Conversion between planes and bitmaps.

public import ImageCoding

extension PlanarPicture {
  /// The pixel format that preserves the content of the planes: gray for monochrome, with alpha if there is an alpha
  /// plane, and 16 bits for samples of more than 8 bits.
  public var naturalFormat: PixelFormat {
    switch (chromaFormat == .monochrome, alpha != nil, bitDepth > 8) {
    case (true, false, false): .gray8
    case (true, false, true): .gray16
    case (true, true, false): .grayAlpha8
    case (true, true, true): .grayAlpha16
    case (false, false, false): .rgb8
    case (false, false, true): .rgb16
    case (false, true, false): .rgba8
    case (false, true, true): .rgba16
    }
  }

  /// The work units for converting a pixel.
  static let workPerPixel = 3

  /// Converts the planes to pixels.
  ///
  /// In 16-bit formats, samples of more than 8 bits are scaled to 0…65535.
  /// - Parameters:
  ///   - format: the pixel format; ``naturalFormat`` if `nil`.
  ///   - arithmetic: the arithmetic of the conversion; reference decoders differ.
  ///   - interpolation: how subsampled chroma is interpolated.
  ///   - budget: the budget to which the bitmap and the work are charged.
  /// - Throws: `CodecError.Kind.unsupported` if the arithmetic or the matrix is not applicable to the planes;
  ///   `CodecError.Kind.limitExceeded`, `CodecError.Kind.cancelled`.
  public func bitmap(
    format: PixelFormat? = nil, arithmetic: PlanarArithmetic = .exact,
    interpolation: ChromaInterpolation = .centered, budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    let format = format ?? naturalFormat
    var converter = try PlanarRowConverter(
      for: self, format: format, arithmetic: arithmetic, interpolation: interpolation)
    try budget.allocatePixels(width: width, height: height, bytesPerPixel: format.bytesPerPixel)
    var bitmap = Bitmap()
    try bitmap.reset(width: width, height: height, format: format, limits: budget.limits)
    for y in 0..<height {
      try budget.chargeWork(count: width, unitsEach: Self.workPerPixel)
      var row = bitmap.mutableRow(y)
      converter.convert(row: y, of: self, into: &row)
    }
    bitmap.colorSpace = colorSpace
    return bitmap
  }
}
