import AV1Codec
import ImageCoding
import Testing

/// Tables that a formula yields, and properties of those that none does.
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

  /// The hashes of the tables of sections 9.4 and 9.5 in their stored form, computed by another program.
  @Test func tablesHaveTheHashesOfTheSpecification() {
    for (baseIndex, hash) in [
      (0, "17db7860bec26e291a30f7c5f80e55d0b31a836c56748cc8e679573b30c9a98b"),
      (40, "5d1c63b76ccacd2fbdfabd0f68742bacd8e0e55f36374b144036d1e16bf8c6bc"),
      (100, "5f5c3747e2729c4a142b55de959b01b24408a260a98a626897e40799822e694f"),
      (200, "9ed5abe75b8c28e1160a3201d9ae47fd9a41f1d1dd2d0cce7909dc62e20b805b"),
    ] {
      let contexts = CDFContexts(baseIndex: baseIndex)
      let bytes = (0..<2048).flatMap { index in
        (0..<8).map { UInt8(truncatingIfNeeded: contexts[index] >> ($0 * 8)) }
      }
      #expect(SHA256.hexDigest(of: bytes.span) == hash)
    }
    var matrices: [UInt8] = []
    for level in 0..<15 {
      for isChroma in [false, true] {
        for number in 0..<19 {
          matrices += QuantizerMatrices.shared.matrix(
            level: level, isChroma: isChroma, TransformSize(rawValue: UInt8(number)))
        }
      }
    }
    #expect(SHA256.hexDigest(of: matrices.span) == "fbe80a987d465406853b5a134c0f6d6a51a1b21edceafe3d82873c9a849689dd")
  }

  @Test func scansVisitEachCoefficientOnce() {
    for number in 0..<19 {
      let size = TransformSize(rawValue: UInt8(number))
      let count = min(size.width, 32) * min(size.height, 32)
      for coefficientClass in 0..<3 {
        let order = ScanOrders.shared.order(size, coefficientClass)
        #expect(Set(order.map { $0 & 1023 }).count == count && order.count == count)
      }
    }
  }

  /// `Default_Scan_4x4` and the starts of `Default_Scan_8x4` and `Default_Scan_4x8`, as rows and columns.
  @Test func scansFollowDiagonals() {
    func positions(_ number: UInt8, rows: UInt32) -> [[UInt32]] {
      ScanOrders.shared.order(TransformSize(rawValue: number), 0).map { [($0 & 1023) % rows, ($0 & 1023) / rows] }
    }
    let square = positions(0, rows: 4)
    #expect(square.map { $0[0] * 4 + $0[1] } == [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15])
    let wide = positions(6, rows: 4)
    #expect(wide.prefix(6).map { $0[0] * 8 + $0[1] } == [0, 8, 1, 16, 9, 2])
    let tall = positions(5, rows: 8)
    #expect(tall.prefix(6).map { $0[0] * 4 + $0[1] } == [0, 1, 4, 2, 5, 8])
  }
}
