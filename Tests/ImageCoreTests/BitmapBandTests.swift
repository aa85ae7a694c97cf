import ImageCore
import Testing
import Threading

@Suite struct BitmapBandTests {
  @Test func threadsWriteTheirOwnRows() throws {
    var bitmap = try Bitmap(width: 37, height: 50, format: .rgb8)
    // The rows 0, 1 and 40 are in no band.
    let bands = [2..<3, 3..<19, 19..<19, 19..<40, 41..<50]
    bitmap.withBands(bands) { picture in
      _ = ParallelRows.takeTurns(count: bands.count, parallelism: 3, makeState: {}) { (_, index) in
        var band = picture.take(index)
        for y in band.rows {
          band.withRow(y) { row in
            for x in row.indices { row[x] = UInt8(100 * index % 256 ^ y) }
          }
        }
        return true
      }
    }
    for y in 0..<50 {
      let index = bands.firstIndex { $0.contains(y) }
      let expected = index.map { UInt8(100 * $0 % 256 ^ y) } ?? 0
      let row = bitmap.row(y)
      #expect(row.indices.allSatisfy { row[$0] == expected }, "\(y)")
    }
  }

  @Test func theBandsOfAWindowAreTheRowsThatItHolds() throws {
    var budget = ResourceBudget(DecodingLimits.default)
    var bitmap = Bitmap()
    try bitmap.resetWindow(width: 5, height: 20, heldRowCount: 4, format: .gray8, budget: &budget)
    bitmap.moveHeldRows(to: 3)
    bitmap.moveHeldRows(to: 7)
    bitmap.withBands([7..<8, 9..<11]) { picture in
      for index in [1, 0] {
        var band = picture.take(index)
        for y in band.rows {
          band.withRow(y) { row in
            for x in row.indices { row[x] = UInt8(10 * y + x) }
          }
        }
      }
    }
    for y in [7, 9, 10] {
      let row = bitmap.row(y)
      #expect(row.indices.allSatisfy { row[$0] == UInt8(10 * y + $0) }, "\(y)")
    }
    #expect(bitmap.row(8)[0] == 0)
  }

  @Test func copiesOfABitmapAreUnchanged() throws {
    var bitmap = try Bitmap(width: 4, height: 4, format: .gray8)
    let copy = bitmap
    bitmap.withBands([0..<4]) { picture in
      var band = picture.take(0)
      band.withRow(1) { $0[2] = 7 }
    }
    #expect(bitmap.row(1)[2] == 7)
    #expect(copy.row(1)[2] == 0)
  }
}
