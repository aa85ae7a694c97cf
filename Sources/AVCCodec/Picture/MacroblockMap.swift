// The state of macroblocks that their neighbours and the deblocking filter read.

internal import ImageCoding

/// The state of a decoded macroblock.
struct Macroblock {
  /// The number of its slice in the picture; −1 if it has not been decoded.
  var slice: Int32 = -1
  /// `QPY`.
  var qp: Int8 = 0
  var kind = MacroblockKind.intra4x4
  var isField = false
  var hasLargeTransform = false
  /// `intra_chroma_pred_mode`.
  var chromaMode: UInt8 = 0
  /// `CodedBlockPatternLuma` in bits 0…3, `CodedBlockPatternChroma` above.
  var codedPattern: UInt8 = 0
  /// Whether the DC blocks of Y, Cb and Cr have coefficients, one bit each.
  var codedDC: UInt8 = 0

  var isDecoded: Bool { slice >= 0 }
  var chromaPattern: UInt8 { codedPattern >> 4 }
}

/// How a macroblock is predicted.
enum MacroblockKind: UInt8 {
  /// `I_NxN` with 4 × 4 or 8 × 8 transforms.
  case intra4x4
  case intra8x8
  case intra16x16
  case pcm

  /// `I_NxN`.
  var hasBlockModes: Bool { self == .intra4x4 || self == .intra8x8 }
}

/// The macroblocks of a picture by address. If they form pairs, a pair is two that follow each other.
struct MacroblockMap: Sendable {
  var macroblocks: [Macroblock]
  /// The prediction modes of 4 × 4 blocks, sixteen for each macroblock in raster order.
  var modes: [Int8]
  /// The numbers of coefficients of 4 × 4 blocks, sixteen for each component of each macroblock in raster order.
  var counts: [UInt8]

  static let modesPerMacroblock = 16
  static let countsPerMacroblock = 48

  /// - Parameter count: the number of macroblocks, of all separate planes.
  init(count: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    let byteCount = MemoryLayout<Macroblock>.stride + Self.modesPerMacroblock + Self.countsPerMacroblock
    try budget.allocate(count: count, bytesEach: byteCount)
    macroblocks = [Macroblock](repeating: Macroblock(), count: count)
    modes = [Int8](repeating: 0, count: count * Self.modesPerMacroblock)
    counts = [UInt8](repeating: 0, count: count * Self.countsPerMacroblock)
  }

  /// Sets the numbers of coefficients of all blocks of a macroblock.
  mutating func setCounts(of macroblock: Int, to value: UInt8) {
    let first = macroblock &* Self.countsPerMacroblock
    var span = counts.mutableSpan
    for index in first..<first &+ Self.countsPerMacroblock { span[index] = value }
  }

  /// Discards all macroblocks, before the second field.
  mutating func clear() {
    for index in macroblocks.indices { macroblocks[index] = Macroblock() }
  }
}
