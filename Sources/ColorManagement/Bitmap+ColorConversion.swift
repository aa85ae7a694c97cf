// Conversion of whole bitmaps.

public import ImageCore

extension Bitmap {
  /// Returns the image in another colour space. The pixel format is that of ``ColorTransform/outputFormat``; tags other
  /// than the colour space are kept.
  ///
  /// - Parameters:
  ///   - target: the colour space of the result; see ``ColorTransform``.
  ///   - intent: the rendering intent.
  ///   - blackPointCompensation: whether the darkest colour of the source becomes that of the target.
  ///   - toneMapping: how a high dynamic range is reduced.
  ///   - budget: charged with the result and the work, and with the tables while they are used.
  /// - Throws: the errors of ``ColorTransform``, and those of the budget.
  public func converted(
    to target: ColorSpace, intent: RenderingIntent = .perceptual, blackPointCompensation: Bool = false,
    toneMapping: ToneMapping = .bt2408, budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    let heldByteCount = budget.heldByteCount
    let transform = try ColorTransform.cached(
      from: colorSpace, format: format, to: target, intent: intent, blackPointCompensation: blackPointCompensation,
      toneMapping: toneMapping, budget: &budget)
    let tableByteCount = budget.heldByteCount - heldByteCount
    defer { budget.release(tableByteCount) }
    return try converted(by: transform, budget: &budget)
  }

  /// Returns the image in another colour space, within the default limits.
  ///
  /// - Throws: the errors of ``ColorTransform``.
  public func converted(
    to target: ColorSpace, intent: RenderingIntent = .perceptual, blackPointCompensation: Bool = false,
    toneMapping: ToneMapping = .bt2408
  ) throws(CodecError) -> Bitmap {
    var budget = ResourceBudget(.default)
    return try converted(
      to: target, intent: intent, blackPointCompensation: blackPointCompensation, toneMapping: toneMapping,
      budget: &budget)
  }

  /// Returns the image converted by a transform.
  ///
  /// - Parameters:
  ///   - transform: the transform, made for the pixel format of this bitmap.
  ///   - budget: charged with the result and the work.
  /// - Throws: `CodecError.Kind.invalidArgument` if the transform is for another pixel format, and the errors of the
  ///   budget.
  public func converted(by transform: ColorTransform, budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    try transform.checkFormat(of: self)
    var result = Bitmap()
    if transform.isIdentity {
      try budget.allocate(byteCount)
      result = self
    } else {
      budget.allowWork(forPixelCount: width * height)
      try result.reset(width: width, height: height, format: transform.outputFormat, budget: &budget)
      result.copyTags(from: self)
      for y in 0..<height {
        try budget.chargeWork(count: width, unitsEach: transform.workPerPixel)
        var output = result.mutableRow(y)
        transform.convert(row(y), into: &output)
      }
    }
    result.colorSpace = transform.outputColorSpace
    return result
  }

  /// Converts the image by a transform, without a second bitmap if the pixel format does not change.
  ///
  /// - Parameters:
  ///   - transform: the transform, made for the pixel format of this bitmap.
  ///   - budget: charged with the work and, if the pixel format changes, with the difference in size.
  /// - Throws: as ``converted(by:budget:)``.
  public mutating func convertColors(
    by transform: ColorTransform, budget: inout ResourceBudget
  ) throws(CodecError) {
    try transform.checkFormat(of: self)
    if transform.outputFormat == format {
      if !transform.isIdentity { try convertInPlace(by: transform, &budget) }
      colorSpace = transform.outputColorSpace
    } else {
      let result = try converted(by: transform, budget: &budget)
      budget.release(byteCount)
      self = result
    }
  }

  private mutating func convertInPlace(
    by transform: ColorTransform, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let rowByteCount = width * format.bytesPerPixel
    try budget.allocate(rowByteCount)
    defer { budget.release(rowByteCount) }
    budget.allowWork(forPixelCount: width * height)
    var source = [UInt8](repeating: 0, count: rowByteCount)
    for y in 0..<height {
      try budget.chargeWork(count: width, unitsEach: transform.workPerPixel)
      var copy = source.mutableSpan
      copyBytes(row(y), into: &copy)
      var output = mutableRow(y)
      transform.convert(source.span, into: &output)
    }
  }
}

extension ColorTransform {
  fileprivate func checkFormat(of bitmap: Bitmap) throws(CodecError) {
    guard sourceFormat == bitmap.format else {
      throw CodecError(
        .invalidArgument, "the transform is for pixels of the format \(sourceFormat), not \(bitmap.format)")
    }
  }
}
