// The values of an animation over time (SMIL 3, section 12.3.4): from keyframes to the value at a part of its duration.

/// The pacing of values: their times, and the interpolation between them.
struct AnimationPacing: Sendable {
  enum Mode: Sendable {
    case discrete
    case linear
    case paced
    case spline
  }

  var mode = Mode.linear
  /// The parts of the duration at which each value is reached; `nil` if they are evenly distributed.
  var times: [Double]?
  /// The control points of the curve of each interval.
  var splines: [[Double]] = []

  /// Returns whether the lists fit a number of values. Otherwise the animation has no effect.
  func fits(_ count: Int) -> Bool {
    if let times {
      guard mode == .paced || times.count == count else { return false }
      guard times.first == 0 || mode == .paced, zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 }),
        times.allSatisfy({ 0...1 ~= $0 })
      else { return false }
    }
    return mode != .spline || splines.count == count - 1 && splines.allSatisfy { $0.count == 4 }
  }

  /// Returns the last value that has been reached, and the part of the way to the next one.
  ///
  /// - Parameters:
  ///   - count: the number of values, at least one.
  ///   - distance: the distance from a value to the next one; `nil` if there is none.
  func position(
    at fraction: Double, count: Int, distance: (Int) -> Double?
  ) -> (index: Int, fraction: Double) {
    guard count > 1 else { return (0, 0) }
    if mode == .discrete {
      guard let times else { return (min(Int(fraction * Double(count)), count - 1), 0) }
      return (max(0, (times.firstIndex { $0 > fraction } ?? times.count) - 1), 0)
    }
    if fraction >= 1 { return (count - 1, 0) }
    let times = mode == .paced ? pacedTimes(count, distance) : self.times
    guard let times else {
      let place = fraction * Double(count - 1)
      let index = min(Int(place), count - 2)
      return (index, eased(place - Double(index), index))
    }
    let next = times.firstIndex { $0 > fraction } ?? times.count
    guard next < count else { return (count - 1, 0) }
    let index = max(0, next - 1)
    let width = times[next] - times[index]
    return (index, width > 0 ? eased((fraction - times[index]) / width, index) : 0)
  }

  private func pacedTimes(_ count: Int, _ distance: (Int) -> Double?) -> [Double]? {
    var sums = [0.0]
    for index in 0..<count - 1 {
      guard let step = distance(index) else { return nil }
      sums.append(sums[index] + step)
    }
    guard let total = sums.last, total > 0, total.isFinite else { return nil }
    return sums.map { $0 / total }
  }

  /// Returns the part of an interval's change for a part of its duration.
  private func eased(_ fraction: Double, _ index: Int) -> Double {
    guard mode == .spline, index < splines.count else { return fraction }
    func curve(_ first: Double, _ second: Double, _ t: Double) -> Double {
      let rest = 1 - t
      return 3 * rest * rest * t * first + 3 * rest * t * t * second + t * t * t
    }
    let spline = splines[index]
    var (low, high) = (0.0, 1.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if curve(spline[0], spline[2], middle) < fraction { low = middle } else { high = middle }
    }
    return min(max(0, curve(spline[1], spline[3], (low + high) / 2)), 1)
  }
}

/// The values of an animation.
struct AnimationValues: Sendable {
  /// The keyframes; empty if the animation changes nothing.
  var values: [[UInt8]] = []
  /// Whether the first keyframe is the underlying value: an animation with `to` only.
  var startsAtBase = false
  /// Whether the values are added to the underlying value.
  var isAdditive = false
  /// Whether each repetition starts from the end of the last one.
  var accumulates = false

  /// Returns the value that an attribute has; `nil` if the animation does not change it.
  ///
  /// - Parameter base: the underlying value; `nil` if the attribute is missing.
  func value(
    at progress: AnimationTiming.Progress, _ pacing: AnimationPacing, base: [UInt8]?, of attribute: [UInt8]
  ) -> [UInt8]? {
    var values = values
    if startsAtBase {
      guard let base = base ?? (progress.fraction == 0 ? values.first : nil) else { return values.last }
      values.insert(base, at: 0)
      if progress.fraction == 0, progress.iteration == 0 { return nil }
    }
    guard let last = values.last, pacing.fits(values.count) else { return nil }
    let place = pacing.position(at: progress.fraction, count: values.count) { index in
      AnimationText.distance(values[index], values[index + 1], of: attribute)
    }
    var value = values[place.index]
    if place.fraction > 0 {
      let next = values[place.index + 1]
      // Values without anything between them change halfway.
      value =
        AnimationText.mixed(value, next, place.fraction, of: attribute) ?? (place.fraction < 0.5 ? value : next)
    }
    if accumulates, !startsAtBase, progress.iteration > 0 {
      value = AnimationText.sum(value, last, times: progress.iteration, of: attribute) ?? value
    }
    guard isAdditive else { return value }
    return AnimationText.sum(base ?? Self.initial(attribute), value, times: 1, of: attribute) ?? value
  }

  /// The value of an attribute that is missing, for sums.
  private static func initial(_ attribute: [UInt8]) -> [UInt8] {
    let isOne = [
      "opacity", "fill-opacity", "stroke-opacity", "stop-opacity", "flood-opacity", "stroke-width",
    ].contains { attribute.elementsEqual($0.utf8) }
    return [UInt8(ascii: isOne ? "1" : "0")]
  }
}
