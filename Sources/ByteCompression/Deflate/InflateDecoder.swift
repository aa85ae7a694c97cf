// DEFLATE decompression from incremental input into the caller's buffers (RFC 1951). Every byte of the input is read only
// when a bit of it is needed, so that the position of damage, and of the end, is exact however the input is divided.

/// A DEFLATE stream without a container being decompressed.
struct InflateDecoder: Sendable {
  /// The part of the stream that comes next.
  private enum Phase {
    case blockHeader
    case storedLength
    case storedBytes
    case codeCounts
    case codeLengthCode
    case codeLengths
    case symbol
    case lengthExtra
    case distance
    case distanceExtra
    case match
    case literal
    case ended
    case damaged(InflateDamage)
  }

  /// The place in the stream. Positions are those in the input and output of the last call.
  private(set) var state = InflateState()
  private var phase = Phase.blockHeader
  private var isLastBlock = false
  private var tables = InflateTables()
  private var header = InflateBlockHeader()
  /// The output of earlier calls.
  private var window = InflateWindow()
  /// The number of bytes that are left of a stored block or of a match, or the literal that is next.
  private var length = 0
  private var distance = 0
  /// The number of extra bits of the length or distance that is next.
  private var extraBitCount: UInt64 = 0
  /// Whether the whole stream is decompressed by one call, so that the room for the output is known to be all of it.
  private let isWhole: Bool

  init(isWhole: Bool = false) {
    self.isWhole = isWhole
  }

  /// The output for which tables of pairs of literals are worth their construction.
  private static let longByteCount = 16 << 10

  /// Begins another stream. The tables of the fixed codes are kept.
  mutating func restart() {
    (state, phase, isLastBlock) = (InflateState(), .blockHeader, false)
    window.removeAll()
  }

  /// Decompresses until the input is consumed and more is needed, more room is needed, or the stream ends or is found to
  /// be damaged. The output beyond what is written may change.
  ///
  /// If there are more calls, ``keepWindow(_:)`` must be called before.
  mutating func decode(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> InflateOutcome {
    (state.position, state.written) = (0, 0)
    while true {
      let isReady: Bool
      switch phase {
      case .blockHeader, .storedLength, .codeCounts, .codeLengthCode, .codeLengths:
        isReady = readHeader(input, room: output.count - state.written)
      case .storedBytes: isReady = copyStored(input, into: &output)
      case .symbol, .lengthExtra, .distance, .distanceExtra, .match, .literal:
        isReady = decodeSymbols(input, into: &output)
      case .ended: return .ended
      case .damaged(let damage): return .damaged(damage)
      }
      if !isReady { return .needsMore }
    }
  }

  /// Keeps the end of the output of the last call, to which later matches may refer.
  mutating func keepWindow(_ output: Span<UInt8>) {
    switch phase {
    case .ended, .damaged: return
    default: window.append(output.extracting(first: state.written))
    }
  }

  // MARK: - Blocks

  /// Reads the next part of the header of a block. Returns `false` if the input ends before.
  ///
  /// - Parameter room: the number of bytes that are left of the output.
  private mutating func readHeader(_ input: Span<UInt8>, room: Int) -> Bool {
    switch phase {
    case .blockHeader:
      guard state.require(3, input) else { return false }
      isLastBlock = state.take(1) == 1
      switch state.take(2) {
      case 0: phase = .storedLength
      case 1:
        tables.buildFixed()
        phase = .symbol
      case 2: phase = .codeCounts
      default: phase = .damaged(.blockType)
      }
    case .storedLength:
      state.dropPartialByte()
      guard state.require(32, input) else { return false }
      let (count, complement) = (state.take(16), state.take(16))
      length = count
      phase = count ^ complement == 0xFFFF ? .storedBytes : .damaged(.storedLength)
    case .codeCounts:
      guard state.require(14, input) else { return false }
      phase = header.readCounts(&state) ? .codeLengthCode : .damaged(.codeCounts)
    case .codeLengthCode:
      guard header.readCodeLengthCode(input, &state) else { return false }
      phase = header.buildCodeLengthCode(&tables) ? .codeLengths : .damaged(.codeLengthCode)
    default:
      switch header.readCodeLengths(input, &state, tables) {
      case .needsMore: return false
      case .damaged(let damage): phase = .damaged(damage)
      case .ended:
        let isLong = !isWhole || room >= Self.longByteCount
        phase = header.buildCodes(&tables, isLong: isLong).map { .damaged($0) } ?? .symbol
      }
    }
    return true
  }

  /// Copies bytes of a block that is not compressed. Returns `false` if more input or room is needed.
  private mutating func copyStored(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Bool {
    let count = min(length, input.count - state.position, output.count - state.written)
    copyBytes(
      input.extracting(state.position..<state.position + count), into: &output, at: state.written)
    state.position += count
    state.written += count
    length -= count
    guard length == 0 else { return false }
    endBlock()
    return true
  }

  private mutating func endBlock() {
    phase = isLastBlock ? .ended : .blockHeader
    if isLastBlock { state.dropPartialByte() }
  }

  // MARK: - Symbols

  /// Decodes symbols of a block: without checks of the ends of input and output while they are far away. Returns `false`
  /// if more input or room is needed.
  private mutating func decodeSymbols(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Bool {
    while true {
      switch phase {
      case .symbol:
        switch inflateAwayFromEnds(input, tables, window, &state, into: &output) {
        case .needsMore where state.matchLength > 0:
          (length, distance, phase) = (state.matchLength, state.matchDistance, .match)
          state.matchLength = 0
          continue
        case .needsMore: break
        case .ended:
          endBlock()
          return true
        case .damaged(let damage):
          phase = .damaged(damage)
          return true
        }
        guard takeSymbol(input) else { return false }
      case .lengthExtra:
        guard state.require(extraBitCount, input) else { return false }
        length += state.take(extraBitCount)
        phase = .distance
      case .distance:
        guard takeDistance(input) else { return false }
      case .distanceExtra:
        guard state.require(extraBitCount, input) else { return false }
        distance += state.take(extraBitCount)
        phase = .match
      case .match:
        guard state.written < output.count else { return false }
        guard distance <= state.written + window.count else {
          phase = .damaged(.distanceTooFar)
          return true
        }
        copyMatch(into: &output)
      case .literal:
        guard state.written < output.count else { return false }
        output[state.written] = UInt8(truncatingIfNeeded: length)
        state.written += 1
        phase = .symbol
      default: return true
      }
    }
  }

  /// Takes a literal, a length or the end of the block. Returns `false` if the input ends before.
  private mutating func takeSymbol(_ input: Span<UInt8>) -> Bool {
    let table = tables.lengths
    guard let entry = state.takeCode(table.span, indexBits: InflateTables.lengthBits, input) else { return false }
    length = Int(entry >> 16)
    extraBitCount = InflateTables.extraBitCount(entry)
    if entry & InflateTables.literalFlag != 0 {
      phase = .literal
    } else if entry & InflateTables.stopFlag == 0 {
      phase = .lengthExtra
    } else if entry >> 16 == InflateTables.endOfBlock {
      endBlock()
    } else {
      phase = .damaged(.literal)
    }
    return true
  }

  /// Takes a distance without its extra bits. Returns `false` if the input ends before.
  private mutating func takeDistance(_ input: Span<UInt8>) -> Bool {
    let table = tables.distances
    guard let entry = state.takeCode(table.span, indexBits: InflateTables.distanceBits, input) else { return false }
    distance = Int(entry >> 16)
    extraBitCount = InflateTables.extraBitCount(entry)
    phase = entry & InflateTables.stopFlag == 0 ? .distanceExtra : .damaged(.distance)
    return true
  }

  /// Copies as much of a match as there is room for.
  private mutating func copyMatch(into output: inout MutableSpan<UInt8>) {
    let count = min(length, output.count - state.written)
    for _ in 0..<count {
      let back = distance - state.written
      output[state.written] = back > 0 ? window[back] : output[state.written - distance]
      state.written += 1
    }
    length -= count
    if length == 0 { phase = .symbol }
  }
}
