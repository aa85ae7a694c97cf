// The coefficients of a macroblock (RFC 6386, section 13).

/// The coefficients of a macroblock and the kind of transform that each block needs.
struct Residuals {
  /// The dequantized coefficients: sixteen blocks of luma, four of each chroma plane, and the Y2 block, with sixteen
  /// coefficients each.
  var coefficients = [Int16](repeating: 0, count: 400)
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
  /// Probabilities for each block type, 17 positions, three contexts and eleven nodes, and zeros up to
  /// ``probabilityCount``.
  private let probabilities: [UInt8]

  private static let bands = [0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0]
  fileprivate static let bytesPerKind = 17 * 33
  /// A mask for the index of a context's first node, which shows that its eleven nodes are in range without a check.
  fileprivate static let nodeMask = 4095
  private static let probabilityCount = nodeMask + 11

  init(_ header: LossyHeader) {
    var probabilities: [UInt8] = []
    for kind in 0..<4 {
      for band in Self.bands {
        let start = (kind * 8 + band) * 33
        probabilities.append(contentsOf: header.coefficients[start..<start + 33])
      }
    }
    probabilities.append(contentsOf: repeatElement(0, count: Self.probabilityCount - probabilities.count))
    self.probabilities = probabilities
  }

  /// Reads the coefficients of a macroblock that is not skipped. The decoder is a parameter and a result, so that it stays
  /// in registers.
  ///
  /// - Parameters:
  ///   - hasSubblocks: whether each luma block has its own DC coefficient; otherwise there is a Y2 block.
  ///   - residuals: receives the coefficients, which must be zero.
  @inline(never)
  func read(
    into residuals: inout Residuals, hasSubblocks: Bool, factors: QuantizationFactors, above: inout BlockContext,
    left: inout BlockContext, _ decoder: BoolDecoder, _ bytes: Span<UInt8>
  ) -> BoolDecoder {
    var local = decoder
    // Of lengths that the compiler knows, so that most indices need no check.
    let probabilities = probabilities.span.extracting(0..<Self.probabilityCount)
    var all = residuals.coefficients.mutableSpan
    var coefficients = all._mutatingExtracting(0..<400)
    var aboveBits = UInt32(above.blocks) | UInt32(above.secondary) &<< 8
    var leftBits = UInt32(left.blocks) | UInt32(left.secondary) &<< 8
    var codes: UInt64 = 0
    for plane in (hasSubblocks ? 1 : 0)..<4 {
      let plane = BlockPlane(plane, hasSubblocks: hasSubblocks, factors)
      let start = plane.kind &* Self.bytesPerKind &+ plane.first &* 33
      // The flags of the plane's columns and rows. The next one is lowest; its successor becomes the highest.
      var columns = plane.flags(of: aboveBits)
      var rows = plane.flags(of: leftBits)
      var base = plane.start &* 16
      for _ in 0..<plane.width {
        var flag = rows & 1
        for _ in 0..<plane.width {
          let context = columns & 1 &+ flag
          let count = readBlock(
            &local, bytes, probabilities, node: start &+ Int(truncatingIfNeeded: context) &* 11, plane, &coefficients,
            at: base)
          flag = count > plane.first ? 1 : 0
          columns = plane.appending(flag, to: columns)
          codes = codes &<< 2 | Self.code(count: count, first: coefficients[base])
          base &+= 16
        }
        rows = plane.appending(flag, to: rows)
      }
      plane.set(columns, in: &aboveBits)
      plane.set(rows, in: &leftBits)
      if plane.kind == 1 { Self.distribute(&coefficients, isConstant: codes <= 1) }
    }
    above = BlockContext(
      blocks: UInt8(truncatingIfNeeded: aboveBits), secondary: UInt8(truncatingIfNeeded: aboveBits &>> 8))
    left = BlockContext(
      blocks: UInt8(truncatingIfNeeded: leftBits), secondary: UInt8(truncatingIfNeeded: leftBits &>> 8))
    residuals.luma = UInt32(truncatingIfNeeded: codes &>> 16)
    residuals.chroma = UInt32(UInt16(truncatingIfNeeded: codes).byteSwapped)
    return local
  }

  /// Transforms the Y2 block to the first coefficients of the luma blocks, and sets it to zero.
  private static func distribute(_ coefficients: inout MutableSpan<Int16>, isConstant: Bool) {
    let start = secondaryBlock * 16
    if isConstant {
      let value = Int16(truncatingIfNeeded: (Int32(coefficients[start]) &+ 3) &>> 3)
      for block in 0..<16 { coefficients[block &* 16] = value }
    } else {
      var secondary = [16 of Int16](repeating: 0)
      for index in 0..<16 { secondary[index] = coefficients[start &+ index] }
      invertWalshHadamard(secondary.span, into: &coefficients)
      for index in 0..<16 { coefficients[start &+ index] = 0 }
    }
    coefficients[start] = 0
  }

  /// Returns the kind of transform that a block needs.
  @inline(__always)
  private static func code(count: Int, first: Int16) -> UInt64 {
    count > 3 ? 3 : count > 1 ? 2 : first != 0 ? 1 : 0
  }
}

/// The index of each coefficient in its block.
private let zigzag: InlineArray<16, UInt8> = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15]

/// The place of the Y2 block among the blocks of a macroblock.
private let secondaryBlock = 24

/// The blocks of a macroblock that belong to one plane: a square of blocks with the same probabilities and factors.
private struct BlockPlane {
  /// The block type of the probabilities.
  let kind: Int
  /// The first block. Luma has the blocks 0…15, U 16…19, V 20…23.
  let start: Int
  /// The number of blocks across and down.
  let width: Int
  /// The place of the plane's first flag in the contexts.
  let place: UInt32
  /// The position of the first coefficient.
  let first: Int
  let firstFactor: Int32
  let otherFactor: Int32

  /// - Parameter index: 0 for the Y2 block, 1 for luma, 2 for U, 3 for V.
  @inline(__always)
  init(_ index: Int, hasSubblocks: Bool, _ factors: QuantizationFactors) {
    switch index {
    case 0:
      (kind, start, width, place, first) = (1, secondaryBlock, 1, 8, 0)
      (firstFactor, otherFactor) = (factors.secondaryDC, factors.secondaryAC)
    case 1:
      (kind, start, width, place, first) = (hasSubblocks ? 3 : 0, 0, 4, 0, hasSubblocks ? 0 : 1)
      (firstFactor, otherFactor) = (hasSubblocks ? factors.lumaDC : factors.lumaAC, factors.lumaAC)
    default:
      (kind, start, width, place, first) = (2, index == 2 ? 16 : 20, 2, index == 2 ? 4 : 6, 0)
      (firstFactor, otherFactor) = (factors.chromaDC, factors.chromaAC)
    }
  }

  @inline(__always)
  private var mask: UInt32 { 1 &<< UInt32(truncatingIfNeeded: width) &- 1 }

  /// Returns the plane's flags in a context.
  @inline(__always)
  func flags(of context: UInt32) -> UInt32 { (context &>> place) & mask }

  /// Replaces the plane's flags in a context.
  @inline(__always)
  func set(_ flags: UInt32, in context: inout UInt32) { context = context & ~(mask &<< place) | flags &<< place }

  /// Returns the flags without the lowest one, and with another above the others.
  @inline(__always)
  func appending(_ flag: UInt32, to flags: UInt32) -> UInt32 {
    flags &>> 1 | flag &<< UInt32(truncatingIfNeeded: width &- 1)
  }
}

/// Reads the coefficients of a block. It is part of the loop over all blocks, which keeps the decoder in registers.
///
/// - Parameter node: the first probability of the block.
/// - Returns: the position after the last coefficient that is not zero, or 16 if the block has no end token.
@inline(__always)
private func readBlock(
  _ decoder: inout BoolDecoder, _ bytes: Span<UInt8>, _ probabilities: Span<UInt8>, node: Int, _ plane: BlockPlane,
  _ coefficients: inout MutableSpan<Int16>, at base: Int
) -> Int {
  var position = plane.first
  var node = node
  var factor = plane.firstFactor
  // The probabilities of the next position with the context 0.
  var next = plane.kind &* CoefficientReader.bytesPerKind &+ (position &+ 1) &* 33
  while decoder.read(probabilities[node & CoefficientReader.nodeMask], bytes) {
    while !decoder.read(probabilities[node & CoefficientReader.nodeMask &+ 1], bytes) {
      position &+= 1
      if position == 16 { return 16 }
      node = next
      next &+= 33
      factor = plane.otherFactor
    }
    var magnitude: Int32 = 1
    if decoder.read(probabilities[node & CoefficientReader.nodeMask &+ 2], bytes) {
      magnitude = readLargeValue(&decoder, bytes, probabilities, node & CoefficientReader.nodeMask)
      node = next &+ 22
    } else {
      node = next &+ 11
    }
    next &+= 33
    let value = decoder.readSigned(magnitude, bytes) &* factor
    coefficients[base &+ Int(zigzag[position])] = Int16(truncatingIfNeeded: value)
    factor = plane.otherFactor
    position &+= 1
    if position == 16 { return 16 }
  }
  return position
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
