import ImageCoding
import PNGCodec
import Testing

@Suite struct BudgetTests {
  /// Forty texts of 7 MB each from 300 kB: together they exceed the total, although none exceeds its own limit.
  private static let manyTexts: [UInt8] = {
    let text = zlib([UInt8](repeating: 65, count: 7_000_000))
    var png = TestPNG(width: 1, height: 1, colorType: 0, bitDepth: 8)
    png.extraChunks = (0..<40).map { ("zTXt", Array("k\($0)\0\0".utf8) + text) }
    return png.bytes
  }()

  @Test func inflatedTextsAreATotal() throws {
    let metadata = try PNGDecoder().metadata(Self.manyTexts.span, options: InfoOptions())
    #expect(metadata.texts.count == 4)
    let image = try decode(Self.manyTexts)
    #expect(image.metadata.texts.count == 4)
    #expect(image.diagnostics.count == 36)
  }

  @Test func inflatingStopsOnceTheTotalIsSpent() throws {
    var budget = ResourceBudget(.default)
    var bitmap = Bitmap()
    _ = try PNGDecoder().decode(Self.manyTexts.span, into: &bitmap, options: DecodingOptions(), budget: &budget)
    #expect(budget.metadataByteCount <= DecodingLimits.default.maximumMetadataByteCount)
    #expect(budget.work < 100_000_000, "40 × 7 MB would cost twice that to inflate alone")
    #expect(budget.peakByteCount < 40_000_000)
  }

  @Test func damagedTextsAreChargedAsWell() throws {
    var text = zlib([UInt8](repeating: 65, count: 7_000_000))
    text[text.count - 1] ^= 1
    var png = TestPNG(width: 1, height: 1, colorType: 0, bitDepth: 8)
    png.extraChunks = (0..<40).map { ("zTXt", Array("k\($0)\0\0".utf8) + text) }
    var budget = ResourceBudget(.default)
    var bitmap = Bitmap()
    let file = png.bytes
    let details = try PNGDecoder().decode(file.span, into: &bitmap, options: DecodingOptions(), budget: &budget)
    #expect(details.metadata.texts.isEmpty)
    #expect(budget.work < 100_000_000)
  }

  @Test func theBudgetHoldsTheImageAfterwards() throws {
    let png = TestPNG(width: 40, height: 30, colorType: 6, bitDepth: 8).bytes
    var budget = ResourceBudget(.default)
    var bitmap = Bitmap()
    _ = try PNGDecoder().decode(png.span, into: &bitmap, options: DecodingOptions(), budget: &budget)
    #expect(budget.heldByteCount == 40 * 30 * 4)
    #expect(budget.peakByteCount > budget.heldByteCount && budget.work > 0)
    #expect(throws: CodecError.self) {
      try PNGDecoder().decode(png.span.extracting(0..<60), into: &bitmap, options: DecodingOptions(), budget: &budget)
    }
    #expect(budget.heldByteCount == 40 * 30 * 4, "a failure returns what it took")
  }

  @Test func memoryIsATotalOfStripAndPixels() throws {
    let png = TestPNG(width: 400, height: 3, colorType: 6, bitDepth: 8).bytes
    func decodes(_ byteCount: Int) -> Bool {
      (try? PNGDecoder().decode(
        png.span, options: DecodingOptions(limits: DecodingLimits(maximumByteCount: byteCount)))) != nil
    }
    // Pixels, three rows with their filters and the row before them, and the window and tables of the stream.
    let needed = 400 * 3 * 4 + (400 * 4 + 1) * 3 + 400 * 4 + (96 << 10)
    #expect(decodes(needed) && !decodes(needed - 1))
  }

  @Test func workAndDeadlineEndADecode() throws {
    let png = TestPNG(width: 100, height: 100, colorType: 6, bitDepth: 8).bytes
    func kind(_ limits: DecodingLimits) -> CodecError.Kind? {
      do {
        _ = try PNGDecoder().decode(png.span, options: DecodingOptions(limits: limits))
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind(DecodingLimits(maximumWork: 1000, maximumWorkPerPixel: 0)) == .limitExceeded)
    #expect(kind(DecodingLimits(maximumWork: 0, maximumWorkPerPixel: 30)) == .limitExceeded, "chunks come first")
    #expect(kind(DecodingLimits(maximumWork: 10_000, maximumWorkPerPixel: 30)) == nil)
    #expect(kind(DecodingLimits(deadline: .zero)) == .deadlineExceeded)
    #expect(kind(DecodingLimits(deadline: .seconds(100))) == nil)
  }

  @Test func finishingTwiceReturnsTheSameImage() throws {
    let png = TestPNG(width: 5, height: 4, colorType: 2, bitDepth: 8).bytes
    let session = PNGDecoder().makeSession(options: DecodingOptions())
    try session.append(png.span)
    let first = try session.finish()
    #expect(try session.finish().bitmap == first.bitmap && first.bitmap.width == 5)
    #expect(session.makePreview() == first.bitmap)
  }
}
