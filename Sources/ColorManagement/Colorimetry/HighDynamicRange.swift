// The transfer functions of BT.2100.

internal import ImageCore

/// SMPTE ST 2084. Light is a fraction of 10,000 cd/m².
enum PerceptualQuantizer {
  private static let m1 = 2610.0 / 16384
  private static let m2 = 2523.0 / 4096 * 128
  private static let c1 = 3424.0 / 4096
  private static let c2 = 2413.0 / 4096 * 32
  private static let c3 = 2392.0 / 4096 * 32

  static func light(_ sample: Double) -> Double {
    guard sample > 0 else { return 0 }
    let power = ElementaryFunctions.power(min(sample, 1), 1 / m2)
    return ElementaryFunctions.power(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
  }

  static func sample(_ light: Double) -> Double {
    guard light > 0 else { return 0 }
    let power = ElementaryFunctions.power(min(light, 1), m1)
    return ElementaryFunctions.power((c1 + c2 * power) / (1 + c3 * power), m2)
  }
}

/// ARIB STD-B67. Light is scene light, 0…1.
enum HybridLogGamma {
  private static let a = 0.17883277
  private static let b = 1 - 4 * a
  private static let c = 0.5 - a * ElementaryFunctions.logarithm(4 * a)

  static func light(_ sample: Double) -> Double {
    guard sample > 0 else { return 0 }
    if sample <= 0.5 { return sample * sample / 3 }
    return (ElementaryFunctions.exponential((min(sample, 1) - c) / a) + b) / 12
  }

  static func sample(_ light: Double) -> Double {
    guard light > 0 else { return 0 }
    if light <= 1.0 / 12 { return (3 * light).squareRoot() }
    return a * ElementaryFunctions.logarithm(12 * min(light, 1) - b) + c
  }
}
