// The inner loop of DEFLATE decompression.

/// The bytes of input and output that must remain for an iteration without checks: two loads of eight bytes, and three
/// pairs of literals, with the 32 bytes that the copy of a match may write beyond its end. Whether there is room for a
/// match is known when its length is.
private let inputMargin = 16
private let outputMargin = 8 + copyExcess

/// Decodes symbols of a block while the margins remain.
///
/// - Returns: ``InflateOutcome/needsMore`` if a margin is reached. The state then has the match for which there is no room,
///   if any.
func inflateAwayFromEnds(
  _ input: Span<UInt8>, _ tables: InflateTables, _ window: InflateWindow, _ state: inout InflateState,
  into output: inout MutableSpan<UInt8>
) -> InflateOutcome {
  let (lastInput, lastOutput) = (input.count &- inputMargin, output.count &- outputMargin)
  guard state.position <= lastInput, state.written <= lastOutput else { return .needsMore }
  let (firstLengths, lengths, distances) = (tables.firstLengths, tables.lengths, tables.distances)
  precondition(
    firstLengths.count > InflateTables.lengthMask && lengths.count == InflateTables.lengthCount
      && distances.count == InflateTables.distanceCount
      && state.position >= 0 && state.written >= 0 && state.count < 64,
    "the state does not belong to this stream")
  var local = state
  var outcome = InflateOutcome.needsMore
  // SAFETY: table indices are masked to the sizes checked above. Input is read only where sixteen bytes remain. Literals are
  // written only where the margin remains, and matches where there is room for their length and for what their copies
  // write beyond it; they refer to bytes already written, in this call or the window.
  unsafe input.withUnsafeBufferPointer { source in
    unsafe output.withUnsafeMutableBufferPointer { target in
      unsafe firstLengths.withUnsafeBufferPointer { firstTable in
        unsafe lengths.withUnsafeBufferPointer { lengthTable in
          unsafe distances.withUnsafeBufferPointer { distanceTable in
            guard let from = source.baseAddress, let to = target.baseAddress, let firstLengths = firstTable.baseAddress,
              let lengths = lengthTable.baseAddress, let distances = distanceTable.baseAddress
            else { return }
            unsafe window.withUnsafeEnd { windowEnd, windowCount in
              outcome = unsafe inflateSymbols(
                UnsafeRawPointer(from), lastInput, UnsafeMutableRawPointer(to), lastOutput, firstLengths, lengths,
                distances,
                windowEnd, windowCount, &local)
            }
          }
        }
      }
    }
  }
  state = local
  return outcome
}

/// The loop of ``inflateAwayFromEnds(_:_:_:_:into:)``, which checks that the state is before the margins.
@inline(__always)
private func inflateSymbols(
  _ input: UnsafeRawPointer, _ lastInput: Int, _ output: UnsafeMutableRawPointer, _ lastOutput: Int,
  _ firstLengths: UnsafePointer<UInt32>, _ lengths: UnsafePointer<UInt32>, _ distances: UnsafePointer<UInt32>,
  _ windowEnd: UnsafeRawPointer, _ windowCount: Int, _ state: inout InflateState
) -> InflateOutcome {
  var bits = state.bits
  // Only the lowest six bits are the count: whole entries are subtracted from it.
  var count = state.count
  var from = unsafe input + state.position
  var to = unsafe output + state.written
  let inputEnd = unsafe input + lastInput
  let outputEnd = unsafe output + lastOutput
  // Up to where a match may extend.
  let copyEnd = unsafe outputEnd + (outputMargin - copyExcess)
  var result = InflateOutcome.needsMore

  /// Makes at least 56 bits available. Those beyond the count are read again.
  @inline(__always) func refill() {
    unsafe bits |= UInt64(littleEndian: from.loadUnaligned(as: UInt64.self)) &<< count
    unsafe from += Int(truncatingIfNeeded: ~count &>> 3 & 7)
    count |= 56
  }
  /// The entry of the length code that is next.
  @inline(__always) func nextLength() -> UInt32 {
    unsafe firstLengths[Int(truncatingIfNeeded: bits & InflateTables.lengthMask)]
  }
  /// Consumes the bits of an entry and returns those that were available before.
  @inline(__always) func consume(_ entry: UInt32) -> UInt64 {
    let before = bits
    bits &>>= UInt64(entry)
    count &-= UInt64(entry)
    return before
  }
  /// Returns the index in a subtable by its entry and the bits after the code.
  @inline(__always) func subtableIndex(_ entry: UInt32) -> Int {
    Int(truncatingIfNeeded: UInt64(entry &>> 16) &+ bits & (1 &<< UInt64(entry &>> 8 & 31) &- 1))
  }
  /// The value of an entry and the extra bits after its code.
  @inline(__always) func value(_ entry: UInt32, _ before: UInt64) -> Int {
    let extra = (before & (1 &<< UInt64(entry) &- 1)) &>> UInt64(entry &>> 8)
    return Int(truncatingIfNeeded: UInt64(entry &>> 16) &+ extra)
  }
  /// Stores one or two literals.
  @inline(__always) func storeLiterals(_ entry: UInt32) {
    unsafe to.storeBytes(of: UInt16(truncatingIfNeeded: entry &>> 16).littleEndian, as: UInt16.self)
    unsafe to += Int(truncatingIfNeeded: entry &>> 8 & 3)
  }
  /// Leaves a match, for which there is no room, to the caller.
  @inline(__always) func postpone(_ length: Int, _ distance: Int, from start: UnsafeMutableRawPointer) {
    (state.matchLength, state.matchDistance) = (length, distance)
    unsafe to = start
  }
  refill()
  var entry = nextLength()
  decoding: while true {
    if entry & InflateTables.literalFlag != 0 {
      _ = consume(entry)
      let second = nextLength()
      storeLiterals(entry)
      entry = second
      if entry & InflateTables.literalFlag != 0 {
        _ = consume(entry)
        let third = nextLength()
        storeLiterals(entry)
        entry = third
        if entry & InflateTables.literalFlag != 0 {
          _ = consume(entry)
          storeLiterals(entry)
          guard unsafe from <= inputEnd && to <= outputEnd else { break decoding }
          refill()
          entry = nextLength()
          continue
        }
      }
      // A length and a distance take up to 48 bits.
      refill()
    }
    var before = consume(entry)
    if entry & (InflateTables.subtableFlag | InflateTables.stopFlag) != 0 {
      if entry & InflateTables.subtableFlag != 0 {
        entry = unsafe lengths[subtableIndex(entry) & (InflateTables.lengthCount &- 1)]
        before = consume(entry)
        if entry & InflateTables.literalFlag != 0 {
          storeLiterals(entry)
          guard unsafe from <= inputEnd && to <= outputEnd else { break decoding }
          refill()
          entry = nextLength()
          continue
        }
      }
      if entry & InflateTables.stopFlag != 0 {
        result = entry &>> 16 == InflateTables.endOfBlock ? .ended : .damaged(.literal)
        break decoding
      }
    }
    let length = value(entry, before)
    entry = unsafe distances[Int(truncatingIfNeeded: bits & InflateTables.distanceMask)]
    before = consume(entry)
    if entry & (InflateTables.subtableFlag | InflateTables.stopFlag) != 0 {
      if entry & InflateTables.subtableFlag != 0 {
        entry = unsafe distances[subtableIndex(entry) & (InflateTables.distanceCount &- 1)]
        before = consume(entry)
      }
      if entry & InflateTables.stopFlag != 0 {
        result = .damaged(.distance)
        break decoding
      }
    }
    let distance = value(entry, before)
    let start = unsafe to
    let back = unsafe distance &- (start - output)
    if back > 0 {
      guard back <= windowCount else {
        result = .damaged(.distanceTooFar)
        break decoding
      }
      unsafe to += length
      guard unsafe to <= copyEnd else {
        unsafe postpone(length, distance, from: start)
        break decoding
      }
      unsafe copyMatch(to: start, from: windowEnd - back, count: back, then: output, end: to)
      guard unsafe from <= inputEnd && to <= outputEnd else { break decoding }
      refill()
      entry = nextLength()
      continue
    }
    unsafe to += length
    guard unsafe from <= inputEnd && to <= outputEnd else {
      if unsafe to <= copyEnd {
        unsafe copyMatch(to: start, distance: distance, end: to)
      } else {
        unsafe postpone(length, distance, from: start)
      }
      break decoding
    }
    // The next entry is loaded while the match is copied.
    refill()
    entry = nextLength()
    unsafe copyMatch(to: start, distance: distance, end: to)
  }
  // Whole bytes are returned, but not those of earlier calls: no code is shorter than its bits that were known.
  let unused = unsafe min(Int(truncatingIfNeeded: (count & 63) &>> 3), from - input)
  state.count = (count & 63) &- UInt64(unused) &* 8
  state.bits = bits & (1 &<< state.count &- 1)
  state.position = unsafe from - input - unused
  state.written = unsafe to - output
  return result
}
