import ImageCodecs
import TestSupport
import Testing

/// Every prefix and every flipped bit of small files, at once and in pieces, through all entry points of a decoder.
@Suite struct DecoderContractTests {
  private static func picture(width: Int, height: Int, format: PixelFormat = .rgb8) throws -> Bitmap {
    var bitmap = try Bitmap(width: width, height: height, format: format)
    var noise = TestRandom(7)
    for y in 0..<height {
      var row = bitmap.mutableRow(y)
      for index in row.indices { row[index] = UInt8(index * 9 & 255) ^ UInt8.random(in: 0...15, using: &noise) }
    }
    return bitmap
  }

  @Test func png() throws {
    for format in [PixelFormat.rgb8, .rgba8, .gray16] {
      let file = try PNGEncoder().encode(Self.picture(width: 5, height: 4, format: format), metadata: nil)
      #expect(DecoderContract(PNGDecoder(), file).violations() == [])
    }
  }

  @Test func gif() throws {
    let file = try GIFEncoder().encode(Self.picture(width: 4, height: 3), metadata: nil)
    #expect(DecoderContract(GIFDecoder(), file).violations() == [])
  }

  @Test(arguments: [false, true]) func jpeg(isProgressive: Bool) throws {
    let encoder = JPEGEncoder(options: JPEGEncoder.Options(isProgressive: isProgressive))
    let file = try encoder.encode(Self.picture(width: 17, height: 9, format: .gray8), metadata: nil)
    #expect(DecoderContract(JPEGDecoder(), file).violations() == [])
  }

  @Test func tiff() throws {
    let file = try TIFFEncoder().encode(Self.picture(width: 5, height: 4), metadata: nil)
    #expect(DecoderContract(TIFFDecoder(), file).violations() == [])
  }

  /// Every decoder of the registry, as it is configured there.
  @Test func allRegisteredDecoders() throws {
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='5' height='4'><path d='M1 1h2v2z' fill='red'/></svg>"
    let files = try SmallFiles.ofRasterFormats() + [("SVG", Array(drawing.utf8))]
    var untested = Set(ImageFormatRegistry().decoders.flatMap(\.types))
    for (name, file) in files {
      let decoder = try ImageFormatRegistry().decoder(for: file.span)
      untested.subtract(decoder.types)
      let nested: Set<AssetType> = name == "ICO" ? [BMPDecoder.type, PNGDecoder.type] : []
      // The blocks of the picture in the HEIC file extend beyond its edges.
      let contract = DecoderContract(
        decoder, file, nestedTypes: nested, codedPixelCount: name == "HEIC" ? 24 * 24 : nil)
      #expect(contract.violations() == [], "\(name)")
    }
    // Nothing is read of these.
    untested.subtract([.matroska, .webm, .mpegTransportStream])
    #if !JPEGXL
      untested.remove(.jxl)
    #endif
    #if !HEVC && !AV1 && !AVC
      untested.subtract(ISOMediaDecoder().types)
    #endif
    #expect(untested == [])
  }
}
