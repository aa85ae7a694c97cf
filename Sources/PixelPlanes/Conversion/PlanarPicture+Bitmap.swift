// Planes to a bitmap, and a bitmap to planes.

public import ImageCore

extension PlanarPicture {
  /// The pixel format that keeps what the planes hold: gray for monochrome, alpha where there is some, 16 bits for
  /// samples of more than 8.
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

  /// Makes pixels of the planes.
  ///
  /// Samples of more than 8 bits are scaled to 0…65535 in formats of 16 bits.
  /// - Parameters:
  ///   - format: the format of the pixels; `nil` is ``naturalFormat``.
  ///   - budget: is charged for the bitmap and the work.
  /// - Throws: ``CodecError/Kind/unsupported`` when the arithmetic or the matrix does not fit the planes;
  ///   ``CodecError/Kind/limitExceeded``, ``CodecError/Kind/cancelled``.
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
      try budget.chargeWork(count: width, unitsEach: 3)
      var row = bitmap.mutableRow(y)
      converter.convert(row: y, of: self, into: &row)
    }
    bitmap.colorSpace = colorSpace
    return bitmap
  }
}
