// Key frames of videos, by index and by time.

import ISOMediaCodec
import ImageCoding
import PixelPlanes
import Testing

@Suite struct KeyFrameTests {
  private let decoder = ISOMediaDecoder(pictureDecoders: [PatternDecoder()])

  private func samples(_ count: Int) -> [[UInt8]] {
    (0..<count).map { PatternDecoder.picture(16, 12, seed: $0 + 1) }
  }

  private func times(_ movie: MovieBuilder, _ tolerance: DecodingOptions.Tolerance = .strict) throws -> [Int] {
    var budget = ResourceBudget(DecodingLimits.default)
    let times = try #require(try decoder.keyFrameTimes(movie.file.span, tolerance: tolerance, budget: &budget))
    #expect(budget.heldByteCount == times.count * MemoryLayout<Duration>.stride)
    return times.map { Int($0 / .milliseconds(1)) }
  }

  private func seed(_ file: [UInt8], _ keyFrame: DecodingOptions.KeyFrame?) throws -> Int {
    let options = DecodingOptions(tolerance: .strict, keyFrame: keyFrame)
    var budget = ResourceBudget(options)
    let picture = try decoder.planes(file.span, options: options, budget: &budget)
    return try #require((1..<20).first { UInt16(PatternDecoder.sample(0, 0, 0, seed: $0)) == picture.luma[0, 0] })
  }

  private func seeds(_ movie: MovieBuilder) throws -> [Int] {
    try (0..<times(movie).count).map { try seed(movie.file, .index($0)) }
  }

  /// Samples of 100 ms each; every third one is a sync sample.
  private func movie(isFragmented: Bool = false) -> MovieBuilder {
    MovieBuilder(samples: samples(8), syncSamples: [1, 4, 7], samplesPerChunk: 3, isFragmented: isFragmented)
  }

  @Test(arguments: [false, true]) func allSyncSamplesAreListed(_ isFragmented: Bool) throws {
    var movie = movie(isFragmented: isFragmented)
    #expect(try times(movie) == [0, 300, 600] && seeds(movie) == [1, 4, 7])
    for (time, seed) in [(-50, 1), (0, 1), (299, 1), (300, 4), (599, 4), (600, 7), (5_000, 7)] {
      #expect(try self.seed(movie.file, .time(.milliseconds(time))) == seed)
    }
    #expect(try seed(movie.file, nil) == 1)
    for index in [-1, 3, .max] {
      let error = #expect(throws: CodecError.self) { try seed(movie.file, .index(index)) }
      #expect(error?.kind == .invalidArgument && error?.reason.contains("the video has 3") == true)
    }
    movie.syncSamples = nil
    #expect(try times(movie) == (0..<8).map { $0 * 100 } && seeds(movie) == Array(1...8))
    // Decoding starts at the first sample, as in videos with gradual refresh.
    movie.syncSamples = []
    #expect(try times(movie) == [0] && seeds(movie) == [1] && seed(movie.file, nil) == 1)
    movie.samples = []
    let error = #expect(throws: CodecError.self) { try times(movie) }
    #expect(error?.kind == .malformed)
  }

  @Test func framesAreInTheOrderInWhichTheyAreShown() throws {
    var movie = movie()
    // The first sample is shown 400 ms later, after the second sync sample.
    movie.compositionOffsets = [(1, 400), (7, 0)]
    #expect(try times(movie) == [300, 400, 600] && seeds(movie) == [4, 1, 7])
    // Times before the start of the media are shifted.
    movie.compositionOffsets = [(3, 0), (5, -400)]
    #expect(try times(movie) == [0, 100, 300] && seeds(movie) == [4, 1, 7])
  }

  @Test(arguments: [false, true]) func editsSelectAndMoveFrames(_ isFragmented: Bool) throws {
    var movie = movie(isFragmented: isFragmented)
    // The start is not shown.
    movie.edits = [(400, 250)]
    #expect(try times(movie) == [50, 350] && seeds(movie) == [4, 7] && seed(movie.file, nil) == 4)
    // A delay, and an end before the last frame.
    movie.edits = [(1_000, -1), (600, 0)]
    #expect(try times(movie) == [1_000, 1_300] && seeds(movie) == [1, 4])
    // Parts in another order, one of them twice.
    movie.edits = [(200, 600), (301, 0), (100, 300), (0, 500)]
    #expect(try times(movie) == [0, 200, 500, 501, 701] && seeds(movie) == [7, 1, 4, 4, 7])
    // Nothing that is shown is a key frame.
    movie.edits = [(100, 650)]
    #expect(try times(movie) == [0] && seeds(movie) == [7])
  }

  @Test(arguments: [false, true]) func missingSamplesAreLeftOutUnlessDecodingIsStrict(_ isFragmented: Bool) throws {
    let file = movie(isFragmented: isFragmented).file
    for count in 0..<file.count {
      let part = Array(file.prefix(count))
      var budget = ResourceBudget(DecodingLimits.default)
      if let times = try? decoder.keyFrameTimes(part.span, tolerance: .lenient, budget: &budget) {
        #expect(times.count <= 3)
      }
      do throws(CodecError) {
        _ = try decoder.keyFrameTimes(part.span, tolerance: .strict, budget: &budget)
        #expect(isFragmented, "the prefix of \(count) bytes lacks samples")
      } catch {
        guard error.kind == .truncated, error.neededByteCount != nil else { continue }
        // The header of another box may follow the last one.
        #expect(error.neededByteCount.map { $0 > count && $0 <= file.count + 8 } == true)
      }
    }
  }

  @Test func emptyEditsDelayTheFirstFrame() throws {
    var movie = movie()
    movie.edits = Array(repeating: (10, -1), count: 40) + [(500, 250)]
    #expect(try times(movie) == [450, 750] && seeds(movie) == [4, 7] && seed(movie.file, nil) == 4)
  }

  @Test func framesAreChargedToTheBudget() throws {
    var movie = movie()
    movie.edits = Array(repeating: (0, 0), count: 2_000)
    let file = movie.file
    #expect(try times(movie).count == 6_000)
    for limits in [DecodingLimits(maximumByteCount: 40_000), DecodingLimits(maximumWork: 400_000)] {
      let error = #expect(throws: CodecError.self) {
        var budget = ResourceBudget(limits)
        _ = try decoder.keyFrameTimes(file.span, tolerance: .strict, budget: &budget)
      }
      #expect(error?.kind == .limitExceeded)
    }
  }

  @Test func onlyVideosHaveKeyFrames() throws {
    let still = ISOBuilder.patternGrid(rows: 1, columns: 2, tile: (16, 16), size: (32, 16))
    var budget = ResourceBudget(DecodingLimits.default)
    #expect(try decoder.keyFrameTimes(still.span, tolerance: .strict, budget: &budget) == nil)
    let error = #expect(throws: CodecError.self) {
      try decoder.decode(still.span, options: DecodingOptions(keyFrame: .index(0)))
    }
    #expect(error?.kind == .invalidArgument && error?.reason.contains("no key frames") == true)
  }

  @Test func theCleanApertureIsShown() throws {
    var movie = movie()
    func fraction(_ value: Int, _ divisor: Int = 1) -> [UInt8] { ISOBuilder.big(value, 4) + ISOBuilder.big(divisor, 4) }
    let whole = try decoder.decode(movie.file.span).bitmap
    // Ten columns in the middle, moved to the right by one and a half; all rows but the last two.
    movie.properties = ISOBuilder.box("clap", fraction(10) + fraction(10) + fraction(3, 2) + fraction(-1))
    movie.matrix = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x4000_0000]
    let stored = try decoder.decode(movie.file.span, options: DecodingOptions(orientation: .report)).bitmap
    #expect(try stored.packedPixels == whole.cropped(to: PixelRegion(x: 4, y: 0, width: 10, height: 10)).packedPixels)
    #expect(try decoder.info(movie.file).size == PixelSize(width: 10, height: 10))
    let upright = try decoder.decode(movie.file.span).bitmap
    #expect(upright.packedPixels == stored.rotated(byQuarterTurns: 1).packedPixels)
    let region = PixelRegion(x: 2, y: 3, width: 4, height: 5)
    let part = try decoder.decode(movie.file.span, options: DecodingOptions(region: region)).bitmap
    #expect(try part == upright.cropped(to: region))
  }
}
