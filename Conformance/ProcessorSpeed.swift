// How fast the processor is at the moment, so that a limit in seconds means the same on every machine.

import Platform

/// The speed of the processor, compared with the machine for which limits in seconds are stated.
enum ProcessorSpeed {
  /// The processor time in seconds that the computation takes there.
  private static let referenceSeconds = 0.062
  /// A larger factor is a fault of the computation, and not that of a slow machine.
  private static let largestFactor = 3.0
  private static let repetitionCount = 3

  /// How many times longer than on the machine of reference a computation takes now, at least 1.
  ///
  /// The computation sorts a million numbers: like decoders, it is limited by branches and by the caches, which the
  /// processor may share with other machines. The least time of three counts.
  static func slowdown() -> Double {
    var least = Double.infinity
    for _ in 0..<repetitionCount {
      let start = ResourceBounds.processorTime()
      let isSorted = sortNumbers()
      let seconds = ResourceBounds.processorTime() - start
      if isSorted { least = min(least, seconds) }
    }
    return max(1, min(least / referenceSeconds, largestFactor))
  }

  /// Sorts a million numbers in no order, by xorshift. Returns whether they are in order, so that the work is not left out.
  private static func sortNumbers() -> Bool {
    var state: UInt32 = 1
    var numbers = (0..<1_000_000).map { _ in
      state ^= state << 13
      state ^= state >> 17
      state ^= state << 5
      return state
    }
    numbers.sort()
    return zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 }
  }
}
