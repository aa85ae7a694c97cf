// The steps of converting between two pixel formats: unpack → straight alpha → sample type → colour model → alpha →
// pack. Each step is one loop over a row, with its parameters examined once per row.

/// Converts pixels between two formats through staged pixels of five samples: R, G, B, an unused one and A; or C, M, Y,
/// K and A. Gray is staged as three equal samples.
struct PixelConversionSteps {
  static let samplesPerPixel = 5

  let source: PixelFormat
  let target: PixelFormat

  init(from source: PixelFormat, to target: PixelFormat) {
    self.source = source
    self.target = target
  }

  /// Whether staged samples are floating-point numbers.
  var isFloatingPoint: Bool { source.sampleType.isFloatingPoint || target.sampleType.isFloatingPoint }

  private var dividesByAlpha: Bool {
    source.alpha == .premultiplied
      && (target.alpha != .premultiplied || source.sampleType != target.sampleType
        || !hasSameColors)
  }

  /// Whether colours only change their order, if at all, so that premultiplied ones can be kept.
  private var hasSameColors: Bool {
    source.colorModel == target.colorModel
      || [source.colorModel, target.colorModel].allSatisfy { $0 == .rgb || $0 == .bgr }
  }

  private var multipliesByAlpha: Bool {
    target.alpha == .premultiplied && (source.alpha == .straight || dividesByAlpha)
  }

  // MARK: Integers

  /// Converts pixels between integer formats.
  ///
  /// - Parameter row: ``samplesPerPixel`` samples for each pixel of `input`.
  func convert(
    _ input: Span<UInt8>, through row: inout MutableSpan<UInt32>, into output: inout MutableSpan<UInt8>
  ) {
    if source.sampleType == .uint8 {
      unpack(UInt8Samples.self, input, into: &row)
    } else {
      unpack(UInt16Samples.self, input, into: &row)
    }
    let sourceMaximum = UInt32(source.sampleType.maximum)
    let targetMaximum = UInt32(target.sampleType.maximum)
    if dividesByAlpha { forEachColor(&row) { PixelArithmetic.unpremultiply($0, $1, maximum: sourceMaximum) } }
    if sourceMaximum < targetMaximum {
      for index in row.indices { row[index] = PixelArithmetic.widen(row[index]) }
    } else if sourceMaximum > targetMaximum {
      for index in row.indices { row[index] = PixelArithmetic.narrow(row[index]) }
    }
    changeColorModel(&row, maximum: targetMaximum)
    if multipliesByAlpha { forEachColor(&row) { PixelArithmetic.premultiply($0, $1, maximum: targetMaximum) } }
    if target.sampleType == .uint8 {
      pack(UInt8Samples.self, row.span, into: &output)
    } else {
      pack(UInt16Samples.self, row.span, into: &output)
    }
  }

  @inline(__always)
  private func unpack<Samples: IntegerSampleCoding>(
    _ samples: Samples.Type, _ input: Span<UInt8>, into row: inout MutableSpan<UInt32>
  ) {
    unpack(input, opaque: Samples.maximum, into: &row) { Samples.load($0, $1) }
  }

  @inline(__always)
  private func pack<Samples: IntegerSampleCoding>(
    _ samples: Samples.Type, _ row: Span<UInt32>, into output: inout MutableSpan<UInt8>
  ) {
    pack(row, into: &output) { Samples.store($0, &$1, $2) }
  }

  private func changeColorModel(_ row: inout MutableSpan<UInt32>, maximum: UInt32) {
    switch (source.colorModel, target.colorModel) {
    case (.cmyk, .cmyk): break
    case (.cmyk, let to):
      forEachPixel(&row) { row, index in
        let light = maximum - row[index + 3]
        for sample in index..<index + 3 {
          row[sample] = PixelArithmetic.premultiply(maximum - row[sample], light, maximum: maximum)
        }
        if to == .gray { row[index] = PixelArithmetic.luma(row[index], row[index + 1], row[index + 2]) }
      }
    case (_, .cmyk):
      forEachPixel(&row) { row, index in
        let brightest = max(row[index], row[index + 1], row[index + 2])
        for sample in index..<index + 3 {
          row[sample] = brightest == 0 ? 0 : ((brightest - row[sample]) * maximum + brightest / 2) / brightest
        }
        row[index + 3] = maximum - brightest
      }
    case (.gray, _): break
    case (_, .gray):
      forEachPixel(&row) { row, index in
        row[index] = PixelArithmetic.luma(row[index], row[index + 1], row[index + 2])
      }
    default: break
    }
  }

  // MARK: Floating point

  /// Converts pixels if at least one of the formats is floating-point.
  ///
  /// - Parameter row: ``samplesPerPixel`` samples for each pixel of `input`.
  func convert(
    _ input: Span<UInt8>, through row: inout MutableSpan<Float>, into output: inout MutableSpan<UInt8>
  ) {
    switch source.sampleType {
    case .uint8: unpack(input, opaque: 1, into: &row) { UInt8Samples.loadFloat($0, $1) }
    case .uint16: unpack(input, opaque: 1, into: &row) { UInt16Samples.loadFloat($0, $1) }
    case .float16: unpack(input, opaque: 1, into: &row) { Float16Samples.loadFloat($0, $1) }
    case .float32: unpack(input, opaque: 1, into: &row) { Float32Samples.loadFloat($0, $1) }
    }
    if dividesByAlpha { forEachColor(&row) { $1 == 0 ? 0 : $0 / $1 } }
    changeColorModel(&row)
    if multipliesByAlpha { forEachColor(&row) { $0 * $1 } }
    switch target.sampleType {
    case .uint8: pack(row.span, into: &output) { UInt8Samples.store($0, &$1, $2) }
    case .uint16: pack(row.span, into: &output) { UInt16Samples.store($0, &$1, $2) }
    case .float16: pack(row.span, into: &output) { Float16Samples.store($0, &$1, $2) }
    case .float32: pack(row.span, into: &output) { Float32Samples.store($0, &$1, $2) }
    }
  }

  private func changeColorModel(_ row: inout MutableSpan<Float>) {
    switch (source.colorModel, target.colorModel) {
    case (.cmyk, .cmyk): break
    case (.cmyk, let to):
      forEachPixel(&row) { row, index in
        let light = 1 - row[index + 3]
        for sample in index..<index + 3 { row[sample] = (1 - row[sample]) * light }
        if to == .gray { row[index] = luma(row[index], row[index + 1], row[index + 2]) }
      }
    case (_, .cmyk):
      forEachPixel(&row) { row, index in
        let brightest = max(row[index], row[index + 1], row[index + 2])
        for sample in index..<index + 3 { row[sample] = brightest > 0 ? (brightest - row[sample]) / brightest : 0 }
        row[index + 3] = 1 - brightest
      }
    case (.gray, _): break
    case (_, .gray):
      forEachPixel(&row) { row, index in
        row[index] = luma(row[index], row[index + 1], row[index + 2])
      }
    default: break
    }
  }

  /// Rec. 601 luma with the weights of ``PixelArithmetic/luma(_:_:_:)``.
  @inline(__always)
  private func luma(_ red: Float, _ green: Float, _ blue: Float) -> Float {
    (red * 19595 + green * 38470 + blue * 7471) / 65536
  }

  // MARK: Any samples

  @inline(__always)
  private func unpack<Sample: BitwiseCopyable>(
    _ input: Span<UInt8>, opaque: Sample, into row: inout MutableSpan<Sample>,
    load: (Span<UInt8>, Int) -> Sample
  ) {
    let (model, hasAlpha, colorCount) = (source.colorModel, source.hasAlpha, source.colorModel.sampleCount)
    var from = 0
    var index = 0
    while index < row.count {
      switch model {
      case .gray:
        let value = load(input, from)
        row[index] = value
        row[index &+ 1] = value
        row[index &+ 2] = value
      case .rgb, .cmyk:
        row[index] = load(input, from)
        row[index &+ 1] = load(input, from &+ 1)
        row[index &+ 2] = load(input, from &+ 2)
        if colorCount == 4 { row[index &+ 3] = load(input, from &+ 3) }
      case .bgr:
        row[index] = load(input, from &+ 2)
        row[index &+ 1] = load(input, from &+ 1)
        row[index &+ 2] = load(input, from)
      }
      from &+= colorCount
      row[index &+ 4] = hasAlpha ? load(input, from) : opaque
      if hasAlpha { from &+= 1 }
      index &+= Self.samplesPerPixel
    }
  }

  @inline(__always)
  private func pack<Sample: BitwiseCopyable>(
    _ row: Span<Sample>, into output: inout MutableSpan<UInt8>,
    store: (Sample, inout MutableSpan<UInt8>, Int) -> Void
  ) {
    let (isReversed, hasAlpha, colorCount) = (
      target.colorModel == .bgr, target.hasAlpha, target.colorModel.sampleCount
    )
    var to = 0
    var index = 0
    while index < row.count {
      for offset in 0..<colorCount {
        store(row[index &+ (isReversed ? 2 &- offset : offset)], &output, to &+ offset)
      }
      to &+= colorCount
      if hasAlpha {
        store(row[index &+ 4], &output, to)
        to &+= 1
      }
      index &+= Self.samplesPerPixel
    }
  }

  /// Replaces each colour sample with a function of it and of alpha.
  @inline(__always)
  private func forEachColor<Sample: BitwiseCopyable>(
    _ row: inout MutableSpan<Sample>, _ body: (Sample, Sample) -> Sample
  ) {
    let colorCount = source.colorModel == .cmyk || target.colorModel == .cmyk ? 4 : 3
    var index = 0
    while index < row.count {
      let alpha = row[index &+ 4]
      for sample in index..<index &+ colorCount { row[sample] = body(row[sample], alpha) }
      index &+= Self.samplesPerPixel
    }
  }

  @inline(__always)
  private func forEachPixel<Sample: BitwiseCopyable>(
    _ row: inout MutableSpan<Sample>, _ body: (inout MutableSpan<Sample>, Int) -> Void
  ) {
    var index = 0
    while index < row.count {
      body(&row, index)
      index &+= Self.samplesPerPixel
    }
  }
}
