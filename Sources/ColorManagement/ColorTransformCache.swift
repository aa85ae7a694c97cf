// Transforms that were made before, by profile.

public import ImageCore

extension ColorTransform {
  /// What a transform was made for.
  struct Key: Hashable, Sendable {
    var source: ColorSpace
    var format: PixelFormat
    var target: ColorSpace
    var intent: RenderingIntent
    var compensatesBlackPoint: Bool
  }

  /// Returns a transform from a cache of the most recent ones, which all threads share, or creates it.
  ///
  /// The budget is charged with the tables in either case, so that its outcome does not depend on the cache. Parameters
  /// and errors are those of ``init(from:format:to:intent:blackPointCompensation:budget:)``.
  public static func cached(
    from source: ColorSpace, format: PixelFormat, to target: ColorSpace, intent: RenderingIntent = .perceptual,
    blackPointCompensation: Bool = false, budget: inout ResourceBudget
  ) throws(CodecError) -> ColorTransform {
    try ColorTransform(
      from: source, format: format, to: target, intent: intent, blackPointCompensation: blackPointCompensation,
      budget: &budget)
  }

  /// Returns a transform for pixels whose ICC profile may be broken, or may be for other pixels. Such a profile is
  /// ignored, and the diagnostic says so.
  ///
  /// - Throws: the errors of ``init(from:format:to:intent:blackPointCompensation:budget:)`` that do not concern the
  ///   source.
  public static func ignoringBrokenProfile(
    from source: ColorSpace, format: PixelFormat, to target: ColorSpace, intent: RenderingIntent = .perceptual,
    blackPointCompensation: Bool = false, budget: inout ResourceBudget
  ) throws(CodecError) -> (transform: ColorTransform, diagnostic: ImageDiagnostic?) {
    let problem: CodecError
    do throws(CodecError) {
      return (
        try cached(
          from: source, format: format, to: target, intent: intent, blackPointCompensation: blackPointCompensation,
          budget: &budget), nil
      )
    } catch {
      guard [.malformed, .truncated, .unsupported].contains(error.kind) else { throw error }
      problem = error
    }
    // The same description of the source is not tried again, so that this ends.
    var remaining = source
    remaining.dropDefinition()
    let (transform, _) = try ignoringBrokenProfile(
      remaining, format, target, intent, blackPointCompensation, &budget, problem)
    return (transform, ImageDiagnostic(.warning, "the colour space is ignored: \(problem.reason)"))
  }

  private static func ignoringBrokenProfile(
    _ source: ColorSpace, _ format: PixelFormat, _ target: ColorSpace, _ intent: RenderingIntent,
    _ compensatesBlackPoint: Bool, _ budget: inout ResourceBudget, _ problem: CodecError
  ) throws(CodecError) -> (ColorTransform, CodecError) {
    var source = source
    while true {
      do throws(CodecError) {
        let transform = try cached(
          from: source, format: format, to: target, intent: intent, blackPointCompensation: compensatesBlackPoint,
          budget: &budget)
        return (transform, problem)
      } catch {
        guard source.definition != .unspecified, [.malformed, .truncated, .unsupported].contains(error.kind) else {
          throw error
        }
        source.dropDefinition()
      }
    }
  }
}

extension ColorSpace {
  /// Removes the description that applies, so that the next one does.
  mutating func dropDefinition() {
    switch definition {
    case .unspecified: break
    case .sRGB: isMarkedAsSRGB = false
    case .calibrated: calibration = nil
    case .codePoints: codePoints = nil
    case .icc: iccProfile = nil
    }
  }
}
