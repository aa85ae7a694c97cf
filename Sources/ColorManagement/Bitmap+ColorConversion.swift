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
  ///   - budget: charged with the result, the work and, while converting, the tables.
  /// - Throws: the errors of ``ColorTransform``, and those of the budget.
  public func converted(
    to target: ColorSpace, intent: RenderingIntent = .perceptual, blackPointCompensation: Bool = false,
    budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    let transform = try ColorTransform.cached(
      from: colorSpace, format: format, to: target, intent: intent, blackPointCompensation: blackPointCompensation,
      budget: &budget)
    return try converted(by: transform, budget: &budget)
  }

  /// Returns the image in another colour space, within the default limits.
  ///
  /// - Throws: the errors of ``ColorTransform``.
  public func converted(
    to target: ColorSpace, intent: RenderingIntent = .perceptual, blackPointCompensation: Bool = false
  ) throws(CodecError) -> Bitmap {
    var budget = ResourceBudget(.default)
    return try converted(
      to: target, intent: intent, blackPointCompensation: blackPointCompensation, budget: &budget)
  }

  /// Returns the image converted by a transform.
  ///
  /// - Throws: ``CodecError/Kind/invalidArgument`` if the transform is for another pixel format, and the errors of the
  ///   budget.
  public func converted(by transform: ColorTransform, budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    guard transform.sourceFormat == format else {
      throw CodecError(
        .invalidArgument, "the transform is for pixels of the format \(transform.sourceFormat), not \(format)")
    }
    if transform.isIdentity {
      var result = self
      result.colorSpace = transform.outputColorSpace
      return result
    }
    budget.allowWork(forPixelCount: width * height)
    var result = Bitmap()
    try result.reset(width: width, height: height, format: transform.outputFormat, budget: &budget)
    result.copyTags(from: self)
    result.colorSpace = transform.outputColorSpace
    for y in 0..<height {
      try budget.chargeWork(count: width, unitsEach: transform.workPerPixel)
      var output = result.mutableRow(y)
      transform.convert(row(y), into: &output)
    }
    return result
  }
}
