// The parameters of a segment's macroblocks: quantizers, the Lagrange multipliers that follow from them, and the
// strength of the loop filter.

internal import ImageCoding

/// The susceptibility of a segment's macroblocks to compression.
struct SegmentTexture: Hashable, Sendable {
  /// −127 (busy) … 127 (smooth).
  var susceptibility = 0
  /// 0…255; the busier, the less.
  var complexity = 0
}

/// The quantizers and multipliers of a segment.
struct SegmentParameters: Sendable {
  /// The quantizer index, 0…127.
  let index: Int
  /// The level of the loop filter, 0…63.
  var filterLevel: Int
  let luma: PairQuantizer
  let chroma: PairQuantizer
  /// The quantizer of the Y2 block, one coefficient at a time.
  let secondary: ScalarQuantizer
  /// The same as ``luma``, for trellis quantization.
  let lumaSteps: ScalarQuantizer

  // The multipliers of rates, in relation to distortions multiplied by 256.
  let wholeMultiplier: Int64
  let subblockMultiplier: Int64
  let chromaMultiplier: Int64
  let modeMultiplier: Int64
  let wholeTrellisMultiplier: Int64
  let subblockTrellisMultiplier: Int64
  /// The weight of texture distortion, in units of 1/256.
  let textureWeight: Int32
  /// The distortion above which a macroblock without AC coefficients shows its edges.
  let visibleDistortion: Int32

  init(index: Int, filterLevel: Int, deltas: QuantizerDeltas, textureStrength: Int) {
    self.index = index
    self.filterLevel = filterLevel
    let factors = QuantizationFactors(index: index, deltas: deltas)
    luma = PairQuantizer(
      first: factors.lumaDC, others: factors.lumaAC, bias: (96, 110), sharpens: true)
    lumaSteps = ScalarQuantizer(first: factors.lumaDC, others: factors.lumaAC, bias: (96, 110))
    chroma = PairQuantizer(
      first: factors.chromaDC, others: factors.chromaAC, bias: (110, 115), sharpens: false)
    secondary = ScalarQuantizer(first: factors.secondaryDC, others: factors.secondaryAC, bias: (96, 108))
    func average(_ first: Int32, _ others: Int32) -> Int64 { Int64(first + 15 * others + 8) >> 4 }
    let subblock = average(factors.lumaDC, factors.lumaAC)
    let whole = average(factors.secondaryDC, factors.secondaryAC)
    let chromaStep = average(factors.chromaDC, factors.chromaAC)
    subblockMultiplier = max(1, (3 * subblock * subblock) >> 7)
    wholeMultiplier = max(1, 3 * whole * whole)
    chromaMultiplier = max(1, (3 * chromaStep * chromaStep) >> 6)
    modeMultiplier = max(1, (subblock * subblock) >> 7)
    subblockTrellisMultiplier = max(1, (7 * subblock * subblock) >> 3)
    wholeTrellisMultiplier = max(1, (whole * whole) >> 2)
    textureWeight = Int32(max(1, (Int64(textureStrength) * subblock) >> 5))
    visibleDistortion = 20 * factors.lumaDC
  }
}

/// A quantizer for single coefficients.
struct ScalarQuantizer: Sendable {
  let first: Int32
  let others: Int32
  private let inverses: (Int32, Int32)
  private let biases: (Int32, Int32)

  init(first: Int32, others: Int32, bias: (first: Int32, others: Int32)) {
    (self.first, self.others) = (first, others)
    inverses = ((1 << 17) / first, (1 << 17) / others)
    biases = (bias.first << 9, bias.others << 9)
  }

  /// Returns the level of a coefficient.
  @inline(__always)
  func level(_ coefficient: Int32, isFirst: Bool) -> Int32 {
    let magnitude = abs(coefficient)
    let level =
      (magnitude &* (isFirst ? inverses.0 : inverses.1) &+ (isFirst ? biases.0 : biases.1)) &>> 17
    let limited = min(level, Int32(PairQuantizer.greatestLevel))
    return coefficient < 0 ? 0 &- limited : limited
  }

  /// Returns the level of a magnitude with another bias, in units of 1/256.
  @inline(__always)
  func level(magnitude: Int32, isFirst: Bool, bias: Int32) -> Int32 {
    (magnitude &* (isFirst ? inverses.0 : inverses.1) &+ bias &<< 9) &>> 17
  }
}

/// The quantizers of a picture's segments at one quality.
struct FrameQuantization: Sendable {
  var segments: [SegmentParameters]
  let deltas: QuantizerDeltas
  /// For each segment of the analysis, the one that is used: segments with equal parameters are merged.
  let merged: [UInt8]
  let sharpness: Int

  /// - Parameters:
  ///   - quality: 0…100.
  ///   - chromaSusceptibility: the average over all macroblocks.
  init(
    quality: Double, _ textures: [SegmentTexture], chromaSusceptibility: Int, options: WebPEncoder.Options,
    weighsTexture: Bool
  ) {
    let shaping = options.noiseShaping
    // Good quality is around the middle of quantizers, and the size of a file grows with about the third power.
    let fraction = quality / 100
    let line = fraction < 0.75 ? fraction * 2 / 3 : 2 * fraction - 1
    let base = line <= 0 ? 0 : ElementaryFunctions.power(line, 1 / 3)
    let amplitude = 0.9 * Double(shaping) / 100 / 128
    var deltas = QuantizerDeltas()
    // A chroma susceptibility of 30 is poor, one of 100 good.
    deltas.chromaAC = min(max((chromaSusceptibility - 64) * 10 / 70 * shaping / 100, -4), 6)
    // Flat chroma shows the edges of blocks.
    deltas.chromaDC = min(max(-4 * shaping / 100, -15), 15)
    sharpness = options.filterSharpness
    var segments: [SegmentParameters] = []
    var merged: [UInt8] = []
    for texture in textures {
      let power = 1 - amplitude * Double(texture.susceptibility)
      let compression = base <= 0 ? 0 : ElementaryFunctions.power(base, power)
      let index = min(max(Int(127 * (1 - compression)), 0), 127)
      let step = Int(QuantizationFactors(index: index, deltas: QuantizerDeltas()).lumaAC) >> 2
      let strength =
        Self.filterLevel(hiding: step, sharpness: sharpness) * 5 * options.filterStrength / (256 + texture.complexity)
      let level = strength < 2 ? 0 : min(strength, 63)
      if let equal = segments.firstIndex(where: { $0.index == index && $0.filterLevel == level }) {
        merged.append(UInt8(equal))
      } else {
        merged.append(UInt8(segments.count))
        segments.append(
          SegmentParameters(
            index: index, filterLevel: level, deltas: deltas, textureStrength: weighsTexture ? shaping : 0))
      }
    }
    (self.segments, self.merged, self.deltas) = (segments, merged, deltas)
  }

  /// Returns the lowest level at which the loop filter smooths a step between two blocks.
  static func filterLevel(hiding step: Int, sharpness: Int) -> Int {
    let step = min(step, 63)
    guard sharpness > 0 else { return step }
    return (step..<64).first { level in
      let interior = min(level >> (sharpness > 4 ? 2 : 1), 9 - sharpness)
      return 2 * level + max(1, interior) >= 3 * step
    } ?? 63
  }

  /// Strengthens the filter of segments in which blocks without AC coefficients have visible edges.
  ///
  /// - Parameter edges: for each segment, the largest difference between such blocks.
  mutating func strengthenFilters(_ edges: [Int]) {
    for index in segments.indices {
      let step = (edges[index] * Int(segments[index].secondary.others)) >> 3
      segments[index].filterLevel = max(
        segments[index].filterLevel, Self.filterLevel(hiding: step, sharpness: sharpness))
    }
  }
}
