// The first picture of movies, and image sequences as animations.

import ISOMediaCodec
import ImageCoding
import JPEGCodec
import PixelPlanes
import Testing

@Suite struct MovieTests {
  private let decoder = ISOMediaDecoder(pictureDecoders: [PatternDecoder()])

  private func samples(_ count: Int, width: Int = 16, height: Int = 12) -> [[UInt8]] {
    (0..<count).map { PatternDecoder.picture(width, height, seed: $0 + 1) }
  }

  private func seed(_ movie: MovieBuilder) throws -> Int {
    let options = DecodingOptions()
    var budget = ResourceBudget(options)
    let picture = try decoder.planes(movie.file.span, options: options, budget: &budget)
    return try #require((1..<20).first { UInt16(PatternDecoder.sample(0, 0, 0, seed: $0)) == picture.luma[0, 0] })
  }

  /// Sync samples, composition offsets, edits, and which picture is then the first one.
  @Test func theFirstSyncSampleIsShown() throws {
    var movie = MovieBuilder(samples: samples(7))
    #expect(try seed(movie) == 1)
    movie.syncSamples = [3, 6]
    #expect(try seed(movie) == 3)
    movie.samplesPerChunk = 3
    #expect(try seed(movie) == 3)
    movie.edits = [(500, -1), (400, 200)]
    #expect(try seed(movie) == 3)
    movie.edits = [(400, 201)]
    #expect(try seed(movie) == 6)
    // Nothing follows: the last one is better than none.
    movie.edits = [(400, 2000)]
    #expect(try seed(movie) == 6)
    movie.edits = [(400, 500)]
    movie.compositionOffsets = [(3, 300), (4, -100)]
    #expect(try seed(movie) == 3)
    movie.compositionOffsets = []
    movie.durations = [(1, 400), (6, 50)]
    #expect(try seed(movie) == 6)
    movie.isDataFirst = true
    #expect(try seed(movie) == 6)
  }

  @Test func fragmentsAreSearched() throws {
    var movie = MovieBuilder(brand: "iso5", samples: samples(4), isFragmented: true)
    #expect(try seed(movie) == 1)
    movie.syncSamples = [3, 4]
    #expect(try seed(movie) == 3)
    let file = movie.file
    // Without an entry point, a file that ends after a fragment shows the first sample.
    var boxes = file.indices.filter { file[$0...].starts(with: Array("moof".utf8)) }.map { $0 - 4 }
    boxes += file.indices.filter { file[$0...].starts(with: Array("mdat".utf8)) }.map { $0 - 4 }
    let whole = try decoder.decode(file.span).bitmap
    // A prefix either shows the same picture or states how much more is needed.
    for count in 30..<file.count where !boxes.contains(count) {
      do {
        #expect(try decoder.decode(Array(file.prefix(count)).span, options: .init(tolerance: .strict)).bitmap == whole)
        #expect(count > file.count * 2 / 3)
      } catch let error {
        guard error.kind == .truncated else { continue }
        #expect(error.neededByteCount.map { $0 > count && $0 <= file.count } == true)
      }
    }
    movie.syncSamples = []
    #expect(try seed(movie) == 1)
  }

  @Test func rotationShapeAndColourAreThoseOfTheTrack() throws {
    var movie = MovieBuilder(samples: samples(2))
    movie.matrix = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x4000_0000]
    movie.properties =
      ISOBuilder.box("pasp", ISOBuilder.big(4, 4) + ISOBuilder.big(3, 4))
      + ISOBuilder.box("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0x80])
    let image = try decoder.decode(movie.file.span)
    #expect(image.bitmap.pixelSize == PixelSize(width: 12, height: 16) && image.bitmap.orientation == .up)
    #expect(image.bitmap.colorSpace.codePoints?.transferFunction == 16)
    #expect(image.details.metadata.density == .init(x: 3, y: 4, unit: .aspectRatio))
    let stored = try decoder.decode(movie.file.span, options: DecodingOptions(orientation: .report)).bitmap
    #expect(stored.orientation == .right && stored.pixelSize == PixelSize(width: 16, height: 12))
    #expect(try decoder.info(movie.file).frameCount == 2)
    let region = PixelRegion(x: 2, y: 3, width: 5, height: 7)
    let part = try decoder.decode(movie.file.span, options: DecodingOptions(region: region)).bitmap
    #expect(try part == image.bitmap.cropped(to: region))
    // The same samples without the box have another matrix.
    let plain = try decoder.decode(MovieBuilder(samples: samples(2)).file.span).bitmap
    #expect(plain != stored)
  }

  /// The matrix that is used where neither the track nor the bitstream states one.
  @Test(arguments: [(719, "vide", false), (720, "vide", true), (720, "pict", false)])
  func theMatrixOfLargeVideosIsThatOfHighDefinition(_ height: Int, _ handler: String, _ isHighDefinition: Bool) throws {
    var movie = MovieBuilder(handler: handler, size: (16, height), samples: samples(1, height: height))
    func matrix(_ coding: PlanarPicture.Coding) throws -> MatrixCoefficients {
      let decoder = ISOMediaDecoder(pictureDecoders: [PatternDecoder(coding: coding)])
      let options = DecodingOptions()
      var budget = ResourceBudget(options)
      return try decoder.planes(movie.file.span, options: options, budget: &budget).coding.matrix
    }
    var coding = PlanarPicture.Coding.jfif
    coding.matrix = .unspecified
    #expect(try matrix(coding) == (isHighDefinition ? .bt709 : .unspecified))
    coding.matrix = .bt601
    #expect(try matrix(coding) == .bt601)
    coding.matrix = .unspecified
    movie.properties = ISOBuilder.box("colr", Array("nclx".utf8) + [0, 2, 0, 2, 0, 9, 0])
    #expect(try matrix(coding) == .bt2020)
  }

  @Test func motionJPEGIsDecodedAndOtherCodingsAreNamed() throws {
    let jpeg = ISOMediaDecoder(jpegDecoder: JPEGDecoder())
    let movie = MovieBuilder(brand: "qt  ", coding: "jpeg", size: (8, 8), samples: [HEIFCostTests.blackJPEG])
    #expect(try jpeg.decode(movie.file.span).bitmap[3, 3].red == 128)
    for (decoder, reason) in [
      (ISOMediaDecoder(), "'hvc1' are identified but not decoded"),
      (ISOMediaDecoder(traitsOfMissingCodings: ["hvc1": "HEVC"]), "'hvc1' need the package trait HEVC"),
    ] {
      let error = #expect(throws: CodecError.self) { try decoder.decode(MovieBuilder(samples: samples(1)).file.span) }
      #expect(error?.kind == .unsupported && error?.reason.contains(reason) == true)
      let still = ISOBuilder.patternGrid(rows: 1, columns: 2, tile: (16, 16), size: (32, 16))
      let stillError = #expect(throws: CodecError.self) { try decoder.decode(still.span) }
      #expect(stillError?.kind == .unsupported)
    }
  }

  @Test func aMovieBoxAtTheEndNeedsMoreBytes() throws {
    let file = MovieBuilder(samples: samples(3), isDataFirst: true).file
    for count in stride(from: 24, to: file.count, by: 1) {
      let error = #expect(throws: CodecError.self) {
        try decoder.decode(Array(file.prefix(count)).span, options: DecodingOptions(tolerance: .strict))
      }
      #expect(error?.kind == .truncated && (error?.neededByteCount ?? 0) > count)
    }
  }

  /// The frame is shown as soon as it is complete, however the input is divided.
  @Test(arguments: [false, true]) func sessionsShowTheFirstFrame(_ isFragmented: Bool) throws {
    let movie = MovieBuilder(brand: "iso5", samples: samples(3), syncSamples: [2], isFragmented: isFragmented)
    let file = movie.file
    let whole = try decoder.decode(file.span).bitmap
    let frame = try #require(movie.samples.dropFirst().first)
    let end = try #require((0..<file.count).first { file.prefix($0).suffix(frame.count) == frame[...] })
    for partSize in [1, 7, file.count] {
      let session = decoder.makeSession(options: DecodingOptions())
      for start in stride(from: 0, to: file.count, by: partSize) {
        let count = min(start + partSize, file.count)
        let progress = try session.append(Array(file[start..<count]).span)
        #expect(progress.completedScanCount == (count >= end ? 1 : 0) || isFragmented && count < file.count)
        #expect(session.makePreview() == (progress.completedScanCount == 1 ? whole : nil))
      }
      #expect(try session.finish().bitmap == whole)
    }
  }

  @Test func sessionsShowNothingOfAMovieBoxAtTheEnd() throws {
    let file = MovieBuilder(samples: samples(3), isDataFirst: true).file
    let session = decoder.makeSession(options: DecodingOptions())
    for byte in file.dropLast() {
      #expect(try session.append([byte].span).completedScanCount == 0)
      #expect(session.makePreview() == nil)
    }
  }

  // MARK: Image sequences

  private var sequence: MovieBuilder {
    MovieBuilder(
      brand: "hevc", compatible: ["msf1"], handler: "pict", samples: samples(5), samplesPerChunk: 2,
      durations: [(2, 100), (3, 40)])
  }

  @Test func sequencesAreAnimations() throws {
    var sequence = sequence
    sequence.matrix = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x4000_0000]
    let animation = try #require(try decoder.animation(sequence.file))
    #expect(animation.frameCount == 5 && animation.canvasSize == PixelSize(width: 12, height: 16))
    #expect(animation.loopCount == .finite(1))
    #expect(
      (0..<5).map { animation.frameInfo(at: $0).storedDelay } == [100, 100, 40, 40, 40].map { .milliseconds($0) })
    for index in [4, 0, 2] {
      var still = sequence
      still.samples = [sequence.samples[index]]
      let picture = try decoder.decode(still.file.span, options: DecodingOptions(pixelFormat: .rgba8)).bitmap
      let frame = try animation.frame(at: index)
      #expect(frame.packedPixels == picture.packedPixels)
    }
    // Without a still image, the first frame is the picture.
    let picture = try decoder.decode(sequence.file.span, options: DecodingOptions(pixelFormat: .rgba8)).bitmap
    #expect(try picture.packedPixels == animation.frame(at: 0).packedPixels)
    sequence.repeats = true
    #expect(try decoder.animation(sequence.file)?.loopCount == .infinite)
    #expect(try decoder.animation(MovieBuilder(samples: samples(2)).file) == nil)
  }

  @Test func sequencesHaveAlpha() throws {
    var sequence = sequence
    sequence.alpha = samples(5).reversed()
    let animation = try #require(try decoder.animation(sequence.file))
    for index in 0..<5 {
      let alpha = try animation.frame(at: index)[7, 5].alpha
      #expect(alpha == PatternDecoder.sample(0, 7, 5, seed: 5 - index))
    }
  }

  @Test func damagedSequencesAreErrors() throws {
    let file = sequence.file
    #expect(try decoder.animation(file.dropLast(8))?.frameCount == 3)
    #expect(throws: CodecError.self) { try decoder.animation(file.dropLast(8), options: .init(tolerance: .strict)) }
    var wrong = sequence
    wrong.samples[3] = PatternDecoder.picture(18, 12)
    let animation = try #require(try decoder.animation(wrong.file))
    _ = try animation.frame(at: 2)
    let error = #expect(throws: CodecError.self) { try animation.frame(at: 3) }
    #expect(error?.kind == .malformed)
    let unsupported = #expect(throws: CodecError.self) { try ISOMediaDecoder().animation(file) }
    #expect(unsupported?.kind == .unsupported)
  }

  @Test(arguments: [false, true]) func everyPrefixAndFlippedBit(_ isFragmented: Bool) throws {
    var movie = sequence
    movie.isFragmented = isFragmented
    movie.edits = [(100, 0)]
    let file = movie.file
    func tryAll(_ bytes: [UInt8]) {
      _ = try? decoder.decode(bytes.span)
      _ = try? decoder.info(bytes, options: InfoOptions(indexesFrames: true))
      var budget = ResourceBudget(DecodingLimits.default)
      _ = try? decoder.keyFrameTimes(bytes.span, tolerance: .lenient, budget: &budget)
      guard let animation = try? decoder.animation(bytes) else { return }
      for index in 0..<min(animation.frameCount, 6) { _ = try? animation.frame(at: index) }
    }
    for count in 0..<file.count { tryAll(Array(file.prefix(count))) }
    for bit in 0..<file.count * 8 {
      var bytes = file
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      tryAll(bytes)
    }
  }

  @Test func tablesThatPromiseTooMuchAreLimited() throws {
    // 2³² - 1 samples of one byte each.
    var file = sequence.file
    let sizes = try #require(file.indices.first { file[$0...].starts(with: Array("stsz".utf8)) })
    file.replaceSubrange(sizes + 8..<sizes + 16, with: [0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF])
    // The chunks have five. Memory for no more than the largest number of frames is charged.
    let animation = try #require(try decoder.animation(file))
    #expect(animation.frameCount == 5)
    let limits = DecodingLimits(maximumByteCount: 64 << 10, maximumFrameCount: 1_000)
    #expect(try decoder.animation(file, options: DecodingOptions(limits: limits))?.frameCount == 5)
    let small = DecodingLimits(maximumByteCount: 8 << 10, maximumFrameCount: 1_000)
    let error = #expect(throws: CodecError.self) {
      try decoder.animation(file, options: DecodingOptions(limits: small))
    }
    #expect(error?.kind == .limitExceeded)
    _ = try? decoder.decode(file.span)
  }

  @Test func framesAreLimited() throws {
    var sequence = sequence
    sequence.alpha = samples(5)
    for limit in [1, 3, 4, 5, 6] {
      let options = DecodingOptions(limits: DecodingLimits(maximumFrameCount: limit))
      let animation = try #require(try decoder.animation(sequence.file, options: options))
      #expect(animation.frameCount == min(limit, 5))
      let last = animation.frameCount - 1
      #expect(try animation.frame(at: last) == decoder.animation(sequence.file)?.frame(at: last))
    }
  }

  /// All frames share the configuration record, and so does each track of alpha.
  @Test func theConfigurationOfATrackIsReadOnce() throws {
    let log = PatternDecoder.ConfigurationLog()
    var sequence = sequence
    sequence.properties = ISOBuilder.box("hvcC", [UInt8](repeating: 1, count: 5_000))
    sequence.alpha = samples(5)
    let animation = try #require(
      try ISOMediaDecoder(pictureDecoders: [PatternDecoder(log: log)]).animation(sequence.file))
    for index in 0..<5 { _ = try animation.frame(at: index) }
    #expect(log.byteCounts == [5_000, 0])
  }

  // MARK: Metadata

  @Test func strippedSequencesHaveTheSameFrames() throws {
    let still = ISOBuilder.patternGrid(rows: 1, columns: 2, tile: (16, 16), size: (32, 16))
    var movie = sequence
    movie.brand = "heic"
    movie.alpha = samples(5)
    movie.extra = ISOBuilder.box("udta", Array("SECRET".utf8)) + ISOBuilder.box("meta", Array("SECRET".utf8))
    // The movie comes first; the positions of the still image's data move.
    let moved = movie.file
    func boxes(_ file: [UInt8]) -> [[UInt8]] {
      var (rest, result) = (file[...], [[UInt8]]())
      while rest.count >= 8 {
        let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        result.append(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      return result
    }
    let parts = boxes(still)
    let type = ISOBuilder.fileType("heic", ["msf1", "hevc"])
    var meta = parts[1]
    let shift = type.count + moved.count - boxes(moved)[0].count - parts[0].count
    let start = try #require(meta.indices.first { meta[$0...].starts(with: Array("iloc".utf8)) }) + 12
    for item in 0..<3 {
      let at = start + item * 14 + 6
      let offset = meta[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      meta.replaceSubrange(at..<at + 4, with: ISOBuilder.big(offset + shift, 4))
    }
    // Chunk positions are those of a file whose type box has another size.
    var body = boxes(moved).dropFirst().flatMap { $0 }
    let difference = type.count - boxes(moved)[0].count
    for at in body.indices.dropLast(8) where body[at...].starts(with: Array("co64".utf8)) {
      let count = body[at + 8..<at + 12].reduce(0) { $0 << 8 | Int($1) }
      for chunk in 0..<count {
        let place = at + 12 + chunk * 8
        let offset = body[place..<place + 8].reduce(0) { $0 << 8 | Int($1) }
        body.replaceSubrange(place..<place + 8, with: ISOBuilder.big(offset + difference, 8))
      }
    }
    let file = type + body + meta + parts[2]
    let stripped = try ISOMediaMetadataRewriter(keepsUnknownParts: false).rewrite(
      file.span, metadata: ImageMetadata())
    #expect(!stripped.indices.contains { stripped[$0...].starts(with: Array("SECRET".utf8)) })
    #expect(!stripped.indices.contains { stripped[$0...].starts(with: Array("Handler".utf8)) })
    #expect(try decoder.decode(stripped.span).bitmap == decoder.decode(file.span).bitmap)
    let animations = (try #require(try decoder.animation(file)), try #require(try decoder.animation(stripped)))
    #expect(animations.1.frameCount == 5)
    for index in 0..<5 { #expect(try animations.0.frame(at: index) == animations.1.frame(at: index)) }
  }
}
