// Squeezing of pairs, against the forward transform.

import JXLCodec
import TestSupport
import Testing

@Suite struct SqueezeTests {
  @Test func pairsAreRestored() {
    var random = TestRandom(1)
    for limit: Int32 in [2, 100, 70000, 1 << 29] {
      for _ in 0..<500 {
        let (first, second) = (
          Int32.random(in: -limit..<limit, using: &random), Int32.random(in: -limit..<limit, using: &random)
        )
        let (before, next) = (
          Int32.random(in: -limit..<limit, using: &random), Int32.random(in: -limit..<limit, using: &random)
        )
        // The average is rounded towards the first sample.
        let average = (Int(first) + Int(second) + (first > second ? 1 : 0)) >> 1
        let expected = SqueezedPair.tendency(Int64(before), Int64(average), Int64(next))
        let residual = Int64(first) - Int64(second) - expected
        guard let stored = Int32(exactly: residual) else { continue }
        let restored = SqueezedPair.samples(Int32(average), stored, before, next)
        #expect(restored == (first, second))
      }
    }
  }

  /// In monotone sequences the expected difference never overshoots the neighbours; elsewhere there is none.
  @Test func tendencyFollowsMonotoneSequences() {
    #expect(SqueezedPair.tendency(5, 5, 5) == 0)
    #expect(SqueezedPair.tendency(1, 9, 3) == 0)
    #expect(SqueezedPair.tendency(9, 1, 3) == 0)
    #expect(SqueezedPair.tendency(90, 50, 10) == 23)
    #expect(SqueezedPair.tendency(10, 50, 90) == -23)
  }
}
