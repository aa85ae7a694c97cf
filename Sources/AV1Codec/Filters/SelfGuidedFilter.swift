// The self-guided filter (sections 7.17.2 and 7.17.3).

/// `Sgr_Params`: the radius and the strength of both passes of each set.
private let selfGuidedSets: InlineArray<64, UInt8> = [
  2, 12, 1, 4, 2, 15, 1, 6, 2, 18, 1, 8, 2, 21, 1, 9, 2, 24, 1, 10, 2, 29, 1, 11, 2, 36, 1, 12, 2, 45, 1, 13,
  2, 56, 1, 14, 2, 68, 1, 15, 0, 0, 1, 5, 0, 0, 1, 8, 0, 0, 1, 11, 0, 0, 1, 14, 2, 30, 0, 0, 2, 75, 0, 0,
]

/// The radius of a pass of a set; 0 if the set does not have the pass.
func selfGuidedRadius(_ set: Int, pass: Int) -> Int { Int(selfGuidedSets[(set & 15) * 4 + pass * 2]) }

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
