// The small picture in a JPEG file's EXIF block; here it is one of the toy format.

import FoundationEssentials
import ImageLoading
import TestSupport
import Testing

@Suite struct EmbeddedThumbnailTests {
  /// With the toy format among the shared ones, as a context's decoder uses them.
  private func withToyFormat(_ body: () throws -> Void) rethrows {
    let token = ImageFormatRegistry.shared.register(ToyDecoder())
    defer { ImageFormatRegistry.shared.unregister(token) }
    try body()
  }

  @Test func itIsTakenWhenTheImageNeedNotBeDecoded() throws {
    let data = Data(ToyDecoder.jpegWithThumbnail())
    try withToyFormat {
      var options = ImageRequest.ThumbnailOptions(maxPixelSize: 100)
      // The large picture would have to be decoded, which needs more than its headers.
      #expect(options.makeThumbnail(with: data) == nil)
      options.createThumbnailFromImageAlways = false
      options.createThumbnailFromImageIfAbsent = false
      #expect(try #require(options.makeThumbnail(with: data)).pixelSize == PixelSize(width: 2, height: 4))
      options.createThumbnailWithTransform = false
      let stored = try #require(options.makeThumbnail(with: data))
      #expect(stored.pixelSize == PixelSize(width: 4, height: 2) && stored.orientation == .right)
      #expect(stored.packedPixels == ToyDecoder.pixels(width: 4, height: 2))
    }
  }

  @Test func itIsThePreviewOnceIfThePolicySaysSo() throws {
    let data = Data(ToyDecoder.jpegWithThumbnail())
    try withToyFormat {
      var context = ImageDecodingContext(request: ImageRequest(url: nil), data: data, isCompleted: false)
      context.previewPolicy = .thumbnail
      let decoder = try #require(ImageDecoders.Default(context: context))
      #expect(decoder.decodePartiallyDownloadedData(data.prefix(40)) == nil)
      let preview = try #require(decoder.decodePartiallyDownloadedData(data.prefix(data.count - 10)))
      #expect(preview.isPreview && preview.type == .jpeg && preview.userInfo[.scanNumberKey] as? Int == 1)
      #expect(preview.image.pixelSize == PixelSize(width: 2, height: 4))
      #expect(decoder.decodePartiallyDownloadedData(data) == nil)
    }
  }

  /// The three codings of JFIF's extension segment: a file, indices into 256 colours, colours.
  @Test func thumbnailsOfTheExtensionSegment() throws {
    var palette: [UInt8] = []
    for index in 0..<256 { palette += [UInt8(index), 0, UInt8(255 - index)] }
    let codings: [(payload: [UInt8], pixels: [UInt8])] = [
      ([0x11, 2, 1] + palette + [3, 200], [3, 0, 252, 200, 0, 55]),
      ([0x13, 2, 1, 1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]),
    ]
    let tail = SampleFiles.jpeg(marker: 0xC0).dropFirst(2)
    var options = ImageRequest.ThumbnailOptions(maxPixelSize: 100)
    options.createThumbnailFromImageAlways = false
    options.createThumbnailFromImageIfAbsent = false
    options.createThumbnailWithTransform = false
    for coding in codings {
      let payload = Array("JFXX\0".utf8) + coding.payload
      let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)]
      let file = start + payload + tail
      let stored = try #require(options.makeThumbnail(with: Data(file)))
      #expect(stored.packedPixels == coding.pixels && stored.orientation == .right)
      var upright = options
      upright.createThumbnailWithTransform = true
      let turned = try #require(upright.makeThumbnail(with: Data(file)))
      #expect(turned.pixelSize == PixelSize(width: 1, height: 2) && turned.orientation == .up)
      #expect(turned.packedPixels == coding.pixels)
      for count in file.indices { _ = options.makeThumbnail(with: Data(file.prefix(count))) }
    }
  }

  /// The thumbnail for each pair of flags, with and without one in the file: embedded, made or none.
  @Test func flagsAsTheyAreDefined() {
    withToyFormat {
      // A picture that decodes but has no thumbnail.
      let plain = Data(ToyDecoder.file(width: 8, height: 4))
      let embedded = Data(ToyDecoder.jpegWithThumbnail())
      for (always, ifAbsent) in [(true, true), (true, false), (false, true), (false, false)] {
        var options = ImageRequest.ThumbnailOptions(maxPixelSize: 4)
        options.createThumbnailFromImageAlways = always
        options.createThumbnailFromImageIfAbsent = ifAbsent
        #expect((options.makeThumbnail(with: plain) != nil) == (always || ifAbsent))
        // The JPEG file has headers only: what is made from it fails, what is embedded does not.
        #expect((options.makeThumbnail(with: embedded) != nil) == !always)
      }
    }
  }

  @Test func damagedDirectoriesAreNoThumbnail() {
    var options = ImageRequest.ThumbnailOptions(maxPixelSize: 100)
    options.createThumbnailFromImageAlways = false
    let jpeg = ToyDecoder.jpegWithThumbnail()
    withToyFormat {
      for index in 6..<jpeg.count {
        for value: UInt8 in [0, 0x7F, 0xFF] {
          var damaged = jpeg
          damaged[index] = value
          // Any result will do, as long as the call returns.
          _ = options.makeThumbnail(with: Data(damaged))
        }
      }
    }
  }
}
