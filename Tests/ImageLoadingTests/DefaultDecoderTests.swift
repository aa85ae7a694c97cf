// ImageDecoders.Default on the toy format: previews, the final image, and that every byte is decoded once.

import FoundationEssentials
import ImageLoading
import TestSupport
import Testing

@Suite struct DefaultDecoderTests {
  /// A decoder of one toy format, in place of the one of the given type.
  func makeDecoder(_ toy: any ImageFormatDecoder) -> ImageDecoders.Default {
    let formats = ImageFormatRegistry()
    formats.register(toy)
    return ImageDecoders.Default(attachingInfo: true, formats: formats)
  }

  @Test func rowsBecomePreviewsAndNoByteIsDecodedTwice() throws {
    let toy = ToyDecoder()
    let decoder = makeDecoder(toy)
    let file = ToyDecoder.file(width: 4, height: 4)
    let data = Data(file)
    #expect(decoder.decodePartiallyDownloadedData(data.prefix(3)) == nil)
    #expect(decoder.decodePartiallyDownloadedData(data.prefix(9)) == nil)
    let first = try #require(decoder.decodePartiallyDownloadedData(data.prefix(12)))
    #expect(first.isPreview)
    #expect(first.type == "org.example.toy")
    #expect(first.userInfo[.scanNumberKey] as? Int == 1)
    #expect(first.userInfo[.completedScanCountKey] == nil)
    #expect(first.image.packedPixels.prefix(4) == ToyDecoder.pixels(width: 4, height: 4).prefix(4))
    // The same prefix, or one that is less than a row longer, has no new preview.
    #expect(decoder.decodePartiallyDownloadedData(data.prefix(12)) == nil)
    #expect(decoder.decodePartiallyDownloadedData(data.prefix(14)) == nil)
    #expect(decoder.decodePartiallyDownloadedData(data.prefix(20))?.userInfo[.scanNumberKey] as? Int == 2)
    let final = try decoder.decode(data)
    #expect(!final.isPreview)
    #expect(final.userInfo[.scanNumberKey] as? Int == 2)
    #expect(final.image.packedPixels == ToyDecoder.pixels(width: 4, height: 4))
    #expect((final.userInfo[.imageInfoKey] as? ImageInfo)?.width == 4)
    #expect(final.userInfo[.diagnosticsKey] == nil)
    #expect(toy.log.counts == ToyLog.Counts(sessions: 1, appendedBytes: file.count, finishes: 1, oneShots: 0))
  }

  @Test func slicesThatDoNotStartAtZeroAreRead() throws {
    let toy = ToyDecoder()
    let decoder = makeDecoder(toy)
    let file = Data(ToyDecoder.file(width: 3, height: 3))
    let data = (Data(repeating: 0xAA, count: 100) + file).dropFirst(100)
    #expect(data.startIndex == 100)
    #expect(decoder.decodePartiallyDownloadedData(data.prefix(10)) != nil)
    #expect(try decoder.decode(data).image.packedPixels == ToyDecoder.pixels(width: 3, height: 3))
    #expect(toy.log.counts.appendedBytes == file.count)
  }

  @Test func progressiveImagesShowEveryCompleteScan() throws {
    let decoder = makeDecoder(ToyDecoder())
    let data = Data(ToyDecoder.file(width: 2, height: 2, isProgressive: true))
    var counts: [Int] = []
    for count in 0..<data.count {
      guard let preview = decoder.decodePartiallyDownloadedData(data.prefix(count)) else { continue }
      #expect(preview.userInfo[.scanNumberKey] as? Int == counts.count + 1)
      counts.append(preview.userInfo[.completedScanCountKey] as? Int ?? -1)
    }
    #expect(counts == [1, 2])
    #expect(try decoder.decode(data).userInfo[.scanNumberKey] as? Int == 2)
  }

  @Test func severalScansInOnePieceMakeOnePreview() throws {
    let decoder = makeDecoder(ToyDecoder())
    let data = Data(ToyDecoder.file(width: 2, height: 2, isProgressive: true))
    let preview = try #require(decoder.decodePartiallyDownloadedData(data.prefix(7 + 8)))
    #expect(preview.userInfo[.scanNumberKey] as? Int == 1)
    #expect(preview.userInfo[.completedScanCountKey] as? Int == 2)
  }

  @Test func gifHasOnePreviewAndItsData() throws {
    let decoder = makeDecoder(ToyDecoder(type: .gif))
    let data = Data(ToyDecoder.file(width: 2, height: 2))
    #expect(decoder.decodePartiallyDownloadedData(data.prefix(9)) == nil)
    let preview = try #require(decoder.decodePartiallyDownloadedData(data))
    #expect(preview.isPreview)
    #expect(preview.type == .gif)
    #expect(preview.data == nil)
    #expect(preview.userInfo.isEmpty)
    #expect(decoder.decodePartiallyDownloadedData(data) == nil)
    let final = try decoder.decode(data)
    #expect(final.data == data)
    #expect(final.userInfo[.scanNumberKey] == nil)
  }

  /// The same with a real animation: the first frame as soon as it is whole.
  @Test func aRealGIFHasOnePreviewAndItsData() throws {
    let frames = try (1...3).map { shade in
      let pixels = [UInt8](repeating: UInt8(shade * 50), count: 8 * 8 * 3)
      return AnimationFrame(
        bitmap: try Bitmap(width: 8, height: 8, format: .rgb8, pixels: pixels), delay: .milliseconds(50))
    }
    let data = Data(try GIFEncoder().encode(animation: frames, loopCount: .infinite))
    let decoder = ImageDecoders.Default(attachingInfo: true)
    var previews: [ImageContainer] = []
    for count in 1..<data.count {
      if let preview = decoder.decodePartiallyDownloadedData(data.prefix(count)) { previews.append(preview) }
    }
    #expect(previews.count == 1)
    #expect(previews.first?.image[7, 7] == RGBA8(red: 50, green: 50, blue: 50))
    #expect(previews.first?.isPreview == true && previews.first?.data == nil)
    let final = try decoder.decode(data)
    #expect(final.type == .gif && final.data == data)
    #expect(final.image == previews.first?.image)
    let info = try #require(final.userInfo[.imageInfoKey] as? ImageInfo)
    #expect(info.frameCount == 3 && info.loopCount == .infinite && info.duration == .milliseconds(150))
  }

  @Test func dataIsAttachedForTheAskedTypesOnly() throws {
    let formats = ImageFormatRegistry()
    formats.register(ToyDecoder())
    let data = Data(ToyDecoder.file(width: 1, height: 1))
    #expect(try ImageDecoders.Default(formats: formats).decode(data).data == nil)
    let decoder = ImageDecoders.Default(attachingDataFor: ["org.example.toy"], formats: formats)
    #expect(try decoder.decode(data).data == data)
  }

  @Test func anErrorInAPrefixIsNoPreviewAndThenTheResult() throws {
    let toy = ToyDecoder()
    let decoder = makeDecoder(toy)
    let data = Data(ToyDecoder.file(width: 0, height: 2) + [1, 2, 3])
    #expect(decoder.decodePartiallyDownloadedData(data.prefix(8)) == nil)
    #expect(decoder.decodePartiallyDownloadedData(data) == nil)
    let expected = CodecError(.malformed, "the width is 0", format: "org.example.toy", byteOffset: 4)
    #expect(throws: ImageDecodingError.codec(expected)) { try decoder.decode(data) }
    #expect(toy.log.counts == ToyLog.Counts(sessions: 1, appendedBytes: 8, finishes: 0, oneShots: 0))
  }

  @Test func diagnosticsComeWithTheImage() throws {
    let decoder = makeDecoder(ToyDecoder())
    let container = try decoder.decode(Data(ToyDecoder.file(width: 2, height: 2).dropLast()))
    let diagnostics = try #require(container.userInfo[.diagnosticsKey] as? [ImageDiagnostic])
    #expect(diagnostics == [ImageDiagnostic(.damage, "rows are missing", byteOffset: 10)])
  }

  @Test func formatsThatAreBufferedHaveNoPreviews() throws {
    let toy = BufferedToyDecoder()
    let decoder = makeDecoder(toy)
    let data = Data(ToyDecoder.file(width: 2, height: 2))
    #expect(decoder.decodePartiallyDownloadedData(data) == nil)
    #expect(try decoder.decode(data).image.width == 2)
    #expect(toy.base.log.counts.oneShots == 1)
  }

  @Test func aDecoderStartsAnewAfterTheFinalImage() throws {
    let decoder = makeDecoder(ToyDecoder())
    let first = Data(ToyDecoder.file(width: 2, height: 3))
    let second = Data(ToyDecoder.file(width: 3, height: 1))
    _ = decoder.decodePartiallyDownloadedData(first)
    #expect(try decoder.decode(first).image.height == 3)
    let container = try decoder.decode(second)
    #expect(container.image.packedPixels == ToyDecoder.pixels(width: 3, height: 1))
    #expect(container.userInfo[.scanNumberKey] == nil)
  }

  @Test func emptyAndUnknownDataThrowWithAReason() {
    for data in [Data(), Data([1, 2, 3]), Data(repeating: 0x55, count: 1000)] {
      let error = #expect(throws: ImageDecodingError.self) { try ImageDecoders.Default().decode(data) }
      guard case .codec(let reason)? = error else {
        Issue.record("no reason given")
        return
      }
      #expect(reason.kind == .unrecognizedFormat)
    }
  }

  @Test func identifiedFormatsThrowWithTheirName() throws {
    let picture = Data(SampleFiles.jpeg2000(colorSpace: 19))
    let error = #expect(throws: ImageDecodingError.self) { try ImageDecoders.Default().decode(picture) }
    guard case .codec(let reason)? = error else {
      Issue.record("no reason given")
      return
    }
    #expect(reason.kind == .unsupported && reason.format == .jpeg2000)
  }

  @Test func isAsynchronousWhateverIsAsked() {
    #expect(ImageDecoders.Default().isAsynchronous)
  }
}

/// The same decoder as a pipeline makes it, on PNG files.
@Suite struct DefaultDecoderContextTests {
  func png(width: Int = 16, height: Int = 8, isInterlaced: Bool = false) throws -> (Bitmap, Data) {
    let pixels = (0..<width * height * 4).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ 3) }
    let bitmap = try Bitmap(width: width, height: height, format: .rgba8, pixels: pixels)
    return (bitmap, Data(try bitmap.encoded(as: .png(PNGEncoder.Options(isInterlaced: isInterlaced)))))
  }

  @Test func policyDisabledMeansNoPreviews() throws {
    var context = ImageDecodingContext(request: ImageRequest(url: nil), data: try png().1, isCompleted: false)
    context.previewPolicy = .disabled
    let decoder = try #require(ImageDecoders.Default(context: context))
    #expect(decoder.decodePartiallyDownloadedData(context.data) == nil)
    #expect(try decoder.decode(context.data).type == .png)
  }

  @Test func aPNGComesInPassesAndThenWhole() throws {
    let (bitmap, data) = try png(isInterlaced: true)
    let context = ImageDecodingContext(request: ImageRequest(url: nil), data: data, isCompleted: false)
    let decoder = try #require(ImageDecoders.Default(context: context))
    var passes: [Int] = []
    for count in 0..<data.count {
      guard let preview = decoder.decodePartiallyDownloadedData(data.prefix(count)) else { continue }
      #expect(preview.image.pixelSize == bitmap.pixelSize)
      passes.append(preview.userInfo[.completedScanCountKey] as? Int ?? -1)
    }
    #expect(!passes.isEmpty)
    #expect(passes == passes.sorted() && Set(passes).count == passes.count)
    let final = try decoder.decode(data)
    #expect(final.image.packedPixels == bitmap.packedPixels)
    #expect(final.userInfo[.scanNumberKey] as? Int == passes.count)
  }

  @Test func scaleComesFromTheRequest() throws {
    let data = try png().1
    var request = ImageRequest(url: nil)
    request.scale = 2
    let decoder = try #require(ImageDecoders.Default(context: ImageDecodingContext(request: request, data: data)))
    let image = try decoder.decode(data).image
    #expect(image.scale == 2)
    #expect(image.size == ImageSize(width: 8, height: 4))
  }

  @Test func thumbnailsKeepTheShapeAndNeverGrow() throws {
    let data = try png().1
    for (longest, expected) in [(4.0, PixelSize(width: 4, height: 2)), (99.0, PixelSize(width: 16, height: 8))] {
      var request = ImageRequest(url: nil)
      request.thumbnail = ImageRequest.ThumbnailOptions(maxPixelSize: longest)
      let decoder = try #require(ImageDecoders.Default(context: ImageDecodingContext(request: request, data: data)))
      let container = try decoder.decode(data)
      #expect(container.image.pixelSize == expected)
      #expect(!container.isPreview)
    }
  }

  @Test func thumbnailsFillOrFitASize() throws {
    let data = try png().1
    let size = ImageSize(width: 4, height: 4)
    let filling = ImageRequest.ThumbnailOptions(size: size)
    #expect(filling.makeThumbnail(with: data)?.pixelSize == PixelSize(width: 8, height: 4))
    let fitting = ImageRequest.ThumbnailOptions(size: size, unit: .pixels, contentMode: .aspectFit)
    #expect(fitting.makeThumbnail(with: data)?.pixelSize == PixelSize(width: 4, height: 2))
  }

  @Test func onlyAnEmbeddedThumbnailMeansNoneWhereNoneIsEmbedded() throws {
    var options = ImageRequest.ThumbnailOptions(maxPixelSize: 4)
    options.createThumbnailFromImageAlways = false
    #expect(options.makeThumbnail(with: try png().1)?.width == 4)
    options.createThumbnailFromImageIfAbsent = false
    #expect(options.makeThumbnail(with: try png().1) == nil)
    #expect(options.makeThumbnail(with: Data([1, 2])) == nil)
  }

  @Test func orientationIsAppliedOnceOrReported() throws {
    var (bitmap, _) = try png()
    bitmap.orientation = .right
    let data = Data(try bitmap.encoded(as: .png))
    var options = ImageRequest.ThumbnailOptions(size: ImageSize(width: 4, height: 8), contentMode: .aspectFit)
    let upright = try #require(options.makeThumbnail(with: data))
    #expect(upright.pixelSize == PixelSize(width: 4, height: 8))
    #expect(upright.orientation == .up)
    options.createThumbnailWithTransform = false
    let stored = try #require(options.makeThumbnail(with: data))
    #expect(stored.pixelSize == PixelSize(width: 8, height: 4))
    #expect(stored.orientation == .right)
  }

  @Test func theDefaultPolicyIsIncrementalForGIFAndProgressiveJPEG() {
    #expect(ImagePreviewPolicy.default(for: Data("GIF89a".utf8)) == .incremental)
    #expect(ImagePreviewPolicy.default(for: Data(SampleFiles.jpeg(marker: 0xC2))) == .incremental)
    #expect(ImagePreviewPolicy.default(for: Data(SampleFiles.jpeg(marker: 0xC2).prefix(20))) == .disabled)
    #expect(ImagePreviewPolicy.default(for: Data(SampleFiles.jpeg(marker: 0xC0))) == .disabled)
    #expect(ImagePreviewPolicy.default(for: Data(SampleFiles.webPLossless)) == .disabled)
    #expect(ImagePreviewPolicy.default(for: Data()) == .disabled)
  }
}
