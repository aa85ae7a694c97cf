// Converts whole bitmaps between pixel formats.

extension Bitmap {
  /// Returns the same image in another pixel format, or the bitmap itself if it already has that format.
  ///
  /// Each step rounds to nearest: depth (`· 257`, `/ 257`), alpha (`c · a / max`, `c · max / a`), colour to gray by
  /// Rec. 601 luma, CMYK by `(1 - c)(1 - k)`. If the target has no alpha, alpha is dropped, not blended. The colour
  /// space is kept, except that an ICC profile is dropped if the colour model changes, because it no longer applies.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded`` if the address space is too small for the result, which can need up to
  ///   twenty times the bytes of the source.
  public func converted(to target: PixelFormat) throws(CodecError) -> Bitmap {
    if target == format { return self }
    return try converted(to: target) { () throws(CodecError) in }
  }

  /// Returns the same image in another pixel format, as ``converted(to:)`` does.
  ///
  /// - Parameters:
  ///   - workPerPixel: the units of work charged for each pixel, row by row, even if the format is the same.
  ///   - budget: not charged for the memory of the result.
  package func converted(
    to target: PixelFormat, workPerPixel: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    try budget.requireWork(count: width * height, unitsEach: workPerPixel)
    if target == format {
      try budget.chargeWorkInParts(count: width * height, unitsEach: workPerPixel)
      return self
    }
    return try converted(to: target) { () throws(CodecError) in
      try budget.chargeWork(count: width, unitsEach: workPerPixel)
    }
  }

  /// - Parameter willConvertRow: called before each row.
  private func converted(
    to target: PixelFormat, willConvertRow: () throws(CodecError) -> Void
  ) throws(CodecError) -> Bitmap {
    var result = Bitmap()
    try result.reset(width: width, height: height, format: target, limits: .unlimited)
    result.copyTags(from: self)
    if isEmpty { return result }
    var converter = PixelRowConverter(from: format, to: target)
    for y in 0..<height {
      try willConvertRow()
      var output = result.mutableRow(y)
      converter.convert(row(y), into: &output)
    }
    return result
  }

  /// The work units for converting a pixel.
  private static let workPerConvertedPixel = 4

  /// Converts the pixels as ``converted(to:)`` does, in place if a pixel has the same number of bytes in both formats.
  ///
  /// The budget is charged for the conversion, row by row, and for new memory instead of the old if any is needed. If the
  /// conversion is interrupted, the pixels are arbitrary.
  package mutating func convert(to target: PixelFormat, budget: inout ResourceBudget) throws(CodecError) {
    guard target != format else { return }
    try budget.requireWork(count: width * height, unitsEach: Self.workPerConvertedPixel)
    if target.bytesPerPixel == format.bytesPerPixel { return try convertInPlace(to: target, &budget) }
    let formerByteCount = byteCount
    try budget.allocatePixels(width: width, height: height, bytesPerPixel: target.bytesPerPixel)
    let columnCount = width
    self = try converted(to: target) { () throws(CodecError) in
      try budget.chargeWork(count: columnCount, unitsEach: Self.workPerConvertedPixel)
    }
    budget.release(formerByteCount)
  }

  private mutating func convertInPlace(to target: PixelFormat, _ budget: inout ResourceBudget) throws(CodecError) {
    var converter = PixelRowConverter(from: format, to: target)
    var source = [UInt8](repeating: 0, count: width * format.bytesPerPixel)
    for y in heldRows {
      try budget.chargeWork(count: width, unitsEach: Self.workPerConvertedPixel)
      var copy = source.mutableSpan
      copyBytes(row(y), into: &copy)
      var pixels = mutableRow(y)
      converter.convert(copy.span, into: &pixels)
    }
    relabel(target)
  }

  /// Copies the tags of the bitmap that this one was derived from.
  package mutating func copyTags(from source: Bitmap) {
    orientation = source.orientation
    scale = source.scale
    significantBits = source.significantBits
    colorSpace = source.colorSpace.applying(from: source.format, to: format)
  }
}

extension ColorSpace {
  /// Returns the tag after a change of pixel format. An ICC profile applies to only one colour model.
  package func applying(from source: PixelFormat, to target: PixelFormat) -> ColorSpace {
    let isSameModel =
      source.colorModel == target.colorModel
      || (source.colorModel == .rgb && target.colorModel == .bgr)
      || (source.colorModel == .bgr && target.colorModel == .rgb)
    if isSameModel { return self }
    var space = self
    space.iccProfile = nil
    return space
  }
}
