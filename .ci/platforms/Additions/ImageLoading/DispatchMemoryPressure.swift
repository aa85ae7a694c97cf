// Dispatch on Apple's platforms reports that memory is scarce; on Linux its module lacks these declarations.

internal import Dispatch

protocol DispatchSourceMemoryPressure: DispatchSourceProtocol {}

extension DispatchSource {
  struct MemoryPressureEvent: OptionSet, Sendable {
    let rawValue: UInt
    static var normal: MemoryPressureEvent { MemoryPressureEvent(rawValue: 1) }
    static var warning: MemoryPressureEvent { MemoryPressureEvent(rawValue: 2) }
    static var critical: MemoryPressureEvent { MemoryPressureEvent(rawValue: 4) }
  }

  class func makeMemoryPressureSource(
    eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil
  ) -> any DispatchSourceMemoryPressure {
    PressureSource()
  }
}

private final class PressureSource: DispatchSourceMemoryPressure {}
