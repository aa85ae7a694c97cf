// The black points of devices, as black-point compensation needs them.

internal import ImageCore
internal import MetadataFormats

extension ICCProfile {
  /// The black of the reference medium of version 4 (ICC.1, section 6.3.4.3).
  private static let referenceBlack = SIMD3(0.00336, 0.0034731, 0.00287)

  /// Returns the black point for an intent, which is neutral and at most L* = 50.
  ///
  /// It is the darkest colour that the device samples allow. For printers with the relative intent, whose darkest colours
  /// a total ink limit excludes, it is the colour of the ink for perceptual black.
  func blackPoint(
    _ model: DeviceColors.Model, intent: RenderingIntent, budget: inout ResourceBudget
  ) throws(CodecError) -> SIMD3<Double> {
    let isRendered = intent == .perceptual || intent == .saturation
    if header.majorVersion >= 4, isRendered {
      guard hasMatrixElements else { return Self.referenceBlack }
      // Its relative intent counts, which may have a table.
      let relative = try DeviceColors.model(of: self, intent: .relativeColorimetric, budget: &budget)
      return darkest(relative, intent: .relativeColorimetric)
    }
    if intent == .relativeColorimetric, header.profileClass == "prtr", colorModel == .cmyk {
      guard range(of: "A2B0") != nil || hasMatrixElements, let toDevice = range(of: "B2A0") else { return SIMD3() }
      let inks = try LookupTransform(self, toDevice, isToDevice: true, budget: &budget)
      let black = inks.encoding.encode(neutral: header.majorVersion >= 4 ? Self.referenceBlack : SIMD3())
      let samples = inks.apply(SIMD4(black, 0), isMultilinear: connectsInLab)
      return Self.neutral(model.xyz(samples.clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: 1))))
    }
    return darkest(model, intent: intent)
  }

  private func darkest(_ model: DeviceColors.Model, intent: RenderingIntent) -> SIMD3<Double> {
    guard hasTable(for: intent) || hasMatrixElements else { return SIMD3() }
    return Self.neutral(model.xyz(SIMD4(repeating: colorModel == .cmyk ? 1 : 0)))
  }

  /// Whether the profile has a table for the intent itself.
  private func hasTable(for intent: RenderingIntent) -> Bool { range(of: DeviceColors.tableTag(for: intent)) != nil }

  /// Returns the neutral colour of the same lightness, at most L* = 50.
  static func neutral(_ xyz: SIMD3<Double>) -> SIMD3<Double> {
    Colorimetry.xyz(lab: SIMD3(min(max(Colorimetry.lightness(xyz.y), 0), 50), 0, 0))
  }
}
