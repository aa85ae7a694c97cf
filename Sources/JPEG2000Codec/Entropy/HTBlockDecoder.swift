// The decoding of high-throughput code-blocks (ITU-T T.814, clause 7): the cleanup pass.

internal import ImageCoding

/// Decodes high-throughput code-blocks into coefficients.
struct HTBlockDecoder {
  /// The exponents of the lowest samples of the quad row above, and of those of the current one, after two columns to the
  /// left of the block.
  private var above: [UInt8] = []
  private var current: [UInt8] = []
  /// The significance of samples for refinement, with a border.
  var significance: [UInt8] = []

  /// The number of bit-planes that coefficients can have.
  static let maximumPlaneCount = 28

  /// Decodes a code-block.
  ///
  /// - Parameter planeCount: the number of bit-planes of the band, of which the code-block's are the lower ones.
  /// - Returns: `false` if the data is damaged.
  mutating func decode(
    _ block: CodedBlock, planeCount: Int, _ data: BlockSegments, _ samples: inout [Int32],
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    let count = block.width * block.height
    // The last cleanup segment with data counts, and the refinement segment after it.
    var (passCount, zeroPlaneCount, position) = (0, 0, -1)
    for (index, segment) in data.segments.enumerated() {
      let lastPass = passCount + segment.passCount - 1
      if lastPass % 3 == 0, !segment.bytes.isEmpty {
        position = index
        zeroPlaneCount = planeCount - block.planeCount + lastPass / 3
      }
      passCount += segment.passCount
    }
    guard position >= 0 else { return true }
    let plane = planeCount - 1 - zeroPlaneCount
    guard plane >= 0 else { return false }
    try budget.chargeWork(count: count, unitsEach: 4)
    let bytes = data.bytes.span
    guard cleanUp(block, plane, zeroPlaneCount, bytes, data.segments[position].bytes, &samples) else { return false }
    guard position + 1 < data.segments.count, plane > 0 else { return true }
    let refinement = data.segments[position + 1]
    guard !refinement.bytes.isEmpty, refinement.passCount <= 2 else { return true }
    try budget.chargeWork(count: count, unitsEach: 8)
    if refinement.passCount > 1 { refineMagnitudes(block, plane, bytes, refinement.bytes, &samples) }
    propagateSignificance(block, plane, bytes, refinement.bytes, &samples)
    return true
  }

  /// A quad that the variable-length codes describe.
  private struct Quad {
    /// The significance of its samples, column by column.
    var pattern: UInt32 = 0
    var hasOffset = false
    var knownBits: UInt32 = 0
    var knownValues: UInt32 = 0
    var offset: UInt32 = 0
  }

  /// The cleanup pass (7.3).
  private mutating func cleanUp(
    _ block: CodedBlock, _ plane: Int, _ zeroPlaneCount: Int, _ bytes: Span<UInt8>, _ segment: Range<Int>,
    _ samples: inout [Int32]
  ) -> Bool {
    guard segment.count >= 2 else { return false }
    let suffixCount = Int(bytes[segment.upperBound - 1]) << 4 | Int(bytes[segment.upperBound - 2] & 15)
    guard suffixCount >= 2, suffixCount <= min(segment.count, 4079) else { return false }
    let split = segment.upperBound - suffixCount
    var magnitudes = HTForwardBits(segment.lowerBound..<split, filler: 0xFF)
    var events = HTEventDecoder(suffix: split..<segment.upperBound)
    var codes = HTBackwardBits(suffix: split..<segment.upperBound, bytes)
    let (first, others) = (HTCodeTable.first.entries, HTCodeTable.others.entries)
    let (firstTable, otherTable) = (first.span, others.span)
    let maximum = UInt32(zeroPlaneCount + 2)
    let columns = block.width + 8
    above = [UInt8](repeating: 0, count: columns)
    for y in stride(from: 0, to: block.height, by: 2) {
      current = [UInt8](repeating: 0, count: columns)
      var left: UInt32 = 0
      for x in stride(from: 0, to: block.width, by: 4) {
        let hasSecond = x + 2 < block.width
        var quads = (Quad(), Quad())
        quads.0 =
          y == 0
          ? readQuad(y, x, left, &events, &codes, bytes, firstTable)
          : readQuad(y, x, left, &events, &codes, bytes, otherTable)
        if hasSecond {
          quads.1 =
            y == 0
            ? readQuad(y, x + 2, quads.0.pattern, &events, &codes, bytes, firstTable)
            : readQuad(y, x + 2, quads.0.pattern, &events, &codes, bytes, otherTable)
        }
        left = quads.1.pattern
        Self.readOffsets(&quads.0, &quads.1, isFirstRow: y == 0, &events, &codes, bytes)
        guard readSamples(quads.0, block, x, y, plane, maximum, &magnitudes, bytes, &samples) else { return false }
        if hasSecond {
          guard readSamples(quads.1, block, x + 2, y, plane, maximum, &magnitudes, bytes, &samples) else {
            return false
          }
        }
      }
      swap(&above, &current)
    }
    return true
  }

  /// Reads the significance of a quad (7.3.5).
  @inline(__always)
  private func readQuad(
    _ y: Int, _ x: Int, _ left: UInt32, _ events: inout HTEventDecoder, _ codes: inout HTBackwardBits,
    _ bytes: Span<UInt8>, _ table: Span<UInt32>
  ) -> Quad {
    let context: UInt32
    if y == 0 {
      context = ((left | left >> 1) & 1) | (left >> 1 & 6)
    } else {
      let northWest: UInt32 = above[x + 1] | above[x + 2] != 0 ? 1 : 0
      let northEast: UInt32 = above[x + 3] | above[x + 4] != 0 ? 4 : 0
      context = northWest | (left & 0xC != 0 ? 2 : 0) | northEast
    }
    if context == 0, !events.decode(bytes) { return Quad() }
    let entry = table[Int(context &<< 7 | codes.peek(7, bytes))]
    codes.skip(UInt64(entry & 7))
    return Quad(
      pattern: entry &>> 4 & 15, hasOffset: entry & 0x100 != 0, knownBits: entry &>> 12 & 15,
      knownValues: entry &>> 16 & 15)
  }

  /// The prefix of an offset: its smallest value, and the number of bits that follow.
  @inline(__always)
  private static func readPrefix(_ codes: inout HTBackwardBits, _ bytes: Span<UInt8>) -> (UInt32, suffix: UInt64) {
    let bits = codes.peek(3, bytes)
    let length: UInt64 = bits & 1 == 1 ? 1 : bits & 2 == 2 ? 2 : 3
    codes.skip(length)
    if length < 3 { return (UInt32(length), 0) }
    return bits & 4 == 4 ? (3, 1) : (5, 5)
  }

  /// Reads the offsets of the exponents of two quads (7.3.6).
  @inline(__always)
  private static func readOffsets(
    _ first: inout Quad, _ second: inout Quad, isFirstRow: Bool, _ events: inout HTEventDecoder,
    _ codes: inout HTBackwardBits, _ bytes: Span<UInt8>
  ) {
    var base: UInt32 = 0
    var prefixes: ((UInt32, suffix: UInt64), (UInt32, suffix: UInt64)) = ((0, 0), (0, 0))
    if isFirstRow, first.hasOffset, second.hasOffset {
      if events.decode(bytes) {
        base = 2
      } else {
        prefixes.0 = readPrefix(&codes, bytes)
        if prefixes.0.suffix > 0 {
          second.offset = 1 + codes.read(1, bytes)
          first.offset = prefixes.0.0 + readSuffix(prefixes.0.suffix, &codes, bytes)
          if first.offset >= 5 + 28 { first.offset += 4 * codes.read(4, bytes) }
          return
        }
        prefixes.1 = readPrefix(&codes, bytes)
        return finish(&first, &second, prefixes, base, &codes, bytes)
      }
    }
    if first.hasOffset { prefixes.0 = readPrefix(&codes, bytes) }
    if second.hasOffset { prefixes.1 = readPrefix(&codes, bytes) }
    finish(&first, &second, prefixes, base, &codes, bytes)
  }

  @inline(__always)
  private static func readSuffix(
    _ count: UInt64, _ codes: inout HTBackwardBits, _ bytes: Span<UInt8>
  ) -> UInt32 { count == 0 ? 0 : codes.read(count, bytes) }

  /// Reads the suffixes of two offsets, then their extensions.
  @inline(__always)
  private static func finish(
    _ first: inout Quad, _ second: inout Quad, _ prefixes: ((UInt32, suffix: UInt64), (UInt32, suffix: UInt64)),
    _ base: UInt32, _ codes: inout HTBackwardBits, _ bytes: Span<UInt8>
  ) {
    var one = prefixes.0.0 + readSuffix(prefixes.0.suffix, &codes, bytes)
    var other = prefixes.1.0 + readSuffix(prefixes.1.suffix, &codes, bytes)
    if one >= 5 + 28 { one += 4 * codes.read(4, bytes) }
    if other >= 5 + 28 { other += 4 * codes.read(4, bytes) }
    first.offset = one + base
    second.offset = other + base
  }

  /// Reads the magnitudes and signs of a quad (7.3.7 and 7.3.8). Returns `false` if they are impossible.
  @inline(__always)
  private mutating func readSamples(
    _ quad: Quad, _ block: CodedBlock, _ x: Int, _ y: Int, _ plane: Int, _ maximum: UInt32,
    _ magnitudes: inout HTForwardBits, _ bytes: Span<UInt8>, _ samples: inout [Int32]
  ) -> Bool {
    guard quad.pattern != 0 else { return quad.offset + 1 <= maximum || !quad.hasOffset }
    var predicted: UInt32 = 1
    if y > 0, quad.pattern & (quad.pattern - 1) != 0 {
      let largest = max(max(above[x + 1], above[x + 2]), max(above[x + 3], above[x + 4]))
      predicted = max(1, UInt32(largest) &- (largest > 0 ? 1 : 0))
    }
    let exponent = quad.offset + predicted
    guard exponent <= maximum else { return false }
    for n in 0..<4 where quad.pattern >> UInt32(n) & 1 == 1 {
      let (column, row) = (x + n / 2, y + n % 2)
      guard column < block.width, row < block.height else { return false }
      let count = exponent - (quad.knownBits >> UInt32(n) & 1)
      let value = magnitudes.read(UInt64(count), bytes) | (quad.knownValues >> UInt32(n) & 1) << count
      let magnitude = Int32(truncatingIfNeeded: ((value >> 1 + 1) << 1 | 1) << UInt32(plane))
      samples[row * block.width + column] = value & 1 == 1 ? 0 &- magnitude : magnitude
      if n % 2 == 1 { current[column + 2] = UInt8(truncatingIfNeeded: 32 - (value | 1).leadingZeroBitCount) }
    }
    return true
  }
}
