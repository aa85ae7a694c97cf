import GIFCodec
import ImageCoding
import TestSupport
import Testing

@Suite struct AnimationTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  func everyOrderOfAccessGivesTheSamePictures(seed: Int) throws {
    let test = TestGIF(width: 9, height: 7, frameCount: 16, seed: UInt64(seed))
    let source = try #require(try openAnimation(test.bytes) as? ComposedAnimation)
    let pictures = test.pictures
    #expect(source.frameCount == 16)
    var random = TestRandom(UInt64(seed))
    for policy in [FrameCachePolicy.minimal, .byteCount(5 * 9 * 7 * 4), .maximumSeekCost(3)] {
      let cached = source.caching(policy)
      for index in 0..<16 {
        expectSame(try cached.frame(at: index).packedPixels, pictures[index], "frame \(index)")
        #expect(cached.frameInfo(at: index).storedDelay == .milliseconds((index + 1) * 10))
      }
      for index in (0..<16).reversed() { expectSame(try cached.frame(at: index).packedPixels, pictures[index]) }
      for _ in 0..<60 {
        let index = Int.random(in: 0..<16, using: &random)
        if random.next() % 5 == 0 { cached.purgeCache() }
        expectSame(try cached.frame(at: index).packedPixels, pictures[index], "frame \(index)")
      }
    }
    var cursor = source.makeCursor()
    for _ in 0..<2 {
      var index = 0
      while let frame = try cursor.next() {
        expectSame(frame.packedPixels, pictures[index], "cursor at \(index)")
        index += 1
      }
      #expect(index == 16)
      cursor.reset()
    }
  }

  /// All of them restore what was before, then before that.
  @Test func previousOfPrevious() throws {
    var test = TestGIF(width: 8, height: 8, frameCount: 12, seed: 77)
    for index in 1..<12 { test.frames[index].disposal = [3, 3, 3, 2, 3, 1][index % 6] }
    let source = try openAnimation(test.bytes)
    for index in (0..<12).reversed() { expectSame(try source.frame(at: index).packedPixels, test.pictures[index]) }
  }

  /// As browsers do: a first frame that restores what was before it leaves nothing.
  @Test func theFirstFrameMayRestoreNothing() throws {
    var test = TestGIF(width: 6, height: 6, frameCount: 3, seed: 5)
    test.frames[0].disposal = 3
    let source = try openAnimation(test.bytes)
    expectSame(try source.frame(at: 1).packedPixels, test.pictures[1])
  }

  @Test func manyThreadsSeeTheSame() async throws {
    let test = TestGIF(width: 9, height: 7, frameCount: 16, seed: 8)
    let source = try openAnimation(test.bytes)
    let pictures = test.pictures
    let areSame = await withTaskGroup(of: Bool.self) { group in
      for task in 0..<16 {
        group.addTask {
          (0..<40).allSatisfy {
            (try? source.frame(at: ($0 * 7 + task) % 16).packedPixels) == pictures[($0 * 7 + task) % 16]
          }
        }
      }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(areSame)
  }

  @Test func browsersShowShortDelaysLonger() throws {
    var test = TestGIF(width: 2, height: 2, frameCount: 4, seed: 1)
    for (index, delay) in [0, 1, 2, 300].enumerated() { test.frames[index].delay = delay }
    let source = try openAnimation(test.bytes)
    let infos = (0..<4).map { source.frameInfo(at: $0) }
    #expect(infos.map { $0.displayDuration(rule: .browser) } == [100, 100, 20, 3000].map { .milliseconds($0) })
    #expect(infos.map { $0.displayDuration(rule: .raw) } == [0, 10, 20, 3000].map { .milliseconds($0) })
  }

  /// Images without a delay are separate frames, as in browsers, not parts of one picture.
  @Test func imagesWithoutDelayAreFrames() throws {
    var test = TestGIF(width: 4, height: 4, frameCount: 5, seed: 2)
    for index in test.frames.indices { test.frames[index].hasControl = false }
    let source = try openAnimation(test.bytes)
    #expect(source.frameCount == 5)
  }

  @Test func stillImagesHaveNoAnimation() throws {
    var test = TestGIF(width: 4, height: 4)
    #expect(try GIFDecoder().animation(test.bytes, options: strict) == nil)
    // Even when they are to be repeated.
    test.extensions = TestGIF.loopCount(0)
    #expect(try GIFDecoder().animation(test.bytes, options: strict) == nil)
    #expect(try decode(test.bytes).info.loopCount == nil)
  }

  @Test func frameCountsAreLimited() throws {
    let bytes = TestGIF(width: 2, height: 2, frameCount: 6, seed: 1).bytes
    let enough = DecodingOptions(limits: DecodingLimits(maximumFrameCount: 6))
    #expect(try openAnimation(bytes, enough).frameCount == 6)
    let few = DecodingOptions(limits: DecodingLimits(maximumFrameCount: 5))
    let error = #expect(throws: CodecError.self) { try GIFDecoder().animation(bytes, options: few) }
    #expect(error?.kind == .limitExceeded)
    // The still image is there all the same.
    #expect(try decode(bytes, few).isComplete)
  }
}

@Suite struct FrameCacheTests {
  /// Counts drawings.
  private static func drawings(_ policy: FrameCachePolicy, frameCount: Int) throws -> (
    source: ComposedAnimation, test: TestGIF
  ) {
    var test = TestGIF(width: 10, height: 10, frameCount: frameCount, seed: 4)
    for index in test.frames.indices {
      test.frames[index].disposal = 1
      test.frames[index].transparentIndex = 0
    }
    let source = try #require(try openAnimation(test.bytes) as? ComposedAnimation)
    return (source.caching(policy), test)
  }

  @Test func thePlainCacheHoldsTwoCanvases() throws {
    let (source, _) = try Self.drawings(.minimal, frameCount: 60)
    #expect(source.maximumSeekCost == nil)
    for index in Array(0..<60) + [7, 50, 3] {
      _ = try source.frame(at: index)
      #expect(source.cachedByteCount <= 2 * 400)
    }
    source.purgeCache()
    #expect(source.cachedByteCount == 0)
  }

  @Test(arguments: [3, 4, 7, 20, 1000])
  func bytesAreNeverExceeded(canvasCount: Int) throws {
    let (source, test) = try Self.drawings(.byteCount(canvasCount * 400 + 399), frameCount: 60)
    var random = TestRandom(3)
    for index in Array(0..<60) + (0..<60).map({ _ in Int.random(in: 0..<60, using: &random) }) {
      expectSame(try source.frame(at: index).packedPixels, test.pictures[index])
      #expect(source.cachedByteCount <= canvasCount * 400)
    }
    #expect(source.maximumSeekCost == (60 + canvasCount - 3) / (canvasCount - 2))
  }
}
