// The coefficients of a macroblock (RFC 6386, section 13).

/// The coefficients of a macroblock and the kind of transform that each block needs.
struct Residuals {
  /// The dequantized coefficients: sixteen blocks of luma and four of each chroma plane, with sixteen coefficients
  /// each.
  var coefficients = [Int16](repeating: 0, count: 384)
  /// Two bits per luma block, the first block most significant: 0 for no coefficients, 1 for the first one only, 2 for
  /// at most three, 3 for more.
  var luma: UInt32 = 0
  /// The same for the four blocks of U in the low byte and the four of V in the next one.
  var chroma: UInt32 = 0

  /// Sets all coefficients to zero.
  mutating func clear() {
    var span = coefficients.mutableSpan
    for index in span.indices { span[index] = 0 }
  }
}

/// Whether the blocks above and to the left had coefficients: the context of the next block (section 13.3).
struct BlockContext {
  /// One bit for each of four luma blocks, two of U and two of V.
  var blocks: UInt8 = 0
  /// The flag of the Y2 block.
  var secondary: UInt8 = 0
}

/// Reads the coefficients of macroblocks.
struct CoefficientReader {
  /// Probabilities for each block type, 17 positions, three contexts and eleven nodes.
  private let probabilities: [UInt8]

  private static let bands = [0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0]
  private static let bytesPerKind = 17 * 33

  init(_ header: LossyHeader) {
    var probabilities: [UInt8] = []
    for kind in 0..<4 {
      for band in Self.bands {
        let start = (kind * 8 + band) * 33
        probabilities.append(contentsOf: header.coefficients[start..<start + 33])
      }
    }
    self.probabilities = probabilities
  }

  /// Reads the coefficients of a macroblock that is not skipped.
  ///
  /// - Parameters:
  ///   - hasSubblocks: whether each luma block has its own DC coefficient; otherwise there is a Y2 block.
  ///   - residuals: receives the coefficients, which must be zero.
  func read(
    into residuals: inout Residuals, hasSubblocks: Bool, factors: QuantizationFactors, above: inout BlockContext,
    left: inout BlockContext, _ decoder: inout BoolDecoder, _ bytes: Span<UInt8>
  ) {
    var local = decoder
    let all = probabilities.span
    var coefficients = residuals.coefficients.mutableSpan
    var first = 0
    var luma = all.extracting(3 * Self.bytesPerKind..<4 * Self.bytesPerKind)
    if !hasSubblocks {
      var secondary = [16 of Int16](repeating: 0)
      var secondarySpan = secondary.mutableSpan
      let count = readBlock(
        &local, bytes, all.extracting(Self.bytesPerKind..<2 * Self.bytesPerKind),
        context: Int(above.secondary &+ left.secondary), first: 0, factors.secondaryDC, factors.secondaryAC,
        &secondarySpan, at: 0)
      above.secondary = count > 0 ? 1 : 0
      left.secondary = above.secondary
      if count > 1 {
        invertWalshHadamard(secondarySpan.span, into: &coefficients)
      } else {
        let value = Int16(truncatingIfNeeded: (Int32(secondarySpan[0]) &+ 3) &>> 3)
        for block in 0..<16 { coefficients[block &* 16] = value }
      }
      first = 1
      luma = all.extracting(0..<Self.bytesPerKind)
    }

    var aboveBits = UInt32(above.blocks & 15)
    var leftBits = UInt32(left.blocks & 15)
    var lumaCodes: UInt32 = 0
    var base = 0
    for row in 0..<4 as Range<UInt32> {
      var leftBit = (leftBits &>> row) & 1
      for column in 0..<4 as Range<UInt32> {
        let context = leftBit &+ (aboveBits &>> column) & 1
        let count = readBlock(
          &local, bytes, luma, context: Int(truncatingIfNeeded: context), first: first, factors.lumaDC, factors.lumaAC,
          &coefficients, at: base)
        leftBit = count > first ? 1 : 0
        aboveBits = aboveBits & ~(1 &<< column) | leftBit &<< column
        lumaCodes = lumaCodes &<< 2 | Self.code(count: count, first: coefficients[base])
        base &+= 16
      }
      leftBits = leftBits & ~(1 &<< row) | leftBit &<< row
    }
    var newAbove = UInt8(truncatingIfNeeded: aboveBits)
    var newLeft = UInt8(truncatingIfNeeded: leftBits)

    let chroma = all.extracting(2 * Self.bytesPerKind..<3 * Self.bytesPerKind)
    var chromaCodes: UInt32 = 0
    for plane in 0..<2 as Range<UInt8> {
      let shift = 4 &+ plane &* 2
      var aboveBits = UInt32((above.blocks &>> shift) & 3)
      var leftBits = UInt32((left.blocks &>> shift) & 3)
      var codes: UInt32 = 0
      for row in 0..<2 as Range<UInt32> {
        var leftBit = (leftBits &>> row) & 1
        for column in 0..<2 as Range<UInt32> {
          let context = leftBit &+ (aboveBits &>> column) & 1
          let count = readBlock(
            &local, bytes, chroma, context: Int(truncatingIfNeeded: context), first: 0, factors.chromaDC,
            factors.chromaAC, &coefficients, at: base)
          leftBit = count > 0 ? 1 : 0
          aboveBits = aboveBits & ~(1 &<< column) | leftBit &<< column
          codes = codes &<< 2 | Self.code(count: count, first: coefficients[base])
          base &+= 16
        }
        leftBits = leftBits & ~(1 &<< row) | leftBit &<< row
      }
      chromaCodes |= codes &<< (UInt32(plane) &* 8)
      newAbove |= UInt8(truncatingIfNeeded: aboveBits) &<< shift
      newLeft |= UInt8(truncatingIfNeeded: leftBits) &<< shift
    }
    above.blocks = newAbove
    left.blocks = newLeft
    residuals.luma = lumaCodes
    residuals.chroma = chromaCodes
    decoder = local
  }

  /// Returns the kind of transform that a block needs.
  @inline(__always)
  private static func code(count: Int, first: Int16) -> UInt32 {
    count > 3 ? 3 : count > 1 ? 2 : first != 0 ? 1 : 0
  }
}

/// The index of each coefficient in its block.
private let zigzag: InlineArray<16, UInt8> = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15]

/// Reads the coefficients of a block.
///
/// - Parameters:
///   - probabilities: the probabilities of the block type.
///   - first: the position of the first coefficient.
/// - Returns: the position after the last coefficient that is not zero, or 16 if the block has no end token.
@inline(__always)
private func readBlock(
  _ decoder: inout BoolDecoder, _ bytes: Span<UInt8>, _ probabilities: Span<UInt8>, context: Int, first: Int,
  _ dcFactor: Int32, _ acFactor: Int32, _ coefficients: inout MutableSpan<Int16>, at base: Int
) -> Int {
  let node = first &* 33 &+ context &* 11
  // Most blocks of most files end here.
  if !decoder.read(probabilities[node], bytes) { return first }
  let block = readCoefficients(
    decoder, bytes, probabilities, node: node, first: first, first == 0 ? dcFactor : acFactor, acFactor, &coefficients,
    at: base)
  decoder = block.decoder
  return block.count
}

/// Reads the coefficients of a block that does not end before its first token. The decoder is a parameter and a result,
/// so that callers can keep it in registers.
@inline(never)
private func readCoefficients(
  _ decoder: BoolDecoder, _ bytes: Span<UInt8>, _ probabilities: Span<UInt8>, node: Int, first: Int,
  _ firstFactor: Int32, _ acFactor: Int32, _ coefficients: inout MutableSpan<Int16>, at base: Int
) -> (count: Int, decoder: BoolDecoder) {
  var decoder = decoder
  var position = first
  var node = node
  var factor = firstFactor
  while true {
    while !decoder.read(probabilities[node &+ 1], bytes) {
      position &+= 1
      if position == 16 { return (16, decoder) }
      node = position &* 33
      factor = acFactor
    }
    let magnitude: Int32
    let next = (position &+ 1) &* 33
    if decoder.read(probabilities[node &+ 2], bytes) {
      magnitude = readLargeValue(&decoder, bytes, probabilities, node)
      node = next &+ 22
    } else {
      magnitude = 1
      node = next &+ 11
    }
    let value = decoder.readSigned(magnitude, bytes) &* factor
    coefficients[base &+ Int(zigzag[position])] = Int16(truncatingIfNeeded: value)
    factor = acFactor
    position &+= 1
    if position == 16 { return (16, decoder) }
    if !decoder.read(probabilities[node], bytes) { return (position, decoder) }
  }
}

/// The probabilities of the extra bits of the four largest categories.
private let categoryBits: InlineArray<4, InlineArray<11, UInt8>> = [
  [173, 148, 140, 0, 0, 0, 0, 0, 0, 0, 0], [176, 155, 140, 135, 0, 0, 0, 0, 0, 0, 0],
  [180, 157, 141, 134, 130, 0, 0, 0, 0, 0, 0], [254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129],
]

/// Reads a value of at least 2.
@inline(__always)
private func readLargeValue(
  _ decoder: inout BoolDecoder, _ bytes: Span<UInt8>, _ probabilities: Span<UInt8>, _ node: Int
) -> Int32 {
  if !decoder.read(probabilities[node &+ 3], bytes) {
    guard decoder.read(probabilities[node &+ 4], bytes) else { return 2 }
    return decoder.read(probabilities[node &+ 5], bytes) ? 4 : 3
  }
  if !decoder.read(probabilities[node &+ 6], bytes) {
    guard decoder.read(probabilities[node &+ 7], bytes) else { return decoder.read(159, bytes) ? 6 : 5 }
    let high: Int32 = decoder.read(165, bytes) ? 9 : 7
    return high &+ (decoder.read(145, bytes) ? 1 : 0)
  }
  let category = readCategory(decoder, bytes, probabilities, node)
  decoder = category.decoder
  return category.value
}

/// Reads a value of at least 11. The decoder is a parameter and a result, so that callers can keep it in registers.
@inline(never)
private func readCategory(
  _ decoder: BoolDecoder, _ bytes: Span<UInt8>, _ probabilities: Span<UInt8>, _ node: Int
) -> (value: Int32, decoder: BoolDecoder) {
  var decoder = decoder
  let isUpper = decoder.read(probabilities[node &+ 8], bytes)
  let category = (isUpper ? 2 : 0) + (decoder.read(probabilities[node &+ (isUpper ? 10 : 9)], bytes) ? 1 : 0)
  var value: Int32 = 0
  let bits = categoryBits[category]
  for index in 0..<11 where bits[index] != 0 {
    value = value &+ value &+ (decoder.read(bits[index], bytes) ? 1 : 0)
  }
  return (value &+ 3 &+ 8 &<< Int32(truncatingIfNeeded: category), decoder)
}
