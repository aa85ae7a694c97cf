// The inverse wavelet transform of a row (ITU-T T.800, F.3.6).

/// Reconstructs rows from their low and high frequencies. Its memory serves one row after the other.
struct LineSynthesis<Kind: Wavelet> {
  /// The frequencies, with one more sample at each end for the symmetric extension.
  private var low: [Kind.Sample]
  private var high: [Kind.Sample]
  private let lowCount: Int
  private let highCount: Int
  /// Whether the first sample is a high frequency.
  private let startsWithHigh: Bool

  /// - Parameter columns: the coordinates of the samples.
  init(columns: Range<Int64>) {
    startsWithHigh = columns.lowerBound & 1 == 1
    lowCount = Int((columns.upperBound + 1) >> 1 - (columns.lowerBound + 1) >> 1)
    highCount = columns.count - lowCount
    low = [Kind.Sample](repeating: Kind.zero, count: lowCount + 2)
    high = [Kind.Sample](repeating: Kind.zero, count: highCount + 2)
  }

  /// Reconstructs a row.
  ///
  /// - Parameter finish: converts each sample.
  @inline(__always)
  mutating func reconstruct(
    _ lowSource: Span<Kind.Sample>, _ highSource: Span<Kind.Sample>, into target: inout MutableSpan<Kind.Sample>,
    _ finish: (Kind.Sample) -> Kind.Sample
  ) {
    guard lowCount + highCount > 1 else {
      target[0] = finish(startsWithHigh ? Kind.halve(highSource[0]) : lowSource[0])
      return
    }
    Self.load(lowSource, isHigh: false, into: &low)
    Self.load(highSource, isHigh: true, into: &high)
    for step in 0..<Kind.stepCount {
      if step & 1 == 0 {
        Self.lift(step, &low, lowCount, &high, highCount, isShifted: startsWithHigh)
      } else {
        Self.lift(step, &high, highCount, &low, lowCount, isShifted: !startsWithHigh)
      }
    }
    let (lowResult, highResult) = (low.span.extracting(1..<lowCount + 1), high.span.extracting(1..<highCount + 1))
    if startsWithHigh {
      Self.interleave(highResult, lowResult, into: &target, finish)
    } else {
      Self.interleave(lowResult, highResult, into: &target, finish)
    }
  }

  private static func load(_ source: Span<Kind.Sample>, isHigh: Bool, into line: inout [Kind.Sample]) {
    var target = line.mutableSpan._consumingExtracting(1..<source.count + 1)
    for index in target.indices { target[index] = Kind.scale(source[index], isHigh: isHigh) }
  }

  /// - Parameter isShifted: whether the second neighbour of a sample has the same index.
  private static func lift(
    _ step: Int, _ line: inout [Kind.Sample], _ count: Int, _ neighbors: inout [Kind.Sample], _ neighborCount: Int,
    isShifted: Bool
  ) {
    neighbors[0] = neighbors[1]
    neighbors[neighborCount + 1] = neighbors[neighborCount]
    let start = isShifted ? 1 : 0
    let first = neighbors.span.extracting(start..<start + count)
    let second = neighbors.span.extracting(start + 1..<start + 1 + count)
    var target = line.mutableSpan._consumingExtracting(1..<count + 1)
    Kind.lift(step, &target, first, second)
  }

  @inline(__always)
  private static func interleave(
    _ first: Span<Kind.Sample>, _ second: Span<Kind.Sample>, into target: inout MutableSpan<Kind.Sample>,
    _ finish: (Kind.Sample) -> Kind.Sample
  ) {
    let count = second.count
    for index in 0..<count {
      target[2 &* index] = finish(first[index])
      target[2 &* index &+ 1] = finish(second[index])
    }
    if first.count > count { target[2 &* count] = finish(first[count]) }
  }
}
