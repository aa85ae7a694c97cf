import PixelPlanes
import Testing
import WebPCodec

/// The payload of the first chunk of a simple file.
private func payload(_ file: [UInt8]) -> [UInt8] {
  let count = file[16..<20].reversed().reduce(0) { $0 << 8 | Int($1) }
  return Array(file[20..<20 + count])
}

@Suite struct ReferencePictureTests {
  @Test(arguments: ["lossy", "random", "lossless", "alpha"]) func picturesAreThoseOfLibwebp(_ group: String) throws {
    let pictures = ReferencePicture.inGroup(group)
    #expect(pictures.count >= 9)
    for picture in pictures {
      let image = try WebPDecoder().decode(picture.file.span, options: DecodingOptions(tolerance: .strict))
      #expect(image.isComplete && image.diagnostics.isEmpty, "\(picture.name)")
      #expect(fnv1a(image.bitmap.normalizedPixels) == picture.hashes[0], "\(picture.name)")
    }
  }

  @Test func planesAreThoseOfLibwebp() throws {
    for picture in ReferencePicture.inGroup("lossy") + ReferencePicture.inGroup("random") {
      var budget = ResourceBudget(.default)
      let planes = try WebPDecoder().planes(ofKeyFrame: payload(picture.file).span, budget: &budget)
      var bytes: [UInt8] = []
      for plane in [planes.luma, try #require(planes.cb), try #require(planes.cr)] {
        for index in plane.narrow.indices { bytes.append(plane.narrow[index]) }
      }
      #expect(fnv1a(bytes) == picture.hashes[1], "\(picture.name)")
    }
  }

  @Test func composedFramesAreThoseOfLibwebp() throws {
    let pictures = ReferencePicture.inGroup("animation")
    #expect(pictures.count == 6)
    for (number, picture) in pictures.enumerated() {
      let animation = try #require(try WebPDecoder().animation(picture.file, options: DecodingOptions()))
      #expect(animation.frameCount == picture.hashes.count)
      #expect(animation.loopCount == (number == 0 ? .infinite : .finite(number)))
      #expect(animation.frameInfo(at: 3).storedDelay == .milliseconds(33))
      for index in picture.hashes.indices.reversed() {
        #expect(fnv1a(try animation.frame(at: index).normalizedPixels) == picture.hashes[index], "\(number) \(index)")
      }
      // The still picture is the first frame.
      let still = try WebPDecoder().decode(picture.file.span)
      #expect(fnv1a(still.bitmap.normalizedPixels) == picture.hashes[0])
      #expect(still.info.frameCount == picture.hashes.count)
    }
  }

  @Test func everyOutputFormatShowsTheSamePixels() throws {
    for name in ["lossy/17x5", "lossless/alpha", "lossless/palette-3", "alpha/1-best-100", "animation/1"] {
      let natural = try WebPDecoder().decode(ReferencePicture.named(name).span).bitmap
      for format in PixelFormat.all {
        let options = DecodingOptions(pixelFormat: format)
        let image = try WebPDecoder().decode(ReferencePicture.named(name).span, options: options).bitmap
        #expect(image.format == format)
        #expect(try image == natural.converted(to: format), "\(name) \(format)")
      }
    }
  }

  @Test func aReusedBitmapKeepsNothingOfTheLastImage() throws {
    for name in ["lossy/70x61-2", "lossless/photo-z3", "alpha/0-none-100", "animation/1"] {
      let file = ReferencePicture.named(name)
      let cut = name.hasPrefix("alpha") ? file : Array(file.prefix(file.count * 4 / 5))
      let fresh = try WebPDecoder().decode(cut.span)
      var reused = fresh.bitmap
      for y in 0..<reused.height {
        var row = reused.mutableRow(y)
        for index in row.indices { row[index] = 0xA5 }
      }
      _ = try WebPDecoder().decode(cut.span, into: &reused, options: DecodingOptions())
      #expect(reused.packedPixels == fresh.bitmap.packedPixels, "\(name)")
    }
  }

  @Test func factsAndPixelsAgree() throws {
    for picture in ReferencePicture.all {
      let info = try WebPDecoder().info(picture.file.span, options: InfoOptions(indexesFrames: true))
      let image = try WebPDecoder().decode(picture.file.span)
      #expect(image.bitmap.pixelSize == PixelSize(width: info.width, height: info.height))
      #expect(image.info.coding == info.coding && image.info.frameCount == info.frameCount, "\(picture.name)")
    }
  }
}
