import Testing
import WebPCodec

private func kind(_ file: [UInt8], _ options: DecodingOptions = DecodingOptions()) -> CodecError.Kind? {
  do throws(CodecError) {
    _ = try WebPDecoder().decode(file.span, options: options)
    return nil
  } catch {
    return error.kind
  }
}

@Suite struct DamageTests {
  @Test(arguments: [
    "lossy/16x21", "random/1", "lossless/palette-5", "lossless/palette-200", "alpha/1-fast-40", "animation/1",
  ])
  func flippedBitsComeBack(_ name: String) throws {
    let file = ReferencePicture.named(name)
    let limits = DecodingLimits(maximumPixelCount: 1 << 20, maximumByteCount: 16 << 20)
    for bit in stride(from: 0, to: file.count * 8, by: max(1, file.count * 8 / 200)) {
      var bytes = file
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      for tolerance in [DecodingOptions.Tolerance.lenient, .strict] {
        let options = DecodingOptions(tolerance: tolerance, limits: limits)
        guard let image = try? WebPDecoder().decode(bytes.span, options: options) else { continue }
        #expect(tolerance == .lenient || image.diagnostics.isEmpty)
      }
      if let animation = try? WebPDecoder().animation(bytes, options: DecodingOptions(limits: limits)) {
        for index in 0..<animation.frameCount { _ = try? animation.frame(at: index) }
      }
    }
  }

  @Test func memoryIsALimitOfTheWholeDecode() throws {
    for name in ["lossy/70x61-0", "lossless/photo-z3", "alpha/1-best-100"] {
      let file = ReferencePicture.named(name)
      var budget = ResourceBudget(.default)
      var bitmap = Bitmap()
      _ = try WebPDecoder().decode(file.span, into: &bitmap, options: DecodingOptions(), budget: &budget)
      let peak = budget.peakByteCount
      #expect(peak > bitmap.packedPixels.count && budget.heldByteCount == bitmap.packedPixels.count)
      #expect(kind(file, DecodingOptions(limits: DecodingLimits(maximumByteCount: peak))) == nil)
      #expect(kind(file, DecodingOptions(limits: DecodingLimits(maximumByteCount: peak - 1))) == .limitExceeded)
      let pixels = bitmap.width * bitmap.height
      #expect(kind(file, DecodingOptions(limits: DecodingLimits(maximumPixelCount: pixels))) == nil)
      #expect(kind(file, DecodingOptions(limits: DecodingLimits(maximumPixelCount: pixels - 1))) == .limitExceeded)
    }
  }

  @Test func workIsALimit() throws {
    for name in ["lossy/70x61-0", "lossless/photo-z3"] {
      let file = ReferencePicture.named(name)
      var budget = ResourceBudget(.default)
      var bitmap = Bitmap()
      _ = try WebPDecoder().decode(file.span, into: &bitmap, options: DecodingOptions(), budget: &budget)
      func limits(_ work: Int64) -> DecodingOptions {
        DecodingOptions(limits: DecodingLimits(maximumWork: work, maximumWorkPerPixel: 0))
      }
      #expect(kind(file, limits(budget.work)) == nil)
      #expect(kind(file, limits(budget.work - 1)) == .limitExceeded)
    }
  }

  @Test func cancellationEndsTheDecode() {
    let options = DecodingOptions(shouldCancel: { true })
    #expect(kind(ReferencePicture.named("lossy/70x61-0"), options) == .cancelled)
    #expect(kind(ReferencePicture.named("lossless/photo-z3"), options) == .cancelled)
  }

  @Test func whatAPictureLacksIsZeroAndSaidToBeMissing() throws {
    for name in ["lossy/70x61-2", "lossless/photo-z3"] {
      let file = ReferencePicture.named(name)
      let whole = try WebPDecoder().decode(file.span).bitmap
      let cut = try WebPDecoder().decode(file.span.extracting(0..<file.count * 4 / 5))
      #expect(!cut.isComplete && cut.diagnostics.contains { $0.severity == .damage })
      let rows = (0..<whole.height).prefix { y in
        let (a, b) = (cut.bitmap.row(y), whole.row(y))
        return a.indices.allSatisfy { a[$0] == b[$0] }
      }
      #expect(rows.count > 10)
      for y in rows.endIndex..<whole.height {
        let row = cut.bitmap.row(y)
        let isZero = row.indices.allSatisfy { row[$0] == 0 }
        #expect(isZero, "row \(y)")
      }
      #expect(kind(Array(file.prefix(file.count * 4 / 5)), DecodingOptions(tolerance: .strict)) == .truncated)
    }
  }

  @Test func containersThatBreakRulesAreToleratedUnlessStrict() throws {
    func check(_ file: [UInt8], _ strict: CodecError.Kind) throws {
      #expect(kind(file, DecodingOptions(tolerance: .strict)) == strict)
      #expect(try WebPDecoder().decode(file.span).diagnostics.isEmpty == false)
    }
    // A size in the RIFF header that is too large, or too small for the chunk.
    let intact = ReferencePicture.named("lossy/40x5")
    func file(statedByteCount count: Int) -> [UInt8] {
      Array(intact[0..<4]) + [UInt8(count & 255), UInt8(count >> 8), 0, 0] + Array(intact[8...])
    }
    try check(file(statedByteCount: intact.count), .truncated)
    try check(file(statedByteCount: 20), .malformed)
    // The last byte of an alpha picture is missing.
    try check(Array(ReferencePicture.named("alpha/1-best-100").dropLast()), .truncated)
    // Chunks of other programs may follow a still picture, which is not an animation.
    let information = Array("LIST".utf8) + [4, 0, 0, 0] + Array("INFO".utf8)
    let followed = file(statedByteCount: intact.count + 4) + information
    #expect(try WebPDecoder().decode(followed.span).bitmap == WebPDecoder().decode(intact.span).bitmap)
    #expect(try WebPDecoder().animation(followed, options: DecodingOptions()) == nil)
    // Not WebP at all.
    #expect(kind(Array("RIFF____WEBQVP8 ____".utf8)) == .malformed)
  }
}
