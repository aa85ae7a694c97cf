// Divides bytes into literals and matches. A match is put off if a better one begins at one of the next bytes, and left
// out if its code would be longer than those of its bytes.

/// A search for matches in a stream.
struct LazyMatching: Sendable {
  /// The number of literals after which a sequence ends, so that a block may.
  static let maximumRun = 1024

  private let effort: MatchEffort
  private var heads = [UInt32](repeating: 0, count: 1 << Int(MatchTables.slotBits))
  private var steps = [UInt16](repeating: .max, count: MatchTables.maximumDistance)
  private var shortHeads: [UInt32]
  private var costs = SymbolCosts()
  /// The number of bytes at the start of a stream that are divided twice, because costs are learned from them.
  private static let sampleByteCount = 16 << 10

  init(_ effort: MatchEffort) {
    self.effort = effort
    shortHeads = [UInt32](repeating: 0, count: effort.findsShort ? 1 << Int(MatchTables.shortSlotBits) : 0)
  }

  /// The maximum number of sequences of a block.
  static func maximumSequenceCount(byteCount: Int) -> Int { byteCount / 3 + byteCount / maximumRun + 2 }

  /// Enters all strings of a dictionary.
  mutating func enter(_ dictionary: Span<UInt8>, streamOffset: UInt32) {
    var (heads, steps, shortHeads) = ([UInt32](), [UInt16](), [UInt32]())
    swap(&heads, &self.heads)
    swap(&steps, &self.steps)
    swap(&shortHeads, &self.shortHeads)
    var tables = MatchTables(
      heads: heads.mutableSpan, steps: steps.mutableSpan, shortHeads: shortHeads.mutableSpan,
      streamOffset: streamOffset)
    for index in 0..<max(0, dictionary.count - 3) { tables.enter(dictionary, index) }
    (self.heads, self.steps, self.shortHeads) = (heads, steps, shortHeads)
  }

  /// Divides the bytes of a block.
  ///
  /// - Parameters:
  ///   - bytes: the block, preceded by the bytes before it in the stream, at least a window of them.
  ///   - block: the range of the block, which ends with `bytes`.
  ///   - streamOffset: the stream position of the first byte of `bytes`, modulo 2^32.
  ///   - sequences: receives the sequences; has room for ``maximumSequenceCount(byteCount:)``.
  /// - Returns: the number of sequences.
  mutating func divide(
    _ bytes: Span<UInt8>, block: Range<Int>, streamOffset: UInt32, into sequences: inout MutableSpan<DeflateSequence>
  ) -> Int {
    if costs.isInitial {
      costs.prepare(for: bytes.extracting(block))
      var copy = self
      let sample = block.lowerBound..<min(block.upperBound, block.lowerBound + Self.sampleByteCount)
      _ = copy.divideOnce(bytes.extracting(..<sample.upperBound), block: sample, streamOffset, into: &sequences)
      costs = copy.costs
    }
    return divideOnce(bytes, block: block, streamOffset, into: &sequences)
  }

  /// Divides the bytes of a block with the costs of the one before, and learns its own.
  private mutating func divideOnce(
    _ bytes: Span<UInt8>, block: Range<Int>, _ streamOffset: UInt32, into sequences: inout MutableSpan<DeflateSequence>
  ) -> Int {
    var (heads, steps, shortHeads) = ([UInt32](), [UInt16](), [UInt32]())
    swap(&heads, &self.heads)
    swap(&steps, &self.steps)
    swap(&shortHeads, &self.shortHeads)
    var tables = MatchTables(
      heads: heads.mutableSpan, steps: steps.mutableSpan, shortHeads: shortHeads.mutableSpan,
      streamOffset: streamOffset)
    let count = Self.divide(bytes, block: block, effort, costs, &tables, into: &sequences)
    (self.heads, self.steps, self.shortHeads) = (heads, steps, shortHeads)
    var (index, place) = (block.lowerBound, 0)
    costs.learn(SymbolCounts(bytes, &index, sequences.span.extracting(first: count), &place))
    return count
  }

  @inline(never)
  private static func divide(
    _ bytes: Span<UInt8>, block: Range<Int>, _ effort: MatchEffort, _ costs: SymbolCosts, _ tables: inout MatchTables,
    into sequences: inout MutableSpan<DeflateSequence>
  ) -> Int {
    let end = block.upperBound
    let lastStart = end &- 4
    let niceLength = effort.niceLength
    var count = 0
    var index = block.lowerBound
    var anchor = index
    while index <= lastStart {
      var match = tables.findMatch(
        bytes, index, longerThan: 3, end: end, depth: effort.depth, niceLength: niceLength)
      guard match.length > 0, costs.areHigher(than: match, bytes, index) else {
        index &+= 1
        if index &- anchor == maximumRun {
          sequences[count] = DeflateSequence(literalCount: Int32(maximumRun), length: 0, distanceMinusOne: 0)
          count &+= 1
          anchor = index
        }
        continue
      }
      var entered = index &+ 1
      var delay = 0
      while match.length < niceLength, delay < effort.patience, index &+ delay < lastStart {
        delay &+= 1
        let next = tables.findMatch(
          bytes, index &+ delay, longerThan: max(3, match.length &- 1), end: end, depth: effort.depth &>> delay,
          niceLength: niceLength)
        entered = index &+ delay &+ 1
        guard next.length > 0, next.isBetter(than: match, delay: delay) else { continue }
        match = next
        index &+= delay
        delay = 0
      }
      sequences[count] = DeflateSequence(
        literalCount: Int32(truncatingIfNeeded: index &- anchor), length: UInt16(truncatingIfNeeded: match.length),
        distanceMinusOne: UInt16(truncatingIfNeeded: match.distance &- 1))
      count &+= 1
      index &+= match.length
      anchor = index
      let lastEntered = min(index &- 1, lastStart)
      while entered <= lastEntered {
        tables.enter(bytes, entered)
        entered &+= 1
      }
    }
    sequences[count] = DeflateSequence(
      literalCount: Int32(truncatingIfNeeded: end &- anchor), length: 0, distanceMinusOne: 0)
    return count &+ 1
  }
}

extension DeflateMatch {
  /// Whether a match is better than an earlier one, though `delay` literals precede it. A byte more is worth four bits, a
  /// literal more costs as much, and each bit of the distance counts.
  @inline(__always)
  func isBetter(than earlier: DeflateMatch, delay: Int) -> Bool {
    let bits = distance.leadingZeroBitCount &- earlier.distance.leadingZeroBitCount
    return length >= earlier.length && 4 &* (length &- earlier.length) &+ bits > (delay == 1 ? 2 : 6)
  }
}
