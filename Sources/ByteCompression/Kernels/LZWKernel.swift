// The inner loop of LZW decoding. It handles strings only, away from the ends of input and output.

/// The number of bytes after the end of a string that the copy may overwrite.
private let copySlack = 16

/// Decodes codes as long as each is a string in the table, eight bytes of input remain, and the string and its slack
/// fit the output. Any other code is left unread.
///
/// Does nothing at the start of a stream or after a clear code.
func decodeCodes(
  _ input: Span<UInt8>, _ position: inout Int, into output: inout MutableSpan<UInt8>, _ written: inout Int,
  table: inout MutableSpan<LZWEntry>, state: inout LZWState, bitOrder: LZWCoding.BitOrder
) {
  guard state.hasPrevious else { return }
  precondition(
    table.count == LZWCoding.maximumCodeCount + 1 && state.isSound && position >= 0 && position <= input.count
      && written >= 0 && written <= output.count && state.bitCount >= 0 && state.bitCount < 64,
    "the state does not belong to this stream")
  // SAFETY: codes have at most 12 bits and the next code is at most 4096, so both index the table. Input is read only
  // where eight bytes remain; output is written only where the string and the slack fit. Only this loop and its safe
  // twin create entries, and each refers to bytes already written to this output.
  unsafe input.withUnsafeBufferPointer { inputBuffer in
    unsafe output.withUnsafeMutableBufferPointer { outputBuffer in
      unsafe table.withUnsafeMutableBufferPointer { tableBuffer in
        guard let source = inputBuffer.baseAddress, let target = outputBuffer.baseAddress,
          let entries = tableBuffer.baseAddress
        else { return }
        let streams = unsafe Streams(
          input: UnsafeRawPointer(source), lastInput: inputBuffer.count &- 8, output: UnsafeMutableRawPointer(target),
          lastOutput: outputBuffer.count &- copySlack, table: entries)
        // Two copies of the loop, each specialised for one bit order.
        if bitOrder == .leastSignificantFirst {
          unsafe decodeCodes(streams, &position, &written, &state, isLowFirst: true)
        } else {
          unsafe decodeCodes(streams, &position, &written, &state, isLowFirst: false)
        }
      }
    }
  }
}

@unsafe private struct Streams {
  let input: UnsafeRawPointer
  /// The last offset from which eight bytes can be read.
  let lastInput: Int
  let output: UnsafeMutableRawPointer
  /// The last output offset that leaves room for an over-copy.
  let lastOutput: Int
  let table: UnsafeMutablePointer<LZWEntry>
}

@inline(__always)
private func decodeCodes(
  _ streams: Streams, _ position: inout Int, _ written: inout Int, _ state: inout LZWState, isLowFirst: Bool
) {
  var local = state
  var from = position
  var to = written
  decoding: while unsafe from <= streams.lastInput {
    // At least 56 bits, which is four codes or more. Bits beyond the count are loaded again by the next refill.
    let word = unsafe streams.input.loadUnaligned(fromByteOffset: from, as: UInt64.self)
    let count = UInt64(truncatingIfNeeded: local.bitCount)
    local.bits |= isLowFirst ? UInt64(littleEndian: word) &<< count : UInt64(bigEndian: word) &>> count
    from &+= (63 &- local.bitCount) &>> 3
    local.bitCount |= 56
    repeat {
      let width = UInt64(truncatingIfNeeded: local.codeWidth)
      let code = Int(
        truncatingIfNeeded: isLowFirst ? local.bits & (1 &<< width &- 1) : local.bits &>> (64 &- width))
      var entry = unsafe streams.table[code]
      if code >= local.nextCode {
        if code > local.nextCode { break decoding }
        entry = local.previous.appending(local.previous.firstByte)
      }
      // The length of a code without a string exceeds an Int of 32 bits.
      let end = Int64(to) &+ Int64(entry.length)
      if unsafe end > Int64(streams.lastOutput) { break decoding }
      local.bits = isLowFirst ? local.bits &>> width : local.bits &<< width
      local.bitCount &-= local.codeWidth
      unsafe copyString(entry, to: streams.output, at: to)
      unsafe streams.table[local.nextCode] = local.previous.appending(entry.firstByte)
      local.advance()
      local.previous = LZWEntry(
        prefix: entry.prefix, offset: UInt32(truncatingIfNeeded: to), length: entry.length)
      to = Int(truncatingIfNeeded: end)
    } while local.bitCount >= LZWCoding.maximumCodeWidth
  }
  local.dropBitsReadAhead(isLowFirst: isLowFirst)
  position = from
  written = to
  state = local
}

/// Writes a string: the first eight bytes from its entry, the remainder from its earlier copy in the output.
///
/// A string of n bytes starts at least n - 1 bytes before its copy. Eight-byte chunks therefore never read what they
/// are about to write if n is at least nine; nor do sixteen-byte chunks if n is at least seventeen.
@inline(__always)
private func copyString(_ entry: LZWEntry, to output: UnsafeMutableRawPointer, at to: Int) {
  unsafe output.storeBytes(of: entry.prefix.littleEndian, toByteOffset: to, as: UInt64.self)
  let length = Int(truncatingIfNeeded: entry.length)
  if length <= 8 { return }
  let from = Int(truncatingIfNeeded: entry.offset)
  if length <= 16 {
    let chunk = unsafe output.loadUnaligned(fromByteOffset: from &+ 8, as: UInt64.self)
    unsafe output.storeBytes(of: chunk, toByteOffset: to &+ 8, as: UInt64.self)
    return
  }
  var done = 0
  repeat {
    let chunk = unsafe output.loadUnaligned(fromByteOffset: from &+ done, as: SIMD16<UInt8>.self)
    unsafe output.storeBytes(of: chunk, toByteOffset: to &+ done, as: SIMD16<UInt8>.self)
    done &+= 16
  } while done < length
}
