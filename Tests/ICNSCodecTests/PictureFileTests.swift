// Pictures that are PNG and JPEG 2000 files.

import Foundation
import ICNSCodec
import ImageCoding
import JPEG2000Codec
import PNGCodec
import TestSupport
import Testing

private let decoder = ICNSDecoder(pngDecoder: PNGDecoder(), jpeg2000Decoder: JPEG2000Decoder())
private let strict = DecodingOptions(tolerance: .strict)

@Suite struct PictureFileTests {
  private func jpeg2000() throws -> [UInt8] { Array(try #require(Data(base64Encoded: FamilyBytes.jpeg2000))) }

  @Test(arguments: [
    ("icp4", 16), ("icp5", 32), ("icp6", 64), ("icp6", 48), ("ic07", 128), ("ic08", 256), ("ic09", 512), ("ic10", 1024),
    ("ic11", 32), ("ic12", 64), ("ic13", 256), ("ic14", 512), ("ic04", 16), ("ic05", 32), ("icsb", 18), ("icsB", 36),
    ("sb24", 24), ("SB24", 48),
  ]) func picturesAreThoseOfTheFile(_ type: String, _ side: Int) throws {
    let png = try FamilyBytes.png(side)
    let image = try decoder.decode(FamilyBytes.file(FamilyBytes.entry(type, png)), options: strict)
    #expect(image.bitmap.packedPixels == FamilyBytes.noise(side * side * 4, seed: 3))
    #expect(image.info.coding == "PNG" && image.info.type == ICNSDecoder.type && image.diagnostics == [])
  }

  @Test func jpeg2000FilesAndCodestreams() throws {
    let file = try jpeg2000()
    let start = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0x4F, 0xFF, 0x51]) })
    var expected: [UInt8] = []
    for y in 0..<16 {
      for x in 0..<16 { expected += [UInt8(x * 16), UInt8(y * 16), (x / 4 + y / 4) % 2 == 0 ? 0 : 200] }
    }
    for content in [file, Array(file[start...])] {
      let icon = FamilyBytes.file(FamilyBytes.entry("icp4", content))
      let image = try decoder.decode(icon, options: strict)
      #expect(image.bitmap.format == .rgb8 && image.bitmap.packedPixels == expected)
      let info = try decoder.info(icon)
      #expect(info.size == PixelSize(width: 16, height: 16) && info.coding == "JPEG 2000")
      #expect(info.bitDepth == 8 && info.colorModel == .rgb)
      #expect(try IconFamily(parsing: icon.span).pictures.first?.bitsPerPixel == 24)
    }
  }

  @Test func filesOfAnotherSizeThanThatOfTheType() throws {
    let file = FamilyBytes.file(
      FamilyBytes.entry("ic07", try FamilyBytes.png(20)), FamilyBytes.entry("icp4", try jpeg2000()))
    #expect(try decoder.info(file).size == PixelSize(width: 20, height: 20))
    let image = try decoder.decode(file)
    #expect(image.bitmap.width == 20)
    #expect(image.diagnostics.map(\.reason) == ["the picture has another size than its type"])
    #expect(throws: CodecError.self) { try decoder.decode(file, options: strict) }
  }

  @Test func missingDecodersAreNamed() throws {
    for (content, name) in [(try FamilyBytes.png(16), "PNG"), (try jpeg2000(), "JPEG 2000")] {
      let file = FamilyBytes.file(FamilyBytes.entry("icp4", content))
      let error = #expect(throws: CodecError.self) { try ICNSDecoder().decode(file) }
      #expect(error?.kind == .unsupported && error?.reason.contains(name) == true && error?.byteOffset == 16)
    }
  }

  @Test func otherContentIsMalformed() throws {
    let file = FamilyBytes.file(FamilyBytes.entry("ic07", [1, 2, 3, 4, 5]))
    let error = #expect(throws: CodecError.self) { try decoder.decode(file) }
    #expect(error?.kind == .malformed && error?.format == ICNSDecoder.type)
    #expect(try decoder.info(file).size == PixelSize(width: 128, height: 128))
  }

  @Test func damageInAFileIsReported() throws {
    var png = try FamilyBytes.png(16)
    png.removeLast(40)
    let file = FamilyBytes.file(FamilyBytes.entry("icp4", png))
    #expect(throws: CodecError.self) { try decoder.decode(file, options: strict) }
    let image = try decoder.decode(file)
    #expect(!image.isComplete && image.diagnostics.contains { $0.severity == .damage })
  }

  @Test func filesSpendTheBudgetOfTheIcon() throws {
    let file = FamilyBytes.file(FamilyBytes.entry("ic07", try FamilyBytes.png(128)))
    let shallow = DecodingOptions(limits: DecodingLimits(maximumNestingDepth: 0))
    let depth = #expect(throws: CodecError.self) { try decoder.decode(file, options: shallow) }
    #expect(depth?.kind == .limitExceeded && depth?.limit == .depth)
    let few = DecodingOptions(limits: DecodingLimits(maximumWork: 1000, maximumWorkPerPixel: 0))
    #expect(throws: CodecError.self) { try decoder.decode(file, options: few) }
    var budget = ResourceBudget(.default)
    var bitmap = Bitmap()
    _ = try decoder.decode(file.span, into: &bitmap, options: strict, budget: &budget)
    #expect(budget.heldByteCount == bitmap.byteCount && budget.work > 16_384)
  }

  @Test func everyWayToDecodeAgreesOrThrowsTypedErrors() throws {
    let pixel = try PNGEncoder().encode(Bitmap(width: 16, height: 16, format: .gray8))
    let file = FamilyBytes.file(FamilyBytes.entry("icp4", pixel))
    #expect(DecoderContract(decoder, file, nestedTypes: ["public.png"]).violations() == [])
  }
}
