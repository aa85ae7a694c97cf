// The inner loop of DEFLATE decompression.

/// The bytes of input and output that must remain for an iteration without checks: two loads of eight bytes, and a match
/// of the maximum length with what the copy may write beyond it, after three literals.
private let inputMargin = 16
private let outputMargin = 320

/// Decodes the symbols of a block up to its end. Returns `false` if the block is damaged, incomplete or does not fit the
/// output.
func inflateBlock(
  _ input: Span<UInt8>, _ tables: InflateTables, _ state: inout InflateState, into output: inout MutableSpan<UInt8>
) -> Bool {
  let (lengths, distances) = (tables.lengths, tables.distances)
  precondition(
    lengths.count == InflateTables.lengthCount && distances.count == InflateTables.distanceCount
      && tables.lengthBits <= 11 && tables.distanceBits <= 8 && state.position >= 0 && state.written >= 0
      && state.written <= output.count && state.count <= 64,
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
            target.count &- outputMargin, lengthEntries, bits: tables.lengthBits, distanceEntries,
            bits: tables.distanceBits, &local)
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
  _ lengths: UnsafePointer<UInt32>, bits lengthBits: Int, _ distances: UnsafePointer<UInt32>, bits distanceBits: Int,
  _ state: inout InflateState
) -> Bool? {
  var (bits, count, from, to) = (state.bits, state.count, state.position, state.written)
  let lengthMask: UInt64 = 1 &<< UInt64(lengthBits) &- 1
  let distanceMask: UInt64 = 1 &<< UInt64(distanceBits) &- 1
  var result: Bool?
  bits &= count == 0 ? 0 : .max &>> (64 &- count)

  /// Makes at least 56 bits available. Those beyond the count are read again.
  @inline(__always) func refill() {
    bits |= unsafe UInt64(littleEndian: input.loadUnaligned(fromByteOffset: from, as: UInt64.self)) &<< count
    from &+= Int(truncatingIfNeeded: (63 &- count) &>> 3)
    count |= 56
  }
  /// Consumes the bits of an entry and returns those that were available before.
  @inline(__always) func consume(_ entry: UInt32) -> UInt64 {
    let before = bits
    bits &>>= UInt64(entry & 63)
    count &-= UInt64(entry & 63)
    return before
  }
  /// The value of an entry and the extra bits after its code.
  @inline(__always) func value(_ entry: UInt32, _ before: UInt64) -> Int {
    let extra = (before & (1 &<< UInt64(entry & 63) &- 1)) &>> UInt64(entry &>> 8 & 31)
    return Int(truncatingIfNeeded: UInt64(entry &>> 16) &+ extra)
  }
  @inline(__always) func storeLiteral(_ entry: UInt32) {
    unsafe output.storeBytes(of: UInt8(truncatingIfNeeded: entry &>> 16), toByteOffset: to, as: UInt8.self)
    to &+= 1
  }

  guard from <= lastInput, to <= lastOutput else { return nil }
  refill()
  var entry = unsafe lengths[Int(truncatingIfNeeded: bits & lengthMask)]
  decoding: while true {
    if entry & InflateTables.literalFlag != 0 {
      _ = consume(entry)
      let second = unsafe lengths[Int(truncatingIfNeeded: bits & lengthMask)]
      storeLiteral(entry)
      entry = second
      if entry & InflateTables.literalFlag != 0 {
        _ = consume(entry)
        let third = unsafe lengths[Int(truncatingIfNeeded: bits & lengthMask)]
        storeLiteral(entry)
        entry = third
        if entry & InflateTables.literalFlag != 0 {
          _ = consume(entry)
          storeLiteral(entry)
          guard from <= lastInput, to <= lastOutput else { break decoding }
          refill()
          entry = unsafe lengths[Int(truncatingIfNeeded: bits & lengthMask)]
          continue
        }
      }
      // A length and a distance take up to 48 bits.
      refill()
    }
    var before = consume(entry)
    if entry & (InflateTables.subtableFlag | InflateTables.stopFlag) != 0 {
      if entry & InflateTables.subtableFlag != 0 {
        let index = UInt64(entry &>> 16) &+ bits & (1 &<< UInt64(entry &>> 8 & 31) &- 1)
        entry = unsafe lengths[Int(truncatingIfNeeded: index) & (InflateTables.lengthCount &- 1)]
        before = consume(entry)
        if entry & InflateTables.literalFlag != 0 {
          storeLiteral(entry)
          guard from <= lastInput, to <= lastOutput else { break decoding }
          refill()
          entry = unsafe lengths[Int(truncatingIfNeeded: bits & lengthMask)]
          continue
        }
      }
      if entry & InflateTables.stopFlag != 0 {
        result = entry &>> 16 == InflateTables.endOfBlock
        break decoding
      }
    }
    let length = value(entry, before)
    entry = unsafe distances[Int(truncatingIfNeeded: bits & distanceMask)]
    before = consume(entry)
    if entry & InflateTables.subtableFlag != 0 {
      let index = UInt64(entry &>> 16) &+ bits & (1 &<< UInt64(entry &>> 8 & 31) &- 1)
      entry = unsafe distances[Int(truncatingIfNeeded: index) & (InflateTables.distanceCount &- 1)]
      before = consume(entry)
    }
    let distance = value(entry, before)
    if entry & InflateTables.stopFlag != 0 || distance > to || distance == 0 {
      result = false
      break decoding
    }
    let start = to
    to &+= length
    guard from <= lastInput, to <= lastOutput else {
      unsafe copyMatch(output, to: start, distance: distance, length: length)
      break decoding
    }
    // The next entry is loaded while the match is copied.
    refill()
    entry = unsafe lengths[Int(truncatingIfNeeded: bits & lengthMask)]
    unsafe copyMatch(output, to: start, distance: distance, length: length)
  }
  // Bits beyond the count will be read again.
  state.bits = count == 0 ? 0 : bits & (.max &>> (64 &- count))
  state.count = count
  state.position = from
  state.written = to
  return result
}

/// Decodes with all checks.
private func inflateNearEnds(
  _ input: Span<UInt8>, _ tables: InflateTables, _ state: inout InflateState, into output: inout MutableSpan<UInt8>
) -> Bool {
  let (lengthBits, distanceBits) = (tables.lengthBits, tables.distanceBits)
  let lengths = tables.lengths.span
  let distances = tables.distances.span
  func entry(_ table: Span<UInt32>, indexBits: Int, _ state: inout InflateState) -> UInt32 {
    var entry = table[Int(truncatingIfNeeded: state.bits & (1 &<< UInt64(indexBits) &- 1))]
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
    let symbol = entry(lengths, indexBits: lengthBits, &state)
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
    let place = entry(distances, indexBits: distanceBits, &state)
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
