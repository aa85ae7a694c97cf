// The bits of slice data, and the variable-length codes of residual blocks (section 9.2).

internal import VectorLanes

/// Reads slice data that is not coded arithmetically. Past the end it reads zeros, which ``isExhausted`` tells.
struct CAVLCReader {
  /// The index of the next bit.
  private(set) var position: Int
  /// The index after the last bit of slice data: that of the stop bit.
  private let end: Int
  private let lookup = CodeLookup.entries

  /// - Parameter end: the index of the stop bit.
  init(position: Int, end: Int) { (self.position, self.end) = (position, end) }

  var isExhausted: Bool { position > end }
  /// `more_rbsp_data()`.
  var hasMore: Bool { position < end }
  /// The index of the first byte of which no bit has been read.
  var alignedIndex: Int { (min(position, end) &+ 7) &>> 3 }

  /// The next 32 bits.
  @inline(__always)
  private func peek(_ bytes: Span<UInt8>) -> UInt32 {
    let index = position &>> 3
    guard index <= bytes.count &- 8 else { return 0 }
    let word = loadBigEndian64(bytes, at: index) &<< UInt64(truncatingIfNeeded: position & 7)
    return UInt32(truncatingIfNeeded: word &>> 32)
  }

  /// An unsigned number of `count` bits, 0…31.
  @inline(__always)
  mutating func read(_ count: Int, _ bytes: Span<UInt8>) -> Int {
    guard count > 0 else { return 0 }
    let value = peek(bytes) &>> UInt32(truncatingIfNeeded: 32 &- count)
    position &+= count
    return Int(truncatingIfNeeded: value)
  }

  mutating func readFlag(_ bytes: Span<UInt8>) -> Bool { read(1, bytes) == 1 }

  /// ue(v) of less than 2¹⁵. Longer codes are damage and return the maximum.
  mutating func readUnsigned(_ bytes: Span<UInt8>) -> Int {
    let zeroCount = peek(bytes).leadingZeroBitCount
    guard zeroCount < 16 else {
      position &+= 32
      return 1 << 15
    }
    position &+= zeroCount
    return read(zeroCount &+ 1, bytes) &- 1
  }

  /// se(v).
  mutating func readSigned(_ bytes: Span<UInt8>) -> Int {
    let code = readUnsigned(bytes)
    return code & 1 == 1 ? (code &+ 1) &>> 1 : 0 &- code &>> 1
  }

  /// The next symbol of a table; `nil` if there is no such code.
  @inline(__always)
  private mutating func readSymbol(_ table: Int, _ bytes: Span<UInt8>) -> Int? {
    let word = peek(bytes)
    let zeroCount = min(15, word.leadingZeroBitCount)
    let bits = Int(truncatingIfNeeded: (word &<< UInt32(truncatingIfNeeded: zeroCount &+ 1)) &>> 29)
    let entry = lookup[(table &* CodeLookup.entryCount) &+ (zeroCount &* 8) &+ bits]
    guard entry != 0 else { return nil }
    position &+= Int(entry & 31)
    return Int(entry &>> 5)
  }

  /// Skips to the next byte.
  mutating func align() { position = (position &+ 7) & ~7 }

  // MARK: Residual blocks

  /// The code of the number of coefficients depends on that of neighbours, or on the kind of block.
  enum TokenTable {
    case neighbours(count: Int)
    case chromaDC420
    case chromaDC422
  }

  /// Reads the levels of a block (section 7.3.5.3.2).
  ///
  /// - Returns: `false` if they are invalid.
  mutating func readBlock(
    _ tokens: TokenTable, maximumCount: Int, into block: inout BlockLevels, _ bytes: Span<UInt8>
  ) -> Bool {
    block.count = 0
    guard let token = readToken(tokens, bytes) else { return false }
    let (count, oneCount) = (token &>> 2, token & 3)
    guard count <= maximumCount, oneCount <= count else { return false }
    guard count > 0 else { return true }
    guard readLevels(count, oneCount, into: &block, bytes) else { return false }
    var zeroCount = 0
    if count < maximumCount {
      let first =
        switch tokens {
        case .neighbours: CodeLookup.firstTotalZeros
        case .chromaDC420: CodeLookup.firstTotalZeros + 15
        case .chromaDC422: CodeLookup.firstTotalZeros + 18
        }
      guard let zeros = readSymbol(first &+ count &- 1, bytes) else { return false }
      zeroCount = zeros
    }
    var position = count &+ zeroCount &- 1
    guard position < maximumCount else { return false }
    for index in 0..<count {
      block.positions[index] = UInt8(truncatingIfNeeded: position)
      position &-= 1
      guard zeroCount > 0, index < count &- 1 else { continue }
      guard let run = readSymbol(CodeLookup.firstRun &+ min(zeroCount, 7) &- 1, bytes), run <= zeroCount else {
        return false
      }
      zeroCount &-= run
      position &-= run
    }
    block.count = count
    return true
  }

  private mutating func readToken(_ tokens: TokenTable, _ bytes: Span<UInt8>) -> Int? {
    switch tokens {
    case .chromaDC420: return readSymbol(3, bytes)
    case .chromaDC422: return readSymbol(4, bytes)
    case .neighbours(let count):
      if count < 8 { return readSymbol(count < 2 ? 0 : count < 4 ? 1 : 2, bytes) }
      let code = read(6, bytes)
      if code == 3 { return 0 }
      return code &+ 4
    }
  }

  /// Reads `level_prefix` and `level_suffix` (section 9.2.2.1).
  private mutating func readLevels(
    _ count: Int, _ oneCount: Int, into block: inout BlockLevels, _ bytes: Span<UInt8>
  ) -> Bool {
    for index in 0..<oneCount { block.levels[index] = readFlag(bytes) ? -1 : 1 }
    var suffixLength = count > 10 && oneCount < 3 ? 1 : 0
    for index in oneCount..<count {
      let prefix = peek(bytes).leadingZeroBitCount
      guard prefix < 26 else { return false }
      position &+= prefix &+ 1
      var code = min(15, prefix) &<< suffixLength
      let suffixBitCount = prefix >= 15 ? prefix &- 3 : prefix == 14 && suffixLength == 0 ? 4 : suffixLength
      code &+= read(suffixBitCount, bytes)
      if prefix >= 15, suffixLength == 0 { code &+= 15 }
      if prefix >= 16 { code &+= 1 &<< (prefix &- 3) &- 4096 }
      if index == oneCount, oneCount < 3 { code &+= 2 }
      let magnitude = (code &+ 2) &>> 1
      block.levels[index] = Int32(truncatingIfNeeded: code & 1 == 0 ? magnitude : 0 &- (code &+ 1) &>> 1)
      if suffixLength == 0 { suffixLength = 1 }
      if magnitude > 3 &<< (suffixLength &- 1), suffixLength < 6 { suffixLength &+= 1 }
    }
    return true
  }
}
