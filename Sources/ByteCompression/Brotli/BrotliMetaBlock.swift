// The header of a meta-block with compressed data: block types, context maps and prefix codes (RFC 7932, section 9.2).

/// The description of a meta-block's data.
struct BrotliMetaBlock {
  var literalBlocks: BrotliBlockTypes
  var commandBlocks: BrotliBlockTypes
  var distanceBlocks: BrotliBlockTypes
  let distanceCode: BrotliDistanceCode
  /// For each type of literal blocks, the start of its context mode in ``BrotliContexts/literalTable``.
  let literalModes: [Int]
  let literalMap: [UInt8]
  let distanceMap: [UInt8]
  /// For each type of literal blocks, the code of all its contexts; -1 if they have different codes.
  let uniformLiteralCodes: [Int]
  let literals: BrotliCodes
  let commands: BrotliCodes
  let distances: BrotliCodes

  /// Reads a header from the block types on.
  init(_ bits: inout BrotliBits, _ input: Span<UInt8>) throws(BrotliDamage) {
    literalBlocks = try BrotliBlockTypes(&bits, input)
    commandBlocks = try BrotliBlockTypes(&bits, input)
    distanceBlocks = try BrotliBlockTypes(&bits, input)
    let postfixBits = bits.read(2, input)
    distanceCode = BrotliDistanceCode(postfixBits: postfixBits, directCount: bits.read(4, input) << postfixBits)
    var modes: [Int] = []
    for _ in 0..<literalBlocks.count { modes.append(bits.read(2, input) * 512) }
    literalModes = modes
    let contextCount = BrotliContexts.literalCount
    let literalMap = try BrotliContexts.readMap(size: literalBlocks.count * contextCount, &bits, input)
    let distanceMap = try BrotliContexts.readMap(
      size: distanceBlocks.count * BrotliContexts.distanceCount, &bits, input)
    (self.literalMap, self.distanceMap) = (literalMap.map, distanceMap.map)
    uniformLiteralCodes = (0..<literalBlocks.count).map { type in
      let codes = literalMap.map[type * contextCount..<(type + 1) * contextCount]
      let first = codes.first ?? 0
      return codes.allSatisfy { $0 == first } ? Int(first) : -1
    }
    literals = try BrotliCodes(count: literalMap.codeCount, alphabetSize: 256, &bits, input)
    commands = try BrotliCodes(count: commandBlocks.count, alphabetSize: BrotliCommand.symbolCount, &bits, input)
    distances = try BrotliCodes(
      count: distanceMap.codeCount, alphabetSize: distanceCode.alphabetSize, &bits, input)
  }

  /// An estimate of the work that reading the header was.
  var work: Int {
    (literals.entries.count + commands.entries.count + distances.entries.count) * 2
      + (literals.handles.count + commands.handles.count + distances.handles.count) * 1_000
      + (literalMap.count + distanceMap.count) * 20
  }
}

/// The meaning of distance symbols (RFC 7932, section 4).
struct BrotliDistanceCode {
  /// The number of the lowest bits of a distance that are part of the symbol.
  let postfixBits: Int
  /// The number of direct distance codes (`NDIRECT`).
  let directCount: Int

  /// The symbols that refer to the last four distances.
  static let recentCount = 16

  var alphabetSize: Int { BrotliDistanceCode.recentCount + directCount + 48 << postfixBits }

  /// Returns the distance of a symbol from 16 on, and reads its extra bits, up to 24 of those available.
  @inline(__always)
  func distance(_ symbol: Int, _ bits: inout BrotliBits) -> Int {
    let index = symbol &- BrotliDistanceCode.recentCount &- directCount
    if index < 0 { return index &+ directCount &+ 1 }
    let extraBits = 1 &+ index &>> (postfixBits &+ 1)
    let offset = (2 &+ (index &>> postfixBits) & 1) &<< extraBits &- 4
    return (offset &+ bits.take(extraBits)) &<< postfixBits &+ index & (1 &<< postfixBits &- 1) &+ directCount &+ 1
  }
}
