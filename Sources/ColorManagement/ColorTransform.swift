// A transform between two colour spaces, for rows of one pixel format.

public import ImageCore
internal import MetadataFormats

/// Converts rows of pixels from one colour space to another.
///
/// A transform is a value without mutable state, and can be used by several threads at a time.
public struct ColorTransform: Sendable {
  /// How rows are converted.
  private enum Rows: Sendable {
    case identity
    case samples(SampleRows)
  }

  /// The format of the rows to convert.
  public let sourceFormat: PixelFormat
  /// The format of converted rows: that of the source, with RGB in place of CMYK. Gray becomes RGB if the target is an
  /// ICC profile for RGB, or if the intent makes it chromatic; RGB becomes gray if the target is an ICC profile for
  /// gray.
  public let outputFormat: PixelFormat
  /// The colour space of converted rows.
  public let outputColorSpace: ColorSpace
  private let rows: Rows

  /// Whether rows are returned unchanged, because both colour spaces are the same.
  public var isIdentity: Bool { if case .identity = rows { true } else { false } }

  /// The units of work of converting a pixel.
  public var workPerPixel: Int { isIdentity ? 0 : 400 }

  /// Creates a transform.
  ///
  /// - Parameters:
  ///   - source: what the samples mean. An unspecified colour space is sRGB; CMYK without a profile is converted by
  ///     `(1 - c)(1 - k)`.
  ///   - format: the format of the rows to convert.
  ///   - target: sRGB, code points, a calibration, or an ICC profile of the matrix or gray type.
  ///   - intent: the rendering intent.
  ///   - blackPointCompensation: whether the darkest colour of the source becomes that of the target. The perceptual and
  ///     saturation intents always do that unless the target is an ICC profile of version 2.
  ///   - budget: charged with the tables, which are held until the transform is discarded, and the work of making them.
  /// - Throws: ``CodecError/Kind/malformed`` and ``CodecError/Kind/truncated`` for a broken profile,
  ///   ``CodecError/Kind/unsupported`` for one that cannot be used for these pixels or as a target, and the errors of
  ///   the budget.
  public init(
    from source: ColorSpace, format: PixelFormat, to target: ColorSpace, intent: RenderingIntent = .perceptual,
    blackPointCompensation: Bool = false, budget: inout ResourceBudget
  ) throws(CodecError) {
    sourceFormat = format
    let targetColors = try DeviceColors(target: target, intent: intent, budget: &budget)
    let sourceColors = try DeviceColors(source, colorModel: format.colorModel, intent: intent, budget: &budget)
    guard case .matrix(var targetMatrix) = targetColors.model else {
      throw CodecError(.unsupported, "the target's ICC profile is of the table type")
    }
    let connection = ProfileConnection(
      from: sourceColors, to: targetColors, intent: intent, compensatesBlackPoint: blackPointCompensation)
    var steps = try ConversionSteps(from: sourceColors.model, connection: connection, to: targetMatrix)
    var colorModel = format.colorModel == .bgr ? PixelFormat.ColorModel.bgr : .rgb
    if targetMatrix.isGray {
      colorModel = .gray
    } else if format.colorModel == .gray, target.iccProfile == nil, Set(targetMatrix.curves).count == 1,
      steps.keepsGrayNeutral
    {
      colorModel = .gray
      targetMatrix.curves.removeLast(2)
      targetMatrix.toXYZ = .identity
      steps = try ConversionSteps(from: sourceColors.model, connection: connection, to: targetMatrix)
    }
    outputFormat = PixelFormat(colorModel, alpha: format.alpha, sampleType: format.sampleType)
    var space = target
    space.masteringDisplay = nil
    space.contentLightLevel = nil
    space.gainMap = nil
    outputColorSpace = space
    if outputFormat == format,
      steps.changesNothing(colorModel: colorModel, maximum: max(255, format.sampleType.maximum))
    {
      rows = .identity
    } else {
      rows = .samples(SampleRows(steps: steps, source: format.straight, target: outputFormat.straight))
    }
  }

  /// Converts a row.
  ///
  /// - Parameters:
  ///   - row: pixels of ``sourceFormat`` without padding.
  ///   - output: receives the same number of pixels of ``outputFormat``; must have room for them.
  public func convert(_ row: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    switch rows {
    case .identity: copyBytes(row, into: &output)
    case .samples(let samples):
      guard sourceFormat.alpha == .premultiplied else { return samples.convert(row, into: &output) }
      var staging = [UInt8](repeating: 0, count: row.count)
      var straight = staging.mutableSpan
      var unpremultiplying = PixelRowConverter(from: sourceFormat, to: sourceFormat.straight)
      unpremultiplying.convert(row, into: &straight)
      var converted = [UInt8](repeating: 0, count: row.count / sourceFormat.bytesPerPixel * outputFormat.bytesPerPixel)
      var result = converted.mutableSpan
      samples.convert(straight.span, into: &result)
      var premultiplying = PixelRowConverter(from: outputFormat.straight, to: outputFormat)
      premultiplying.convert(result.span, into: &output)
    }
  }
}

extension DeviceColors {
  /// The colours of a target, which needs no table.
  init(target: ColorSpace, intent: RenderingIntent, budget: inout ResourceBudget) throws(CodecError) {
    if case .icc(let bytes) = target.definition {
      let profile = try ICCProfile(parsing: bytes)
      let matrix = try MatrixProfile(profile, budget: &budget)
      self.init(matrix)
      mediaWhite = profile.mediaWhite
      hasReferenceBlack = profile.header.majorVersion >= 4
    } else {
      try self.init(target, colorModel: .rgb, intent: intent, budget: &budget)
    }
    guard !isHighDynamicRange else {
      throw CodecError(.unsupported, "colours are not converted to a high dynamic range")
    }
  }
}

extension ConversionSteps {
  /// Whether gray samples, which have no chroma, become equal amounts of red, green and blue.
  var keepsGrayNeutral: Bool {
    guard case .matrix(let matrix) = source, matrix.isGray else { return false }
    let white = light(SIMD4(repeating: 1))
    return abs(white.x - white.y) < 0.001 && abs(white.z - white.y) < 0.001
  }

  /// Whether the conversion returns samples of this depth unchanged.
  func changesNothing(colorModel: PixelFormat.ColorModel, maximum: Int) -> Bool {
    let tolerance = 0.5 / Double(maximum)
    func isFixed(_ samples: SIMD3<Double>) -> Bool {
      let change = convert(SIMD4(samples, 0)) - samples
      return abs(change.x) < tolerance && abs(change.y) < tolerance && abs(change.z) < tolerance
    }
    for level in 0...64 where !isFixed(SIMD3(repeating: Double(level) / 64)) { return false }
    if colorModel == .gray { return (0...255).allSatisfy { isFixed(SIMD3(repeating: Double($0) / 255)) } }
    for index in 0..<512 {
      let samples = SIMD3(Double(index & 7), Double(index >> 3 & 7), Double(index >> 6)) / 7
      if !isFixed(samples) { return false }
    }
    return (0...255).allSatisfy { isFixed(SIMD3(repeating: Double($0) / 255)) }
  }
}
