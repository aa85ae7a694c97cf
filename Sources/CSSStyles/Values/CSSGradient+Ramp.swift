// The colours of CSS gradients along their line (CSS Images 4, section 3.5): missing positions, hints, repetition, and
// interpolation of premultiplied colours in any space, all of which become plain stops.

internal import ImageCoding
package import VectorGraphics

/// The colours of a gradient, at positions along its line.
package struct GradientLine: Sendable {
  /// The ramp from ``start`` to ``end``.
  package var ramp: GradientRamp
  /// The positions at which the parameter of the ramp is 0 and 1.
  package var start: Double
  package var end: Double

  /// The number of stops between two colours whose interpolation is not linear.
  private static let stepCount = 24

  /// The work units for a stop, with those between it and the next one.
  package static let workPerStop = stepCount * 150

  private struct Stop {
    var position: Double
    var color: Color
  }

  /// - Parameters:
  ///   - stops: the colours; hints have none.
  ///   - length: the length of the line, to which percentages refer.
  package init(_ gradient: CSSGradient, _ stops: [(color: Color?, position: Double?)], length: Double) {
    let plain = Self.withoutHints(Self.placed(stops, length: length), gradient)
    let first = plain.first?.position ?? 0
    let last = plain.last?.position ?? 0
    if gradient.repeats, !(last > first) {
      // Without an extent there is nothing to repeat: the last colour fills the box.
      self.init(plain.suffix(1), from: 0, to: 1, spread: .pad)
    } else if gradient.repeats {
      self.init(plain, from: first, to: last, spread: .repeat)
    } else {
      // A ramp from before the first stop to after the last one, which has a length in any case.
      let start = min(0, first)
      let end = max(length, last)
      self.init(plain, from: start, to: end > start ? end : start + 1, spread: .pad)
    }
  }

  private init(_ stops: [Stop], from start: Double, to end: Double, spread: GradientRamp.Spread) {
    self.start = start
    self.end = end
    let width = end - start
    ramp = GradientRamp(
      stops.map { GradientRamp.Stop(offset: ($0.position - start) / width, color: $0.color) }, spread: spread)
  }

  /// Returns the ramp from a position on, where the line begins with the colour that it has there.
  package mutating func cut(before position: Double) {
    guard start < position, end > position, ramp.spread == .pad else { return }
    let offset = (position - start) / (end - start)
    var stops: [GradientRamp.Stop] = []
    for (index, stop) in ramp.stops.enumerated() where stop.offset >= offset {
      if stops.isEmpty, index > 0 {
        let before = ramp.stops[index - 1]
        let share = (offset - before.offset) / max(stop.offset - before.offset, 1e-12)
        stops.append(
          GradientRamp.Stop(
            offset: 0,
            color: ColorMix(space: .srgb, path: .shorter, firstShare: 1 - share, alphaFactor: 1)
              .result(before.color, stop.color)))
      }
      stops.append(GradientRamp.Stop(offset: (stop.offset - offset) / (1 - offset), color: stop.color))
    }
    if stops.isEmpty, let last = ramp.stops.last { stops = [GradientRamp.Stop(offset: 0, color: last.color)] }
    ramp = GradientRamp(stops)
    start = position
  }

  // MARK: Stops

  /// Returns the stops with all positions, which never decrease.
  private static func placed(
    _ stops: [(color: Color?, position: Double?)], length: Double
  ) -> [(color: Color?, position: Double)] {
    var positions = stops.map(\.position)
    if positions.isEmpty { return [] }
    positions[0] = positions[0] ?? 0
    positions[positions.count - 1] = positions[positions.count - 1] ?? length
    var highest = -Double.infinity
    for index in positions.indices {
      guard let position = positions[index] else { continue }
      highest = max(highest, position.isFinite ? position : 0)
      positions[index] = highest
    }
    var index = 0
    while index < positions.count {
      guard positions[index] == nil else {
        index += 1
        continue
      }
      var next = index
      while next < positions.count, positions[next] == nil { next += 1 }
      let from = positions[index - 1] ?? 0
      let to = next < positions.count ? positions[next] ?? from : from
      for place in index..<next {
        positions[place] = from + (to - from) * Double(place - index + 1) / Double(next - index + 1)
      }
      index = next
    }
    return zip(stops, positions).map { ($0.color, $1 ?? 0) }
  }

  /// Returns stops between which straight colours are interpolated linearly in sRGB.
  private static func withoutHints(
    _ stops: [(color: Color?, position: Double)], _ gradient: CSSGradient
  ) -> [Stop] {
    var result: [Stop] = []
    var hint: Double?
    for stop in stops {
      guard let color = stop.color else {
        hint = stop.position
        continue
      }
      var next = Stop(position: stop.position, color: color)
      if let last = result.last, next.position > last.position {
        if hint == nil, gradient.space == .srgb, last.color.alpha == 0 || color.alpha == 0 {
          // A transparent colour has the colour of the other one: nothing else is to be seen of it.
          if last.color.alpha == 0 {
            if result.count == 1 { result.removeLast() }
            result.append(Stop(position: last.position, color: color.withOpacity(0)))
          } else {
            next.color = last.color.withOpacity(0)
          }
        } else {
          result += between(last, next, hint, gradient)
        }
      }
      hint = nil
      result.append(next)
    }
    return result
  }

  private static func between(_ first: Stop, _ second: Stop, _ hint: Double?, _ gradient: CSSGradient) -> [Stop] {
    let (a, b) = (first.color, second.color)
    let sameColor = a.red == b.red && a.green == b.green && a.blue == b.blue
    if hint == nil, gradient.space == .srgb, a.alpha == b.alpha || sameColor { return [] }
    let width = second.position - first.position
    let middle = min(max(((hint ?? 0) - first.position) / width, 1e-6), 1 - 1e-6)
    return (1..<stepCount).map { step in
      let place = Double(step) / Double(stepCount)
      // The exponent moves the middle between the colours to the hint.
      let share =
        hint == nil
        ? place
        : ElementaryFunctions.power(place, ElementaryFunctions.logarithm(0.5) / ElementaryFunctions.logarithm(middle))
      let mix = ColorMix(space: gradient.space, path: gradient.huePath, firstShare: 1 - share, alphaFactor: 1)
      return Stop(position: first.position + width * place, color: mix.result(a, b))
    }
  }
}
