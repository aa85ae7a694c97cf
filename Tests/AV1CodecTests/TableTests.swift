import Testing

@testable import AV1Codec

/// Tables that a formula yields, and checksums of those that none does.
@Suite struct TableTests {
  @Test func blockSizesAreFoundByTheirSides() {
    for number in 0..<22 {
      let size = BlockSize(rawValue: UInt8(number))
      #expect(BlockSize(log2Columns: size.log2Columns, log2Rows: size.log2Rows) == size)
    }
  }

  @Test func transformSizesAreFoundByTheirSides() {
    for number in 0..<19 {
      let size = TransformSize(rawValue: UInt8(number))
      #expect(TransformSize(log2Width: size.log2Width, log2Height: size.log2Height) == size)
    }
  }
}
