// Divisions of bytes without a search for strings.

/// Divides bytes into literals and matches of distance one.
///
/// - Parameter sequences: has room for ``LazyMatching/maximumSequenceCount(byteCount:)``.
/// - Returns: the number of sequences.
func divideIntoRuns(
  _ bytes: Span<UInt8>, _ part: Range<Int>, into sequences: inout MutableSpan<DeflateSequence>
) -> Int {
  var count = 0
  var anchor = part.lowerBound
  var index = max(anchor, 1)
  while index < part.upperBound {
    let limit = min(part.upperBound, index + 258)
    var end = index
    while end < limit, bytes[end] == bytes[index - 1] { end += 1 }
    guard end - index >= 3 else {
      index += 1
      continue
    }
    let literalCount = (index - anchor) % LazyMatching.maximumRun
    count = appendLiterals(index - anchor - literalCount, to: &sequences, at: count)
    sequences[count] = DeflateSequence(
      literalCount: Int32(truncatingIfNeeded: literalCount), length: UInt16(truncatingIfNeeded: end - index),
      distanceMinusOne: 0)
    count += 1
    (index, anchor) = (end, end)
  }
  return appendLiterals(part.upperBound - anchor, to: &sequences, at: count)
}

/// Adds literals in sequences of limited size. Returns the number of sequences.
func appendLiterals(_ literalCount: Int, to sequences: inout MutableSpan<DeflateSequence>, at start: Int) -> Int {
  var (count, rest) = (start, literalCount)
  while rest > 0 {
    let part = min(rest, LazyMatching.maximumRun)
    sequences[count] = DeflateSequence(
      literalCount: Int32(truncatingIfNeeded: part), length: 0, distanceMinusOne: 0)
    count += 1
    rest -= part
  }
  return count
}
