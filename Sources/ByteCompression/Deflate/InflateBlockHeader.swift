// The codes at the start of a dynamic block, read from incremental input. RFC 1951, section 3.2.7.

/// The lengths of the codes of a block, as far as they are read.
struct InflateBlockHeader: Sendable {
  private static let codeLengthCodeCount = 19

  /// The numbers of codes of literals and lengths, of distances, and of lengths of codes.
  private var lengthCount = 0
  private var distanceCount = 0
  private var codeLengthCount = 0
  /// The lengths of the codes: first those of the code of lengths, then those of the two codes of symbols.
  private var lengths = [UInt8](repeating: 0, count: 320)
  /// The number of lengths that are read.
  private var count = 0

  /// Takes the numbers of codes from 14 bits. Returns `false` if there are too many.
  mutating func readCounts(_ state: inout InflateState) -> Bool {
    lengthCount = 257 + state.take(5)
    distanceCount = 1 + state.take(5)
    codeLengthCount = 4 + state.take(4)
    for index in 0..<Self.codeLengthCodeCount { lengths[index] = 0 }
    count = 0
    return lengthCount <= 286 && distanceCount <= 30
  }

  /// Reads the lengths of the code of lengths. Returns `false` if the input ends before.
  mutating func readCodeLengthCode(_ input: Span<UInt8>, _ state: inout InflateState) -> Bool {
    while count < codeLengthCount {
      guard state.require(3, input) else { return false }
      lengths[DeflateSymbols.lengthOrder[count]] = UInt8(truncatingIfNeeded: state.take(3))
      count += 1
    }
    count = 0
    return true
  }

  /// Builds the code of lengths. Returns `false` if it is invalid.
  func buildCodeLengthCode(_ tables: inout InflateTables) -> Bool {
    tables.buildCodeLengths(lengths.span.extracting(first: Self.codeLengthCodeCount))
  }

  /// Reads the run-length coded lengths of the two codes.
  mutating func readCodeLengths(
    _ input: Span<UInt8>, _ state: inout InflateState, _ tables: InflateTables
  ) -> InflateOutcome {
    let total = lengthCount + distanceCount
    let table = tables.codeLengths.span
    // Moved out of the properties while borrowed.
    var (all, count) = ([UInt8](), self.count)
    swap(&all, &lengths)
    defer {
      swap(&all, &lengths)
      self.count = count
    }
    var target = all.mutableSpan
    while count < total {
      let entry = table[state.peek(InflateTables.codeLengthBits)]
      let bitCount = UInt64(entry & 63)
      let symbol = Int(entry >> 16)
      let extraBitCount: UInt64 = symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7
      // As long as bits are missing, the entry may be wrong; the right one needs no fewer than one byte more.
      guard bitCount <= state.count, bitCount + extraBitCount <= state.count else {
        guard state.pull(input) else { return .needsMore }
        continue
      }
      state.drop(bitCount)
      if symbol < 16 {
        target[count] = UInt8(truncatingIfNeeded: symbol)
        count += 1
        continue
      }
      if symbol == 16, count == 0 { return .damaged(.lengthRepetition) }
      let value = symbol == 16 ? target[count - 1] : 0
      let repetition = (symbol == 18 ? 11 : 3) + state.take(extraBitCount)
      guard count + repetition <= total else { return .damaged(.lengthRepetition) }
      for _ in 0..<repetition {
        target[count] = value
        count += 1
      }
    }
    return .ended
  }

  /// Builds the two codes. Returns what is invalid of them.
  ///
  /// - Parameter isLong: whether the block may be long enough for tables that take longer to build.
  func buildCodes(_ tables: inout InflateTables, isLong: Bool) -> InflateDamage? {
    if lengths[DeflateSymbols.endOfBlock] == 0 { return .missingEndOfBlock }
    if !tables.buildLengths(lengths.span.extracting(first: lengthCount), isLong: isLong) { return .literalCode }
    let distances = lengths.span.extracting(lengthCount..<lengthCount + distanceCount)
    return tables.buildDistances(distances) ? nil : .distanceCode
  }
}
