// Timing: warm-up, then rounds in which the contenders take turns, so that whatever the machine does meanwhile meets all
// of them alike.

import CodecPeers

/// Somebody who does the same job as the others.
struct Contender {
  /// How it is called.
  var name: String
  /// Does the job once.
  var run: () throws -> Void
}

/// Times of one contender, in seconds of processor time for one run.
struct Times {
  /// One for each round.
  var samples: [Double]

  /// The middle one.
  var median: Double { samples.median }
  /// The median distance from the median, in percent of it.
  var spread: Double {
    let middle = median
    return middle == 0 ? 0 : samples.map { abs($0 - middle) }.median / middle * 100
  }
}

/// How often things are done.
struct Measurement {
  /// Rounds that count.
  var rounds: Int
  /// Rounds before that.
  var warmUpRounds: Int
  /// What one sample takes at least, in seconds: short jobs are repeated within it.
  var minimumSampleTime = 0.01

  /// Times all contenders in turns: A B A B.
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
    let start = ThreadClock.now()
    for _ in 0..<repetitions { try contender.run() }
    return (ThreadClock.now() - start) / Double(repetitions)
  }
}

extension [Double] {
  /// The middle value, or the mean of the two in the middle; 0 when empty.
  var median: Double {
    if isEmpty { return 0 }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
