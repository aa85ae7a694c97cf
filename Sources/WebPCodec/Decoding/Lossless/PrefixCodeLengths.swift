// The coding of the lengths of a prefix code (RFC 9649, section 3.7.2.1).

internal import ImageCoding

/// The lengths of the codes of an alphabet, read from the stream.
struct PrefixCodeLengths {
  /// The length of each symbol's code; empty if they are not kept.
  private(set) var lengths: [UInt8]
  /// The number of symbols whose codes have each length.
  private(set) var counts = InlineArray<16, Int>(repeating: 0)
  /// The reason why the stream does not describe a code.
  private(set) var failure: String?

  private let alphabetSize: Int

  /// The order in which the lengths of the code length code are stored.
  private static let order: [Int] = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

  /// - Parameter keepsLengths: whether the lengths themselves are needed. Of a code that no block uses, only their
  ///   counts are, which tell whether it is complete.
  init(
    alphabetSize: Int, keepsLengths: Bool = true, _ reader: inout LosslessBitReader, _ bytes: Span<UInt8>
  ) {
    self.alphabetSize = alphabetSize
    lengths = [UInt8](repeating: 0, count: keepsLengths ? alphabetSize : 0)
    if reader.readFlag(bytes) {
      readSimple(&reader, bytes)
    } else {
      readNormal(&reader, bytes)
    }
  }

  /// Sets the lengths of consecutive symbols.
  @inline(__always)
  private mutating func set(_ symbols: Range<Int>, to length: UInt8) {
    counts[Int(length)] += symbols.count
    guard length > 0, !lengths.isEmpty else { return }
    for symbol in symbols { lengths[symbol] = length }
  }

  /// Reads a code of one or two symbols. Symbols outside the alphabet are ignored, as in libwebp.
  private mutating func readSimple(_ reader: inout LosslessBitReader, _ bytes: Span<UInt8>) {
    let hasTwoSymbols = reader.readFlag(bytes)
    let isWide = reader.readFlag(bytes)
    let first = reader.read(isWide ? 8 : 1, bytes)
    if first < alphabetSize { set(first..<first + 1, to: 1) }
    guard hasTwoSymbols else { return }
    let second = reader.read(8, bytes)
    if second < alphabetSize, second != first { set(second..<second + 1, to: 1) }
  }

  private mutating func readNormal(_ reader: inout LosslessBitReader, _ bytes: Span<UInt8>) {
    var codeLengths = [UInt8](repeating: 0, count: 19)
    let count = 4 + reader.read(4, bytes)
    for index in 0..<count {
      codeLengths[Self.order[index]] = UInt8(truncatingIfNeeded: reader.read(3, bytes))
    }
    guard let histogram = PrefixTables.histogram(of: codeLengths.span) else {
      failure = "the prefix code of code lengths is not complete"
      return
    }
    var tables = PrefixTables()
    let code = tables.append(codeLengths.span, histogram)
    var remaining = alphabetSize
    if reader.readFlag(bytes) {
      let bitCount = 2 + 2 * reader.read(3, bytes)
      remaining = 2 + reader.read(bitCount, bytes)
      guard remaining <= alphabetSize else {
        failure = "a prefix code has more lengths than its alphabet has symbols"
        return
      }
    }
    if reader.isOverrun { return }
    let only = tables.entries[Int(code.offset)] >> 16
    if code.rootMask == 0, only < 16 {
      // All lengths are the same and take no bits, so that nothing in the stream bounds the time to read them.
      set(0..<remaining, to: UInt8(truncatingIfNeeded: only))
    } else {
      readLengths(remaining, code, tables.entries.span, &reader, bytes)
    }
  }

  /// - Parameter count: the number of code length symbols to read; a repetition counts as one.
  private mutating func readLengths(
    _ count: Int, _ code: PrefixCode, _ entries: Span<UInt32>, _ reader: inout LosslessBitReader,
    _ bytes: Span<UInt8>
  ) {
    var symbol = 0
    var previous: UInt8 = 8
    for _ in 0..<count where symbol < alphabetSize {
      reader.refill(bytes)
      let value = readSymbol(code, entries, &reader)
      if value < 16 {
        set(symbol..<symbol + 1, to: UInt8(truncatingIfNeeded: value))
        if value != 0 { previous = UInt8(truncatingIfNeeded: value) }
        symbol += 1
        continue
      }
      let repetitions: Int
      switch value {
      case 16: repetitions = 3 + reader.takeLoaded(2)
      case 17: repetitions = 3 + reader.takeLoaded(3)
      default: repetitions = 11 + reader.takeLoaded(7)
      }
      if reader.isOverrun { return }
      guard repetitions <= alphabetSize - symbol else {
        failure = "a prefix code has more lengths than its alphabet has symbols"
        return
      }
      set(symbol..<symbol + repetitions, to: value == 16 ? previous : 0)
      symbol += repetitions
    }
  }
}
