// The coding of the lengths of a prefix code (RFC 9649, section 3.7.2.1).

internal import ImageCore

/// The lengths of the codes of an alphabet, read from the stream.
struct PrefixCodeLengths {
  private(set) var lengths: [UInt8]
  /// The reason why the stream does not describe a code.
  private(set) var failure: String?

  /// The order in which the lengths of the code length code are stored.
  private static let order: [Int] = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

  init(alphabetSize: Int, _ reader: inout LosslessBitReader, _ bytes: Span<UInt8>) {
    lengths = [UInt8](repeating: 0, count: alphabetSize)
    if reader.readFlag(bytes) {
      readSimple(&reader, bytes)
    } else {
      readNormal(&reader, bytes)
    }
  }

  /// Reads a code of one or two symbols. Symbols outside the alphabet are ignored, as in libwebp.
  private mutating func readSimple(_ reader: inout LosslessBitReader, _ bytes: Span<UInt8>) {
    let hasTwoSymbols = reader.readFlag(bytes)
    let isWide = reader.readFlag(bytes)
    let first = reader.read(isWide ? 8 : 1, bytes)
    if first < lengths.count { lengths[first] = 1 }
    guard hasTwoSymbols else { return }
    let second = reader.read(8, bytes)
    if second < lengths.count { lengths[second] = 1 }
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
    var remaining = lengths.count
    if reader.readFlag(bytes) {
      let bitCount = 2 + 2 * reader.read(3, bytes)
      remaining = 2 + reader.read(bitCount, bytes)
      guard remaining <= lengths.count else {
        failure = "a prefix code has more lengths than its alphabet has symbols"
        return
      }
    }
    readLengths(remaining, code, tables.entries.span, &reader, bytes)
  }

  /// - Parameter count: the number of code length symbols to read; a repetition counts as one.
  private mutating func readLengths(
    _ count: Int, _ code: PrefixCode, _ entries: Span<UInt32>, _ reader: inout LosslessBitReader,
    _ bytes: Span<UInt8>
  ) {
    var symbol = 0
    var previous: UInt8 = 8
    for _ in 0..<count where symbol < lengths.count {
      reader.refill(bytes)
      let value = readSymbol(code, entries, &reader)
      if value < 16 {
        lengths[symbol] = UInt8(truncatingIfNeeded: value)
        if value != 0 { previous = lengths[symbol] }
        symbol += 1
        continue
      }
      let repetitions: Int
      switch value {
      case 16: repetitions = 3 + reader.takeLoaded(2)
      case 17: repetitions = 3 + reader.takeLoaded(3)
      default: repetitions = 11 + reader.takeLoaded(7)
      }
      guard repetitions <= lengths.count - symbol else {
        failure = "a prefix code has more lengths than its alphabet has symbols"
        return
      }
      if value == 16 {
        for index in symbol..<symbol + repetitions { lengths[index] = previous }
      }
      symbol += repetitions
    }
  }
}
