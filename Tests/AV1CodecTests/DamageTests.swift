import AV1Codec
import ImageCoding
import PixelPlanes
import TestSupport
import Testing

@Suite struct DamageTests {
  static let names = ["size/34x18", "tools/136x88-444-8-screen", "quantizer/64x48-12-444", "format/72x56-422-10"]

  @Test(arguments: names)
  func prefixesFailOrAreReported(_ name: String) throws {
    let stream = ReferencePicture.named(name).stream
    for count in stride(from: 0, to: stream.count, by: 13) {
      let prefix = Array(stream.prefix(count))
      #expect(throws: CodecError.self) { try decode(prefix) }
      if let planes = try? decode(prefix, tolerance: .lenient) {
        #expect(!planes.isComplete && !planes.diagnostics.isEmpty)
      }
    }
  }

  /// The tiles of a row are decoded together, even if the last ones are missing.
  @Test(arguments: ["tiles/300x200-420-8", "tiles/300x140-444-10"])
  func tilesBeforeTheEndAreDecoded(_ name: String) throws {
    let reference = ReferencePicture.named(name)
    let whole = try decode(reference.stream)
    let prefix = Array(reference.stream.prefix(reference.stream.count * 3 / 4))
    let planes = try decode(prefix, tolerance: .lenient)
    #expect(!planes.isComplete && planes.diagnostics.count > 0)
    let (expected, actual) = (whole.picture.rawPlanes(), planes.picture.rawPlanes())
    #expect(actual.count == expected.count)
    #expect(actual.prefix(60) == expected.prefix(60))
    #expect(actual != expected)
  }

  @Test(arguments: names)
  func flippedBitsDoNotTrap(_ name: String) {
    let stream = ReferencePicture.named(name).stream
    for bit in stride(from: 0, to: stream.count * 8, by: 37) {
      var damaged = stream
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      do {
        _ = try decode(damaged, tolerance: .lenient)
      } catch {
        let kinds: [CodecError.Kind] = [.malformed, .truncated, .unsupported, .limitExceeded]
        #expect(kinds.contains(error.kind))
      }
    }
  }

  @Test func noiseInTileDataDoesNotTrap() {
    var noise = TestRandom(5)
    for picture in ReferencePicture.all where picture.stream.count > 40 {
      var damaged = picture.stream
      for index in 30..<damaged.count { damaged[index] = UInt8.random(in: 0...255, using: &noise) }
      _ = try? decode(damaged, tolerance: .lenient)
    }
  }

  /// Memory is allocated for the size that was described.
  @Test func theSizeOfAPictureIsThatOfItsFirstSequenceHeader() throws {
    let small = ReferencePicture.named("size/34x18").stream
    let large = ReferencePicture.named("format/72x56-420-8").stream
    // Two bytes of a temporal delimiter precede the sequence header, whose length is its second byte.
    let header = small[2..<4 + Int(small[3])]
    let mixed = small.prefix(2) + header + large.dropFirst(2)
    let error = #expect(throws: CodecError.self) { try decode(Array(mixed)) }
    #expect(error?.kind == .malformed && error?.reason.contains("differ") == true)
    #expect(error?.byteOffset == 2 + header.count)
    if let planes = try? decode(Array(mixed), tolerance: .lenient) {
      #expect(planes.picture.width == 34 && !planes.isComplete)
    }
    let repeated = small.prefix(2) + header + small.dropFirst(2)
    #expect(try decode(Array(repeated)).picture.rawPlanes() == decode(small).picture.rawPlanes())
  }

  @Test func limitsAreThoseOfTheBudget() throws {
    let reference = ReferencePicture.named("tools/136x88-420-8-photo-q=40:enable-cdef")
    var limits = DecodingLimits.default
    limits.maximumByteCount = 10_000
    #expect(throws: CodecError.self) { try decode(reference.stream, limits: limits) }
    limits = .default
    limits.maximumWork = 10_000
    limits.maximumWorkPerPixel = 0
    #expect(throws: CodecError.self) { try decode(reference.stream, limits: limits) }
    #expect(throws: CodecError.self) { try decode(reference.stream, shouldCancel: { true }) }
  }

  @Test(arguments: ["tools/136x88-420-8-photo-q=40:enable-cdef", "size/34x18", "tiles/300x200-420-8", "rows/72x600"])
  func onlyPlanesStayCharged(_ name: String) throws {
    let reference = ReferencePicture.named(name)
    var budget = ResourceBudget(.default)
    let empty: [UInt8] = []
    let decoder = try AV1Decoder().configured(by: empty.span, budget: &budget)
    var context = DecodingContext(DecodingOptions(), format: "public.avif")
    let planes = try decoder.decode(reference.stream.span, context: &context)
    #expect(context.budget.heldByteCount == planes.picture.rawPlanesByteCount)
  }
}
