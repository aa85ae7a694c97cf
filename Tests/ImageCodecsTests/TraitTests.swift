// Codings that a package trait enables: decoded with it; without it, errors name it, and headers are read all the same.

import Foundation
import ImageCodecs
import Testing

@Suite struct TraitTests {
  private func example(_ path: String) throws -> [UInt8] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: root.appendingPathComponent("Conformance/Cases/" + path)))
  }

  @Test(arguments: ["heif-formats/420-8.heic", "heif-grids/2x3.heic", "movies/intra-faststart.mp4"])
  func hevcIsDecodedIfItsTraitIsOn(_ path: String) throws {
    let file = try example(path)
    #expect(try ImageFile(file).info().width > 16)
    #if HEVC
      #expect(try Bitmap(decoding: file).width > 16)
    #else
      let error = #expect(throws: CodecError.self) { try Bitmap(decoding: file) }
      #expect(error?.kind == .unsupported && error?.reason.contains("trait HEVC") == true)
    #endif
  }

  @Test(arguments: ["avif-formats/420-8.avif", "avif-grids/2x2.avif", "avif-sequences/track.avif"])
  func av1IsDecodedIfItsTraitIsOn(_ path: String) throws {
    let file = try example(path)
    #expect(try ImageFile(file).info().width > 16)
    #if AV1
      #expect(try Bitmap(decoding: file).width > 16)
    #else
      let error = #expect(throws: CodecError.self) { try Bitmap(decoding: file) }
      #expect(error?.kind == .unsupported && error?.reason.contains("trait AV1") == true)
    #endif
  }

  @Test(arguments: ["avc-movies/faststart.mp4", "avc-movies/fragments.mp4", "avc-images/item.avci"])
  func avcIsDecodedIfItsTraitIsOn(_ path: String) throws {
    let file = try example(path)
    #expect(try ImageFile(file).info().width > 16)
    #if AVC
      #expect(try Bitmap(decoding: file).width > 16)
    #else
      let error = #expect(throws: CodecError.self) { try Bitmap(decoding: file) }
      #expect(error?.kind == .unsupported && error?.reason.contains("trait AVC") == true)
    #endif
  }

  @Test func jpegXLIsDecodedIfItsTraitIsOn() throws {
    let file = try example("jxl-lossless/rgb8.jxl")
    #expect(try ImageFile(file).info().width > 16)
    #if JPEGXL
      #expect(try Bitmap(decoding: file).width > 16)
    #else
      let error = #expect(throws: CodecError.self) { try Bitmap(decoding: file) }
      #expect(error?.kind == .unsupported && error?.reason.contains("trait JPEGXL") == true)
    #endif
  }

  @Test func metadataIsRemovedWithoutADecoder() throws {
    let file = try example("heif-grids/2x3.heic")
    let stripped = try ImageFile(file).stripped()
    #expect(try ImageFile(stripped).info() == ImageFile(file).info())
  }
}
