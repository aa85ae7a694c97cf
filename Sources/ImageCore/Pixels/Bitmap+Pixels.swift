// Single pixels as values, converted from and to the bitmap's format without allocating.

extension Bitmap {
  /// One pixel as 8-bit RGBA with straight alpha, converted as by ``converted(to:)``.
  ///
  /// Intended for single pixels; to process many, ``row(_:)`` is faster.
  /// - Precondition: `x` and `y` are in the bitmap.
  public subscript(x: Int, y: Int) -> RGBA8 {
    get {
      var samples: InlineArray<4, UInt8> = [0, 0, 0, 0]
      var output = samples.mutableSpan
      readPixel(x, y, as: .rgba8, into: &output)
      return RGBA8(red: samples[0], green: samples[1], blue: samples[2], alpha: samples[3])
    }
    set {
      let samples: InlineArray<4, UInt8> = [newValue.red, newValue.green, newValue.blue, newValue.alpha]
      writePixel(x, y, from: samples.span, as: .rgba8)
    }
  }

  /// One pixel as 16-bit RGBA with straight alpha, converted as by ``converted(to:)``.
  ///
  /// - Precondition: `x` and `y` are in the bitmap.
  public subscript(wide x: Int, y: Int) -> RGBA16 {
    get {
      var bytes = InlineArray<8, UInt8>(repeating: 0)
      var output = bytes.mutableSpan
      readPixel(x, y, as: .rgba16, into: &output)
      let samples = bytes.span
      return RGBA16(
        red: nativeUInt16(samples, at: 0), green: nativeUInt16(samples, at: 2),
        blue: nativeUInt16(samples, at: 4), alpha: nativeUInt16(samples, at: 6))
    }
    set {
      var bytes = InlineArray<8, UInt8>(repeating: 0)
      var output = bytes.mutableSpan
      storeNativeUInt16(newValue.red, into: &output, at: 0)
      storeNativeUInt16(newValue.green, into: &output, at: 2)
      storeNativeUInt16(newValue.blue, into: &output, at: 4)
      storeNativeUInt16(newValue.alpha, into: &output, at: 6)
      writePixel(x, y, from: bytes.span, as: .rgba16)
    }
  }

  private func readPixel(_ x: Int, _ y: Int, as target: PixelFormat, into output: inout MutableSpan<UInt8>) {
    precondition(x >= 0 && x < width, "the column is outside the bitmap")
    let size = format.bytesPerPixel
    convertPixel(row(y).extracting(x * size..<(x + 1) * size), from: format, to: target, into: &output)
  }

  private mutating func writePixel(_ x: Int, _ y: Int, from input: Span<UInt8>, as source: PixelFormat) {
    precondition(x >= 0 && x < width, "the column is outside the bitmap")
    let format = format
    let size = format.bytesPerPixel
    var row = mutableRow(y)
    var output = row._mutatingExtracting(x * size..<(x + 1) * size)
    convertPixel(input, from: source, to: format, into: &output)
  }
}

private func convertPixel(
  _ input: Span<UInt8>, from source: PixelFormat, to target: PixelFormat, into output: inout MutableSpan<UInt8>
) {
  if source == target { return copyBytes(input, into: &output) }
  let steps = PixelConversionSteps(from: source, to: target)
  if steps.isFloatingPoint {
    var staged: InlineArray<5, Float> = [0, 0, 0, 0, 0]
    var row = staged.mutableSpan
    steps.convert(input, through: &row, into: &output)
  } else {
    var staged: InlineArray<5, UInt32> = [0, 0, 0, 0, 0]
    var row = staged.mutableSpan
    steps.convert(input, through: &row, into: &output)
  }
}
