// The arithmetic of contact sheets at the ends of the range.

import ImageCodecs
import Testing
import imagecodec

@Suite struct ContactSheetTests {
  @Test(arguments: [Int.max, Int.max / 2, Int.max - 159, -1]) func gapsThatDoNotFitAreRefused(_ gap: Int) {
    var budget = ResourceBudget(.unlimited)
    #expect(throws: CodecError.self) {
      try ContactSheet(
        frameCount: 3, canvas: PixelSize(width: 200, height: 100), size: 160, columns: 3, gap: gap, budget: &budget)
    }
  }

  @Test func sizesAreRoundedAndGapsAreBetweenPictures() throws {
    var budget = ResourceBudget(.default)
    let sheet = try ContactSheet(
      frameCount: 5, canvas: PixelSize(width: 320, height: 100), size: 160, columns: nil, gap: 4, budget: &budget)
    #expect(sheet.bitmap.pixelSize == PixelSize(width: 3 * 160 + 2 * 4, height: 2 * 50 + 4))
    #expect(budget.heldByteCount == sheet.bitmap.pixels.count)
  }
}
