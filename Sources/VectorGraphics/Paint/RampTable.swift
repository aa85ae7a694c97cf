// The colours of a gradient by parameter: a table fine enough that its steps are invisible, or exact interpolation
// where a table is not possible, as with stops at the same position.

private import ImageCore

/// The premultiplied colours of a ramp.
///
/// Straight colours are interpolated and then premultiplied, as SVG and CSS require.
struct RampTable: Sendable {
  private static let maximumCount = 4096
  /// The largest slope of the transfer function from linear light to sRGB.
  private static let maximumEncodingSlope = 12.92

  private let ramp: GradientRamp
  private let spread: GradientRamp.Spread
  /// The colours at the parameters i / (count - 1); empty if colours are computed individually.
  private let words: [UInt32]
  private let scale: Double
  /// The colour before the first stop, if another stop is at the same position.
  private let wordBefore: UInt32?

  init(_ ramp: GradientRamp, opacity: Double) {
    let stops = ramp.stops.map { GradientRamp.Stop(offset: $0.offset, color: $0.color.withOpacity(opacity)) }
    let faded = GradientRamp(stops, spread: ramp.spread, isLinearLight: ramp.isLinearLight)
    self.ramp = faded
    spread = ramp.spread
    let hasHardStart = faded.stops.count > 1 && faded.stops[1].offset <= 0
    wordBefore = hasHardStart ? faded.stops[0].color.premultiplied : nil
    guard let count = RampTable.tableCount(faded.stops, isLinearLight: faded.isLinearLight) else {
      words = []
      scale = 0
      return
    }
    scale = Double(count - 1)
    var table: [UInt32] = []
    table.reserveCapacity(count)
    var interval = 0
    for index in 0..<count {
      let parameter = Double(index) / Double(count - 1)
      while interval < faded.stops.count, faded.stops[interval].offset <= parameter { interval += 1 }
      table.append(faded.color(at: parameter, beforeStop: interval).premultiplied)
    }
    words = table
  }

  /// The number of entries that keeps each step within half of an 8-bit level; `nil` if it is too large.
  private static func tableCount(_ stops: [GradientRamp.Stop], isLinearLight: Bool) -> Int? {
    var slope = 0.0
    for (first, second) in zip(stops, stops.dropFirst()) {
      let change = max(
        abs(second.color.red - first.color.red), abs(second.color.green - first.color.green),
        abs(second.color.blue - first.color.blue), abs(second.color.alpha - first.color.alpha))
      if change > 0 { slope = max(slope, change / (second.offset - first.offset)) }
    }
    // A hard edge where the padding meets a stop does not need a larger table, because both ends are exact.
    let steps = slope * (isLinearLight ? 512 * maximumEncodingSlope : 512)
    guard steps < Double(maximumCount) else { return nil }
    return max(256, Int(steps)) + 1
  }

  /// Returns the colour at a parameter to which the spread has not been applied. NaN yields the first colour.
  @inline(__always)
  func word(_ parameter: Double, _ words: Span<UInt32>) -> UInt32 {
    let folded: Double
    switch spread {
    case .pad:
      if let wordBefore, parameter < 0 { return wordBefore }
      folded = min(max(0, parameter), 1)
    case .repeat: folded = RampTable.fraction(parameter)
    case .reflect:
      let half = RampTable.fraction(parameter * 0.5) * 2
      folded = half > 1 ? 2 - half : half
    }
    if words.isEmpty { return exactWord(folded) }
    return words[Int(nearestInt32(folded * scale))]
  }

  /// The cost of looking up a colour, in units of about a nanosecond.
  var pixelCost: Int { words.isEmpty ? 20 + 6 * (Int.bitWidth - ramp.stops.count.leadingZeroBitCount) : 1 }

  /// The cost of making the table, in units of about a nanosecond.
  var preparationCost: Int { 200 + 15 * words.count + 60 * ramp.stops.count }

  /// The table entries, to be bound before a row.
  var entries: [UInt32] { words }

  /// Returns the fractional part, 0…1. It is 0 for NaN and for numbers too large to have one.
  @inline(__always)
  private static func fraction(_ value: Double) -> Double {
    guard abs(value) < 0x1p50 else { return 0 }
    // Rounds to nearest without a call; then down.
    let rounded = (value + 0x1.8p52) - 0x1.8p52
    return rounded > value ? value - rounded + 1 : value - rounded
  }

  private func exactWord(_ parameter: Double) -> UInt32 {
    var low = 0
    var high = ramp.stops.count
    while low < high {
      let middle = (low + high) / 2
      if ramp.stops[middle].offset <= parameter { low = middle + 1 } else { high = middle }
    }
    return ramp.color(at: parameter, beforeStop: low).premultiplied
  }
}

extension GradientRamp {
  /// Returns the colour at a parameter in 0…1, where `index` is the first stop after it.
  func color(at parameter: Double, beforeStop index: Int) -> Color {
    if index == 0 { return stops[0].color }
    if index >= stops.count { return stops[stops.count - 1].color }
    let first = stops[index - 1]
    let second = stops[index]
    let fraction = (parameter - first.offset) / (second.offset - first.offset)
    func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * fraction }
    if isLinearLight {
      func mixLight(_ a: Double, _ b: Double) -> Double {
        SRGBTransfer.encoded(mix(SRGBTransfer.linear(a), SRGBTransfer.linear(b)))
      }
      return Color(
        red: mixLight(first.color.red, second.color.red), green: mixLight(first.color.green, second.color.green),
        blue: mixLight(first.color.blue, second.color.blue), alpha: mix(first.color.alpha, second.color.alpha))
    }
    return Color(
      red: mix(first.color.red, second.color.red), green: mix(first.color.green, second.color.green),
      blue: mix(first.color.blue, second.color.blue), alpha: mix(first.color.alpha, second.color.alpha))
  }
}
