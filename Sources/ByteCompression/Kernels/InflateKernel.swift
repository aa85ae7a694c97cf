// The inner loop of DEFLATE decompression.

/// The bytes of input and output that must remain for an iteration without checks: two loads of eight bytes, and a
/// match of the maximum length with the 32 bytes that its copy may write beyond it, after three literals.
private let inputMargin = 16
private let outputMargin = 320

/// Decodes the symbols of a block up to its end. Returns `false` if the block is damaged, incomplete or does not fit
/// the output.
func inflateBlock(
  _ input: Span<UInt8>, _ tables: InflateTables, _ state: inout InflateState, into output: inout MutableSpan<UInt8>
) -> Bool {
  let (lengths, distances) = (tables.lengths, tables.distances)
  precondition(
    lengths.count == InflateTables.lengthCount && distances.count == InflateTables.distanceCount
      && state.position >= 0 && state.written >= 0 && state.written <= output.count && state.count <= 64,
    "the state does not belong to this stream")
  var local = state
  var ended: Bool?
  // SAFETY: table indices are masked to the sizes checked above. Input is read only where sixteen bytes remain and
  // output written only where the margin remains; matches refer to bytes already written.
  unsafe input.withUnsafeBufferPointer { source in
    unsafe output.withUnsafeMutableBufferPointer { target in
      unsafe lengths.withUnsafeBufferPointer { lengthTable in
        unsafe distances.withUnsafeBufferPointer { distanceTable in
          guard let from = source.baseAddress, let to = target.baseAddress, let lengthEntries = lengthTable.baseAddress,
            let distanceEntries = distanceTable.baseAddress
          else { return }
          ended = unsafe inflateAwayFromEnds(
            UnsafeRawPointer(from), source.count &- inputMargin, UnsafeMutableRawPointer(to),
            target.count &- outputMargin, lengthEntries, distanceEntries, &local)
        }
      }
    }
  }
  if ended == nil {
    ended = inflateNearEnds(input, tables, &local, into: &output)
  }
  state = local
  return ended ?? false
}

/// Decodes while the margins remain.
///
/// - Returns: `true` at the end of the block, `false` for damage, `nil` if a margin is reached.
@inline(__always)
private func inflateAwayFromEnds(
  _ input: UnsafeRawPointer, _ lastInput: Int, _ output: UnsafeMutableRawPointer, _ lastOutput: Int,
  _ lengths: UnsafePointer<UInt32>, _ distances: UnsafePointer<UInt32>,
  _ state: inout InflateState
) -> Bool? {
  guard state.position <= lastInput, state.written <= lastOutput else { return nil }
  var bits = state.bits & (state.count == 0 ? 0 : .max &>> (64 &- state.count))
  // Only the lowest six bits are the count: whole entries are subtracted from it.
  var count = state.count
  var from = unsafe input + state.position
  var to = unsafe output + state.written
  let inputEnd = unsafe input + lastInput
  let outputEnd = unsafe output + lastOutput
  var result: Bool?

  /// Makes at least 56 bits available. Those beyond the count are read again.
  @inline(__always) func refill() {
    unsafe bits |= UInt64(littleEndian: from.loadUnaligned(as: UInt64.self)) &<< count
    unsafe from += Int(truncatingIfNeeded: ~count &>> 3 & 7)
    count |= 56
  }
  /// The entry of the length code that is next.
  @inline(__always) func nextLength() -> UInt32 {
    unsafe lengths[Int(truncatingIfNeeded: bits & InflateTables.lengthMask)]
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
  @inline(__always) func storeLiteral(_ entry: UInt32) {
    unsafe to.storeBytes(of: UInt8(truncatingIfNeeded: entry &>> 16), as: UInt8.self)
    unsafe to += 1
  }

  refill()
  var entry = nextLength()
  decoding: while true {
    if entry & InflateTables.literalFlag != 0 {
      _ = consume(entry)
      let second = nextLength()
      storeLiteral(entry)
      entry = second
      if entry & InflateTables.literalFlag != 0 {
        _ = consume(entry)
        let third = nextLength()
        storeLiteral(entry)
        entry = third
        if entry & InflateTables.literalFlag != 0 {
          _ = consume(entry)
          storeLiteral(entry)
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
          storeLiteral(entry)
          guard unsafe from <= inputEnd && to <= outputEnd else { break decoding }
          refill()
          entry = nextLength()
          continue
        }
      }
      if entry & InflateTables.stopFlag != 0 {
        result = entry &>> 16 == InflateTables.endOfBlock
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
        result = false
        break decoding
      }
    }
    let distance = value(entry, before)
    if unsafe distance > to - output {
      result = false
      break decoding
    }
    let start = unsafe to
    unsafe to += length
    guard unsafe from <= inputEnd && to <= outputEnd else {
      unsafe copyMatch(to: start, distance: distance, end: to)
      break decoding
    }
    // The next entry is loaded while the match is copied.
    refill()
    entry = nextLength()
    unsafe copyMatch(to: start, distance: distance, end: to)
  }
  // Bits beyond the count will be read again.
  count &= 63
  state.bits = count == 0 ? 0 : bits & (.max &>> (64 &- count))
  state.count = count
  state.position = unsafe from - input
  state.written = unsafe to - output
  return result
}

/// Decodes with all checks.
private func inflateNearEnds(
  _ input: Span<UInt8>, _ tables: InflateTables, _ state: inout InflateState, into output: inout MutableSpan<UInt8>
) -> Bool {
  let lengths = tables.lengths.span
  let distances = tables.distances.span
  func entry(_ table: Span<UInt32>, mask: UInt64, _ state: inout InflateState) -> UInt32 {
    var entry = table[Int(truncatingIfNeeded: state.bits & mask)]
    if entry & InflateTables.subtableFlag != 0 {
      _ = state.take(UInt64(entry & 63))
      let index = Int(entry >> 16) + Int(truncatingIfNeeded: state.bits & (1 &<< UInt64(entry >> 8 & 31) &- 1))
      entry = table[index & (table.count - 1)]
    }
    _ = state.take(UInt64(entry >> 8 & 31))
    return entry
  }
  func extraBitCount(_ entry: UInt32) -> UInt64 { UInt64(entry & 63) - UInt64(entry >> 8 & 31) }
  while true {
    state.refill(input)
    let symbol = entry(lengths, mask: InflateTables.lengthMask, &state)
    if symbol & InflateTables.literalFlag != 0 {
      guard state.written < output.count, state.bytePosition <= input.count else { return false }
      output[state.written] = UInt8(truncatingIfNeeded: symbol >> 16)
      state.written += 1
      continue
    }
    if symbol & InflateTables.stopFlag != 0 {
      return symbol >> 16 == InflateTables.endOfBlock && state.bytePosition <= input.count
    }
    let length = Int(symbol >> 16) + state.take(extraBitCount(symbol))
    let place = entry(distances, mask: InflateTables.distanceMask, &state)
    let distance = Int(place >> 16) + state.take(extraBitCount(place))
    guard place & InflateTables.stopFlag == 0, distance > 0, distance <= state.written,
      length <= output.count - state.written, state.bytePosition <= input.count
    else { return false }
    for _ in 0..<length {
      output[state.written] = output[state.written - distance]
      state.written += 1
    }
  }
}
