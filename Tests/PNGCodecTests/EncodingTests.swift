import ImageCoding
import PNGCodec
import TestSupport
import Testing
import Threading

@Suite struct EncodingTests {
  static let optionSets: [PNGEncoder.Options] = [
    .init(), .init(compressionLevel: 0), .init(compressionLevel: 9, filtering: .none),
    .init(filtering: .fixed(.paeth), isInterlaced: true), .init(filtering: .fixed(.average)),
    .init(reducesColors: false),
    .init(filtering: .fixed(.sub), isInterlaced: true, reducesColors: false), .init(filtering: .fixed(.up)),
    .init(level: .fastest), .init(level: .small), .init(filtering: .entropy, isInterlaced: true, compressor: .fast),
  ]

  /// Data is written while it is compressed, so that no chunk has all of a large image.
  @Test(arguments: [PNGEncoder.Options(), .init(level: .fastest), .init(level: .small), .init(isInterlaced: true)])
  func imageDataIsDivided(_ options: PNGEncoder.Options) throws {
    var random = TestRandom(3)
    let pixels = (0..<700 * 500 * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
    let bitmap = try Bitmap(width: 700, height: 500, format: .rgb8, pixels: pixels)
    let file = try PNGEncoder(options: options).encode(bitmap)
    var byteCounts: [Int] = []
    var position = 8
    while position + 8 <= file.count {
      let byteCount = file[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      if file[position + 4..<position + 8].elementsEqual("IDAT".utf8) { byteCounts.append(byteCount) }
      position += 12 + byteCount
    }
    #expect(byteCounts.count >= 3)
    #expect(byteCounts.allSatisfy { (1...400_000).contains($0) })
    #expect(byteCounts.dropLast().allSatisfy { $0 >= 256 << 10 })
    let image = try decode(file, strict)
    #expect(image.diagnostics.isEmpty)
    #expect(image.bitmap.packedPixels == pixels)
  }

  @Test(arguments: PixelFormat.all, Array(0..<11))
  func everyFormatSurvivesARoundTrip(format: PixelFormat, optionIndex: Int) throws {
    var random = TestRandom(UInt64(optionIndex))
    for (width, height) in [(1, 1), (3, 5), (8, 8), (31, 14)] {
      for isNoise in [false, true] {
        let pixels = (0..<width * height * format.bytesPerPixel).map {
          isNoise ? UInt8.random(in: 0...255, using: &random) : UInt8($0 / 3 % 4 * 85)
        }
        // Arbitrary bytes are no samples that a PNG could hold, if they are read as floating-point numbers.
        let isFloat = format.sampleType.isFloatingPoint
        var bitmap = try Bitmap(
          width: width, height: height, format: isFloat ? format.with(.uint16) : format,
          pixels: Array(pixels.prefix(width * height * (isFloat ? format.with(.uint16) : format).bytesPerPixel))
        ).converted(to: format)
        if format.alpha == .premultiplied { bitmap = try bitmap.converted(to: format.straight).converted(to: format) }
        let encoded = try PNGEncoder(options: Self.optionSets[optionIndex]).encode(bitmap)
        let image = try decode(encoded, strict)
        #expect(image.diagnostics.isEmpty)
        // The closest format that PNG can store: straight alpha, no CMYK.
        let held = PixelFormat(
          format.colorModel == .cmyk ? .rgb : format.colorModel, alpha: format.hasAlpha ? .straight : .none,
          sampleType: format.sampleType == .uint8 ? .uint8 : .uint16)
        #expect(try image.bitmap.rgba16 == bitmap.converted(to: held).rgba16, "\(format)")
      }
    }
  }

  @Test func colorsAreReducedToTheSmallestLayout() throws {
    func layout(_ format: PixelFormat, _ pixels: [UInt8], width: Int) throws -> [Int] {
      let height = pixels.count / format.bytesPerPixel / width
      let bitmap = try Bitmap(width: width, height: height, format: format, pixels: pixels)
      let encoded = try PNGEncoder().encode(bitmap)
      #expect(try decode(encoded, strict).bitmap.rgba16 == bitmap.rgba16)
      return [Int(encoded[25]), Int(encoded[24])]
    }
    func repeated(_ pixels: [[UInt8]], _ count: Int) -> [UInt8] {
      (0..<count).flatMap { pixels[$0 % pixels.count] }
    }
    #expect(try layout(.rgba8, repeated([[0, 0, 0, 255], [255, 255, 255, 255]], 4096), width: 64) == [0, 1])
    #expect(try layout(.rgb8, repeated([[85, 85, 85], [170, 170, 170]], 4096), width: 64) == [3, 1])
    #expect(try layout(.gray8, repeated([[0], [85], [170], [255]], 4096), width: 64) == [0, 2])
    func pixels(_ pixel: (Int) -> [UInt8]) -> [UInt8] { (0..<4096).flatMap(pixel) }
    func low(_ index: Int) -> UInt8 { UInt8(index % 256) }
    func high(_ index: Int) -> UInt8 { UInt8(index / 256) }
    let sixteenGrays = pixels { index -> [UInt8] in [UInt8](repeating: UInt8(index % 16 * 17), count: 3) }
    #expect(try layout(.rgb8, sixteenGrays, width: 64) == [0, 4])
    let grays = pixels { index -> [UInt8] in [UInt8](repeating: low(index), count: 3) }
    #expect(try layout(.rgb8, grays, width: 64) == [0, 8])
    let fewColors = pixels { index -> [UInt8] in [UInt8(index % 200), 0, 0, 255] }
    #expect(try layout(.rgba8, fewColors, width: 64) == [3, 8])
    let fewTransparentColors = pixels { index -> [UInt8] in [UInt8(index % 200), 0, 0, 9] }
    #expect(try layout(.rgba8, fewTransparentColors, width: 64) == [3, 8])
    let manyColors = pixels { index -> [UInt8] in [low(index), high(index), 0, 255] }
    #expect(try layout(.rgba8, manyColors, width: 64) == [2, 8])
    let transparentGrays = pixels { index -> [UInt8] in [low(index), low(index), low(index), high(index)] }
    #expect(try layout(.rgba8, transparentGrays, width: 64) == [4, 8])
    let manyTransparentColors = pixels { index -> [UInt8] in [low(index), high(index), 0, 7] }
    #expect(try layout(.rgba8, manyTransparentColors, width: 64) == [6, 8])
    let wideGrays = pixels { index -> [UInt8] in [UInt8](repeating: low(index), count: 6) + [255, 255] as [UInt8] }
    #expect(try layout(.rgba16, wideGrays, width: 64) == [0, 8])
    let deepGrays = pixels { index -> [UInt8] in [low(index), 1, low(index), 1, low(index), 1, 255, 255] }
    #expect(try layout(.rgba16, deepGrays, width: 64) == [0, 16])
  }

  @Test func invisibleColorsAreClearedOnRequest() throws {
    var random = TestRandom(8)
    for format in [PixelFormat.rgba8, .rgba16, .grayAlpha8] {
      let sampleByteCount = format.sampleType == .uint8 ? 1 : 2
      var pixels = (0..<64 * 64 * format.bytesPerPixel).map { _ in UInt8.random(in: 0...255, using: &random) }
      // Only pixels meant to be are invisible.
      for pixel in 1...64 * 64 { pixels[pixel * format.bytesPerPixel - 1] |= 1 }
      var cleared = pixels
      for pixel in 0..<64 * 64 where pixel % 3 != 0 {
        let start = pixel * format.bytesPerPixel
        for index in start..<start + format.bytesPerPixel {
          if index >= start + format.bytesPerPixel - sampleByteCount { pixels[index] = 0 }
          cleared[index] = 0
        }
      }
      let bitmap = try Bitmap(width: 64, height: 64, format: format, pixels: pixels)
      let expected = try Bitmap(width: 64, height: 64, format: format, pixels: cleared)
      var options = PNGEncoder.Options(reducesColors: false)
      let kept = try PNGEncoder(options: options).encode(bitmap)
      options.clearsInvisibleColors = true
      for level in [options, .init(level: .small)] {
        var options = level
        options.clearsInvisibleColors = true
        let smaller = try PNGEncoder(options: options).encode(bitmap)
        #expect(try decode(kept, strict).bitmap.rgba16 == bitmap.rgba16)
        #expect(try decode(smaller, strict).bitmap.rgba16 == expected.rgba16)
        #expect(smaller.count < kept.count * 2 / 3)
      }
    }
    // Transparent pixels of many colours count as one.
    let pixels = (0..<4096).flatMap { index -> [UInt8] in
      let alpha: UInt8 = index < 4090 ? 0 : 255
      return [UInt8(index % 251), UInt8(index / 251), 9, alpha]
    }
    let bitmap = try Bitmap(width: 64, height: 64, format: .rgba8, pixels: pixels)
    let encoded = try PNGEncoder(options: .init(clearsInvisibleColors: true)).encode(bitmap)
    #expect(encoded[25] == 3)
  }

  @Test func theSmallLevelIsNotLargerThanTheDefault() throws {
    var random = TestRandom(12)
    // A drawing of repeated strings, a photograph, and a palette.
    let word = (0..<97).map { _ in UInt8.random(in: 0...255, using: &random) }
    let drawing = (0..<120 * 90 * 3).map { (index: Int) -> UInt8 in word[index * 7 % 97] }
    let photo = (0..<120 * 90 * 3).map { index -> UInt8 in
      let gradient = index / 360 + index % 360 / 4
      return UInt8(gradient) &+ UInt8.random(in: 0...3, using: &random)
    }
    let palette = (0..<120 * 90).flatMap { index -> [UInt8] in [word[index / 120 % 16], word[index % 13], 9] }
    for pixels in [drawing, photo, palette] {
      let bitmap = try Bitmap(width: 120, height: 90, format: .rgb8, pixels: pixels)
      let small = try PNGEncoder(options: .init(level: .small)).encode(bitmap)
      #expect(try small.count <= PNGEncoder().encode(bitmap).count)
      #expect(try decode(small, strict).bitmap.rgba16 == bitmap.rgba16)
    }
  }

  @Test func threadsDoNotChangeTheFile() throws {
    var random = TestRandom(9)
    let pixels = (0..<900 * 700).map { (index: Int) -> UInt8 in
      UInt8(index / 900 % 200) + UInt8.random(in: 0...20, using: &random)
    }
    let bitmap = try Bitmap(width: 900, height: 700, format: .gray8, pixels: pixels)
    let files = try [2, 3].map { try PNGEncoder(options: .init(parallelism: $0)).encode(bitmap) }
    #expect(files[0] == files[1])
    #expect(try decode(files[0], strict).bitmap.packedPixels == pixels)
    let serial = try PNGEncoder().encode(bitmap)
    #expect(files[0].count < serial.count + serial.count / 100)
  }

  @Test func encodingIsCancelledAndLimitedRowByRow() throws {
    let bitmap = try Bitmap(width: 512, height: 512, format: .gray8, pixels: [UInt8](repeating: 3, count: 512 * 512))
    let checks = Mutex(0)
    var budget = ResourceBudget(
      .unlimited,
      shouldCancel: {
        checks.withLock { count in
          count += 1
          return count > 10
        }
      })
    var error: CodecError?
    do { _ = try PNGEncoder().encode(bitmap, budget: &budget) } catch let thrown { error = thrown }
    #expect(error?.kind == .cancelled)
  }

  @Test func compressionLevelsOutOfRangeAreRejected() throws {
    let bitmap = try Bitmap(width: 1, height: 1, format: .gray8, pixels: [3])
    for level in [-1, 10] {
      #expect(throws: CodecError.self) { try PNGEncoder(options: .init(compressionLevel: level)).encode(bitmap) }
    }
  }

  @Test func emptyBitmapsCannotBeEncoded() {
    #expect(throws: CodecError.self) { try PNGEncoder().encode(Bitmap()) }
    #expect(throws: CodecError.self) { try PNGEncoder().encode(animation: [], loopCount: .infinite) }
  }

  @Test func animationsKeepPicturesAndTiming() throws {
    var random = TestRandom(3)
    for format in [PixelFormat.rgb8, .rgba8, .gray8, .rgba16] {
      var frames: [AnimationFrame] = []
      var pixels = [UInt8](repeating: 0, count: 12 * 10 * format.bytesPerPixel)
      for index in 0..<6 {
        for _ in 0..<index * 3 {
          pixels[Int.random(in: 0..<pixels.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        let bitmap = try Bitmap(width: 12, height: 10, format: format, pixels: pixels)
        frames.append(.init(bitmap: bitmap, delay: .milliseconds(10 + index * 30)))
        // An unchanged frame is a frame all the same.
        if index == 3 { frames.append(.init(bitmap: bitmap, delay: .seconds(70))) }
      }
      let encoded = try PNGEncoder().encode(animation: frames, loopCount: .finite(3))
      try check(encoded, frames)
      let streamed = try frameByFrame(frames, loopCount: .finite(3))
      try check(streamed, frames)
      let unreduced = PNGEncoder(options: .init(reducesColors: false))
      #expect(try streamed == unreduced.encode(animation: frames, loopCount: .finite(3)))
    }
  }

  private func check(_ encoded: [UInt8], _ frames: [AnimationFrame]) throws {
    let animation = try #require(try PNGDecoder().animation(encoded, options: strict))
    #expect(animation.frameCount == frames.count)
    #expect(animation.loopCount == .finite(3))
    for (index, frame) in frames.enumerated() {
      #expect(try animation.frame(at: index).rgba16 == frame.bitmap.rgba16)
      #expect(animation.frameInfo(at: index).storedDelay == frame.delay)
    }
    #expect(try decode(encoded, strict).bitmap.rgba16 == frames[0].bitmap.rgba16)
  }

  /// Encodes with an encoder whose output is taken after every frame.
  private func frameByFrame(_ frames: [AnimationFrame], loopCount: LoopCount) throws -> [UInt8] {
    var budget = ResourceBudget(.unlimited)
    var encoder = PNGFrameEncoder(frameCount: frames.count, loopCount: loopCount)
    var file: [UInt8] = []
    for frame in frames {
      try encoder.append(frame, budget: &budget)
      file += encoder.takeOutput()
      #expect(encoder.takeOutput().isEmpty)
    }
    return file + (try encoder.finish(budget: &budget))
  }

  @Test func framesAreChargedOneByOne() throws {
    let side = 100
    let bitmap = try Bitmap(width: side, height: side, format: .rgb8)
    let frames = (0..<40).map { _ in AnimationFrame(bitmap: bitmap, delay: .milliseconds(40)) }
    // The work on forty frames exceeds what one may cost.
    func work(_ frames: [AnimationFrame]) throws -> ResourceBudget {
      var budget = ResourceBudget(.unlimited)
      _ = try PNGEncoder().encode(animation: frames, loopCount: .infinite, budget: &budget)
      return budget
    }
    let one = try work(Array(frames[..<1]))
    let all = try work(frames)
    #expect(all.work > 5 * one.work)
    // Two pictures, and the output.
    #expect(all.peakByteCount < 2 * side * side * 4 + 20_000)
    var budget = ResourceBudget(DecodingLimits(maximumWork: one.work * 3, maximumWorkPerPixel: 1))
    let error = #expect(throws: CodecError.self) {
      try PNGEncoder().encode(animation: frames, loopCount: .infinite, budget: &budget)
    }
    #expect(error?.kind == .limitExceeded)
  }

  @Test func announcedFramesMustArrive() throws {
    var budget = ResourceBudget(.unlimited)
    let frame = AnimationFrame(bitmap: try Bitmap(width: 2, height: 2, format: .rgb8), delay: .zero)
    var encoder = PNGFrameEncoder(frameCount: 2)
    #expect(throws: CodecError.self) { try encoder.finish(budget: &budget) }
    try encoder.append(frame, budget: &budget)
    #expect(throws: CodecError.self) { try encoder.finish(budget: &budget) }
    let other = AnimationFrame(bitmap: try Bitmap(width: 2, height: 2, format: .gray8), delay: .zero)
    #expect(throws: CodecError.self) { try encoder.append(other, budget: &budget) }
    try encoder.append(frame, budget: &budget)
    #expect(throws: CodecError.self) { try encoder.append(frame, budget: &budget) }
    #expect(try !encoder.finish(budget: &budget).isEmpty)
  }

  @Test func delaysAreExactWhereAFractionIs() {
    #expect(DelayFraction(.milliseconds(40)) == DelayFraction(.milliseconds(40)))
    #expect(DelayFraction(.milliseconds(40)).numerator == 40)
    #expect(DelayFraction(.nanoseconds(33_333_333)).denominator == 30)
    #expect(DelayFraction(.seconds(100)).numerator == 10_000)
    #expect(DelayFraction(.seconds(1_000_000)).numerator == 65_535)
    #expect(DelayFraction(.seconds(1_000_000)).denominator == 1)
    #expect(DelayFraction(.seconds(-1)).numerator == 0)
    #expect(DelayFraction(.zero).numerator == 0)
  }
}
