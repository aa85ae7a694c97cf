// Converts whole bitmaps between pixel formats.

extension Bitmap {
  /// Returns the same image in another pixel format, or the bitmap itself if it already has that format.
  ///
  /// Each step rounds to nearest: depth (`· 257`, `/ 257`), alpha (`c · a / max`, `c · max / a`), colour to gray by
  /// Rec. 601 luma, CMYK by `(1 - c)(1 - k)`. If the target has no alpha, alpha is dropped, not blended. The colour
  /// space is kept, except that an ICC profile is dropped if the colour model changes, because it no longer applies.
  ///
  /// - Throws: ``CodecError/Kind/limitExceeded`` if the address space is too small for the result, which can need up to
  ///   sixteen times the bytes of the source.
  public func converted(to target: PixelFormat) throws(CodecError) -> Bitmap {
    if target == format { return self }
    var result = Bitmap()
    try result.reset(width: width, height: height, format: target, limits: .unlimited)
    result.copyTags(from: self)
    var converter = PixelRowConverter(from: format, to: target)
    for y in 0..<height {
      var output = result.mutableRow(y)
      converter.convert(row(y), into: &output)
    }
    return result
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
