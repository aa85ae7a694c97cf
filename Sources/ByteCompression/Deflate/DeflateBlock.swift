// One block of a DEFLATE stream with its own codes, or stored if that is smaller. RFC 1951, section 3.2.

internal import VectorLanes

/// The symbols of lengths and distances. RFC 1951, section 3.2.5.
enum DeflateSymbols {
  static let endOfBlock = 256
  static let literalCount = 286
  static let distanceCount = 30
  /// The order in which the lengths of the code of lengths are written.
  static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// For each length minus 3: the symbol in the low 9 bits, the number of extra bits from bit 9, their value from bit 16.
  static let lengths: [UInt32] = (0..<256).map { index in
    if index == 255 { return 285 }
    if index < 8 { return UInt32(257 + index) }
    let extraCount = Int.bitWidth - 3 - index.leadingZeroBitCount
    let symbol = 257 + 4 * extraCount + index >> extraCount
    return UInt32(symbol) | UInt32(extraCount) << 9 | UInt32(index & (1 << extraCount - 1)) << 16
  }

  /// The symbol of a distance minus 1, the number of its extra bits, and their value.
  @inline(__always)
  static func distance(_ value: UInt16) -> (symbol: Int, extraCount: UInt64, extra: UInt64) {
    let value = UInt32(value)
    if value < 4 { return (Int(value), 0, 0) }
    let extraCount = 30 &- UInt32(truncatingIfNeeded: value.leadingZeroBitCount)
    let symbol = 2 &* extraCount &+ value &>> extraCount
    return (Int(symbol), UInt64(extraCount), UInt64(value & ((1 &<< extraCount) &- 1)))
  }
}

/// Writes bits to bytes, least significant bit first.
struct DeflateBitWriter {
  /// The bits that are not stored yet.
  private(set) var bits: UInt64 = 0
  /// Their number, below 8 after ``store(in:)``.
  private(set) var count: UInt64 = 0
  /// The index of the next byte.
  var position = 0

  /// Appends at most 56 bits less those pending.
  @inline(__always)
  mutating func append(_ value: UInt64, count added: UInt64) {
    bits |= value &<< count
    count &+= added
  }

  /// Stores whole bytes. Eight bytes of room are needed.
  @inline(__always)
  mutating func store(in output: inout MutableSpan<UInt8>) {
    storeLittleEndian64(bits, into: &output, at: position)
    position &+= Int(truncatingIfNeeded: count &>> 3)
    bits = bits &>> (count & 56)
    count &= 7
  }

  /// Fills the last byte with zeros and stores it.
  mutating func alignToByte(in output: inout MutableSpan<UInt8>) {
    count = (count + 7) & ~7
    store(in: &output)
  }
}

/// The codes of a block.
struct DeflateBlock {
  private var literals: PrefixCodes
  private var distances: PrefixCodes
  private let lengthCodes: PrefixCodes
  /// Symbols of the code of lengths with their extra bits, in the form of `DeflateSymbols.lengths`.
  private let header: [UInt32]
  private let literalCount: Int
  private let distanceCount: Int
  private let lengthCount: Int
  /// Whether the codes are the fixed ones.
  private var isFixed = false
  /// The size of the block in bits.
  private(set) var bitCount = 0

  /// Derives the codes of a block.
  init(_ bytes: Span<UInt8>, block: Range<Int>, _ sequences: Span<DeflateSequence>) {
    var literalCounts = [UInt32](repeating: 0, count: DeflateSymbols.literalCount)
    var distanceCounts = [UInt32](repeating: 0, count: DeflateSymbols.distanceCount)
    let extraBitCount = Self.count(bytes, block: block, sequences, &literalCounts, &distanceCounts)
    literalCounts[DeflateSymbols.endOfBlock] = 1
    literals = PrefixCodes(counts: literalCounts, maximumLength: 15)
    distances = PrefixCodes(counts: distanceCounts, maximumLength: 15)
    literalCount = max(257, (literals.lengths.lastIndex { $0 > 0 } ?? 0) + 1)
    distanceCount = max(1, (distances.lengths.lastIndex { $0 > 0 } ?? 0) + 1)
    header = Self.runs(Array(literals.lengths[..<literalCount]) + distances.lengths[..<distanceCount])
    var lengthCounts = [UInt32](repeating: 0, count: 19)
    for symbol in header { lengthCounts[Int(symbol & 0x1FF)] += 1 }
    let codes = PrefixCodes(counts: lengthCounts, maximumLength: 7)
    lengthCodes = codes
    lengthCount = max(4, (DeflateSymbols.lengthOrder.lastIndex { codes.lengths[$0] > 0 } ?? 0) + 1)
    bitCount = 3 + 14 + 3 * lengthCount + extraBitCount
    for symbol in header { bitCount += Int(codes.lengths[Int(symbol & 0x1FF)]) + Int(symbol >> 9 & 0x7F) }
    bitCount += literals.bitCount(of: literalCounts) + distances.bitCount(of: distanceCounts)
    let fixedBitCount =
      3 + extraBitCount + Self.fixedLiterals.bitCount(of: literalCounts)
      + Self.fixedDistances.bitCount(of: distanceCounts)
    if fixedBitCount <= bitCount {
      (literals, distances, isFixed, bitCount) = (Self.fixedLiterals, Self.fixedDistances, true, fixedBitCount)
    }
  }

  /// The fixed codes. RFC 1951, section 3.2.6.
  private static let fixedLiterals = PrefixCodes(
    lengths: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }, maximumLength: 9)
  private static let fixedDistances = PrefixCodes(lengths: [UInt8](repeating: 5, count: 32), maximumLength: 5)

  /// Counts symbols and returns the number of extra bits.
  @inline(never)
  private static func count(
    _ bytes: Span<UInt8>, block: Range<Int>, _ sequences: Span<DeflateSequence>, _ literalCounts: inout [UInt32],
    _ distanceCounts: inout [UInt32]
  ) -> Int {
    // Two tables, because equal literals follow one another.
    var evenCounts = [UInt32](repeating: 0, count: 256)
    var oddCounts = evenCounts
    var even = evenCounts.mutableSpan
    var odd = oddCounts.mutableSpan
    let lengths = DeflateSymbols.lengths
    var index = block.lowerBound
    var extraBitCount = 0
    for place in sequences.indices {
      let sequence = sequences[place]
      let end = index &+ Int(sequence.literalCount)
      while index &+ 2 <= end {
        even[Int(bytes[index])] &+= 1
        odd[Int(bytes[index &+ 1])] &+= 1
        index &+= 2
      }
      if index < end { even[Int(bytes[index])] &+= 1 }
      index = end
      if sequence.length == 0 { continue }
      let length = lengths[Int(sequence.length) &- 3]
      literalCounts[Int(length & 0x1FF)] &+= 1
      let distance = DeflateSymbols.distance(sequence.distanceMinusOne)
      distanceCounts[distance.symbol] &+= 1
      extraBitCount &+= Int(length &>> 9 & 0x7F) &+ Int(distance.extraCount)
      index &+= Int(sequence.length)
    }
    for symbol in 0..<256 { literalCounts[symbol] = evenCounts[symbol] &+ oddCounts[symbol] }
    return extraBitCount
  }

  /// Converts code lengths to symbols of the code of lengths. RFC 1951, section 3.2.7.
  private static func runs(_ lengths: [UInt8]) -> [UInt32] {
    var result: [UInt32] = []
    var index = 0
    while index < lengths.count {
      let length = lengths[index]
      var end = index + 1
      while end < lengths.count, lengths[end] == length { end += 1 }
      var count = end - index
      if length > 0 {
        result.append(UInt32(length))
        count -= 1
      }
      while count >= 3 {
        let run = min(count, length > 0 ? 6 : 138)
        if length > 0 {
          result.append(16 | 2 << 9 | UInt32(run - 3) << 16)
        } else if run <= 10 {
          result.append(17 | 3 << 9 | UInt32(run - 3) << 16)
        } else {
          result.append(18 | 7 << 9 | UInt32(run - 11) << 16)
        }
        count -= run
      }
      for _ in 0..<count { result.append(UInt32(length)) }
      index = end
    }
    return result
  }

  /// Writes the block. `bitCount` bits and 16 bytes of room are needed.
  func write(
    _ bytes: Span<UInt8>, from start: Int, _ sequences: Span<DeflateSequence>, isFinal: Bool,
    to writer: inout DeflateBitWriter, _ output: inout MutableSpan<UInt8>
  ) {
    if isFixed {
      writer.append(isFinal ? 3 : 2, count: 3)
    } else {
      writeCodes(isFinal: isFinal, to: &writer, &output)
    }
    writer = Self.write(
      bytes, from: start, sequences, literals: literals.entries.span, lengths: DeflateSymbols.lengths.span,
      distances: distances.entries.span, to: writer, &output)
    let end = literals.entries[DeflateSymbols.endOfBlock]
    writer.append(UInt64(end & 0xFF_FFFF), count: UInt64(end >> 24))
    writer.store(in: &output)
  }

  /// Writes the start of a block with its own codes. RFC 1951, section 3.2.7.
  private func writeCodes(
    isFinal: Bool, to writer: inout DeflateBitWriter, _ output: inout MutableSpan<UInt8>
  ) {
    writer.append(isFinal ? 5 : 4, count: 3)
    writer.append(UInt64(literalCount - 257), count: 5)
    writer.append(UInt64(distanceCount - 1), count: 5)
    writer.append(UInt64(lengthCount - 4), count: 4)
    writer.store(in: &output)
    for symbol in DeflateSymbols.lengthOrder.prefix(lengthCount) {
      writer.append(UInt64(lengthCodes.lengths[symbol]), count: 3)
      writer.store(in: &output)
    }
    for symbol in header {
      let entry = lengthCodes.entries[Int(symbol & 0x1FF)]
      writer.append(UInt64(entry & 0xFF_FFFF), count: UInt64(entry >> 24))
      writer.append(UInt64(symbol >> 16), count: UInt64(symbol >> 9 & 0x7F))
      writer.store(in: &output)
    }
  }

  /// Writes literals and matches. Not inlined, so that the state stays in registers.
  @inline(never)
  private static func write(
    _ bytes: Span<UInt8>, from start: Int, _ sequences: Span<DeflateSequence>, literals: Span<UInt32>,
    lengths: Span<UInt32>, distances: Span<UInt32>, to writer: DeflateBitWriter, _ output: inout MutableSpan<UInt8>
  ) -> DeflateBitWriter {
    var local = writer
    var index = start
    for place in sequences.indices {
      let sequence = sequences[place]
      let end = index &+ Int(sequence.literalCount)
      // Three codes of at most 15 bits after 7 pending ones.
      while index &+ 3 <= end {
        let first = literals[Int(bytes[index])]
        let second = literals[Int(bytes[index &+ 1])]
        let third = literals[Int(bytes[index &+ 2])]
        local.append(UInt64(first & 0xFF_FFFF), count: UInt64(first &>> 24))
        local.append(UInt64(second & 0xFF_FFFF), count: UInt64(second &>> 24))
        local.append(UInt64(third & 0xFF_FFFF), count: UInt64(third &>> 24))
        local.store(in: &output)
        index &+= 3
      }
      while index < end {
        let entry = literals[Int(bytes[index])]
        local.append(UInt64(entry & 0xFF_FFFF), count: UInt64(entry &>> 24))
        local.store(in: &output)
        index &+= 1
      }
      if sequence.length == 0 { continue }
      let length = lengths[Int(sequence.length) &- 3]
      let code = literals[Int(length & 0x1FF)]
      local.append(UInt64(code & 0xFF_FFFF), count: UInt64(code &>> 24))
      local.append(UInt64(length &>> 16), count: UInt64(length &>> 9 & 0x7F))
      let distance = DeflateSymbols.distance(sequence.distanceMinusOne)
      let distanceCode = distances[distance.symbol]
      local.append(UInt64(distanceCode & 0xFF_FFFF), count: UInt64(distanceCode &>> 24))
      local.append(distance.extra, count: distance.extraCount)
      local.store(in: &output)
      index &+= Int(sequence.length)
    }
    return local
  }
}
