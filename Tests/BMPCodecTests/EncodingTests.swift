import BMPCodec
import ImageCoding
import TestSupport
import Testing

@Suite struct EncodingTests {
  private func bitmap(colorCount: Int, format: PixelFormat = .rgba8, width: Int = 21, height: Int = 13) throws -> Bitmap
  {
    var random = TestRandom(UInt64(colorCount))
    let colors = (0..<colorCount).map { _ in random.bytes(3) + [255] }
    var pixels: [UInt8] = []
    // Each colour occurs.
    for index in 0..<width * height {
      pixels += colors[index < colorCount ? index : Int.random(in: 0..<colorCount, using: &random)]
    }
    return try Bitmap(width: width, height: height, format: .rgba8, pixels: pixels).converted(to: format)
  }

  @Test(arguments: [(1, 1), (2, 1), (3, 4), (16, 4), (17, 8), (256, 8), (257, 24)])
  func theColorsSelectTheDepth(_ colorCount: Int, _ depth: Int) throws {
    let source = try bitmap(colorCount: colorCount)
    let file = try BMPEncoder().encode(source)
    #expect(file[28] == UInt8(depth))
    let again = try BMPDecoder().decode(file, options: DecodingOptions(pixelFormat: .rgba8, tolerance: .strict))
    #expect(again.bitmap.packedPixels == source.packedPixels)
    for other in [1, 4, 8, 24, 32] where other >= depth {
      let encoder = BMPEncoder(options: .init(bitsPerPixel: other))
      for width in [21, 24] {
        let source = try bitmap(colorCount: min(colorCount, 200), width: width)
        let file = try encoder.encode(source)
        let options = DecodingOptions(pixelFormat: .rgba8, tolerance: .strict)
        #expect(file[28] == UInt8(other))
        #expect(try BMPDecoder().decode(file, options: options).bitmap.packedPixels == source.packedPixels)
      }
    }
    for other in [1, 4, 8] where other < depth {
      #expect(throws: CodecError.self) { try BMPEncoder(options: .init(bitsPerPixel: other)).encode(source) }
    }
  }

  /// Pillow takes black and white for a bilevel image at any depth if there are no other colours.
  @Test(arguments: [4, 8]) func aPaletteOfManyBitsHasThreeColors(_ depth: Int) throws {
    let source = try Bitmap(width: 9, height: 1, format: .gray8, pixels: [0, 255, 0, 0, 255, 255, 255, 0, 255])
    let file = try BMPEncoder(options: .init(bitsPerPixel: depth)).encode(source)
    #expect(file[46] == 3 && Int(file[10]) == 54 + 3 * 4)
    let again = try BMPDecoder().decode(file, options: DecodingOptions(tolerance: .strict))
    #expect(again.bitmap.packedPixels == source.packedPixels)
  }

  @Test func transparencyNeedsThirtyTwoBits() throws {
    var random = TestRandom(4)
    let source = try Bitmap(width: 9, height: 7, format: .rgba8, pixels: random.bytes(9 * 7 * 4))
    let file = try BMPEncoder().encode(source)
    #expect(file[14] == 108 && file[28] == 32)
    #expect(try BMPDecoder().decode(file).bitmap.packedPixels == source.packedPixels)
    #expect(throws: CodecError.self) { try BMPEncoder(options: .init(bitsPerPixel: 24)).encode(source) }
    #expect(throws: CodecError.self) { try BMPEncoder(options: .init(bitsPerPixel: 16)).encode(source) }
    #expect(throws: CodecError.self) { try BMPEncoder().encode(Bitmap()) }
  }

  @Test func densityProfileAndOrientation() throws {
    var source = try bitmap(colorCount: 300)
    source.orientation = .right
    source.colorSpace = .icc([1, 2, 3, 4, 5])
    var metadata = ImageMetadata()
    metadata.density = .init(x: 72, y: 144, unit: .perInch)
    let file = try BMPEncoder().encode(source, metadata: metadata)
    let again = try BMPDecoder().decode(file, options: DecodingOptions(pixelFormat: .rgba8, tolerance: .strict))
    #expect(again.bitmap.packedPixels == source.orientedUp().packedPixels && again.bitmap.width == 13)
    #expect(again.metadata.colorSpace.iccProfile == [1, 2, 3, 4, 5])
    #expect(again.metadata.density == .init(x: 2835, y: 5669, unit: .perMeter))
    source.colorSpace = .sRGB
    let marked = try BMPEncoder().encode(source)
    #expect(try BMPDecoder().decode(marked).bitmap.colorSpace == .sRGB)
  }

  @Test func limits() throws {
    let source = try bitmap(colorCount: 300)
    var budget = ResourceBudget(DecodingLimits(maximumByteCount: 500))
    #expect(throws: CodecError.self) { try BMPEncoder().encode(source, metadata: nil, budget: &budget) }
    var cancelled = ResourceBudget(.default) { true }
    #expect(throws: CodecError.self) { try BMPEncoder().encode(source, metadata: nil, budget: &cancelled) }
  }
}
