// Measurement: warm-up rounds, then measured rounds in which the contenders alternate, so that changes of the machine's
// load affect all of them equally.

import CodecPeers

/// One of several implementations of an operation.
struct Contender {
  /// The name of the implementation.
  var name: String
  /// Performs the operation once.
  var run: () throws -> Void
}

/// The times of one contender, in seconds of processor time per run.
struct Times {
  /// The times of the rounds.
  var samples: [Double]

  /// The median time.
  var median: Double { samples.median }
  /// The median deviation from the median, in percent of the median.
  var spread: Double {
    let middle = median
    return middle == 0 ? 0 : samples.map { abs($0 - middle) }.median / middle * 100
  }
}

/// A clock that measures.
enum MeasuredClock {
  /// The processor time of the calling thread.
  case processor
  /// The time that passes.
  case wall

  private static let start = ContinuousClock.now

  /// Returns the time in seconds.
  func now() -> Double {
    switch self {
    case .processor: ThreadClock.now()
    case .wall: (ContinuousClock.now - Self.start) / .seconds(1)
    }
  }
}

/// The number and duration of measurements.
struct Measurement {
  /// The number of measured rounds.
  var rounds: Int
  /// The number of warm-up rounds.
  var warmUpRounds: Int
  /// The clock that measures.
  var clock = MeasuredClock.processor
  /// The minimum duration of a sample in seconds. Short operations are repeated within a sample.
  var minimumSampleTime = 0.01

  /// Measures all contenders in alternation: A B A B.
  func time(_ contenders: [Contender]) throws -> [Times] {
    var repetitions = [Int](repeating: 1, count: contenders.count)
    for (index, contender) in contenders.enumerated() {
      var once = Double.infinity
      for _ in 0..<max(1, warmUpRounds) { once = min(once, try seconds(for: contender, repetitions: 1)) }
      repetitions[index] = max(1, Int((minimumSampleTime / max(once, 1e-9)).rounded(.up)))
    }
    var samples = [[Double]](repeating: [], count: contenders.count)
    for _ in 0..<rounds {
      for (index, contender) in contenders.enumerated() {
        samples[index].append(try seconds(for: contender, repetitions: repetitions[index]))
      }
    }
    return samples.map(Times.init)
  }

  private func seconds(for contender: Contender, repetitions: Int) throws -> Double {
    let start = clock.now()
    for _ in 0..<repetitions { try contender.run() }
    return (clock.now() - start) / Double(repetitions)
  }
}

extension [Double] {
  /// The middle value, or the mean of the two middle values; 0 if empty.
  var median: Double {
    if isEmpty { return 0 }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
