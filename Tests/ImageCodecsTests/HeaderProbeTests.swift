// Headers that were put together by hand: what each of them states, from as few bytes as possible.

import ImageCodecs
import TestSupport
import Testing

@Suite struct HeaderProbeTests {
  func info(_ bytes: [UInt8], indexesFrames: Bool = false) throws -> ImageInfo {
    try ImageFile(bytes).info(indexesFrames: indexesFrames)
  }

  static let files: [[UInt8]] = [
    SampleFiles.webPLossy, SampleFiles.webPLossless, SampleFiles.webPAnimated,
    SampleFiles.bmp(headerByteCount: 12), SampleFiles.bmp(headerByteCount: 40),
    SampleFiles.bmp(headerByteCount: 124, height: -200),
    SampleFiles.tiff(isBigEndian: false, isBig: false), SampleFiles.tiff(isBigEndian: true, isBig: false),
    SampleFiles.tiff(isBigEndian: false, isBig: true), SampleFiles.tiff(isBigEndian: true, isBig: true),
    SampleFiles.heif("avif", []), SampleFiles.heif("mif1", ["heic"]),
    SampleFiles.jpeg2000, SampleFiles.jpeg2000Codestream, SampleFiles.jpegXL, SampleFiles.jpegXLContainer,
    SampleFiles.xbm,
  ]

  @Test(arguments: files.indices) func everyFormatIsMeasured(_ index: Int) throws {
    let info = try info(Self.files[index])
    let isTurned = info.type == .avif || info.type == .heic
    #expect(info.size == PixelSize(width: isTurned ? 200 : 300, height: isTurned ? 300 : 200), "\(info.type)")
    for count in 0..<Self.files[index].count {
      // A prefix is measured right, or not at all.
      guard let prefixInfo = try? self.info(Array(Self.files[index].prefix(count))) else { continue }
      #expect(prefixInfo.size == info.size, "\(info.type)")
    }
  }

  @Test func heifPropertiesAreThoseOfThePrimaryItem() throws {
    let info = try info(SampleFiles.heif("avif", []))
    #expect(info.type == .avif)
    // Turned as its properties say, which leaves nothing to be done.
    #expect(info.orientation == .up)
    #expect(info.size == PixelSize(width: 200, height: 300))
    #expect(info.bitDepth == 10)
    #expect(info.coding == "av01")
  }

  @Test func animationsAreCountedWhenAsked() throws {
    let gif = try info(SampleFiles.gif)
    #expect(gif.size == PixelSize(width: 5, height: 3))
    let webp = try info(SampleFiles.webPAnimated)
    #expect(webp.frameCount == nil && webp.isAnimated && webp.hasAlpha)
    let indexed = try info(SampleFiles.webPAnimated, indexesFrames: true)
    #expect(indexed.frameCount == 2 && indexed.loopCount == .finite(2) && indexed.duration == .milliseconds(80))
    let indexedGIF = try info(SampleFiles.gif, indexesFrames: true)
    #expect(indexedGIF.frameCount == 2 && indexedGIF.duration == .milliseconds(100))
  }

  @Test func iconsAreMeasuredByTheirLargestEntry() throws {
    let info = try info(SampleFiles.ico)
    #expect(info.type == .ico)
    #expect(info.size == PixelSize(width: 512, height: 300))
    let icns = try self.info(SampleFiles.icns)
    #expect(icns.type == .icns && icns.size == PixelSize(width: 32, height: 32) && !icns.hasAlpha)
  }

  @Test func alphaMasksAndFlags() throws {
    #expect(try info(SampleFiles.bmp(headerByteCount: 124)).hasAlpha)
    #expect(try !info(SampleFiles.bmp(headerByteCount: 40)).hasAlpha)
    #expect(try info(SampleFiles.webPLossless).hasAlpha)
    #expect(try !info(SampleFiles.webPLossy).hasAlpha)
  }

  @Test func jpegHeaders() throws {
    let progressive = try info(SampleFiles.jpeg(marker: 0xC2))
    #expect(progressive.size == PixelSize(width: 300, height: 200))
    #expect(progressive.isProgressive && progressive.orientation == .right && progressive.colorModel == .yCbCr)
    #expect(try !info(SampleFiles.jpeg(marker: 0xC1)).isProgressive)
  }

  @Test func pixelsAreNotDecodedAndTheErrorSaysWhose() throws {
    let jab = SampleFiles.jpeg2000(colorSpace: 19)
    let error = #expect(throws: CodecError.self) { try Bitmap(decoding: jab) }
    #expect(error?.kind == .unsupported && error?.format == .jpeg2000 && error?.reason.contains("CIEJab") == true)
    // A movie of which only the type is there.
    let truncation = #expect(throws: CodecError.self) { try Bitmap(decoding: SampleFiles.fileType("isom")) }
    #expect(truncation?.kind == .truncated && truncation?.format == .mp4)
  }
}
