import HEVCCodec
import Testing

/// Places in the order of section 6.5.3 (diagonal), 6.5.4 (horizontal) or 6.5.5 (vertical).
private func scan(_ kind: Int, width: Int) -> [(x: Int, y: Int)] {
  let all = (0..<width * width).map { (x: $0 % width, y: $0 / width) }
  switch kind {
  case 0: return all.sorted { ($0.x + $0.y, $0.x) < ($1.x + $1.y, $1.x) }
  case 1: return all
  default: return all.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
  }
}

@Suite struct TableTests {
  @Test func coefficientsAreInScanningOrder() {
    for kind in 0..<3 {
      for (index, place) in scan(kind, width: 4).enumerated() {
        #expect(Int(coefficientPlaces[kind * 16 + index]) == place.y * 4 + place.x)
        #expect(Int(coefficientOrder[kind * 16 + place.y * 4 + place.x]) == index)
      }
    }
  }

  @Test(arguments: [(0, 0, 1), (1, 0, 2), (2, 0, 4), (3, 0, 8), (4, 1, 2), (5, 2, 2)])
  func subblocksAreInScanningOrder(_ layout: Int, _ kind: Int, _ width: Int) {
    for (index, place) in scan(kind, width: width).enumerated() {
      #expect(Int(subblockPlaces[layout * 64 + index]) == place.y * 8 + place.x)
      #expect(Int(subblockOrder[layout * 64 + place.y * 8 + place.x]) == index)
    }
  }

  @Test func contextsOfSignificanceAreThoseOfTheirPlaces() {
    // ctxIdxMap of blocks of 4 × 4 (table 9-50); the last place has no flag.
    let small = [0, 1, 4, 5, 2, 3, 4, 5, 6, 6, 8, 8, 7, 7, 8]
    for kind in 0..<3 {
      for (index, place) in scan(kind, width: 4).enumerated() {
        let (x, y) = (place.x, place.y)
        let number = y * 4 + x
        let sums = [x + y == 0 ? 2 : x + y < 3 ? 1 : 0, y == 0 ? 2 : y == 1 ? 1 : 0, x == 0 ? 2 : x == 1 ? 1 : 0, 2]
        let contexts = (0..<5).map { Int(significanceContexts[(kind * 5 + $0) * 16 + index]) }
        if number < 15 { #expect(contexts[0] == small[number]) }
        #expect(Array(contexts[1...]) == sums)
      }
    }
  }

  @Test func quotientsAreExact() {
    for range in UInt64(256)...511 {
      for quotient in [0, 1, 2, 1000, 1 << 20, 1 << 21 - 1] as [UInt64] {
        for rest in [0, 1, range - 1] {
          let dividend = quotient * range + rest
          #expect((dividend * UInt64(reciprocalTable[Int(range - 256)])) >> 39 == quotient)
        }
      }
    }
  }
}
