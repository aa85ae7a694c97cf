// The video decoder of the pipeline layer: what it attaches and which picture it shows.

import FoundationEssentials
import ImageLoading
import TestSupport
import Testing

@Suite struct VideoDecoderTests {
  /// A film of one track of 32 × 20 and a cover, which may be missing.
  private static func video(cover: [UInt8]?) -> Data {
    func full(_ type: String, _ payload: [UInt8]) -> [UInt8] { SampleFiles.box(type, [0, 0, 0, 0] + payload) }
    let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
    let entry = SampleFiles.box("avc1", zeros(24) + [0, 32, 0, 20] + zeros(50))
    let table = SampleFiles.box("stbl", full("stsd", SampleFiles.big32(1) + entry))
    let media = SampleFiles.box(
      "mdia", full("hdlr", zeros(4) + Array("vide".utf8) + zeros(12)) + SampleFiles.box("minf", table))
    let picture = cover.map { SampleFiles.box("covr", SampleFiles.box("data", zeros(8) + $0)) } ?? []
    let userData = SampleFiles.box("udta", full("meta", SampleFiles.box("ilst", picture)))
    return Data(SampleFiles.fileType("isom") + SampleFiles.box("moov", SampleFiles.box("trak", media) + userData))
  }

  private func decoder(_ data: Data, isCompleted: Bool = true) -> ImageDecoders.Video? {
    ImageDecoders.Video(
      context: ImageDecodingContext(request: ImageRequest(url: nil), data: data, isCompleted: isCompleted))
  }

  @Test func theCoverStandsForTheVideo() throws {
    let cover = try Bitmap(width: 3, height: 2, format: .rgb8, pixels: [UInt8](1...18))
    let data = Self.video(cover: try cover.encoded(as: .png))
    let container = try #require(decoder(data)).decode(data)
    #expect(container.image == cover && container.type == .mp4 && container.data == data && !container.isPreview)
    let info = try #require(container.userInfo[.videoAssetKey] as? VideoAssetInfo)
    #expect(info.primaryTrack?.coding == "avc1")
    let early = try #require(decoder(data, isCompleted: false))
    #expect(early.decodePartiallyDownloadedData(data.prefix(40)) == nil)
    let preview = try #require(early.decodePartiallyDownloadedData(data))
    #expect(preview.isPreview && preview.userInfo[.videoAssetKey] as? VideoAssetInfo == info)
    #expect(early.decodePartiallyDownloadedData(data) == nil)
  }

  @Test func aPlaceholderHasTheVideosSize() throws {
    let data = Self.video(cover: nil)
    let container = try #require(decoder(data)).decode(data)
    #expect(container.image.pixelSize == PixelSize(width: 32, height: 20) && !container.image.isFullyOpaque())
    let garbage = Data(SampleFiles.fileType("qt  "))
    #expect(try #require(decoder(garbage)).decode(garbage).image.isEmpty)
  }

  @Test func aClosureGoesFirstAndOtherDataIsDeclined() throws {
    let data = Self.video(cover: nil)
    let picture = try Bitmap(width: 1, height: 1, format: .gray8, pixels: [7])
    let context = ImageDecodingContext(request: ImageRequest(url: nil), data: data)
    let made: @Sendable (Data) -> PlatformImage? = { _ in picture }
    let decoder = ImageDecoders.Video(context: context, makePreview: made)
    #expect(try decoder?.decode(data).image == picture)
    #expect(self.decoder(Data(SampleFiles.webPLossy)) == nil)
    // Not registered by default.
    #expect(!(ImageDecoderRegistry().decoder(for: context) is ImageDecoders.Video))
    let registry = ImageDecoderRegistry()
    registry.register(ImageDecoders.Video.init(context:))
    #expect(registry.decoder(for: context) is ImageDecoders.Video)
  }
}
