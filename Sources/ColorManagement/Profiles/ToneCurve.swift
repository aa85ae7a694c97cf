// Transfer functions from encoded samples to linear light, and their inverses.

internal import ImageCore

/// A function from an encoded sample to linear light, both fractions of a full sample.
enum ToneCurve: Hashable, Sendable {
  /// A power function with a linear part (ICC.1, section 10.18).
  case parametric(ParametricCurve)
  /// 2…65536 samples at equal distances, of which 65535 is full.
  case table([UInt16])
  /// Logarithmic over this number of decades (H.273, transfer characteristics 9 and 10).
  case logarithmic(decades: Double)
  /// The perceptual quantiser (SMPTE ST 2084): 1 is 10,000 cd/m².
  case perceptualQuantizer
  /// Hybrid log-gamma (ARIB STD-B67): scene light.
  case hybridLogGamma

  static let linear = ToneCurve.parametric(ParametricCurve(gamma: 1))

  /// Returns the linear light of a sample. Samples outside 0…1 extend parametric curves; tables are clamped.
  func light(_ sample: Double) -> Double {
    switch self {
    case .parametric(let curve): curve.value(sample)
    case .table(let samples): Self.interpolate(samples.span, sample)
    case .logarithmic(let decades):
      sample <= 0 ? 0 : ElementaryFunctions.power(10, (min(sample, 1) - 1) * decades)
    case .perceptualQuantizer: PerceptualQuantizer.light(sample)
    case .hybridLogGamma: HybridLogGamma.light(sample)
    }
  }

  /// Returns the sample whose linear light this is: the inverse of ``light(_:)``.
  func sample(_ light: Double) -> Double {
    switch self {
    case .parametric(let curve): curve.inverse(light)
    case .table(let samples): Self.find(samples.span, light)
    case .logarithmic(let decades):
      light <= ElementaryFunctions.power(10, -decades)
        ? 0 : 1 + ElementaryFunctions.logarithm(light) / (ElementaryFunctions.logarithm(10) * decades)
    case .perceptualQuantizer: PerceptualQuantizer.sample(light)
    case .hybridLogGamma: HybridLogGamma.sample(light)
    }
  }

  /// Whether the curve can be sampled between its nodes: it is a function without a jump, and no table.
  var isContinuous: Bool {
    switch self {
    case .parametric(let curve): curve.isContinuous
    case .table: false
    case .logarithmic: false
    case .perceptualQuantizer, .hybridLogGamma: true
    }
  }

  private static func interpolate(_ samples: Span<UInt16>, _ position: Double) -> Double {
    let last = samples.count - 1
    guard position > 0, last > 0 else { return Double(samples[0]) / 65535 }
    guard position < 1 else { return Double(samples[last]) / 65535 }
    let scaled = position * Double(last)
    let index = min(Int(scaled), last - 1)
    let fraction = scaled - Double(index)
    let (low, high) = (Double(samples[index]), Double(samples[index + 1]))
    return (low + (high - low) * fraction) / 65535
  }

  /// Finds the first position at which a rising table reaches a value; for a falling table, the last.
  private static func find(_ samples: Span<UInt16>, _ value: Double) -> Double {
    let last = samples.count - 1
    let isFalling = samples[0] > samples[last]
    func at(_ index: Int) -> Double { Double(samples[isFalling ? last - index : index]) / 65535 }
    guard last > 0, value > at(0) else { return isFalling ? 1 : 0 }
    var (low, high) = (0, last)
    guard value <= at(last) else { return isFalling ? 0 : 1 }
    while high - low > 1 {
      let middle = (low + high) / 2
      if at(middle) < value { low = middle } else { high = middle }
    }
    let step = at(high) - at(low)
    let position = (Double(low) + (step > 0 ? min(max((value - at(low)) / step, 0), 1) : 0)) / Double(last)
    return isFalling ? 1 - position : position
  }
}

/// `(a·x + b)^gamma + e` from `threshold` on, and `c·x + f` below it.
struct ParametricCurve: Hashable, Sendable {
  var gamma: Double
  var a = 1.0
  var b = 0.0
  var c = 0.0
  var threshold = 0.0
  var e = 0.0
  var f = 0.0

  func value(_ x: Double) -> Double {
    if isLinear { return a * x + b + e }
    let result = x >= threshold ? power(a * x + b, gamma) + e : c * x + f
    return result.isNaN ? 0 : min(max(result, -1e22), 1e22)
  }

  func inverse(_ y: Double) -> Double {
    if isLinear { return a == 0 ? 0 : (y - b - e) / a }
    let limit = power(a * threshold + b, gamma) + e
    let result: Double
    if y >= limit || c == 0 {
      result = a == 0 || gamma == 0 ? 0 : (power(y - e, 1 / gamma) - b) / a
    } else {
      result = (y - f) / c
    }
    return result.isNaN ? 0 : min(max(result, -1e22), 1e22)
  }

  private var isLinear: Bool { gamma == 1 && threshold <= 0 && (c == 0 || c == a) && f == (c == 0 ? 0 : b + e) }

  /// Whether there is no jump between the two parts.
  var isContinuous: Bool {
    threshold <= 0 || threshold >= 1 || abs(value(threshold) - (c * threshold + f)) < 1e-6
  }

  private func power(_ base: Double, _ exponent: Double) -> Double {
    base > 0 ? ElementaryFunctions.power(base, exponent) : 0
  }

  /// IEC 61966-2-1.
  static let sRGB = ParametricCurve(gamma: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, threshold: 0.04045)

  /// The inverse of a curve `(1 + alpha)·L^power - alpha` with a linear part up to the light `limit`.
  static func camera(alpha: Double, limit: Double, slope: Double, power: Double) -> ParametricCurve {
    ParametricCurve(
      gamma: 1 / power, a: 1 / (1 + alpha), b: alpha / (1 + alpha), c: 1 / slope, threshold: limit * slope)
  }
}
