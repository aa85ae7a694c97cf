// The sections of a frame (ISO/IEC 18181-1, F.6).

internal import ImageCoding

/// `TOC`: the location of each section.
struct TableOfContents: Sendable {
  /// The ranges of the sections relative to the end of the table: global, low-frequency groups, global
  /// high-frequency data, then the groups of each pass.
  let sections: [Range<Int>]
  /// The size of all sections.
  let byteCount: Int

  init(
    parsing bits: inout BitReader, sectionCount: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    // An entry has at least 12 bits, which bounds the count by the input; 40 bytes are held for each.
    guard sectionCount * 3 / 2 <= bits.bytes.count else {
      throw CodecError(
        .truncated, "the table of contents is cut off", format: JXLDecoder.type,
        byteOffset: bits.baseOffset + bits.bytes.count)
    }
    try budget.allocate(count: sectionCount, bytesEach: 40)
    try budget.chargeWork(count: sectionCount, unitsEach: 20)
    var permutation: [Int]?
    if try bits.readFlag() {
      let code = try EntropyCode(parsing: &bits, contextCount: 8, budget: &budget)
      permutation = try Permutation.read(&bits, code, size: sectionCount, skip: 0, budget: &budget)
    }
    try bits.align()
    var sizes: [Int] = []
    for _ in 0..<sectionCount {
      sizes.append(
        try bits.readInt(
          .bits(10), .bits(14, offset: 1024), .bits(22, offset: 17408), .bits(30, offset: 4_211_712)))
    }
    try bits.align()
    var stored: [Range<Int>] = []
    var end = 0
    for size in sizes {
      let (next, overflow) = end.addingReportingOverflow(size)
      guard !overflow else { throw bits.error(.malformed, "the sizes of the sections overflow") }
      stored.append(end..<next)
      end = next
    }
    byteCount = end
    if let permutation {
      sections = permutation.map { stored[$0] }
    } else {
      sections = stored
    }
  }
}
