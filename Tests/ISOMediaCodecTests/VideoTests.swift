// Movie boxes: tracks, durations, covers, and image sequences.

import ISOMediaCodec
import ImageCoding
import Testing

@Suite struct VideoTests {
  @Test func tracksDurationAndCover() throws {
    let file = ISOBuilder.video(frame: [7, 7])
    let video = try VideoAssetInfo(parsing: file.span)
    #expect(video.duration == .milliseconds(2500) && video.brands?.major == "isom")
    let track = try #require(video.primaryTrack)
    #expect(track.id == 7 && track.handler == "vide" && track.coding == "avc1" && track.sampleCount == 2)
    #expect(track.codedSize == PixelSize(width: 320, height: 240))
    #expect(track.displaySize == PixelSize(width: 640, height: 480) && track.orientation == .right)
    #expect(track.firstSampleRange.map { Array(file[$0]) } == [7, 7])
    #expect(video.coverArtRange.map { Array(file[$0]) } == [1, 2, 3])
    let info = try ISOMediaDecoder().info(file)
    #expect(info.type == "public.mpeg-4" && info.orientedSize == PixelSize(width: 240, height: 320))
    #expect(info.frameCount == 2 && info.duration == .milliseconds(2500))
    let error = #expect(throws: CodecError.self) { try ISOMediaDecoder().decode(file.span) }
    #expect(error?.kind == .unsupported && error?.reason.contains("avc1") == true)
  }

  @Test func fragmentedFilmsStateTheirDurationElsewhere() throws {
    let header = ISOBuilder.fullBox("mvhd", ISOBuilder.big(0, 8) + ISOBuilder.big(600, 4) + ISOBuilder.big(0, 84))
    let extends = ISOBuilder.box("mvex", ISOBuilder.fullBox("mehd", ISOBuilder.big(900, 4)))
    let file = ISOBuilder.fileType("iso5") + ISOBuilder.box("moov", header + extends)
    let video = try VideoAssetInfo(parsing: file.span)
    #expect(video.duration == .milliseconds(1500) && video.tracks.isEmpty)
  }

  @Test func typesByBrand() throws {
    #expect(try ISOMediaDecoder().info(ISOBuilder.video(brand: "qt  ")).type == "com.apple.quicktime-movie")
    #expect(try ISOMediaDecoder().info(ISOBuilder.video(brand: "M4V ")).type == "com.apple.m4v-video")
  }

  @Test func sequencesHaveTheFramesOfTheirTrack() throws {
    var file = ISOBuilder.video(brand: "avis", coding: "av01")
    let info = try ISOMediaDecoder().info(file)
    // Without a still image the track is all there is.
    #expect(info.type == "public.avif" && info.frameCount == 2)
    for bit in 0..<file.count * 8 {
      file[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try? ISOMediaDecoder().info(file, options: InfoOptions(indexesFrames: true))
      file[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    for count in file.indices {
      _ = try? ISOMediaDecoder().info(Array(file.prefix(count)), options: InfoOptions(indexesFrames: true))
    }
  }
}
