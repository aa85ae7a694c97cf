// Transforms by profile: from the cache, and for profiles that may be broken.

package import ImageCore

extension ColorTransform {
  /// Returns a transform from a cache of the most recent ones, which all threads share, or creates it.
  ///
  /// The budget is charged with the tables and the work in either case, so that the outcome does not depend on the cache.
  /// Parameters and errors are those of ``init(from:format:to:intent:blackPointCompensation:toneMapping:budget:)``.
  package static func cached(
    from source: ColorSpace, format: PixelFormat, to target: ColorSpace, intent: RenderingIntent = .perceptual,
    blackPointCompensation: Bool = false, toneMapping: ToneMapping = .bt2408, budget: inout ResourceBudget
  ) throws(CodecError) -> ColorTransform {
    let key = ColorTransformCache.Key(
      source: source, format: format, target: target, intent: intent,
      compensatesBlackPoint: blackPointCompensation, toneMapping: toneMapping)
    if let entry = ColorTransformCache.shared.entry(for: key) {
      try budget.allocate(entry.byteCount)
      try budget.chargeWork(entry.work)
      return entry.transform
    }
    let (heldBefore, workBefore) = (budget.heldByteCount, budget.work)
    let transform = try ColorTransform(
      from: source, format: format, to: target, intent: intent, blackPointCompensation: blackPointCompensation,
      toneMapping: toneMapping, budget: &budget)
    ColorTransformCache.shared.insert(
      ColorTransformCache.Entry(
        key: key, transform: transform, byteCount: budget.heldByteCount - heldBefore,
        work: Int(clamping: budget.work - workBefore)))
    return transform
  }

  /// Returns a transform for pixels whose ICC profile may be broken, or may be for other pixels. Such a profile is
  /// ignored, the next description of the colour space applies, and the diagnostic says so.
  ///
  /// - Throws: the errors of ``init(from:format:to:intent:blackPointCompensation:toneMapping:budget:)`` that do not concern the
  ///   source.
  package static func ignoringBrokenProfile(
    from source: ColorSpace, format: PixelFormat, to target: ColorSpace, intent: RenderingIntent = .perceptual,
    blackPointCompensation: Bool = false, toneMapping: ToneMapping = .bt2408, budget: inout ResourceBudget
  ) throws(CodecError) -> (transform: ColorTransform, diagnostic: ImageDiagnostic?) {
    var source = source
    var diagnostic: ImageDiagnostic?
    while true {
      let heldByteCount = budget.heldByteCount
      do throws(CodecError) {
        let transform = try cached(
          from: source, format: format, to: target, intent: intent, blackPointCompensation: blackPointCompensation,
          toneMapping: toneMapping, budget: &budget)
        return (transform, diagnostic)
      } catch {
        budget.release(budget.heldByteCount - heldByteCount)
        // A source that specifies nothing is valid, so that the error then concerns the target.
        guard source.definition != .unspecified, [.malformed, .truncated, .unsupported].contains(error.kind) else {
          throw error
        }
        if diagnostic == nil {
          diagnostic = ImageDiagnostic(.warning, "the colour space is ignored: \(error.reason)")
        }
        source.removeDefinition()
      }
    }
  }
}

extension ColorSpace {
  /// Removes the description that applies, so that the next one does.
  fileprivate mutating func removeDefinition() {
    switch definition {
    case .unspecified: break
    case .sRGB: isMarkedAsSRGB = false
    case .calibrated: calibration = nil
    case .codePoints: codePoints = nil
    case .icc: iccProfile = nil
    }
  }
}
