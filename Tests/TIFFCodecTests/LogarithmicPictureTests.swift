// LogL and LogLuv files compared with the pixels that libtiff shows; Fixtures/make-logarithmic-pictures.py wrote them.

import ImageCoding
import TIFFCodec
import TestSupport
import Testing

@Suite struct LogarithmicPictureTests {
  private struct Picture {
    var name: String
    var file: [UInt8]
    var pixels: [UInt8]
  }

  private let pictures: [Picture] = {
    var fixture = Fixture("logarithmic-pictures.bin", beside: #filePath)
    var pictures: [Picture] = []
    while let name = fixture.name() {
      pictures.append(Picture(name: name, file: fixture.block(), pixels: fixture.block()))
    }
    return pictures
  }()

  /// libtiff truncates 256 times the value where 255 times is rounded here.
  @Test func pixelsAreThoseOfLibtiffWithinOne() throws {
    #expect(pictures.count == 3)
    for picture in pictures {
      let natural = try decoder.decode(picture.file, options: DecodingOptions(tolerance: .strict)).bitmap
      let isGray = picture.name == "luminance"
      #expect(natural.format == PixelFormat(isGray ? .gray : .rgb, alpha: .none, sampleType: .float32))
      let options = DecodingOptions(pixelFormat: isGray ? .gray8 : .rgb8)
      let shown = try decoder.decode(picture.file, options: options).bitmap.packedPixels
      #expect(shown.count == picture.pixels.count)
      let differences = zip(shown, picture.pixels).map { abs(Int($0) - Int($1)) }
      #expect(differences.max() ?? 0 <= 1, "\(picture.name)")
      // Lights brighter than white are kept.
      #expect(floats(natural).max() ?? 0 > 1.5)
    }
  }

  private func floats(_ bitmap: Bitmap) -> [Float] {
    let bytes = bitmap.littleEndianSamples
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << (8 * $1) })
    }
  }

  @Test func otherCombinationsAreUnsupported() {
    for (compression, photometric, bits) in [(34676, 1, [16]), (34677, 32844, [16]), (1, 32845, [16, 16, 16])] {
      var tiff = SmallTIFF(width: 1, height: 1)
      (tiff.compression, tiff.photometric, tiff.bits) = (compression, photometric, bits)
      #expect {
        try decoder.decode(tiff.file([[1, 2, 3, 4, 5, 6]]))
      } throws: {
        ($0 as? CodecError)?.kind == .unsupported
      }
    }
  }

  @Test func aStripThatEndsEarlyKeepsItsRows() throws {
    var tiff = SmallTIFF(width: 3, height: 3)
    (tiff.compression, tiff.photometric, tiff.bits) = (34676, 32844, [16])
    // Two rows of luminance 2^(½ / 256), and the first plane of a third one.
    let row: [UInt8] = [129, 0x40, 3, 0, 0, 0]
    let image = try decoder.decode(tiff.file([row + row + [129, 0x40]]))
    #expect(!image.isComplete && image.bitmap.packedPixels.prefix(24).contains { $0 != 0 })
    #expect(image.bitmap.packedPixels.suffix(12).allSatisfy { $0 == 0 })
  }
}
