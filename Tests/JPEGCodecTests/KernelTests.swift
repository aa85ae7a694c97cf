import JPEGCodec
import TestSupport
import Testing

@Suite struct KernelTests {
  @Test func nonzeroCoefficientsAreThoseThatAreNotZero() {
    var noise = TestRandom(6)
    for _ in 0..<200 {
      let block = (0..<64).map { _ in noise.next() % 3 == 0 ? Int16(truncatingIfNeeded: noise.next()) : 0 }
      let expected = block.enumerated().reduce(UInt64(0)) { $1.element == 0 ? $0 : $0 | 1 << UInt64($1.offset) }
      #expect(nonzeroCoefficients(block.span) == expected)
    }
  }
}
