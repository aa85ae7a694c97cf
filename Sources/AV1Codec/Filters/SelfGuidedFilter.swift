// The self-guided filter (sections 7.17.2 and 7.17.3).

/// Working memory of the self-guided filter.
package struct SelfGuidedScratch: Sendable {
  /// Rows of ``SelfGuidedMemory``.
  private var memory = [Int32](repeating: 0, count: SelfGuidedMemory.count)

  package init() {}

  static let byteCount = SelfGuidedMemory.count * 4

  /// Filters a part of a unit.
  package mutating func filter(
    _ window: Span<UInt16>, _ unit: RestorationUnit, _ block: RestorationBlock, bitDepth: Int,
    _ target: inout [UInt16]
  ) {
    let first = Int(unit.set & 15) * 4
    let passes = (
      SelfGuidedPass(radius: Int(selfGuidedSets[first]), strength: Int(selfGuidedSets[first + 1])),
      SelfGuidedPass(radius: Int(selfGuidedSets[first + 2]), strength: Int(selfGuidedSets[first + 3]))
    )
    var memory = memory.mutableSpan
    var samples = target.mutableSpan
    restoreSelfGuided(
      window, passes, weights: (Int32(unit.weights.x), Int32(unit.weights.y)), block, bitDepth: bitDepth, &memory,
      &samples)
  }
}
