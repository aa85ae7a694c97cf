// The levels of a block with coefficients in arithmetic coding (section 7.3.5.3.3).

/// The properties of a block that determine its bins.
struct ResidualBins {
  private let category: BlockCategory
  private let maximumCount: Int
  private let contexts: BlockContexts
  private let target: LevelTarget
  private let isField: Bool

  init(
    _ category: BlockCategory, _ maximumCount: Int, _ contexts: BlockContexts, _ target: LevelTarget, isField: Bool
  ) {
    (self.category, self.maximumCount, self.contexts) = (category, maximumCount, contexts)
    (self.target, self.isField) = (target, isField)
  }

  /// Reads the levels to their places.
  ///
  /// - Returns: the number of coefficients, and that of bins, to which the time is proportional.
  @inline(never)
  func read(
    _ decoder: inout CABACDecoder, _ models: inout ContextModels, _ tables: [UInt8], to levels: inout [Int32],
    _ bytes: Span<UInt8>
  ) -> (count: Int, binCount: Int) {
    // A copy stays in registers.
    var cabac = decoder
    let tables = tables.span
    var positions = InlineArray<64, UInt8>(repeating: 0)
    var count = 0
    var index = 0
    let last = maximumCount &- 1
    let isLarge = category == .large
    let (significantPlace, lastPlace): (Int, Int)
    if isLarge {
      significantPlace = isField ? ResidualTables.significantInField : ResidualTables.significantInFrame
      lastPlace = ResidualTables.last
    } else {
      significantPlace = category != .chromaDC ? 0 : maximumCount == 4 ? ResidualTables.dc420 : ResidualTables.dc422
      lastPlace = significantPlace
    }
    let usesTable = isLarge || category == .chromaDC
    while index < last {
      let significant = usesTable ? Int(tables[significantPlace &+ index]) : index
      if cabac.decode(contexts.significant &+ significant, &models, bytes) == 1 {
        positions[count & 63] = UInt8(truncatingIfNeeded: index)
        count &+= 1
        let last = usesTable ? Int(tables[lastPlace &+ index]) : index
        if cabac.decode(contexts.last &+ last, &models, bytes) == 1 { break }
      }
      index &+= 1
    }
    if index == last {
      positions[count & 63] = UInt8(truncatingIfNeeded: index)
      count &+= 1
    }
    var binCount = index &+ 2 &* count
    var target = levels.mutableSpan
    // From the last coefficient to the first one.
    let maximumGreater = category == .chromaDC ? 3 : 4
    var (oneCount, greaterCount) = (0, 0)
    var place = count
    while place > 0 {
      place &-= 1
      var level = 1
      let first = contexts.level &+ (greaterCount > 0 ? 0 : min(4, oneCount &+ 1))
      if cabac.decode(first, &models, bytes) == 1 {
        let next = contexts.level &+ 5 &+ min(maximumGreater, greaterCount)
        level = 2
        while level < 15, cabac.decode(next, &models, bytes) == 1 { level &+= 1 }
        binCount &+= level
        if level == 15 { level &+= cabac.decodeExpGolomb(bytes) }
        greaterCount &+= 1
      } else {
        oneCount &+= 1
      }
      let isNegative = cabac.decodeBypass(bytes) == 1
      target[self.target.place(ofPosition: Int(positions[place & 63]), tables)] =
        Int32(truncatingIfNeeded: isNegative ? 0 &- level : level)
    }
    decoder = cabac
    return (count, binCount)
  }
}
