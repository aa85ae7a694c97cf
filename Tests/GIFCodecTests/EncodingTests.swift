import GIFCodec
import ImageCoding
import TestSupport
import Testing

@Suite struct EncodingTests {
  /// A picture of some random colours, a few of its pixels transparent.
  private func picture(
    _ width: Int, _ height: Int, colorCount: Int, hasTransparency: Bool, seed: UInt64
  ) throws -> Bitmap {
    var random = TestRandom(seed)
    var colors = (0..<colorCount).map { (number: Int) -> [UInt8] in
      [UInt8(number & 255), UInt8(number >> 8 &* 40 & 255), UInt8.random(in: 0...255, using: &random), 255]
    }
    if hasTransparency { colors[0] = [0, 0, 0, 0] }
    var pixels: [UInt8] = []
    for index in 0..<width * height {
      // Every colour occurs.
      pixels += colors[index < colorCount ? index : Int.random(in: 0..<colorCount, using: &random)]
    }
    return try Bitmap(width: width, height: height, format: .rgba8, pixels: pixels)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 16, 17, 129, 255, 256], [false, true])
  func fewColorsSurvive(colorCount: Int, hasTransparency: Bool) throws {
    for isInterlaced in [false, true] {
      let bitmap = try picture(19, 23, colorCount: colorCount, hasTransparency: hasTransparency, seed: 3)
      let encoder = GIFEncoder(options: .init(isInterlaced: isInterlaced))
      let bytes = try encoder.encode(bitmap)
      let image = try decode(bytes, strict)
      expectSame(image.bitmap.packedPixels, bitmap.packedPixels)
      #expect(image.diagnostics.isEmpty)
      #expect(image.info.isProgressive == isInterlaced)
    }
  }

  @Test(arguments: [Int.min, 0, 1, 257, 1_000, 5_000, .max]) func colourCountsAreClamped(_ count: Int) throws {
    var options = GIFEncoder.Options()
    options.maximumColorCount = count
    options.alphaThreshold = 0
    #expect(options.maximumColorCount == (count < 2 ? 2 : 256) && options.alphaThreshold == 1)
    #expect(GIFEncoder.Options(maximumColorCount: count, alphaThreshold: 0) == options)
    // 4,096 colours.
    var pixels: [UInt8] = []
    for index in 0..<4096 {
      pixels += [UInt8(index & 63) << 2, UInt8(index >> 6) << 2, UInt8(truncatingIfNeeded: index)]
    }
    let bitmap = try Bitmap(width: 64, height: 64, format: .rgb8, pixels: pixels)
    let file = try GIFEncoder(options: options).encode(bitmap, metadata: nil)
    let strict = DecodingOptions(tolerance: .strict)
    let decoded = try GIFDecoder().decode(file.span, options: strict)
    #expect(decoded.bitmap.pixelSize == bitmap.pixelSize && decoded.diagnostics.isEmpty)
  }

  @Test func alphaIsKeptOrLost() throws {
    let bitmap = try Bitmap(
      width: 4, height: 1, format: .rgba8, pixels: [9, 9, 9, 0, 8, 8, 8, 127, 7, 7, 7, 128, 6, 6, 6, 255])
    let pixels = try decode(try GIFEncoder().encode(bitmap), strict).bitmap.packedPixels
    #expect(pixels == [0, 0, 0, 0, 0, 0, 0, 0, 7, 7, 7, 255, 6, 6, 6, 255])
  }

  /// A slope of many colours: how far it may be off.
  @Test(arguments: [GIFEncoder.Options.Dithering.none, .floydSteinberg], [8, 64, 256])
  func manyColorsAreReduced(dithering: GIFEncoder.Options.Dithering, colorCount: Int) throws {
    let (width, height) = (96, 64)
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { pixels += [UInt8(x * 255 / 95), UInt8(y * 4), UInt8(128 + x / 4), 255] }
    }
    let bitmap = try Bitmap(width: width, height: height, format: .rgba8, pixels: pixels)
    let encoder = GIFEncoder(options: .init(maximumColorCount: colorCount, dithering: dithering))
    let decoded = try decode(try encoder.encode(bitmap), strict).bitmap.packedPixels
    let colors = Set(stride(from: 0, to: decoded.count, by: 4).map { Array(decoded[$0..<$0 + 4]) })
    #expect(colors.count <= colorCount)
    /// The mean error of blocks: what an eye sees from afar.
    func error(blockSide: Int) -> Double {
      var sum = 0.0
      for top in stride(from: 0, to: height, by: blockSide) {
        for left in stride(from: 0, to: width, by: blockSide) {
          for channel in 0..<3 {
            var difference = 0
            for y in top..<top + blockSide {
              for x in left..<left + blockSide {
                let index = (y * width + x) * 4 + channel
                difference += Int(decoded[index]) - Int(pixels[index])
              }
            }
            sum += abs(Double(difference)) / Double(blockSide * blockSide)
          }
        }
      }
      return sum * Double(blockSide * blockSide) / Double(width * height * 3)
    }
    let spacing: Double = colorCount == 8 ? 40 : colorCount == 64 ? 16 : 9
    #expect(error(blockSide: 1) < spacing)
    if dithering == .floydSteinberg { #expect(error(blockSide: 8) < spacing / 5) }
  }

  @Test func imagesAreTurnedUpright() throws {
    var bitmap = try picture(3, 2, colorCount: 6, hasTransparency: false, seed: 1)
    bitmap.orientation = .right
    let image = try decode(try GIFEncoder().encode(bitmap), strict)
    #expect(image.bitmap.packedPixels == bitmap.orientedUp().packedPixels)
  }

  @Test func everyFormatCanBeEncoded() throws {
    let bitmap = try picture(8, 8, colorCount: 20, hasTransparency: true, seed: 4)
    // Transparent pixels have no inks, which is white as RGB; a GIF's have no colour.
    for format in PixelFormat.all where format.colorModel != .cmyk || format.alpha != .premultiplied {
      let converted = try bitmap.converted(to: format)
      let pixels = try decode(try GIFEncoder().encode(converted), strict).bitmap.packedPixels
      expectSame(pixels, try converted.converted(to: .rgba8).packedPixels, "\(format)")
    }
  }

  @Test func metadataIsWritten() throws {
    var metadata = ImageMetadata()
    metadata.comments = ["first", "zwölf"]
    metadata.xmp = Array("<x:xmpmeta>…</x:xmpmeta>".utf8)
    metadata.colorSpace.iccProfile = (0..<1000).map { UInt8($0 % 256) }
    let bitmap = try picture(5, 5, colorCount: 2, hasTransparency: false, seed: 1)
    let image = try decode(try GIFEncoder().encode(bitmap, metadata: metadata), strict)
    #expect(image.metadata.comments == metadata.comments)
    #expect(image.metadata.xmp == metadata.xmp)
    #expect(image.metadata.colorSpace.iccProfile == metadata.colorSpace.iccProfile)
  }

  /// A null byte would end the extension, and the rest of the packet would be read as blocks of the file.
  @Test func packetsWithNullBytesAreRefused() throws {
    var metadata = ImageMetadata()
    metadata.xmp = Array("<x:xmpmeta>".utf8) + [0, 0x3B]
    let bitmap = try picture(5, 5, colorCount: 2, hasTransparency: false, seed: 1)
    let frame = AnimationFrame(bitmap: bitmap, delay: .zero)
    let file = try GIFEncoder().encode(bitmap)
    let errors = [
      #expect(throws: CodecError.self) { try GIFEncoder().encode(bitmap, metadata: metadata) },
      #expect(throws: CodecError.self) {
        try GIFEncoder().encode(animation: [frame], loopCount: .infinite, metadata: metadata)
      },
      #expect(throws: CodecError.self) {
        var encoder = GIFFrameEncoder(metadata: metadata)
        var budget = ResourceBudget(.unlimited)
        try encoder.append(frame, budget: &budget)
        _ = try encoder.finish(budget: &budget)
      },
      #expect(throws: CodecError.self) {
        var budget = ResourceBudget(.unlimited)
        _ = try GIFMetadataRewriter().rewrite(file.span, metadata: metadata, orientation: nil, budget: &budget)
      },
    ]
    #expect(errors.allSatisfy { $0?.kind == .encodingFailed })
  }

  @Test func emptyImagesCannotBeEncoded() {
    #expect(throws: CodecError.self) { try GIFEncoder().encode(Bitmap()) }
    #expect(throws: CodecError.self) { try GIFEncoder().encode(animation: [], loopCount: .infinite) }
  }
}

@Suite struct AnimationEncodingTests {
  /// Pictures of an animation, composed independently of the codec, are encoded and read again.
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8], [GIFEncoder.Options.ColorTables.automatic, .global, .local])
  func animationsSurvive(seed: Int, colorTables: GIFEncoder.Options.ColorTables) throws {
    var test = TestGIF(width: 11, height: 8, frameCount: 9, seed: UInt64(seed))
    for index in test.frames.indices where index % 3 == 1 { test.frames[index].disposal = 2 }
    let frames = try test.pictures.enumerated().map { index, pixels in
      AnimationFrame(
        bitmap: try Bitmap(width: 11, height: 8, format: .rgba8, pixels: pixels), delay: .milliseconds(index * 70))
    }
    let bytes = try GIFEncoder(options: .init(colorTables: colorTables)).encode(
      animation: frames, loopCount: .finite(seed))
    let source = try openAnimation(bytes)
    #expect(source.frameCount == 9)
    #expect(source.loopCount == .finite(seed))
    for index in 0..<9 {
      expectSame(try source.frame(at: index).packedPixels, test.pictures[index], "frame \(index)")
      #expect(source.frameInfo(at: index).storedDelay == .milliseconds(index * 70))
    }
    // The still image is the first frame.
    expectSame(try decode(bytes, strict).bitmap.packedPixels, test.pictures[0])
  }

  @Test func onlyChangesAreStored() throws {
    var pixels = [UInt8](repeating: 255, count: 100 * 100 * 4)
    let first = try Bitmap(width: 100, height: 100, format: .rgba8, pixels: pixels)
    for index in (40 * 100 + 30) * 4..<(40 * 100 + 35) * 4 where index % 4 != 3 { pixels[index] = 7 }
    let second = try Bitmap(width: 100, height: 100, format: .rgba8, pixels: pixels)
    let delay = Duration.milliseconds(100)
    let bytes = try GIFEncoder().encode(
      animation: [first, second, second, first].map { AnimationFrame(bitmap: $0, delay: delay) },
      loopCount: .infinite)
    let source = try openAnimation(bytes)
    #expect(source.frameInfo(at: 1).region == PixelRegion(x: 30, y: 40, width: 5, height: 1))
    #expect(source.frameInfo(at: 2).region == PixelRegion(x: 0, y: 0, width: 1, height: 1))
    for (index, picture) in [first, second, second, first].enumerated() {
      expectSame(try source.frame(at: index).packedPixels, picture.packedPixels)
    }
  }

  /// Thirtieths of a second are no hundredths, but three of them are ten.
  @Test func roundedDelaysKeepTheirSum() throws {
    let bitmap = try Bitmap(width: 1, height: 1, format: .rgba8, pixels: [1, 2, 3, 255])
    let frame = AnimationFrame(bitmap: bitmap, delay: .nanoseconds(33_333_333))
    let bytes = try GIFEncoder().encode(
      animation: [AnimationFrame](repeating: frame, count: 30), loopCount: .infinite)
    let source = try openAnimation(bytes)
    #expect(source.duration(rule: .raw) == .milliseconds(1000))
    #expect(
      (0..<30).allSatisfy { [.milliseconds(30), .milliseconds(40)].contains(source.frameInfo(at: $0).storedDelay) })
  }

  @Test(arguments: [LoopCount.infinite, .finite(1), .finite(2), .finite(65_536)])
  func loopCountsSurvive(count: LoopCount) throws {
    let bitmap = try Bitmap(width: 1, height: 1, format: .rgba8, pixels: [1, 2, 3, 255])
    let frame = AnimationFrame(bitmap: bitmap, delay: .seconds(1))
    let bytes = try GIFEncoder().encode(animation: [frame, frame], loopCount: count)
    #expect(try openAnimation(bytes).loopCount == count)
  }

  @Test func framesHaveOneSize() throws {
    let small = try Bitmap(width: 1, height: 1, format: .rgba8)
    let large = try Bitmap(width: 2, height: 1, format: .rgba8)
    let frames = [small, large].map { AnimationFrame(bitmap: $0, delay: .zero) }
    let error = #expect(throws: CodecError.self) {
      try GIFEncoder().encode(animation: frames, loopCount: .infinite)
    }
    #expect(error?.kind == .invalidArgument)
  }
}

@Suite struct FrameEncoderTests {
  private func frames(_ count: Int, colorCount: Int) throws -> [AnimationFrame] {
    try (0..<count).map { index in
      let pixels = (0..<20 * 12).flatMap { place -> [UInt8] in
        if index % 3 == 2, place % 5 == 0 { return [0, 0, 0, 0] }
        let value = UInt8((place + index * 7) % colorCount)
        return [value, value / 2, 255 - value, 255]
      }
      let bitmap = try Bitmap(width: 20, height: 12, format: .rgba8, pixels: pixels)
      return AnimationFrame(bitmap: bitmap, delay: .milliseconds(40 + index * 10))
    }
  }

  @Test(arguments: [1, 2, 7], [3, 40, 250])
  func framesAreThoseAppended(count: Int, colorCount: Int) throws {
    let frames = try frames(count, colorCount: colorCount)
    for tables in [GIFEncoder.Options.ColorTables.automatic, .local] {
      var encoder = GIFFrameEncoder(options: .init(colorTables: tables), loopCount: .finite(3))
      var budget = ResourceBudget(.unlimited)
      var file: [UInt8] = []
      for frame in frames {
        try encoder.append(frame, budget: &budget)
        file += encoder.takeOutput()
      }
      file += try encoder.finish(budget: &budget)
      let whole = try GIFDecoder().decode(file.span, options: DecodingOptions(pixelFormat: .rgba8, tolerance: .strict))
      #expect(whole.bitmap.packedPixels == frames[0].bitmap.packedPixels)
      guard count > 1, let animation = try GIFDecoder().animation(file, options: DecodingOptions(tolerance: .strict))
      else { continue }
      #expect(animation.frameCount == count && animation.loopCount == .finite(3))
      var cursor = animation.makeCursor()
      var index = 0
      while let picture = try cursor.next() {
        #expect(try picture.converted(to: .rgba8).packedPixels == frames[index].bitmap.packedPixels, "frame \(index)")
        #expect(animation.frameInfo(at: index).storedDelay == frames[index].delay)
        index += 1
      }
      #expect(index == count)
    }
  }

  @Test func otherSizesAndNoFramesAreErrors() throws {
    var budget = ResourceBudget(.unlimited)
    var encoder = GIFFrameEncoder()
    #expect(throws: CodecError.self) { try encoder.finish(budget: &budget) }
    try encoder.append(try frames(1, colorCount: 5)[0], budget: &budget)
    let other = try Bitmap(width: 3, height: 3, format: .gray8, pixels: [UInt8](repeating: 1, count: 9))
    #expect(throws: CodecError.self) { try encoder.append(.init(bitmap: other, delay: .zero), budget: &budget) }
  }
}
