// The conversion of rows of integer samples in single precision: one pass over the row for each step.

internal import ImageCore

/// Converts rows of 8-bit or 16-bit samples, with straight alpha or none, by tables and vectors of single precision.
struct StagedRows: Sendable {
  /// A step, which changes all staged colours of a row.
  enum Pass: Sendable {
    /// A matrix by columns, and an offset.
    case matrix(SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, offset: SIMD4<Float>)
    /// A function of each of the first components.
    case functions([StagedFunction])
    case grid(ColorGrid)
    /// The fraction of L* to encoded CIELAB.
    case neutralLab
    /// Encoded CIELAB, scaled by a factor, to XYZ relative to D50.
    case labToXYZ(scale: Float)
    case toneMap(ToneMap)
    /// Cyan, magenta, yellow and black without a profile to sRGB.
    case inkToLight
    /// Luminance to L* as a fraction of 100.
    case lightness
  }

  private let source: PixelFormat
  private let target: PixelFormat
  /// For each sample of a pixel, what is staged for its levels.
  private let inputs: [[Float]]
  private let passes: [Pass]
  /// The functions from linear light to samples.
  private let encoders: [SampledFunction]
}

extension StagedRows {
  /// Creates the tables.
  ///
  /// - Throws: the errors of the budget, which is charged with the tables and the work.
  init(
    _ steps: ConversionSteps, _ source: PixelFormat, _ target: PixelFormat, budget: inout ResourceBudget
  ) throws(CodecError) {
    self.source = source
    self.target = target
    var passes: [Pass] = []
    var curves = Array(repeating: ToneCurve.linear, count: source.colorModel.sampleCount)
    switch steps.source {
    case .matrix(let matrix):
      curves = Array(matrix.curves.prefix(curves.count))
      if source.colorModel == .gray, !matrix.isGray {
        // Gray with a profile for RGB has one sample for three curves.
        curves = [.linear]
        passes.append(try Self.pass(.curves(matrix.curves), &budget))
      }
      if let toneMap = steps.toneMap {
        try budget.allocate(ToneMap.byteCount)
        passes.append(.toneMap(toneMap))
      }
      if matrix.isLightness { passes += [.neutralLab, .labToXYZ(scale: 1)] }
      let toXYZ =
        matrix.isGray ? Matrix3(diagonal: matrix.isLightness ? SIMD3(repeating: 1) : Colorimetry.d50) : matrix.toXYZ
      passes.append(
        Self.affine(
          steps.fromXYZ * Matrix3(diagonal: steps.connection.scale) * toXYZ,
          steps.fromXYZ * steps.connection.offset))
    case .lookup(let lookup):
      var stages = lookup.stages
      // Gray with a profile for RGB has one sample for three curves.
      if case .curves(let first)? = stages.first, first.count == curves.count {
        curves = first
        stages.removeFirst()
      }
      for stage in stages { passes.append(try Self.pass(stage, &budget)) }
      var scale = SIMD3(repeating: LookupTransform.ConnectionEncoding.maximumXYZ)
      switch lookup.encoding {
      case .xyz: break
      case .lab: passes.append(.labToXYZ(scale: 1))
      case .legacyLab: passes.append(.labToXYZ(scale: Float(LookupTransform.ConnectionEncoding.legacyScale)))
      }
      if passes.last?.yieldsXYZ == true { scale = SIMD3(repeating: 1) }
      passes.append(
        Self.affine(
          steps.fromXYZ * Matrix3(diagonal: steps.connection.scale * scale), steps.fromXYZ * steps.connection.offset))
    case .plainInk:
      passes.append(.inkToLight)
      let function = try StagedFunction(.parametric(.sRGB), budget: &budget)
      passes.append(.functions([function, function, function]))
      passes.append(Self.affine(steps.fromXYZ * MatrixProfile.sRGB.toXYZ, SIMD3()))
    }
    if steps.target.isLightness { passes.append(.lightness) }
    self.passes = passes
    inputs = try Self.inputTables(curves, source, &budget)
    var encoders: [SampledFunction] = []
    for (index, curve) in steps.target.curves.enumerated() {
      if index > 0, curve == steps.target.curves[index - 1] {
        encoders.append(encoders[index - 1])
      } else {
        try budget.allocate(SampledFunction.byteCount(exponent: 0))
        try budget.chargeWork(400_000)
        encoders.append(SampledFunction(exponent: 0) { curve.sample($0) })
      }
    }
    self.encoders = encoders
  }

  private static func affine(_ matrix: Matrix3, _ offset: SIMD3<Double>) -> Pass {
    let columns = matrix.transposed.rows
    func lanes(_ vector: SIMD3<Double>) -> SIMD4<Float> { SIMD4(SIMD3<Float>(vector), 0) }
    return .matrix(lanes(columns.0), lanes(columns.1), lanes(columns.2), offset: lanes(offset))
  }

  private static func pass(
    _ stage: LookupTransform.Stage, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Pass {
    switch stage {
    case .matrix(let matrix, let offset): return affine(matrix, offset)
    case .grid(let grid): return .grid(grid)
    case .curves(let curves):
      var functions: [StagedFunction] = []
      for curve in curves { functions.append(try StagedFunction(curve, budget: &budget)) }
      return .functions(functions)
    }
  }

  /// Returns a table of the values of all levels for each sample of a pixel, in the order of the samples.
  private static func inputTables(
    _ curves: [ToneCurve], _ source: PixelFormat, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [[Float]] {
    let ordered = source.colorModel == .bgr ? curves.reversed() : curves
    let maximum = source.sampleType.maximum
    var tables: [[Float]] = []
    for (index, curve) in ordered.enumerated() {
      if index > 0, curve == ordered[index - 1] {
        tables.append(tables[index - 1])
        continue
      }
      try budget.allocate(count: maximum + 1, bytesEach: 4)
      try budget.chargeWork(count: maximum + 1, unitsEach: 20)
      let scale = 1 / Double(maximum)
      if maximum > 255, curve.isContinuous {
        // A power for each of 65536 levels takes milliseconds.
        let function = SampledFunction(exponent: 0) { curve.light($0) }
        let nodes = function.span
        tables.append((0...maximum).map { SampledFunction.value(Float(Double($0) * scale), in: nodes) })
      } else {
        tables.append((0...maximum).map { Float(curve.light(Double($0) * scale)) })
      }
    }
    return tables
  }
}

extension StagedRows.Pass {
  fileprivate var yieldsXYZ: Bool { if case .labToXYZ = self { true } else { false } }
}

// MARK: Rows

extension StagedRows {
  func convert(_ row: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    var colors = [SIMD4<Float>](repeating: SIMD4(), count: row.count / source.bytesPerPixel)
    var staged = colors.mutableSpan
    if source.sampleType == .uint8 {
      load(&staged) { Int(row[$0]) }
    } else {
      load(&staged) { Int(nativeUInt16(row, at: $0 &* 2)) }
    }
    for pass in passes { pass.apply(to: &staged) }
    if target.sampleType == .uint8 {
      store(staged.span) { output[$0] = UInt8(truncatingIfNeeded: Int32($1 * 255 + 0.5)) }
      if source.hasAlpha {
        copyAlpha {
          output[$1] = row[$0]
        } count: {
          staged.count
        }
      }
    } else {
      store(staged.span) {
        storeNativeUInt16(UInt16(truncatingIfNeeded: Int32($1 * 65535 + 0.5)), into: &output, at: $0 &* 2)
      }
      if source.hasAlpha {
        copyAlpha {
          storeNativeUInt16(nativeUInt16(row, at: $0 &* 2), into: &output, at: $1 &* 2)
        } count: {
          staged.count
        }
      }
    }
  }

  @inline(__always)
  private func load(_ colors: inout MutableSpan<SIMD4<Float>>, _ sample: (Int) -> Int) {
    let step = source.samplesPerPixel
    var from = 0
    switch source.colorModel {
    case .gray:
      let levels = inputs[0]
      let table = levels.span
      for index in 0..<colors.count {
        colors[index] = SIMD4(repeating: table[sample(from)])
        from &+= step
      }
    case .rgb, .bgr:
      let tables = (inputs[0], inputs[1], inputs[2])
      let (first, second, third) = (tables.0.span, tables.1.span, tables.2.span)
      let isReversed = source.colorModel == .bgr
      for index in 0..<colors.count {
        let (a, b, c) = (first[sample(from)], second[sample(from &+ 1)], third[sample(from &+ 2)])
        colors[index] = isReversed ? SIMD4(c, b, a, 0) : SIMD4(a, b, c, 0)
        from &+= step
      }
    case .cmyk:
      let tables = (inputs[0], inputs[1], inputs[2], inputs[3])
      let (first, second, third, fourth) = (tables.0.span, tables.1.span, tables.2.span, tables.3.span)
      for index in 0..<colors.count {
        colors[index] = SIMD4(
          first[sample(from)], second[sample(from &+ 1)], third[sample(from &+ 2)], fourth[sample(from &+ 3)])
        from &+= step
      }
    }
  }

  @inline(__always)
  private func store(_ colors: Span<SIMD4<Float>>, _ body: (Int, Float) -> Void) {
    let step = target.samplesPerPixel
    var to = 0
    let firstEncoder = encoders[0]
    let first = firstEncoder.span
    if target.colorModel == .gray {
      for index in 0..<colors.count {
        body(to, Self.encode(colors[index].x, first))
        to &+= step
      }
      return
    }
    let others = (encoders[1], encoders[2])
    let (second, third) = (others.0.span, others.1.span)
    let (red, blue) = target.colorModel == .bgr ? (2, 0) : (0, 2)
    for index in 0..<colors.count {
      let color = colors[index]
      body(to &+ red, Self.encode(color.x, first))
      body(to &+ 1, Self.encode(color.y, second))
      body(to &+ blue, Self.encode(color.z, third))
      to &+= step
    }
  }

  /// The sample of a linear light, 0…1. NaN becomes the sample of 0.
  @inline(__always)
  private static func encode(_ light: Float, _ nodes: Span<SIMD2<Float>>) -> Float {
    let value = SampledFunction.value(light > 0 ? min(light, 1) : 0, in: nodes)
    return value > 0 ? min(value, 1) : 0
  }

  @inline(__always)
  private func copyAlpha(_ body: (Int, Int) -> Void, count: () -> Int) {
    let (from, to) = (source.samplesPerPixel, target.samplesPerPixel)
    for index in 0..<count() { body(index &* from &+ from &- 1, index &* to &+ to &- 1) }
  }
}
