// Whole bitmaps from one pixel format to another.

extension Bitmap {
  /// The same image in another pixel format. Returns itself when the format is that already.
  ///
  /// Each step is rounded to nearest: depth (`· 257`, `/ 257`), alpha (`c · a / max`, `c · max / a`), colour to gray
  /// by Rec. 601 luma, CMYK by `(1 - c)(1 - k)`. Alpha is dropped, not blended, where the target has none. Colour
  /// stays in its space; an ICC profile is dropped where the colour model changes, because it no longer applies.
  public func converted(to target: PixelFormat) -> Bitmap {
    if target == format { return self }
    var result = Bitmap()
    // The source exists, so its size is sound; at most eight times its bytes are needed.
    guard (try? result.reset(width: width, height: height, format: target, limits: .unlimited)) != nil else {
      return result
    }
    result.copyTags(from: self)
    var converter = PixelRowConverter(from: format, to: target)
    for y in 0..<height {
      var output = result.mutableRow(y)
      converter.convert(row(y), into: &output)
    }
    return result
  }

  /// Takes over the tags of the bitmap that this one was made from.
  package mutating func copyTags(from source: Bitmap) {
    orientation = source.orientation
    scale = source.scale
    colorSpace = source.colorSpace.applying(from: source.format, to: format)
  }
}

extension ColorSpace {
  /// The tag after a change of pixel format: an ICC profile holds for one colour model only.
  package func applying(from source: PixelFormat, to target: PixelFormat) -> ColorSpace {
    guard case .icc = self else { return self }
    let isSameModel =
      source.colorModel == target.colorModel
      || (source.colorModel == .rgb && target.colorModel == .bgr)
      || (source.colorModel == .bgr && target.colorModel == .rgb)
    return isSameModel ? self : .unspecified
  }
}
