// The section with the global HF data of a VarDCT frame (ISO/IEC 18181-1, G.3 and I.2.4–I.2.8).

internal import ImageCoding

/// `HfGlobal` and `HfPass`: quantisation matrices, coefficient orders and codes.
struct HighFrequencyGlobal: Sendable {
  /// The orders and the code of the coefficients of a pass.
  struct Pass: Sendable {
    /// The places of the coefficients in the orders that occur.
    private(set) var places: [Int32] = []
    /// For each order and channel the index of the first place; those of orders that do not occur are arbitrary.
    private(set) var starts: [Int] = []
    let code: EntropyCode

    /// - Parameters:
    ///   - permuted: for each order and channel the places; empty for natural orders.
    ///   - natural: the places of each order that occurs.
    init(_ permuted: [[Int32]], natural: [[Int32]], _ code: EntropyCode) {
      self.code = code
      for (order, naturalPlaces) in natural.enumerated() {
        // The channels share natural orders.
        let naturalStart = places.count
        places += naturalPlaces
        for channel in 0..<3 {
          let own = permuted[3 * order + channel]
          starts.append(own.isEmpty || naturalPlaces.isEmpty ? naturalStart : places.count)
          if !naturalPlaces.isEmpty { places += own }
        }
      }
    }
  }

  private(set) var matrices: QuantizerMatrices
  /// The number of sets of contexts, of which each group selects one.
  let presetCount: Int
  private(set) var passes: [Pass] = []

  /// Creates data for frames whose coefficients are missing: default matrices, and no passes.
  init(defaultsFor blocks: BlockMap, budget: inout ResourceBudget) throws(CodecError) {
    (matrices, presetCount) = (QuantizerMatrices(), 1)
    try matrices.prepare(for: blocks.transformKinds, budget: &budget)
  }

  init(
    parsing bits: inout BitReader, _ layout: FrameLayout, _ blocks: BlockMap, _ contexts: BlockContexts,
    _ tree: DecisionTree?, budget: inout ResourceBudget
  ) throws(CodecError) {
    matrices = try QuantizerMatrices(
      parsing: &bits, firstStream: 1 + 3 * layout.lowFrequencyGroupCount, tree, budget: &budget)
    presetCount = 1 + (try bits.readInt(LowFrequencyGroup.bitCount(layout.groupCount)))
    guard presetCount <= layout.groupCount else { throw bits.error(.malformed, "there are more presets than groups") }
    let transforms = blocks.transformKinds
    try matrices.prepare(for: transforms, budget: &budget)
    var natural = [[Int32]](repeating: [], count: TransformKind.orderCount)
    for order in Set(transforms.map({ $0.order })).sorted() {
      let size = TransformKind.storedSize(order: order)
      try budget.allocate(count: size.columns * size.rows, bytesEach: 256)
      try budget.chargeWork(count: size.columns * size.rows, unitsEach: 64 * 10)
      natural[order] = CoefficientOrder.natural(order)
    }
    for _ in 0..<layout.passCount {
      let orders = try CoefficientOrder.readPermutations(&bits, budget: &budget)
      let (count, overflow) = presetCount.multipliedReportingOverflow(by: contexts.contextCount)
      let code = try EntropyCode(parsing: &bits, contextCount: overflow ? .max - 1 : count, budget: &budget)
      passes.append(Pass(orders, natural: natural, code))
    }
  }
}
