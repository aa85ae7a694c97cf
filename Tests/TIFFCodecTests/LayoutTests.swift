// Layouts that libtiff's tools do not write: mixed depths, floats of 24 bits, subsampled chroma, missing fields.

import ImageCoding
import TIFFCodec
import TestSupport
import Testing

@Suite struct LayoutTests {
  private static let strict = DecodingOptions(tolerance: .strict)

  @Test func samplesOfDifferentDepths() throws {
    // 5, 6 and 5 bits: 31 of 31, 21 of 63, 0 of 31.
    var tiff = SmallTIFF(width: 1, height: 1)
    tiff.bits = [5, 6, 5]
    tiff.photometric = 2
    let word = 31 << 11 | 21 << 5 | 0
    let image = try decoder.decode(tiff.file([[UInt8(word >> 8), UInt8(word & 255)]]), options: Self.strict)
    #expect(image.bitmap.format == .rgb8 && image.bitmap.packedPixels == [255, 85, 0])
  }

  @Test func floatsOf24Bits() throws {
    // Sign, seven bits of exponent with bias 63, sixteen bits of fraction.
    let values: [(bits: Int, number: Float)] = [
      (0x3F0000, 1), (0xC00000, -2), (0x3F8000, 1.5), (0x000001, 0x1p-78), (0x7F0000, .infinity), (0, 0),
    ]
    var tiff = SmallTIFF(width: values.count, height: 1)
    tiff.bits = [24]
    tiff.shorts = [(339, [3])]
    let row = values.flatMap { value in (0..<3).map { UInt8(truncatingIfNeeded: value.bits >> ($0 * 8)) } }
    let bitmap = try decoder.decode(tiff.file([row]), options: Self.strict).bitmap
    #expect(bitmap.format == PixelFormat(.gray, sampleType: .float32))
    let bytes = bitmap.littleEndianSamples
    for (index, value) in values.enumerated() {
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[index * 4 + $1]) << UInt32($1 * 8) }
      #expect(Float(bitPattern: bits) == value.number)
    }
  }

  @Test(arguments: [1, 2, 4], [1, 2, 4]) func subsampledChroma(_ horizontal: Int, _ vertical: Int) throws {
    let (width, height) = (7, 5)
    var random = TestRandom(UInt64(horizontal * 8 + vertical))
    var tiff = SmallTIFF(width: width, height: height)
    tiff.bits = [8, 8, 8]
    tiff.photometric = 6
    tiff.shorts = [(530, [horizontal, vertical])]
    let columns = (width + horizontal - 1) / horizontal
    let rows = (height + vertical - 1) / vertical
    let unit = horizontal * vertical + 2
    let data = random.bytes(columns * rows * unit)
    let bitmap = try decoder.decode(tiff.file([data]), options: Self.strict).bitmap
    for y in 0..<height {
      for x in 0..<width {
        let start = (y / vertical * columns + x / horizontal) * unit
        let luma = Double(data[start + y % vertical * horizontal + x % horizontal])
        // The default range puts white of chroma at 255, 127 steps above 128.
        let (cb, cr) = (Double(data[start + unit - 2]) - 128, Double(data[start + unit - 1]) - 128)
        let expected = [luma + 1.402 * cr, luma - 0.344136 * cb - 0.714136 * cr, luma + 1.772 * cb]
        for (channel, value) in expected.enumerated() {
          let ours = Double(bitmap.row(y)[x * 3 + channel])
          #expect(abs(ours - max(0, min(255, value))) <= 1)
        }
      }
    }
  }

  @Test func missingFieldsHaveDefaults() throws {
    // No BitsPerSample would be 1 bit; a length of 0 extends to the end of the file.
    var tiff = SmallTIFF(width: 3, height: 2)
    tiff.byteCounts = [0]
    #expect(try decoder.decode(tiff.file([[1, 2, 3, 4, 5, 6]])).bitmap.packedPixels == [1, 2, 3, 4, 5, 6])
    // A fourth sample of RGB without a description is alpha.
    var rgb = SmallTIFF(width: 1, height: 1)
    rgb.bits = [8, 8, 8, 8]
    rgb.photometric = 2
    #expect(try decoder.decode(rgb.file([[1, 2, 3, 4]])).bitmap.format == PixelFormat.rgba8.premultiplied)
  }

  @Test func unsupportedFeaturesAreNamed() throws {
    let cases: [(SmallTIFF, String)] = [
      (modified { $0.compression = 6 }, "old-style JPEG"), (modified { $0.compression = 34925 }, "LZMA"),
      (modified { $0.compression = 50000 }, "Zstandard"), (modified { $0.photometric = 32803 }, "32803"),
      (modified { $0.bits = [128] }, "128 bits"), (modified { $0.shorts = [(339, [6])] }, "complex"),
      (modified { $0.compression = 7 }, "JPEG"),
    ]
    for (tiff, name) in cases {
      let error = #expect(throws: CodecError.self) { try TIFFDecoder().decode(tiff.file([[1, 2, 3, 4]])) }
      #expect(error?.kind == .unsupported && error?.reason.contains(name) == true, "\(String(describing: error))")
    }
  }

  private func modified(_ change: (inout SmallTIFF) -> Void) -> SmallTIFF {
    var tiff = SmallTIFF(width: 2, height: 2)
    change(&tiff)
    return tiff
  }

  @Test(arguments: UInt8(1)...8) func regionsOfTurnedImagesAreUpright(_ orientation: UInt8) throws {
    var bitmap = try Bitmap(width: 23, height: 17, format: .gray8, pixels: (0..<23 * 17).map { UInt8($0 & 255) })
    bitmap.orientation = try #require(ImageOrientation(rawValue: orientation))
    let options = TIFFEncoder.Options(tileSize: PixelSize(width: 16, height: 16))
    let file = try TIFFEncoder(options: options).encode(bitmap)
    let whole = try decoder.decode(file).bitmap
    #expect(whole.packedPixels == bitmap.orientedUp().packedPixels)
    var random = TestRandom(UInt64(orientation))
    for _ in 0..<10 {
      let x = Int.random(in: 0..<whole.width, using: &random)
      let y = Int.random(in: 0..<whole.height, using: &random)
      let region = PixelRegion(
        x: x, y: y, width: Int.random(in: 1...whole.width - x, using: &random),
        height: Int.random(in: 1...whole.height - y, using: &random))
      #expect(try decoder.decode(file, options: DecodingOptions(region: region)).bitmap == whole.cropped(to: region))
    }
  }

  @Test func onlyTouchedTilesAreDecoded() throws {
    let bitmap = try Bitmap(width: 512, height: 512, format: .rgb8)
    let options = TIFFEncoder.Options(compression: .none, tileSize: PixelSize(width: 64, height: 64))
    let file = try TIFFEncoder(options: options).encode(bitmap)
    func work(_ options: DecodingOptions) throws -> Int64 {
      var budget = ResourceBudget(options)
      var bitmap = Bitmap()
      _ = try decoder.decode(file.span, into: &bitmap, options: options, budget: &budget)
      return budget.work
    }
    let region = PixelRegion(x: 70, y: 70, width: 10, height: 10)
    #expect(try work(DecodingOptions(region: region)) * 20 < work(DecodingOptions()))
  }

  @Test func bitsAreExpandedAsOneByOne() {
    var random = TestRandom(9)
    let table = (0..<256).map { _ in random.next() }
    for count in 0..<40 {
      let row = random.bytes(count)
      var output = [UInt8](repeating: 1, count: count * 8)
      var span = output.mutableSpan
      expandBitsToBytes(row.span, table.span, into: &span)
      #expect(
        output
          == row.flatMap { byte in (0..<8).map { UInt8(truncatingIfNeeded: table[Int(byte)] >> (8 * UInt64($0))) } })
    }
  }
}
