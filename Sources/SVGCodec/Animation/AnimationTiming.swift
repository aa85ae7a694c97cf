// When animations begin and end (SMIL 3, section 5), and what part of them has passed at time 0.

internal import CSSStyles
internal import XMLDocuments

/// A time at which an animation begins or ends.
enum AnimationInstant: Sendable {
  /// Seconds after the document begins.
  case offset(Double)
  /// Seconds after another animation begins or ends.
  case relative(id: [UInt8], isEnd: Bool, offset: Double)

  /// Parses a list of instants. Events and `indefinite` never occur in a static document and are left out.
  static func list(_ bytes: Span<UInt8>) -> [AnimationInstant] {
    AnimationText.items(of: bytes).prefix(maximumCount).compactMap { range in
      AnimationInstant(parsing: bytes.extracting(range))
    }
  }

  /// The maximum number of instants of a list, and of intervals of an animation.
  static let maximumCount = 64

  private init?(parsing bytes: Span<UInt8>) {
    var scanner = TextScanner(bytes)
    if let offset = Self.clock(&scanner) {
      self = .offset(offset)
      return
    }
    // The last period separates the identifier from the event.
    var period = -1
    var end = 0
    while end < bytes.count, !isSpace(bytes[end]), bytes[end] != UInt8(ascii: "+") {
      if bytes[end] == UInt8(ascii: ".") { period = end }
      end += 1
    }
    guard period > 0 else { return nil }
    scanner.position = period + 1
    let event = scanner.word()
    // An offset without white space in front of it is a part of the word.
    let isBegin = event.count >= 5 && isKeyword(event.extracting(first: 5), "begin")
    let isEnd = event.count >= 3 && isKeyword(event.extracting(first: 3), "end")
    guard isBegin || isEnd else { return nil }
    scanner.position = period + (isBegin ? 6 : 4)
    scanner.skipSpace()
    var offset = 0.0
    if !scanner.isAtEnd {
      let isNegative = scanner.take(UInt8(ascii: "-"))
      guard isNegative || scanner.take(UInt8(ascii: "+")) else { return nil }
      scanner.skipSpace()
      guard let value = Self.clock(&scanner) else { return nil }
      offset = isNegative ? -value : value
    }
    self = .relative(id: (0..<period).map { bytes[$0] }, isEnd: isEnd, offset: offset)
  }

  /// Reads a clock value in seconds: `hh:mm:ss`, `mm:ss`, or a number with a unit.
  static func clock(_ scanner: inout TextScanner) -> Double? {
    let start = scanner.position
    let sign = scanner.take(UInt8(ascii: "-")) ? -1.0 : 1
    guard let first = scanner.number() else {
      scanner.position = start
      return nil
    }
    if scanner.take(UInt8(ascii: ":")), let second = scanner.number() {
      guard scanner.take(UInt8(ascii: ":")) else { return sign * (first * 60 + second) }
      return scanner.number().map { sign * (first * 3_600 + second * 60 + $0) }
    }
    let unit = scanner.word()
    if unit.count == 0 || isKeyword(unit, "s") { return sign * first }
    if isKeyword(unit, "ms") { return sign * first / 1_000 }
    if isKeyword(unit, "min") { return sign * first * 60 }
    if isKeyword(unit, "h") { return sign * first * 3_600 }
    scanner.position = start
    return nil
  }
}

/// The timing of an animation.
struct AnimationTiming: Sendable {
  enum Restart: Sendable {
    case always
    case whenNotActive
    case never
  }

  /// A time during which the animation is active.
  struct Interval: Hashable, Sendable {
    var begin: Double
    var end: Double
  }

  /// The part of an animation that has passed.
  struct Progress: Hashable, Sendable {
    /// The number of complete repetitions.
    var iteration: Double
    /// The part of the current repetition, 0…1.
    var fraction: Double
    /// The time of the beginning, which decides which of several animations has priority.
    var begin: Double
  }

  var begins: [AnimationInstant] = [.offset(0)]
  /// `nil` if nothing but the duration ends the animation.
  var ends: [AnimationInstant]?
  /// The duration of a repetition; infinite by default.
  var duration = Double.infinity
  /// `nil` if the animation is not repeated.
  var repeatCount: Double?
  var repeatDuration: Double?
  var minimum = 0.0
  var maximum = Double.infinity
  var restart = Restart.always
  /// Whether the last value stays after the end.
  var freezes = false

  /// Whether the timing depends on other animations.
  var isRelative: Bool {
    (begins + (ends ?? [])).contains { if case .relative = $0 { true } else { false } }
  }

  /// Returns the intervals of the animation.
  ///
  /// - Parameter lookUp: returns the times at which another animation begins or ends.
  func intervals(_ lookUp: (_ id: [UInt8], _ isEnd: Bool) -> [Double]) -> [Interval] {
    let begins = times(self.begins, lookUp).sorted()
    let ends = self.ends.map { times($0, lookUp).sorted() }
    var intervals: [Interval] = []
    for begin in begins.prefix(AnimationInstant.maximumCount) {
      if let last = intervals.last {
        if restart == .never || begin == last.begin { continue }
        if begin < last.end {
          if restart == .whenNotActive { continue }
          intervals[intervals.count - 1].end = begin
        }
      }
      intervals.append(Interval(begin: begin, end: end(of: begin, ends)))
    }
    return intervals
  }

  private func times(
    _ instants: [AnimationInstant], _ lookUp: (_ id: [UInt8], _ isEnd: Bool) -> [Double]
  ) -> [Double] {
    var times: [Double] = []
    for instant in instants where times.count < AnimationInstant.maximumCount {
      switch instant {
      case .offset(let offset): times.append(offset)
      case .relative(let id, let isEnd, let offset): times += lookUp(id, isEnd).map { $0 + offset }
      }
    }
    return times.filter(\.isFinite)
  }

  private func end(of begin: Double, _ ends: [Double]?) -> Double {
    var active = duration
    if repeatCount != nil || repeatDuration != nil {
      active = min(repeatCount.map { $0 * duration } ?? .infinity, repeatDuration ?? .infinity)
    }
    if let ends { active = min(active, (ends.first { $0 > begin } ?? .infinity) - begin) }
    if minimum <= maximum { active = min(max(active, minimum), maximum) }
    return begin + active
  }

  /// Returns how far the animation is at time 0; `nil` if it has no effect then.
  func progress(in intervals: [Interval]) -> Progress? {
    guard let current = intervals.last(where: { $0.begin <= 0 }) else { return nil }
    let isActive = current.end > 0
    guard isActive || freezes else { return nil }
    let elapsed = (isActive ? 0 : current.end) - current.begin
    guard duration.isFinite, duration > 0 else { return Progress(iteration: 0, fraction: 0, begin: current.begin) }
    let iteration = (elapsed / duration).rounded(.down)
    // The number of repetitions exceeds all numbers.
    guard iteration.isFinite else { return Progress(iteration: 0, fraction: 0, begin: current.begin) }
    let fraction = elapsed / duration - iteration
    // At its end a repetition has its last value, not the first one of the next.
    if !isActive, fraction == 0, iteration > 0 {
      return Progress(iteration: iteration - 1, fraction: 1, begin: current.begin)
    }
    return Progress(iteration: iteration, fraction: min(max(fraction, 0), 1), begin: current.begin)
  }
}
