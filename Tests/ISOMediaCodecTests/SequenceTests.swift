// Image sequences with pictures that refer to others: what is listed, what is decoded, and what is an error.

import ISOMediaCodec
import ImageCoding
import PixelPlanes
import Testing

@Suite struct SequenceTests {
  private let decoder = ISOMediaDecoder(pictureDecoders: [PatternDecoder()])

  /// Sync samples at 0 and 4; at 3, a picture without parameter sets that refers to none.
  private var sequence: MovieBuilder {
    MovieBuilder(
      brand: "hevc", compatible: ["msf1"], handler: "pict",
      samples: [
        PatternDecoder.picture(16, 12, seed: 1), PatternDecoder.interCoded, PatternDecoder.repeated,
        PatternDecoder.following(seed: 9), PatternDecoder.picture(16, 12, seed: 5), PatternDecoder.interCoded,
      ], syncSamples: [1, 5], samplesPerChunk: 4, durations: [(2, 100), (4, 40)])
  }

  private func still(_ seed: Int) throws -> [UInt8] {
    let movie = MovieBuilder(samples: [PatternDecoder.picture(16, 12, seed: seed)])
    return try decoder.decode(movie.file.span, options: DecodingOptions(pixelFormat: .rgba8)).bitmap.packedPixels
  }

  @Test(arguments: [DecodingOptions.Tolerance.lenient, .strict])
  func allSamplesAreListedAndIntraCodedOnesDecoded(_ tolerance: DecodingOptions.Tolerance) throws {
    let file = sequence.file
    let options = DecodingOptions(tolerance: tolerance)
    let animation = try #require(try decoder.animation(file, options: options))
    #expect(animation.frameCount == 6)
    #expect(try decoder.info(file, options: InfoOptions(indexesFrames: true)).frameCount == 6)
    #expect(
      (0..<6).map { animation.frameInfo(at: $0).storedDelay } == [100, 100, 40, 40, 40, 40].map { .milliseconds($0) })
    // Forwards and backwards.
    for index in [0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0] {
      if let seed = [0: 1, 3: 9, 4: 5][index] {
        #expect(try animation.frame(at: index).packedPixels == still(seed))
        continue
      }
      let error = #expect(throws: CodecError.self) { try animation.frame(at: index) }
      #expect(error?.kind == .unsupported && error?.format == "public.heic")
      #expect(error?.reason.hasPrefix("frame \(index): inter-coded frames are not supported") == true)
      // The samples are at the end of the file; the decoder finds the error at the second byte of the sample.
      let start = file.count - sequence.samples[index...].reduce(0) { $0 + $1.count }
      #expect(error?.byteOffset == start + (index == 2 ? 0 : 1))
    }
    #expect(
      try decoder.decode(file.span, options: DecodingOptions(pixelFormat: .rgba8)).bitmap.packedPixels == still(1))
  }

  /// A frame that fails counts as drawn, so that a player can go on.
  @Test func playbackContinuesAfterAFrameThatIsNotSupported() throws {
    let animation = try #require(try decoder.animation(sequence.file))
    var cursor = animation.makeCursor()
    var shown: [Int] = []
    for index in 0..<animation.frameCount {
      do {
        if try cursor.next() != nil { shown.append(index) }
      } catch {
        #expect(error.kind == .unsupported)
      }
    }
    #expect(shown == [0, 3, 4] && cursor.nextIndex == 6)
  }

  @Test func damageOfSyncSamplesAndOfTheConfigurationIsNotTakenForInterCoding() throws {
    var damaged = sequence
    damaged.samples[4] = PatternDecoder.picture(16, 12, seed: 0xDEAD)
    let animation = try #require(try decoder.animation(damaged.file))
    let error = #expect(throws: CodecError.self) { try animation.frame(at: 4) }
    #expect(error?.kind == .malformed && error?.reason == "frame 4: the pattern is damaged")
    #expect(error?.byteOffset == damaged.file.count - 8)
    var unconfigured = sequence
    unconfigured.properties = ISOBuilder.box("hvcC", [1])
    let broken = try #require(try decoder.animation(unconfigured.file))
    for index in 0..<6 {
      let error = #expect(throws: CodecError.self) { try broken.frame(at: index) }
      #expect(error?.kind == .malformed && error?.reason == "the record is damaged")
    }
  }

  @Test func damagedFramesHaveDiagnostics() throws {
    var damaged = sequence
    damaged.samples = (1...5).map { PatternDecoder.picture(16, 12, seed: $0) }
    damaged.syncSamples = nil
    let intact = try #require(try decoder.animation(damaged.file))
    for index in 0..<5 { #expect(try intact.diagnostics(ofFrameAt: index) == []) }
    damaged.samples[1] = PatternDecoder.picture(16, 12, seed: PatternDecoder.damagedSeed)
    damaged.samples[4] = damaged.samples[1]
    let file = damaged.file
    let animation = try #require(try decoder.animation(file))
    var cursor = animation.makeCursor()
    for index in 0..<5 {
      _ = try cursor.next()
      let diagnostics = cursor.diagnostics
      #expect(try animation.diagnostics(ofFrameAt: index) == diagnostics)
      let start = file.count - damaged.samples[index...].reduce(0) { $0 + $1.count }
      let expected = ImageDiagnostic(.damage, "a part of the pattern is missing", byteOffset: start, frame: index)
      #expect(diagnostics == (index == 1 || index == 4 ? [expected] : []))
    }
    let strict = try #require(try decoder.animation(file, options: DecodingOptions(tolerance: .strict)))
    #expect(throws: CodecError.self) { try strict.frame(at: 1) }
    #expect(try strict.frame(at: 2).packedPixels == still(3))
  }

  @Test func alphaMayBeInterCodedToo() throws {
    var sequence = sequence
    sequence.samples = (1...3).map { PatternDecoder.picture(16, 12, seed: $0) }
    sequence.syncSamples = [1, 3]
    sequence.alpha = [
      PatternDecoder.picture(16, 12, seed: 4), PatternDecoder.interCoded, PatternDecoder.picture(16, 12, seed: 6),
    ]
    let animation = try #require(try decoder.animation(sequence.file))
    #expect(try animation.frame(at: 2)[7, 5].alpha == PatternDecoder.sample(0, 7, 5, seed: 6))
    let error = #expect(throws: CodecError.self) { try animation.frame(at: 1) }
    #expect(error?.kind == .unsupported && error?.reason.hasPrefix("frame 1:") == true)
  }

  /// The alpha of AV1 is expanded if its bitstream has limited range, whatever the code points of the track say.
  @Test(arguments: [SampleRange.limited, .full]) func alphaOfAV1IsExpanded(_ range: SampleRange) throws {
    let pattern = PatternDecoder(
      sampleEntryTypes: ["av01"], coding: PlanarPicture.Coding(matrix: .bt601, range: range, siting: .center))
    var sequence = sequence
    (sequence.brand, sequence.coding) = ("avis", "av01")
    sequence.samples = [PatternDecoder.picture(16, 12, seed: 1)]
    sequence.syncSamples = nil
    sequence.alpha = [PatternDecoder.picture(16, 12, seed: 4)]
    let animation = try #require(try ISOMediaDecoder(pictureDecoders: [pattern]).animation(sequence.file))
    let frame = try animation.frame(at: 0)
    for (x, y) in [(0, 0), (7, 5), (15, 11)] {
      let coded = PatternDecoder.sample(0, x, y, seed: 4)
      let expanded = UInt8((min(max((Double(coded) - 16) / 219, 0), 1) * 255).rounded())
      #expect(frame[x, y].alpha == (range == .limited ? expanded : coded))
    }
  }

  /// The patterns have full range. QuickTime's code points state none.
  @Test(arguments: [("nclx", [0], SampleRange.limited), ("nclx", [0x80], .full), ("nclc", [], .full)])
  func theRangeIsThatOfTheTrackIfItStatesOne(_ type: String, _ flags: [UInt8], _ range: SampleRange) throws {
    var sequence = sequence
    sequence.properties = ISOBuilder.box("colr", Array(type.utf8) + [0, 2, 0, 2, 0, 2] + flags)
    #expect(try decoder.planes(sequence.file.span, options: DecodingOptions()).coding.range == range)
  }

  @Test func framesAreInTheOrderInWhichTheyAreShown() throws {
    var sequence = sequence
    sequence.samples = (1...4).map { PatternDecoder.picture(16, 12, seed: $0) }
    sequence.syncSamples = nil
    sequence.durations = [(1, 50), (3, 90)]
    sequence.compositionOffsets = [(1, 100), (1, 350), (1, 60), (1, 70)]
    let animation = try #require(try decoder.animation(sequence.file))
    // Decoded at 0, 50, 140 and 230, shown at 100, 400, 200 and 300; the last one for its own duration.
    for (index, seed) in [1, 3, 4, 2].enumerated() {
      #expect(try animation.frame(at: index).packedPixels == still(seed))
    }
    #expect(
      (0..<4).map { animation.frameInfo(at: $0).storedDelay } == [100, 100, 100, 90].map { .milliseconds($0) })
  }

  /// A sample of one byte takes four bytes of the file, and twenty times that in memory.
  @Test func listsOfSamplesAreLimited() throws {
    var sequence = sequence
    let count = 200_000
    sequence.samples = [[UInt8]](repeating: [0], count: count)
    sequence.samplesPerChunk = count
    sequence.durations = [(.max, 100)]
    let file = sequence.file
    func frameCount(_ limits: DecodingLimits) throws -> Int? {
      try decoder.animation(file, options: DecodingOptions(limits: limits))?.frameCount
    }
    #expect(try frameCount(DecodingLimits(maximumByteCount: 64 << 20, maximumFrameCount: .max)) == count)
    #expect(try frameCount(DecodingLimits()) == DecodingLimits().maximumFrameCount)
    let memory = #expect(throws: CodecError.self) {
      try frameCount(DecodingLimits(maximumByteCount: 4 << 20, maximumFrameCount: .max))
    }
    #expect(memory?.limit == .memory)
  }

  // MARK: Damaged still images

  /// A still image with a damaged meta box is not replaced by the sequence in strict decoding.
  @Test func strictDecodingReportsADamagedStillImage() throws {
    let handler = ISOBuilder.fullBox("hdlr", ISOBuilder.big(0, 4) + Array("picx".utf8) + ISOBuilder.big(0, 13))
    let movie = sequence.file
    let file = movie + ISOBuilder.fullBox("meta", handler)
    #expect(
      try decoder.decode(file.span, options: DecodingOptions(pixelFormat: .rgba8)).bitmap.packedPixels == still(1))
    let error = #expect(throws: CodecError.self) {
      try decoder.decode(file.span, options: DecodingOptions(tolerance: .strict))
    }
    #expect(error?.kind == .malformed && error?.byteOffset == movie.count + 28)
    #expect(throws: Never.self) { try decoder.decode(movie.span, options: DecodingOptions(tolerance: .strict)) }
  }
}
