// Animated WebP: every composed frame is the picture that was encoded.

import ImageCoding
import TestSupport
import Testing
import WebPCodec

@Suite struct AnimationEncodingTests {
  /// Frames in which a few things move, appear and disappear, over a background that may be transparent.
  private func frames(
    count: Int, width: Int, height: Int, isTransparent: Bool, seed: UInt64
  ) throws -> [AnimationFrame] {
    var random = TestRandom(seed)
    let background = EncodingSample.palette.pixels(width: width, height: height, seed: seed)
    return try (0..<count).map { index in
      var pixels = background
      if isTransparent { for pixel in 0..<width * height where pixel % 3 != 0 { pixels[pixel * 4 + 3] = 0 } }
      // Some frames are equal to the one before.
      let step = index / 2
      for y in 0..<height {
        for x in 0..<width where (x + step * 3) % 17 < 5 && (y + step) % 13 < 6 {
          let place = (y * width + x) * 4
          let alpha: UInt8 = isTransparent && step % 3 == 1 ? 120 : 255
          for (offset, value) in [UInt8(step * 40 & 255), UInt8(x & 255), 200, alpha].enumerated() {
            pixels[place + offset] = value
          }
        }
      }
      return AnimationFrame(
        bitmap: try Bitmap(width: width, height: height, format: .rgba8, pixels: pixels),
        delay: .milliseconds(Int.random(in: 0...500, using: &random)))
    }
  }

  private func visiblePixels(_ bitmap: Bitmap) -> [UInt8] {
    var pixels = bitmap.packedPixels
    for index in stride(from: 0, to: pixels.count, by: 4) where pixels[index + 3] == 0 {
      for sample in index..<index + 3 { pixels[sample] = 0 }
    }
    return pixels
  }

  @Test(arguments: [false, true]) func damagedFramesHaveDiagnostics(isTransparent: Bool) throws {
    let frames = try frames(count: 8, width: 40, height: 33, isTransparent: isTransparent, seed: 4)
    let file = try WebPEncoder(options: .init(coding: .lossless)).encode(animation: frames, loopCount: .finite(3))
    let intact = try #require(try WebPDecoder().animation(file))
    let count = intact.frameCount
    for index in 0..<count { #expect(try intact.diagnostics(ofFrameAt: index) == []) }
    let chunks = file.indices.filter { file[$0...].starts(with: Array("VP8L".utf8)) }
    #expect(chunks.count == count && count > 3)
    for damaged in [[1], [2, count - 1]] {
      var bytes = file
      // The signature of the bitstream follows the header of the chunk.
      for frame in damaged { bytes[chunks[frame] + 8] = 0 }
      let animation = try #require(try WebPDecoder().animation(bytes))
      var cursor = animation.makeCursor()
      for index in 0..<count {
        _ = try cursor.next()
        let diagnostics = cursor.diagnostics
        #expect(try animation.diagnostics(ofFrameAt: index) == diagnostics)
        #expect(diagnostics.map(\.frame) == (damaged.contains(index) ? [index] : []))
        #expect(diagnostics.allSatisfy { $0.severity == .damage && $0.byteOffset != nil })
      }
    }
  }

  @Test(arguments: [false, true], [nil, 1, 3])
  func losslessFramesAreComposedExactly(isTransparent: Bool, keyFrameInterval: Int?) throws {
    for (width, height) in [(1, 1), (9, 7), (40, 33)] {
      let frames = try frames(count: 9, width: width, height: height, isTransparent: isTransparent, seed: 4)
      let options = WebPEncoder.Options(coding: .lossless, keyFrameInterval: keyFrameInterval)
      let file = try WebPEncoder(options: options).encode(animation: frames, loopCount: .finite(3))
      let animation = try #require(
        try WebPDecoder().animation(file, options: DecodingOptions(pixelFormat: .rgba8, tolerance: .strict)))
      #expect(animation.frameCount == frames.count && animation.loopCount == .finite(3))
      #expect(animation.canvasSize == PixelSize(width: width, height: height))
      var cursor = animation.makeCursor()
      for (index, frame) in frames.enumerated() {
        let picture = try #require(try cursor.next())
        #expect(visiblePixels(picture) == visiblePixels(frame.bitmap), "frame \(index)")
        #expect(animation.frameInfo(at: index).storedDelay == frame.delay)
      }
      var parallel = options
      parallel.parallelism = 2
      #expect(try WebPEncoder(options: parallel).encode(animation: frames, loopCount: .finite(3)) == file)
    }
  }

  @Test func smallChangesAreSmallFrames() throws {
    let first = try EncodingSample.noise.bitmap(width: 64, height: 64).converted(to: .rgb8)
    var second = first
    var row = second.mutableRow(33)
    for index in 60..<90 { row[index] = 1 }
    let frames = [first, second].map { AnimationFrame(bitmap: $0, delay: .milliseconds(10)) }
    let file = try WebPEncoder(options: .lossless).encode(animation: frames, loopCount: .infinite)
    let container = try WebPContainer(parsing: file.span, options: InfoOptions(indexesFrames: true))
    let regions = try #require(container.frames).map(\.region)
    #expect(regions[0] == PixelRegion(x: 0, y: 0, width: 64, height: 64))
    #expect(regions[1] == PixelRegion(x: 20, y: 32, width: 10, height: 2))
  }

  @Test func lossyAndMixedFramesDecode() throws {
    for coding in [WebPEncoder.Options.Coding.lossy, .mixed] {
      let frames = try frames(count: 5, width: 33, height: 21, isTransparent: true, seed: 8)
      let file = try WebPEncoder(options: .init(coding: coding)).encode(animation: frames, loopCount: .infinite)
      let animation = try #require(
        try WebPDecoder().animation(file, options: DecodingOptions(pixelFormat: .rgba8, tolerance: .strict)))
      var cursor = animation.makeCursor()
      for frame in frames {
        let picture = try #require(try cursor.next())
        // Alpha is exact in both codings.
        let (decoded, original) = (picture.packedPixels, frame.bitmap.packedPixels)
        #expect(stride(from: 3, to: original.count, by: 4).allSatisfy { decoded[$0] == original[$0] })
      }
    }
  }

  @Test func aSingleFrameIsAStillImage() throws {
    let frames = try frames(count: 1, width: 8, height: 8, isTransparent: false, seed: 1)
    let file = try WebPEncoder(options: .lossless).encode(animation: frames, loopCount: .infinite)
    #expect(try file == WebPEncoder(options: .lossless).encode(frames[0].bitmap))
  }

  @Test func framesMustHaveOneSize() throws {
    let frames = try [
      frames(count: 1, width: 8, height: 8, isTransparent: false, seed: 1),
      frames(count: 1, width: 8, height: 9, isTransparent: false, seed: 1),
    ].flatMap { $0 }
    for frames in [frames, []] {
      let error = #expect(throws: CodecError.self) {
        try WebPEncoder().encode(animation: frames, loopCount: .infinite)
      }
      #expect(error?.kind == .invalidArgument)
    }
  }
}

@Suite struct EncoderContractTests {
  @Test func metadataIsPreserved() throws {
    var metadata = ImageMetadata()
    metadata.xmp = Array("<x:xmpmeta/>".utf8)
    metadata.colorSpace.iccProfile = [UInt8](repeating: 9, count: 129)
    func exif(_ orientation: UInt8) -> [UInt8] {
      let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
      return Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]
    }
    metadata.exif = exif(6)
    for coding in WebPEncoder.Options.Coding.allCases {
      for sample in [EncodingSample.gradient, .transparent] {
        var bitmap = try sample.bitmap(width: 9, height: 7)
        bitmap.orientation = .left
        let file = try WebPEncoder(options: .init(coding: coding)).encode(bitmap, metadata: metadata)
        #expect(file.count % 2 == 0)
        let decoded = try WebPDecoder().metadata(file.span)
        #expect(decoded.xmp == metadata.xmp && decoded.colorSpace.iccProfile == metadata.colorSpace.iccProfile)
        let info = try WebPDecoder().info(file.span)
        // Turned a quarter is orientation 8.
        #expect(decoded.exif == exif(8) && info.width == 9 && info.height == 7)
        #expect(info.hasAlpha == (sample == .transparent))
        let plain = try WebPEncoder(options: .init(coding: coding)).encode(bitmap)
        #expect(try WebPDecoder().metadata(plain.span).exif?.contains(8) == true)
        bitmap.orientation = .up
        let upright = try WebPEncoder(options: .init(coding: coding)).encode(bitmap)
        #expect(try WebPDecoder().metadata(upright.span).exif == nil)
      }
    }
  }

  @Test func optionsOutOfRangeAreRejected() throws {
    let bitmap = try EncodingSample.flat.bitmap(width: 2, height: 2)
    let options: [WebPEncoder.Options] = [
      .init(quality: 101), .init(quality: -1), .init(effort: 10), .init(nearLossless: 101), .init(alphaQuality: -1),
      .init(filterStrength: 101), .init(filterSharpness: 8), .init(segmentCount: 0), .init(noiseShaping: 101),
      .init(partitionCount: 3), .init(maximumByteCount: 0), .init(keyFrameInterval: 0),
    ]
    for options in options {
      let error = #expect(throws: CodecError.self) { try WebPEncoder(options: options).encode(bitmap) }
      #expect(error?.kind == .invalidArgument)
    }
    for size in [(16_384, 1), (1, 16_384)] {
      let long = try Bitmap(width: size.0, height: size.1, format: .gray8)
      let error = #expect(throws: CodecError.self) { try WebPEncoder().encode(long) }
      #expect(error?.kind == .encodingFailed)
    }
    let error = #expect(throws: CodecError.self) { try WebPEncoder().encode(Bitmap()) }
    #expect(error?.kind == .encodingFailed)
  }

  @Test(arguments: WebPEncoder.Options.Coding.allCases)
  func costsAreCharged(_ coding: WebPEncoder.Options.Coding) throws {
    let bitmap = try EncodingSample.noise.bitmap(width: 120, height: 100)
    let encoder = WebPEncoder(options: .init(coding: coding))
    var whole = ResourceBudget(.unlimited)
    let file = try encoder.encode(bitmap, budget: &whole)
    #expect(whole.peakByteCount > 120 * 100 * 4 && whole.work > 120 * 100 * 50)
    var limits = DecodingLimits.unlimited
    limits.maximumByteCount = whole.peakByteCount
    var exact = ResourceBudget(limits)
    #expect(try encoder.encode(bitmap, budget: &exact) == file)
    limits.maximumByteCount = whole.peakByteCount - 1
    var tooSmall = ResourceBudget(limits)
    let error = #expect(throws: CodecError.self) { try encoder.encode(bitmap, budget: &tooSmall) }
    #expect(error?.kind == .limitExceeded)
  }

  @Test func rowsMayArriveOneByOne() throws {
    let bitmap = try EncodingSample.gradient.bitmap(width: 21, height: 18)
    var budget = ResourceBudget(.unlimited)
    var rows = try WebPRowEncoder(width: 21, height: 18, format: .rgba8, budget: &budget)
    for y in 0..<18 {
      let early = #expect(throws: CodecError.self) {
        var copy = rows
        var other = ResourceBudget(.unlimited)
        return try copy.finish(budget: &other)
      }
      #expect(early?.kind == .invalidArgument)
      try rows.append(bitmap.row(y), budget: &budget)
    }
    let extra = #expect(throws: CodecError.self) {
      var copy = rows
      var other = ResourceBudget(.unlimited)
      let row = bitmap.row(0)
      try copy.append(row, budget: &other)
    }
    #expect(extra?.kind == .invalidArgument)
    #expect(try rows.finish(budget: &budget) == WebPEncoder().encode(bitmap))
  }
}
