// WebP containers put together from RFC 9649: what they state, how many bytes that takes, and what damage does.

import ImageCoding
import Testing
import WebPCodec

private func little(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}
private func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
  Array(type.utf8) + little(payload.count, 4) + payload + [UInt8](repeating: 0, count: payload.count & 1)
}
private func riff(_ chunks: [UInt8]) -> [UInt8] {
  Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
}
private func extended(_ flags: UInt8, _ chunks: [UInt8]) -> [UInt8] {
  riff(chunk("VP8X", [flags, 0, 0, 0] + little(299, 3) + little(199, 3)) + chunks)
}
private let lossy: [UInt8] = [0x10, 0, 0, 0x9D, 0x01, 0x2A] + little(300, 2) + little(200, 2)
private func frame(x: Int, milliseconds: Int, flags: UInt8) -> [UInt8] {
  let header = little(x / 2, 3) + little(0, 3) + little(99, 3) + little(49, 3) + little(milliseconds, 3) + [flags]
  return chunk("ANMF", header + chunk("VP8 ", lossy))
}

@Suite struct WebPContainerTests {
  private func container(_ bytes: [UInt8], indexed: Bool = false) throws -> WebPContainer {
    try WebPContainer(parsing: bytes.span, options: InfoOptions(indexesFrames: indexed))
  }

  @Test func codingsOfStillImages() throws {
    #expect(try container(riff(chunk("VP8 ", lossy))).coding == .lossy)
    let lossless = try container(riff(chunk("VP8L", [0x2F] + little(299 | 199 << 14 | 1 << 28, 4))))
    #expect(lossless.coding == .lossless && lossless.hasAlpha && lossless.size == PixelSize(width: 300, height: 200))
    let alpha = try container(extended(0x10, chunk("ALPH", [0]) + chunk("VP8 ", lossy)))
    #expect(alpha.coding == .lossyWithAlpha && alpha.hasAlpha)
  }

  @Test func framesAreListedWhenAsked() throws {
    let animation = extended(
      0x12,
      chunk("ANIM", [1, 2, 3, 4, 7, 0]) + frame(x: 10, milliseconds: 40, flags: 1)
        + frame(x: 0, milliseconds: 60, flags: 2))
    #expect(try container(animation).frames == nil)
    let indexed = try container(animation, indexed: true)
    #expect(indexed.loopCount == .finite(7) && indexed.background == [1, 2, 3, 4])
    let frames = try #require(indexed.frames)
    #expect(frames.count == 2 && frames[0].region == PixelRegion(x: 10, y: 0, width: 100, height: 50))
    #expect(frames[0].isDisposed && frames[0].isBlended && !frames[1].isBlended)
    #expect(frames.map(\.duration) == [.milliseconds(40), .milliseconds(60)])
    // The frames before a cut are there.
    #expect(try container(Array(animation.dropLast(60)), indexed: true).frames?.count == 1)
  }

  @Test func framesBeyondTheLimitAreAnErrorNotACount() throws {
    let frames = (0..<20).flatMap { _ in frame(x: 0, milliseconds: 10, flags: 0) }
    let animation = extended(0x02, chunk("ANIM", [0, 0, 0, 0, 0, 0]) + frames)
    var options = InfoOptions(limits: DecodingLimits(maximumFrameCount: 20), indexesFrames: true)
    #expect(try WebPDecoder().info(animation.span, options: options).frameCount == 20)
    options.limits.maximumFrameCount = 19
    let error = #expect(throws: CodecError.self) { try WebPDecoder().info(animation.span, options: options) }
    #expect(error?.kind == .limitExceeded)
    options.limits.maximumByteCount = 500
    options.limits.maximumFrameCount = 20
    #expect(throws: CodecError.self) { try WebPDecoder().info(animation.span, options: options) }
  }

  @Test func metadataIsFoundOnBothSidesOfThePixels() throws {
    let file = extended(
      0x2C,
      chunk("ICCP", [9, 9, 9]) + chunk("VP8 ", lossy) + chunk("EXIF", Array("Exif\0\0MM".utf8))
        + chunk("XMP ", [7]))
    let metadata = try WebPDecoder().metadata(file)
    #expect(metadata.colorSpace.iccProfile == [9, 9, 9] && metadata.exif == Array("MM".utf8) && metadata.xmp == [7])
  }

  @Test func aPrefixSaysHowMuchMoreItNeeds() throws {
    let files = [riff(chunk("VP8 ", lossy)), extended(0x10, chunk("ICCP", [1, 2]) + chunk("VP8 ", lossy))]
    for file in files {
      let whole = try WebPDecoder().info(file)
      var needed = 1
      // Every answer asks for more than there was, so that the whole file is an end.
      for _ in 0..<40 where needed < file.count {
        let prefix = Array(file.prefix(needed))
        let result = Result { () throws(CodecError) in try WebPDecoder().info(prefix) }
        switch result {
        case .success(let info):
          #expect(info == whole)
          needed = file.count
        case .failure(let error):
          #expect(error.kind == .truncated)
          let next = error.neededByteCount ?? 0
          #expect(next > needed && next <= file.count)
          needed = max(next, needed + 1)
        }
      }
      #expect(needed == file.count)
    }
  }

  @Test func stormsAndFlippedBitsComeBack() throws {
    var storm: [UInt8] = []
    for _ in 0..<200_000 { storm += Array("JUNK".utf8) + [0, 0, 0, 0] }
    #expect(throws: CodecError.self) { try container(Array(extended(2, storm).dropLast(3)), indexed: true) }
    let file = extended(0x2E, chunk("ICCP", [1]) + frame(x: 0, milliseconds: 1, flags: 0) + chunk("EXIF", [1, 2]))
    for bit in 0..<file.count * 8 {
      var bytes = file
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try? container(bytes, indexed: true)
      _ = try? WebPDecoder().metadata(bytes)
    }
  }
}
