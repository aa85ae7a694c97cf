import ImageCoding
import PNGCodec
import TestSupport
import Testing

/// An APNG put together by hand, and what it must show by a compositor that keeps whole canvases.
struct TestAnimation {
  struct Frame {
    var x, y, width, height: Int
    var disposal, blend: Int
    /// RGBA, row by row.
    var pixels: [UInt8]
  }

  let width: Int
  let height: Int
  var frames: [Frame]
  var hidesDefaultImage = false

  init(width: Int, height: Int, frameCount: Int, seed: UInt64) {
    self.width = width
    self.height = height
    var random = TestRandom(seed)
    frames = []
    for index in 0..<frameCount {
      let w = index == 0 ? width : Int.random(in: 1...width, using: &random)
      let h = index == 0 ? height : Int.random(in: 1...height, using: &random)
      let pixels = (0..<w * h).flatMap { _ -> [UInt8] in
        let alpha = [UInt8(0), 255, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
        return (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) } + [alpha]
      }
      frames.append(
        Frame(
          x: Int.random(in: 0...width - w, using: &random), y: Int.random(in: 0...height - h, using: &random), width: w,
          height: h, disposal: Int.random(in: 0...2, using: &random), blend: Int.random(in: 0...1, using: &random),
          pixels: pixels))
    }
  }

  var bytes: [UInt8] {
    var sequence = 0
    func number() -> [UInt8] {
      defer { sequence += 1 }
      return bigEndian(sequence)
    }
    func stream(_ frame: Frame) -> [UInt8] {
      var rows: [UInt8] = []
      for y in 0..<frame.height {
        rows.append(0)
        rows += frame.pixels[y * frame.width * 4..<(y + 1) * frame.width * 4]
      }
      return zlib(rows)
    }
    var chunks: [(String, [UInt8])] = [
      ("IHDR", bigEndian(width) + bigEndian(height) + [8, 6, 0, 0, 0]),
      ("acTL", bigEndian(frames.count) + bigEndian(0)),
    ]
    if hidesDefaultImage {
      let hidden = Frame(
        x: 0, y: 0, width: width, height: height, disposal: 0, blend: 0,
        pixels: [UInt8](repeating: 99, count: width * height * 4))
      chunks.append(("IDAT", stream(hidden)))
    }
    for (index, frame) in frames.enumerated() {
      var control = number()
      for value in [frame.width, frame.height, frame.x, frame.y] { control += bigEndian(value) }
      control += bigEndian(index + 1, byteCount: 2) + bigEndian(0, byteCount: 2)
      control += [UInt8(frame.disposal), UInt8(frame.blend)]
      chunks.append(("fcTL", control))
      let data = stream(frame)
      if index == 0, !hidesDefaultImage {
        chunks.append(("IDAT", data))
      } else {
        let half = data.count / 2
        chunks.append(("fdAT", number() + data[..<half]))
        chunks.append(("fdAT", number() + data[half...]))
      }
    }
    chunks.append(("IEND", []))
    return TestPNG.file(chunks)
  }

  /// Every composed picture, RGBA.
  var pictures: [[UInt8]] {
    var canvas = [UInt8](repeating: 0, count: width * height * 4)
    return frames.map { frame in
      let before = canvas
      for y in 0..<frame.height {
        for x in 0..<frame.width {
          let to = ((frame.y + y) * width + frame.x + x) * 4
          let source = Array(frame.pixels[(y * frame.width + x) * 4..<(y * frame.width + x) * 4 + 4])
          let below = Array(canvas[to..<to + 4])
          canvas.replaceSubrange(to..<to + 4, with: frame.blend == 0 ? source : over(source, below))
        }
      }
      let picture = canvas
      switch frame.disposal {
      case 1:
        for y in frame.y..<frame.y + frame.height {
          for byte in (y * width + frame.x) * 4..<(y * width + frame.x + frame.width) * 4 { canvas[byte] = 0 }
        }
      case 2: canvas = before
      default: break
      }
      return picture
    }
  }

  /// Straight-alpha compositing in real numbers, rounded once.
  private func over(_ source: [UInt8], _ below: [UInt8]) -> [UInt8] {
    if source[3] == 0 { return below }
    if below[3] == 0 { return source }
    let a = Double(source[3]) / 255
    let b = Double(below[3]) / 255
    let alpha = a + b * (1 - a)
    let colors = (0..<3).map { UInt8(((Double(source[$0]) * a + Double(below[$0]) * b * (1 - a)) / alpha).rounded()) }
    return colors + [UInt8((alpha * 255).rounded())]
  }
}

@Suite struct AnimationTests {
  private func animation(_ bytes: [UInt8], _ options: DecodingOptions = strict) throws -> any AnimatedImageSource {
    try #require(try PNGDecoder().animation(bytes, options: options))
  }

  /// Exact but for samples whose real value is so close to a half that either neighbour is right.
  private func expectPicture(_ bitmap: Bitmap, _ expected: [UInt8], _ comment: Comment) {
    let pixels = bitmap.packedPixels
    #expect(pixels.count == expected.count, comment)
    let differences = zip(pixels, expected).map { abs(Int($0) - Int($1)) }
    #expect(differences.max() ?? 0 <= 1, comment)
    #expect(differences.filter { $0 != 0 }.count <= expected.count / 500, comment)
  }

  @Test(arguments: [false, true], [1, 2, 3, 4, 5, 6, 7, 8])
  func everyOrderOfAccessGivesTheSamePictures(hidesDefaultImage: Bool, seed: Int) throws {
    var test = TestAnimation(width: 9, height: 7, frameCount: 14, seed: UInt64(seed))
    test.hidesDefaultImage = hidesDefaultImage
    let source = try animation(test.bytes)
    let pictures = test.pictures
    #expect(source.frameCount == 14)
    var random = TestRandom(UInt64(seed))
    var sequential: [Bitmap] = []
    for index in 0..<14 {
      let frame = try source.frame(at: index)
      expectPicture(frame, pictures[index], "frame \(index)")
      sequential.append(frame)
      #expect(source.frameInfo(at: index).storedDelay == .milliseconds((index + 1) * 10))
    }
    for index in (0..<14).reversed() { #expect(try source.frame(at: index) == sequential[index]) }
    for _ in 0..<40 {
      let index = Int.random(in: 0..<14, using: &random)
      if random.next() % 5 == 0 { (source as? ComposedAnimation)?.purgeCache() }
      #expect(try source.frame(at: index) == sequential[index])
    }
    var cursor = source.makeCursor()
    for _ in 0..<2 {
      var index = 0
      while let frame = try cursor.next() {
        #expect(frame == sequential[index], "cursor at \(index)")
        index += 1
      }
      #expect(index == 14)
      cursor.reset()
    }
  }

  @Test func theDefaultImageIsWhatAStillDecoderShows() throws {
    var test = TestAnimation(width: 4, height: 4, frameCount: 3, seed: 5)
    test.hidesDefaultImage = true
    let image = try decode(test.bytes, strict)
    #expect(image.bitmap.packedPixels.allSatisfy { $0 == 99 })
    #expect(image.info.frameCount == 3)
    #expect(image.info.loopCount == .infinite)
    let info = try PNGDecoder().info(test.bytes.span, options: InfoOptions(indexesFrames: true))
    #expect(info.duration == .milliseconds(60))
  }

  @Test func sessionsCountFrames() throws {
    let bytes = TestAnimation(width: 4, height: 4, frameCount: 5, seed: 5).bytes
    let session = PNGDecoder().makeSession(options: strict)
    var counts: [Int] = []
    for index in bytes.indices {
      let count = try session.append(bytes.span.extracting(index..<index + 1)).completedFrameCount
      if counts.last != count { counts.append(count) }
    }
    #expect(counts == [0, 1, 2, 3, 4, 5])
  }

  @Test func everyPrefixGivesTheFramesItHolds() throws {
    let test = TestAnimation(width: 6, height: 5, frameCount: 5, seed: 21)
    let bytes = test.bytes
    let pictures = test.pictures
    for count in stride(from: 0, to: bytes.count, by: 3) {
      let prefix = Array(bytes[..<count])
      guard let source = try? PNGDecoder().animation(prefix, options: DecodingOptions()) else { continue }
      for index in 0..<source.frameCount {
        guard let frame = try? source.frame(at: index) else { continue }
        if index + 1 < source.frameCount { expectPicture(frame, pictures[index], "frame \(index) of \(count) bytes") }
      }
    }
  }

  @Test func damagedFramesLookTheSameInAnyOrder() throws {
    let bytes = TestAnimation(width: 5, height: 40, frameCount: 6, seed: 13).bytes
    for cut in stride(from: bytes.count / 3, to: bytes.count, by: 17) {
      guard let source = try? animation(Array(bytes[..<cut]), DecodingOptions()) else { continue }
      var cursor = source.makeCursor()
      for index in 0..<source.frameCount {
        let played = try cursor.next()
        (source as? ComposedAnimation)?.purgeCache()
        let sought = try source.frame(at: index)
        #expect(played == sought, "frame \(index) of \(cut) bytes")
      }
    }
  }

  /// The first frame is in IDAT, the others are in two fdAT each, of which the first one is damaged.
  @Test func damagedFramesHaveDiagnostics() throws {
    let bytes = TestAnimation(width: 5, height: 12, frameCount: 5, seed: 13).bytes
    let intact = try animation(bytes, DecodingOptions())
    for index in 0..<5 { #expect(try intact.diagnostics(ofFrameAt: index) == []) }
    let parts = bytes.indices.filter { bytes[$0...].starts(with: Array("fdAT".utf8)) }
    #expect(parts.count == 8)
    for damaged in [[1], [2, 4], [3]] {
      var file = bytes
      // The header of the zlib stream follows the sequence number.
      for frame in damaged { file[parts[frame * 2 - 2] + 8] = 0xFF }
      let source = try animation(file, DecodingOptions())
      var cursor = source.makeCursor()
      for index in 0..<5 {
        _ = try cursor.next()
        let diagnostics = cursor.diagnostics
        #expect(try source.diagnostics(ofFrameAt: index) == diagnostics)
        #expect(diagnostics.map(\.frame) == (damaged.contains(index) ? [index] : []))
        #expect(diagnostics.allSatisfy { $0.severity == .damage && $0.byteOffset != nil })
      }
      #expect(throws: CodecError.self) { try self.animation(file).frame(at: damaged[0]) }
    }
    // The last frame ends early.
    let cut = try animation(Array(bytes[..<(parts[7] + 10)]), DecodingOptions())
    let counts = try (0..<5).map { try cut.diagnostics(ofFrameAt: $0).count }
    #expect(counts == [0, 0, 0, 0, 1])
  }

  @Test func noFlippedBitTraps() {
    let bytes = TestAnimation(width: 4, height: 3, frameCount: 3, seed: 2).bytes
    let limits = DecodingLimits(maximumPixelCount: 10_000)
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      for tolerance in [DecodingOptions.Tolerance.lenient, .strict] {
        let options = DecodingOptions(tolerance: tolerance, limits: limits)
        guard let source = try? PNGDecoder().animation(damaged, options: options) else { continue }
        for index in 0..<source.frameCount { _ = try? source.frame(at: index) }
      }
    }
  }

  @Test func frameCountsAreLimited() throws {
    let bytes = TestAnimation(width: 2, height: 2, frameCount: 6, seed: 1).bytes
    #expect(try animation(bytes, DecodingOptions(limits: DecodingLimits(maximumFrameCount: 6))).frameCount == 6)
    #expect(throws: CodecError.self) {
      try animation(bytes, DecodingOptions(limits: DecodingLimits(maximumFrameCount: 5)))
    }
  }

  @Test func stillImagesHaveNoAnimation() throws {
    let png = TestPNG(width: 2, height: 2, colorType: 0, bitDepth: 8)
    #expect(try PNGDecoder().animation(png.bytes, options: strict) == nil)
  }
}
