// A transform between two colour spaces, for rows of one pixel format.

public import ImageCore

/// Converts rows of pixels from one colour space to another.
///
/// A transform is a value without mutable state, and can be used by several threads at a time.
public struct ColorTransform: Sendable {
  /// The conversion of rows.
  private enum Rows: Sendable {
    case identity
    case bytes(ByteMatrixRows)
    case gray(GrayRows)
    case staged(StagedRows)
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
  public var workPerPixel: Int {
    let alpha = sourceFormat.alpha == .premultiplied ? 40 : 0
    return switch rows {
    case .identity: 0
    case .bytes, .gray: alpha + 4
    case .staged: alpha + 60
    case .samples: alpha + 400
    }
  }

  /// Creates a transform.
  ///
  /// - Parameters:
  ///   - source: what the samples mean. An unspecified colour space is sRGB; CMYK without a profile is converted by
  ///     `(1 - c)(1 - k)`.
  ///   - format: the format of the rows to convert.
  ///   - target: sRGB, code points, a calibration, or an ICC profile of the matrix or gray type. Of a profile that has
  ///     tables too, the matrix is used.
  ///   - intent: the rendering intent.
  ///   - blackPointCompensation: whether the darkest colour of the source becomes that of the target. The perceptual
  ///     and saturation intents always do that unless the target is an ICC profile of version 2.
  ///   - toneMapping: how a high dynamic range is reduced.
  ///   - budget: charged with the tables, which are held until the transform is discarded, and the work of making them.
  /// - Throws: `CodecError.Kind.malformed` and `CodecError.Kind.truncated` for a broken profile,
  ///   `CodecError.Kind.unsupported` for one that cannot be used for these pixels or as a target, and the errors of
  ///   the budget.
  public init(
    from source: ColorSpace, format: PixelFormat, to target: ColorSpace, intent: RenderingIntent = .perceptual,
    blackPointCompensation: Bool = false, toneMapping: ToneMapping = .bt2408, budget: inout ResourceBudget
  ) throws(CodecError) {
    sourceFormat = format
    let targetColors = try DeviceColors(target: target, budget: &budget)
    let sourceColors = try DeviceColors(
      source: source, colorModel: format.colorModel, intent: intent, budget: &budget)
    guard var targetMatrix = targetColors.model.matrix else {
      throw CodecError(.unsupported, "the target is of the table type")
    }
    let connection = ProfileConnection(
      from: sourceColors, to: targetColors, intent: intent, compensatesBlackPoint: blackPointCompensation)
    let toneMap = sourceColors.model.matrix?.toneMap(source, toneMapping)
    var steps = try ConversionSteps(
      from: sourceColors.model, toneMap: toneMap, connection: connection, to: targetMatrix)
    var colorModel = format.colorModel == .bgr ? PixelFormat.ColorModel.bgr : .rgb
    if targetMatrix.isGray {
      colorModel = .gray
    } else if format.colorModel == .gray, !target.isProfile, steps.keepsGrayNeutral {
      colorModel = .gray
      targetMatrix = targetMatrix.gray
      steps = try ConversionSteps(
        from: sourceColors.model, toneMap: toneMap, connection: connection, to: targetMatrix)
    }
    outputFormat = PixelFormat(colorModel, alpha: format.alpha, sampleType: format.sampleType)
    var space = target.withoutDynamicRange
    if colorModel == .gray, !target.isProfile { space.iccProfile = nil }
    outputColorSpace = space
    rows = try Self.rows(steps, format, outputFormat, budget: &budget)
  }

  /// Selects the fastest conversion that is exact enough, and makes its tables.
  private static func rows(
    _ steps: ConversionSteps, _ source: PixelFormat, _ target: PixelFormat, budget: inout ResourceBudget
  ) throws(CodecError) -> Rows {
    try budget.chargeWork(100_000)
    if source == target, steps.changesNothing(source) { return .identity }
    if source.sampleType.isFloatingPoint {
      return .samples(SampleRows(steps: steps, source: source.straight, target: target.straight))
    }
    if source.colorModel == .gray, source.sampleType == .uint8 {
      try budget.allocate(GrayRows.byteCount(target))
      try budget.chargeWork(count: 256, unitsEach: 400)
      return .gray(GrayRows(steps, source.straight, target.straight))
    }
    if source.sampleType == .uint8, steps.toneMap == nil {
      try budget.allocate(ByteMatrixRows.byteCount)
      try budget.chargeWork(ByteMatrixRows.work)
      if let bytes = ByteMatrixRows(steps, source) { return .bytes(bytes) }
      budget.release(ByteMatrixRows.byteCount)
    }
    return .staged(try StagedRows(steps, source.straight, target.straight, budget: &budget))
  }

  /// Converts a row.
  ///
  /// - Parameters:
  ///   - row: pixels of ``sourceFormat`` without padding.
  ///   - output: receives the same number of pixels of ``outputFormat``; must have room for them.
  public func convert(_ row: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    if sourceFormat.alpha == .premultiplied, !isIdentity {
      convertPremultiplied(row, into: &output)
    } else {
      convertStraight(row, into: &output)
    }
  }

  private func convertStraight(_ row: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    switch rows {
    case .identity: copyBytes(row, into: &output)
    case .bytes(let rows): rows.convert(row, into: &output)
    case .gray(let rows): rows.convert(row, into: &output)
    case .staged(let rows): rows.convert(row, into: &output)
    case .samples(let rows): rows.convert(row, into: &output)
    }
  }

  /// Divides by alpha, converts and multiplies by alpha.
  private func convertPremultiplied(_ row: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    var staging = [UInt8](repeating: 0, count: row.count)
    var straight = staging.mutableSpan
    var unpremultiplying = PixelRowConverter(from: sourceFormat, to: sourceFormat.straight)
    unpremultiplying.convert(row, into: &straight)
    var converted = [UInt8](repeating: 0, count: row.count / sourceFormat.bytesPerPixel * outputFormat.bytesPerPixel)
    var result = converted.mutableSpan
    convertStraight(straight.span, into: &result)
    var premultiplying = PixelRowConverter(from: outputFormat.straight, to: outputFormat)
    premultiplying.convert(result.span, into: &output)
  }
}

extension ConversionSteps {
  /// Whether gray samples, which have no chroma, become equal amounts of red, green and blue.
  var keepsGrayNeutral: Bool {
    guard Set(target.curves).count == 1 else { return false }
    return (0...16).allSatisfy { level in
      let light = light(SIMD4(repeating: Double(level) / 16))
      return abs(light.x - light.y) < 0.001 && abs(light.z - light.y) < 0.001
    }
  }

  /// Whether the conversion returns the samples of a format unchanged, which is tried with some.
  func changesNothing(_ format: PixelFormat) -> Bool {
    let tolerance = 0.5 / Double(max(255, format.sampleType.maximum))
    func isFixed(_ samples: SIMD3<Double>) -> Bool {
      let change = convert(SIMD4(samples, 0)) - samples
      return abs(change.x) < tolerance && abs(change.y) < tolerance && abs(change.z) < tolerance
    }
    for level in stride(from: 128, through: 0, by: -32) where !isFixed(SIMD3(repeating: Double(level) / 255)) {
      return false
    }
    if format.colorModel != .gray {
      for index in 0..<125 {
        let samples = SIMD3(Double(index % 5), Double(index / 5 % 5), Double(index / 25)) / 4
        if !isFixed(samples) { return false }
      }
    }
    return (0...255).allSatisfy { isFixed(SIMD3(repeating: Double($0) / 255)) }
  }
}

extension ColorSpace {
  /// Whether the description that applies is an ICC profile.
  var isProfile: Bool { if case .icc = definition { true } else { false } }

  /// The colour space without what concerns a high dynamic range, which has been reduced.
  var withoutDynamicRange: ColorSpace {
    var space = self
    space.masteringDisplay = nil
    space.contentLightLevel = nil
    space.gainMap = nil
    return space
  }
}
