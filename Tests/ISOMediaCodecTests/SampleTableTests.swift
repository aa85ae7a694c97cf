// The tables of samples that few files have: further entry points, several sample entries, compact sizes, fragments whose
// positions follow from those of other tracks.

import ISOMediaCodec
import ImageCoding
import PixelPlanes
import Testing

@Suite struct SampleTableTests {
  private let decoder = ISOMediaDecoder(pictureDecoders: [PatternDecoder(sampleEntryTypes: ["hvc1", "hev1"])])
  private let big = ISOBuilder.big

  private func samples(_ count: Int) -> [[UInt8]] {
    (0..<count).map { PatternDecoder.picture(16, 12, seed: $0 + 1) }
  }

  private func times(_ movie: MovieBuilder) throws -> [Int] {
    var budget = ResourceBudget(DecodingLimits.default)
    let times = try #require(try decoder.keyFrameTimes(movie.file.span, tolerance: .strict, budget: &budget))
    return times.map { Int($0 / .milliseconds(1)) }
  }

  private func planes(_ file: [UInt8], _ keyFrame: DecodingOptions.KeyFrame? = nil) throws(CodecError) -> PlanarPicture
  {
    let options = DecodingOptions(tolerance: .strict, keyFrame: keyFrame)
    var budget = ResourceBudget(options)
    return try decoder.planes(file.span, options: options, budget: &budget)
  }

  private func seed(_ file: [UInt8], _ keyFrame: DecodingOptions.KeyFrame? = nil) throws -> Int {
    let picture = try planes(file, keyFrame)
    return try #require((1..<20).first { UInt16(PatternDecoder.sample(0, 0, 0, seed: $0)) == picture.luma[0, 0] })
  }

  private func group(_ type: String, _ runs: [(count: Int, index: Int)], version: UInt8 = 0) -> [UInt8] {
    ISOBuilder.fullBox(
      "sbgp", version: version,
      Array(type.utf8) + (version == 1 ? big(0, 4) : []) + big(runs.count, 4)
        + runs.flatMap { big($0.count, 4) + big($0.index, 4) })
  }

  @Test func partialSyncSamplesAndGroupsAreEntryPoints() throws {
    var movie = MovieBuilder(samples: samples(8), syncSamples: [3, 7], samplesPerChunk: 3)
    let partial = ISOBuilder.fullBox("stps", big(2, 4) + big(2, 4) + big(7, 4))
    let tables: [(boxes: [UInt8], times: [Int])] = [
      ([], [200, 600]), (partial, [100, 200, 600]),
      (group("rap ", [(4, 0), (2, 1)]), [200, 400, 500, 600]),
      (group("sync", [(1, 2), (6, 0), (9, 1)], version: 1), [0, 200, 600, 700]),
      (partial + group("rap ", [(1, 1)]) + group("sync", [(2, 0), (2, 1)]), [0, 100, 200, 300, 600]),
      (group("roll", [(8, 1)]), [200, 600]), (group("rap ", [(.max, 1)]), (0..<8).map { $0 * 100 }),
    ]
    for (boxes, expected) in tables {
      movie.tables = boxes
      #expect(try times(movie) == expected)
      for (index, time) in expected.enumerated() { #expect(try seed(movie.file, .index(index)) == time / 100 + 1) }
      #expect(try seed(movie.file) == expected[0] / 100 + 1)
    }
    // Numbers of samples that do not exist, and tables that end early.
    movie.tables = ISOBuilder.fullBox("stps", big(9, 4) + big(0, 4) + big(99, 4) + big(1, 4)) + group("rap ", [(0, 1)])
    #expect(try times(movie) == [0, 200, 600])
  }

  @Test func groupsOfFragmentsAreEntryPoints() throws {
    // Each fragment has one sample.
    var movie = MovieBuilder(samples: samples(4), syncSamples: [3], isFragmented: true)
    #expect(try times(movie) == [200])
    movie.tables = group("rap ", [(1, 0x1_0001)])
    #expect(try times(movie) == [0, 100, 200, 300] && seed(movie.file, .index(3)) == 4)
    movie.tables = group("rap ", [(1, 0), (1, 1)])
    #expect(try times(movie) == [200])
  }

  @Test(arguments: [false, true]) func samplesAreDecodedByTheirDescription(_ isFragmented: Bool) throws {
    var movie = MovieBuilder(samples: samples(4), isFragmented: isFragmented)
    func configuration(_ count: Int) -> [UInt8] { ISOBuilder.box("hvcC", [UInt8](repeating: 0, count: count)) }
    let colors = ISOBuilder.box("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0x80])
    movie.properties = configuration(30)
    movie.moreEntries =
      MovieBuilder.entry("hev1", (16, 12), configuration(40) + colors) + MovieBuilder.entry("vvc1", (16, 12))
    movie.moreEntryCount = 2
    movie.descriptions = [2: 2, 3: 1, 4: 3]
    #expect(try planes(movie.file, .index(0)).coding.matrix != .bt2020)
    #expect(try planes(movie.file, .index(1)).coding.matrix == .bt2020)
    #expect(try planes(movie.file, .index(2)).coding.matrix != .bt2020 && seed(movie.file, .index(2)) == 3)
    let unsupported = #expect(throws: CodecError.self) { try planes(movie.file, .index(3)) }
    #expect(unsupported?.kind == .unsupported && unsupported?.reason.contains("vvc1") == true)
    movie.descriptions = [2: 4]
    let missing = #expect(throws: CodecError.self) { try planes(movie.file, .index(1)) }
    #expect(missing?.kind == .malformed && missing?.reason.contains("description 4 of 3") == true)
    #expect(try seed(movie.file, .index(0)) == 1)
  }

  @Test func headersDescribeTheFirstSample() throws {
    var movie = MovieBuilder(samples: [PatternDecoder.picture(20, 10, seed: 5)])
    movie.moreEntries = MovieBuilder.entry("hev1", (20, 10))
    movie.moreEntryCount = 1
    movie.descriptions = [1: 2]
    let info = try decoder.info(movie.file)
    #expect(info.size == PixelSize(width: 20, height: 10) && info.coding == "hev1")
    #expect(try decoder.decode(movie.file.span).bitmap.pixelSize == info.size)
  }

  @Test func framesOfASequenceAreDecodedByTheirDescriptions() throws {
    var movie = MovieBuilder(
      brand: "msf1", compatible: ["hevc", "iso8"], handler: "pict", samples: samples(3), samplesPerChunk: 1)
    movie.moreEntries = MovieBuilder.entry("vvc1", (16, 12)) + MovieBuilder.entry("hev1", (16, 12))
    movie.moreEntryCount = 2
    movie.descriptions = [2: 2, 3: 3]
    let animation = try #require(try decoder.animation(movie.file))
    #expect(animation.frameCount == 3)
    for index in [0, 2] { #expect(try animation.frame(at: index).pixelSize == PixelSize(width: 16, height: 12)) }
    let error = #expect(throws: CodecError.self) { try animation.frame(at: 1) }
    #expect(error?.kind == .unsupported)
  }

  @Test(arguments: [4, 8, 16]) func compactSizesAreRead(_ bitCount: Int) throws {
    var movie = MovieBuilder(samples: samples(5), syncSamples: [2, 5], samplesPerChunk: 2)
    movie.sizeBitCount = bitCount
    #expect(try times(movie) == [100, 400] && seed(movie.file) == 2 && seed(movie.file, .index(1)) == 5)
    #expect(try decoder.info(movie.file).frameCount == 5)
  }

  @Test func depthsAreThoseOfTheConfiguration() throws {
    func depth(_ coding: String, _ type: String, _ record: [UInt8]) throws -> Int? {
      let movie = MovieBuilder(coding: coding, samples: samples(1), properties: ISOBuilder.box(type, record))
      return try decoder.info(movie.file).bitDepth
    }
    let hevc = [UInt8](repeating: 0, count: 17)
    #expect(try depth("hvc1", "hvcC", hevc + [0xFA, 0xF8]) == 10 && depth("hvc1", "hvcC", hevc) == nil)
    let av1 = [(0, 8), (0x40, 10), (0x60, 12)] as [(UInt8, Int)]
    for (flags, expected) in av1 { #expect(try depth("av01", "av1C", [0x81, 0, flags, 0]) == expected) }
    // One sequence parameter set of two bytes, two picture parameter sets of one byte.
    let sets: [UInt8] = [0xFF, 0xE1, 0, 2, 1, 2, 2, 0, 1, 3, 0, 1, 4]
    #expect(try depth("avc1", "avcC", [1, 110, 0, 40] + sets + [0xFD, 0xFA, 0xFA, 0]) == 10)
    #expect(
      try depth("avc1", "avcC", [1, 77, 0, 40] + sets) == 8 && depth("avc1", "avcC", [1, 110, 0, 40] + sets) == nil)
  }

  /// Two tracks in one fragment, neither of which states where its data is.
  @Test(arguments: [false, true]) func theDataOfATrackFollowsThatOfTheTrackBefore(_ baseIsFragment: Bool) throws {
    var movie = MovieBuilder(samples: [], isFragmented: true)
    movie.extra = ISOBuilder.box(
      "mvex",
      ISOBuilder.fullBox("trex", big(2, 4) + big(1, 4) + big(10, 4) + big(3, 4) + big(0, 4)))
    let picture = PatternDecoder.picture(16, 12, seed: 7)
    func fragment(_ dataOffset: Int) -> [UInt8] {
      func track(_ id: Int, _ flags: Int, _ run: [UInt8]) -> [UInt8] {
        ISOBuilder.box(
          "traf",
          ISOBuilder.fullBox("tfhd", flags: baseIsFragment ? 0x2_0000 : 0, big(id, 4))
            + ISOBuilder.fullBox("trun", flags: flags, run))
      }
      // Four samples of three bytes each, by the defaults of track 2; the first one states where it is.
      let other = track(2, 1, big(4, 4) + big(dataOffset, 4))
      let shown =
        baseIsFragment
        ? track(1, 0x205, big(1, 4) + big(dataOffset + 12, 4) + big(0, 4) + big(picture.count, 4))
        : track(1, 0x204, big(1, 4) + big(0, 4) + big(picture.count, 4))
      return ISOBuilder.box("moof", ISOBuilder.fullBox("mfhd", big(1, 4)) + other + shown)
    }
    let data = [UInt8](repeating: 0xAA, count: 12) + picture
    let file = movie.file + fragment(fragment(0).count + 8) + ISOBuilder.box("mdat", data)
    #expect(try seed(file) == 7)
  }
}
