// The two wavelets, as lifting steps on lines of samples (ITU-T T.800, annex F).

/// A wavelet whose inverse consists of lifting steps.
package protocol Wavelet {
  associatedtype Sample: Sendable
  static var zero: Sample { get }
  /// Inverts the decomposition of a line of one sample that is a high frequency.
  static func halve(_ sample: Sample) -> Sample
  /// Inverts the decomposition of lines.
  static func synthesize(_ lines: inout WaveletLines<Sample>)
}

/// Low and high frequencies of a number of neighbouring lines, for example of columns of an image: the samples of all
/// lines that have the same position are next to one another.
///
/// Both have one position more at each end, for the symmetric extension.
package struct WaveletLines<Sample: Sendable> {
  var low: [Sample]
  var high: [Sample]
  private(set) var lowCount = 0
  private(set) var highCount = 0
  /// The number of lines.
  private(set) var lineCount = 0
  /// Whether the first sample is a high frequency.
  private(set) var startsWithHigh = false

  /// - Parameter capacity: the number of samples of all lines together, including those of the extension.
  init(capacity: Int, zero: Sample) {
    low = [Sample](repeating: zero, count: capacity)
    high = [Sample](repeating: zero, count: capacity)
  }

  mutating func prepare(lowCount: Int, highCount: Int, lineCount: Int, startsWithHigh: Bool) {
    precondition(
      (max(lowCount, highCount) + 2) * lineCount <= low.count && abs(lowCount - highCount) <= 1,
      "the lines have more samples than the buffer")
    self.lowCount = lowCount
    self.highCount = highCount
    self.lineCount = lineCount
    self.startsWithHigh = startsWithHigh
  }

  /// The range of a position.
  @inline(__always)
  func position(_ index: Int) -> Range<Int> { (index + 1) * lineCount..<(index + 2) * lineCount }

  /// Changes the low frequencies by their two high neighbours.
  @inline(__always)
  mutating func liftLow(_ step: (inout MutableSpan<Sample>, Span<Sample>, Span<Sample>) -> Void) {
    for index in 0..<lineCount {
      high[index] = high[lineCount + index]
      high[(highCount + 1) * lineCount + index] = high[highCount * lineCount + index]
    }
    let count = lowCount * lineCount
    let start = startsWithHigh ? lineCount : 0
    let range = lineCount..<lineCount + count
    // Moved out, so that the neighbours can be read at the same time.
    var own = low
    low = []
    defer { low = own }
    let first = high.span.extracting(start..<start + count)
    let second = high.span.extracting(start + lineCount..<start + lineCount + count)
    var target = own.mutableSpan._consumingExtracting(range)
    step(&target, first, second)
  }

  /// Changes the high frequencies by their two low neighbours.
  @inline(__always)
  mutating func liftHigh(_ step: (inout MutableSpan<Sample>, Span<Sample>, Span<Sample>) -> Void) {
    for index in 0..<lineCount {
      low[index] = low[lineCount + index]
      low[(lowCount + 1) * lineCount + index] = low[lowCount * lineCount + index]
    }
    let count = highCount * lineCount
    let start = startsWithHigh ? 0 : lineCount
    let range = lineCount..<lineCount + count
    // Moved out, so that the neighbours can be read at the same time.
    var own = high
    high = []
    defer { high = own }
    let first = low.span.extracting(start..<start + count)
    let second = low.span.extracting(start + lineCount..<start + lineCount + count)
    var target = own.mutableSpan._consumingExtracting(range)
    step(&target, first, second)
  }
}

/// The reversible wavelet: 5 and 3 taps.
package enum ReversibleWavelet: Wavelet {
  package static var zero: Int32 { 0 }

  package static func halve(_ sample: Int32) -> Int32 { sample >> 1 }

  package static func synthesize(_ lines: inout WaveletLines<Int32>) {
    lines.liftLow { target, first, second in
      for index in target.indices {
        target[index] = target[index] &- ((first[index] &+ second[index] &+ 2) &>> 2)
      }
    }
    lines.liftHigh { target, first, second in
      for index in target.indices {
        target[index] = target[index] &+ ((first[index] &+ second[index]) &>> 1)
      }
    }
  }
}

/// The irreversible wavelet: 9 and 7 taps.
package enum IrreversibleWavelet: Wavelet {
  package static var zero: Float { 0 }

  package static func halve(_ sample: Float) -> Float { sample * 0.5 }

  package static func synthesize(_ lines: inout WaveletLines<Float>) {
    let scale: Float = 1.230174104914001
    let lowEnd = (lines.lowCount + 1) * lines.lineCount
    let highEnd = (lines.highCount + 1) * lines.lineCount
    for index in lines.lineCount..<lowEnd { lines.low[index] *= scale }
    for index in lines.lineCount..<highEnd { lines.high[index] *= 1 / scale }
    lines.liftLow { subtract(0.443506852043971, &$0, $1, $2) }
    lines.liftHigh { subtract(0.882911075530934, &$0, $1, $2) }
    lines.liftLow { subtract(-0.052980118572961, &$0, $1, $2) }
    lines.liftHigh { subtract(-1.586134342059924, &$0, $1, $2) }
  }

  @inline(__always)
  private static func subtract(
    _ factor: Float, _ target: inout MutableSpan<Float>, _ first: Span<Float>, _ second: Span<Float>
  ) {
    for index in target.indices { target[index] -= factor * (first[index] + second[index]) }
  }
}
