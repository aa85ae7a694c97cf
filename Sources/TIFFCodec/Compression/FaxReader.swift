// Decodes facsimile data to packed rows (ITU-T T.4 and T.6). A row is represented by the positions at which the colour
// changes, starting with the first black pixel.

internal import ImageCoding

/// The variant of facsimile coding.
struct FaxCoding: Hashable {
  /// The coding scheme of rows.
  enum Scheme: Hashable {
    /// One-dimensional; each row begins at a multiple of the given number of bits.
    case aligned(bitCount: Int)
    /// One-dimensional, or two-dimensional in rows whose tag bit says so, with end-of-line codes.
    case group3(isTwoDimensional: Bool)
    /// Two-dimensional, without end-of-line codes.
    case group4
  }

  let scheme: Scheme

  /// The coding of an image compressed by one of the CCITT schemes.
  init(_ layout: ImageLayout) {
    switch layout.compression {
    case .group4: scheme = .group4
    case .group3: scheme = .group3(isTwoDimensional: layout.faxOptions & 1 == 1)
    default: scheme = .aligned(bitCount: layout.alignsRowsToWords ? 16 : 8)
    }
  }

  init(_ scheme: Scheme) {
    self.scheme = scheme
  }
}

/// Decodes the rows of a block. Black pixels are 1.
struct FaxReader {
  private let coding: FaxCoding
  private var width: Int
  private var bits = FaxBits()
  /// The changes of the row above, followed by the width.
  private var reference: [Int32]
  /// The changes of the current row.
  private var current: [Int32]
  private var hasRows = false
  private var hasEnded = false
  /// The description of the data's damage; `nil` if they are valid so far.
  private(set) var damage: String?

  /// The number of entries of a row in addition to its changes: zero-length runs at the end, and the width repeated for
  /// lookups beyond the last change.
  private static let spareCount = 8

  init(_ coding: FaxCoding, width: Int) {
    self.coding = coding
    self.width = width
    reference = [Int32](repeating: Int32(clamping: width), count: width + Self.spareCount)
    current = [Int32](repeating: Int32(clamping: width), count: width + Self.spareCount)
  }

  /// Prepares for a new block.
  mutating func restart(width: Int) {
    self.width = width
    if reference.count != width + Self.spareCount {
      reference = [Int32](repeating: Int32(clamping: width), count: width + Self.spareCount)
      current = reference
    }
    for index in 0..<Self.spareCount { reference[index] = Int32(clamping: width) }
    bits = FaxBits()
    hasRows = false
    hasEnded = false
    damage = nil
  }

  /// Decodes rows until the output is full. Rows after the end of the data are white.
  ///
  /// - Parameter output: whole rows.
  /// - Returns: the number of bytes written, which is 0 if the data contains no row at all.
  mutating func read(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Int {
    let rowByteCount = (width + 7) / 8
    var start = 0
    while start + rowByteCount <= output.count {
      var row = output._mutatingExtracting(start..<start + rowByteCount)
      for index in 0..<rowByteCount { row[index] = 0 }
      if !hasEnded { readRow(input, into: &row) }
      start += rowByteCount
    }
    return hasRows ? start : 0
  }

  /// The number of bytes of which bits were read.
  var byteCount: Int { bits.byteCount }

  /// Skips the code that ends a block of Group 4, if it follows, and returns the number of bytes read.
  mutating func finish(_ input: Span<UInt8>) -> Int {
    if case .group4 = coding.scheme {
      bits.refill(input)
      if bits.peek(24) == 0x001001 { bits.consume(24) }
    }
    return min(input.count, bits.byteCount)
  }

  private mutating func readRow(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    var isTwoDimensional = false
    switch coding.scheme {
    case .aligned(let bitCount): bits.align(to: bitCount, input)
    case .group4: isTwoDimensional = true
    case .group3(let mayBeTwoDimensional):
      guard let tag = readEndOfLine(input, hasTag: mayBeTwoDimensional) else { return end("the data ends early") }
      isTwoDimensional = tag
    }
    bits.refill(input)
    if bits.isExhausted(input) { return end("the data ends early") }
    var decoder = FaxRowDecoder(width: Int32(clamping: width))
    // Moved out of the properties while borrowed.
    var row: [Int32] = []
    swap(&row, &current)
    var bits = self.bits
    let above = reference
    var changes = row.mutableSpan
    let status =
      isTwoDimensional
      ? decoder.decodeTwoDimensional(&bits, input, above: above.span, into: &changes)
      : decoder.decodeOneDimensional(&bits, input, into: &changes)
    self.bits = bits
    fill(row.span, count: decoder.changeCount, into: &output)
    current = reference
    reference = row
    if status == .ended, decoder.changeCount == 0 { return end("the data ends early") }
    if status != .complete {
      note("a facsimile row is damaged")
      if case .group4 = coding.scheme { hasEnded = true }
    }
    hasRows = true
  }

  private mutating func note(_ reason: String) { damage = damage ?? reason }

  private mutating func end(_ reason: String) {
    note(reason)
    hasEnded = true
  }

  /// Reads the end-of-line code before a row, if there is one, and the tag bit after it. Zeros before the code are
  /// fill. After a damaged row, everything up to the next code is skipped.
  ///
  /// - Returns: whether the row is two-dimensional; `nil` at the end of the data.
  private mutating func readEndOfLine(_ input: Span<UInt8>, hasTag: Bool) -> Bool? {
    var isTwoDimensional = false
    var count = 0
    if damage != nil, !seekEndOfLine(input) { return nil }
    bits.refill(input)
    while bits.peek(11) == 0 {
      guard bits.skipZeros(input) else { return nil }
      bits.refill(input)
      bits.consume(1)
      if hasTag {
        isTwoDimensional = bits.peek(1) == 0
        bits.consume(1)
      }
      count += 1
      bits.refill(input)
    }
    // Six codes in succession end the page; two are enough to tell.
    return count > 1 && hasRows ? nil : isTwoDimensional
  }

  /// Skips to eleven zeros in succession.
  private mutating func seekEndOfLine(_ input: Span<UInt8>) -> Bool {
    bits.refill(input)
    while bits.peek(11) != 0 {
      bits.consume(1)
      if bits.count < 16 { bits.refill(input) }
      if bits.isExhausted(input) { return false }
    }
    return true
  }

  /// Sets the pixels from each even change to the next odd one.
  private func fill(_ changes: Span<Int32>, count: Int, into row: inout MutableSpan<UInt8>) {
    var index = 0
    while index < count {
      let from = Int(changes[index])
      let to = index &+ 1 < count ? Int(changes[index &+ 1]) : width
      if from < to { setBits(from, to, in: &row) }
      index &+= 2
    }
  }
}

/// Sets a non-empty range of bits, of which bit 0 is the most significant of the first byte.
@inline(__always)
private func setBits(_ from: Int, _ to: Int, in row: inout MutableSpan<UInt8>) {
  let first = from &>> 3
  let last = (to &- 1) &>> 3
  let head = UInt8(0xFF) &>> UInt8(truncatingIfNeeded: from & 7)
  let tail = UInt8(0xFF) &<< UInt8(truncatingIfNeeded: 7 &- (to &- 1) & 7)
  if first == last {
    row[first] |= head & tail
    return
  }
  row[first] |= head
  var index = first &+ 1
  while index < last {
    row[index] = 0xFF
    index &+= 1
  }
  row[last] |= tail
}
