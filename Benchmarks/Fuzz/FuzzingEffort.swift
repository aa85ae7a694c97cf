// The effort spent on an input, which decides how many are tried in a second.

import ImageCoding

/// The use of an input. Decoding it once finds new code and accesses outside of memory; all comparisons together take ten
/// times as long.
///
/// The sum of all bytes selects it, so that an input is always used in the same way, and inputs that differ little are
/// used in different ways.
enum FuzzingEffort: Hashable {
  /// A small picture is decoded once.
  case quick(DecodingOptions.Tolerance)
  /// All entry points are called and compared for a small picture: one of 16 inputs.
  case thorough
  /// Likewise for a picture of up to a megapixel, on two threads as well: one of 1,024 inputs.
  case large

  /// The effort for an input.
  init(_ bytes: [UInt8]) {
    var sum: UInt32 = 0
    for byte in bytes { sum &+= UInt32(byte) }
    self =
      switch sum & 1023 {
      case 15: .large
      case let rest where rest & 15 == 15: .thorough
      default: .quick(sum & 1 == 0 ? .lenient : .strict)
      }
  }

  /// Whether the input is decoded once.
  var isQuick: Bool { tolerances.count == 1 }

  /// How the input is decoded.
  var tolerances: [DecodingOptions.Tolerance] {
    if case .quick(let tolerance) = self { [tolerance] } else { [.lenient, .strict] }
  }

  /// The limits of decoding.
  var limits: DecodingLimits {
    let isLarge = self == .large
    return DecodingLimits(
      maximumPixelCount: isLarge ? 1 << 20 : 1 << 14, maximumSourcePixelCount: isLarge ? 1 << 22 : 1 << 16,
      maximumByteCount: 16 << 20, maximumWork: isLarge ? 1_000_000_000 : 50_000_000)
  }
}

extension DecodingOptions {
  /// The options of what is called for some inputs besides their decode; `nil` for those that are decoded once.
  static func furtherCalls(_ bytes: [UInt8]) -> DecodingOptions? {
    let effort = FuzzingEffort(bytes)
    return effort.isQuick ? nil : DecodingOptions(limits: effort.limits)
  }
}

extension DecodingLimits {
  /// The limits of decoding an input.
  static func fuzzing(_ bytes: [UInt8]) -> DecodingLimits { FuzzingEffort(bytes).limits }
}
