import ImageCodecs
import Testing

/// The state that every decoder leaves: in the budget of its caller, in the bitmap, and in the error.
struct DecodeAccountTests {
  private static let heldByteCount = 1000

  private static func files() throws -> [(name: String, bytes: [UInt8])] {
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><circle cx='4' cy='4' r='3'/></svg>"
    return try SmallFiles.ofRasterFormats() + [("SVG", Array(drawing.utf8))]
  }

  /// Returns a bitmap without a zero.
  private static func used() throws -> Bitmap {
    try Bitmap(width: 40, height: 40, format: .gray8, pixels: [UInt8](repeating: 0xA5, count: 1600))
  }

  private func expectNothingRemains(
    _ name: String, _ bytes: [UInt8], _ options: DecodingOptions, kind: CodecError.Kind? = nil
  ) throws {
    let decoder = try ImageFormatRegistry.shared.decoder(for: bytes.span)
    var budget = ResourceBudget(options)
    try budget.allocate(Self.heldByteCount)
    var bitmap = try Self.used()
    do throws(CodecError) {
      _ = try decoder.decode(bytes.span, into: &bitmap, options: options, budget: &budget)
      if let kind { Issue.record("\(name) decodes in spite of \(kind)") }
    } catch {
      if let kind { #expect(error.kind == kind, "\(name): \(error)") }
      let format = try #require(error.format, "\(name): \(error)")
      // The images of icons are bitmaps.
      let formats = decoder.types + (name == "ICO" ? [BMPDecoder.type] : [])
      #expect(formats.contains(format), "\(name): \(error)")
      #expect(budget.heldByteCount == Self.heldByteCount, "\(name): \(error)")
      #expect(budget.format == nil, "\(name)")
      #expect(bitmap.packedPixels.allSatisfy { $0 == 0 }, "\(name): \(error)")
    }
  }

  @Test func theBudgetHoldsTheImageAndItsMetadata() throws {
    for (name, bytes) in try Self.files() {
      let decoder = try ImageFormatRegistry.shared.decoder(for: bytes.span)
      var budget = ResourceBudget(.default)
      try budget.allocate(Self.heldByteCount)
      var bitmap = try Self.used()
      let details = try decoder.decode(bytes.span, into: &bitmap, options: DecodingOptions(), budget: &budget)
      let expected = Self.heldByteCount + bitmap.byteCount + details.metadata.byteCount
      #expect(budget.heldByteCount == expected, "\(name)")
      #expect(budget.format == nil, "\(name)")
    }
  }

  @Test func errorsOfLimitsNameTheFormatAndLeaveNothing() throws {
    for (name, bytes) in try Self.files() {
      for limits in [
        DecodingLimits(maximumWork: 1, maximumWorkPerPixel: 0),
        DecodingLimits(maximumByteCount: Self.heldByteCount + 1), DecodingLimits(maximumPixelCount: 0),
      ] {
        try expectNothingRemains(name, bytes, DecodingOptions(limits: limits), kind: .limitExceeded)
      }
      // Each of these limits is reached at another place.
      for extra in stride(from: 1, to: 4000, by: 37) {
        let limits = DecodingLimits(maximumByteCount: Self.heldByteCount + extra)
        try expectNothingRemains(name, bytes, DecodingOptions(limits: limits))
      }
    }
  }

  @Test func damageNamesTheFormatAndLeavesNothing() throws {
    for (name, bytes) in try Self.files() {
      // The shortest prefixes are not recognised.
      for count in bytes.count / 2..<bytes.count {
        let prefix = Array(bytes.prefix(count))
        guard (try? ImageFormatRegistry.shared.decoder(for: prefix.span)) != nil else { continue }
        try expectNothingRemains(name, prefix, DecodingOptions(tolerance: .strict))
      }
    }
  }

  @Test func optionsThatNoDecoderHasAreErrorsOfTheFormat() throws {
    for (name, bytes) in try Self.files() {
      try expectNothingRemains(name, bytes, DecodingOptions(imageIndex: 99), kind: .invalidArgument)
    }
  }
}
