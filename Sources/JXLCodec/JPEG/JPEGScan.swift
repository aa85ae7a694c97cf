// The scans of a JPEG file, and what is particular about their coding (ISO/IEC 18181-2).

internal import ImageCoding

/// The header of a scan (ITU-T T.81, B.2.3), and the choices of the encoder that its coefficients do not determine.
struct JPEGScan: Sendable {
  /// A component and its Huffman tables.
  struct Component: Sendable {
    let index: Int
    let dcTable: Int
    let acTable: Int
  }

  /// Codes for sixteen zeros at the end of a block, where none is necessary.
  struct ExtraZeroRuns: Sendable {
    let block: UInt32
    let count: Int
  }

  private(set) var components: [Component] = []
  /// The first and the last coefficient in zigzag order.
  let start: Int
  let end: Int
  /// The positions of the lowest bit of the scan and of earlier scans.
  let low: Int
  let high: Int
  /// The blocks, in the order of the scan, before which a run of bands without coefficients ends.
  private(set) var resetPoints: [UInt32] = []
  private(set) var extraZeroRuns: [ExtraZeroRuns] = []

  /// Reads the header.
  init(parsing bits: inout BitReader, componentCount: Int) throws(CodecError) {
    let count = 1 + (try bits.readInt(2))
    guard count < 4 else { throw bits.error(.malformed, "a scan has four components") }
    start = try bits.readInt(6)
    end = try bits.readInt(6)
    low = try bits.readInt(4)
    high = try bits.readInt(4)
    for _ in 0..<count {
      let index = try bits.readInt(2)
      guard index < componentCount else { throw bits.error(.malformed, "a component of a scan does not exist") }
      let acTable = try bits.readInt(2)
      components.append(Component(index: index, dcTable: try bits.readInt(2), acTable: acTable))
    }
    // The last pass of the frame that contributes to the scan.
    _ = try bits.readInt(.value(0), .value(1), .value(2), .bits(3, offset: 3))
  }

  /// Reads the choices of the encoder, which follow all headers.
  mutating func readChoices(_ bits: inout BitReader, budget: inout ResourceBudget) throws(CodecError) {
    var count = try Self.readCount(&bits)
    try budget.allocate(count: count, bytesEach: 4)
    try budget.chargeWork(count: count, unitsEach: 30, byteOffset: bits.byteOffset)
    var next: UInt32 = 0
    for _ in 0..<count { resetPoints.append(try Self.readBlock(&bits, &next)) }
    count = try Self.readCount(&bits)
    try budget.allocate(count: count, bytesEach: 16)
    try budget.chargeWork(count: count, unitsEach: 40, byteOffset: bits.byteOffset)
    next = 0
    for _ in 0..<count {
      let runs = try bits.readInt(.value(1), .bits(2, offset: 2), .bits(4, offset: 5), .bits(8, offset: 20))
      extraZeroRuns.append(ExtraZeroRuns(block: try Self.readBlock(&bits, &next), count: runs))
    }
  }

  private static func readCount(_ bits: inout BitReader) throws(CodecError) -> Int {
    try bits.readInt(.value(0), .bits(2, offset: 1), .bits(4, offset: 4), .bits(16, offset: 20))
  }

  /// Reads the number of a block as the difference from the lowest one that is possible.
  private static func readBlock(_ bits: inout BitReader, _ next: inout UInt32) throws(CodecError) -> UInt32 {
    let difference = try bits.readU32(.value(0), .bits(3, offset: 1), .bits(5, offset: 9), .bits(28, offset: 41))
    let block = next &+ difference
    guard block < maximumBlockCount else { throw bits.error(.malformed, "a block of a scan does not exist") }
    next = block + 1
    return block
  }

  /// The number of blocks of an image of 65536 × 65536 pixels with three components.
  private static let maximumBlockCount: UInt32 = 3 << 26
}
