// Declarations for Embedded Swift, whose standard library lacks them on platforms without an operating system.

#if hasFeature(Embedded)
  /// A conformance without meaning: there is no coding.
  public protocol Codable {}

  /// A clock that does not run, because there is no system that has one. Deadlines are not reached; the limit on work
  /// applies.
  package struct ContinuousClock {
    package struct Instant: Comparable, Sendable {
      package static var now: Instant { Instant() }
      package static func < (first: Instant, second: Instant) -> Bool { false }
      package func duration(to other: Instant) -> Duration { .zero }
      package func advanced(by duration: Duration) -> Instant { self }
    }

    package static var now: Instant { Instant() }
  }

  // The C library that the program is linked with has these.
  @_extern(c) func sin(_ angle: Double) -> Double
  @_extern(c) func cos(_ angle: Double) -> Double
  @_extern(c) func tan(_ angle: Double) -> Double
  @_extern(c) func acos(_ cosine: Double) -> Double
  @_extern(c) func atan2(_ y: Double, _ x: Double) -> Double
  @_extern(c) func exp(_ power: Double) -> Double
  @_extern(c) func log(_ value: Double) -> Double
  @_extern(c) func pow(_ base: Double, _ exponent: Double) -> Double
#endif
