// The cost of thumbnails: memory of huge sources, limits, deadlines, cancellation and damage.

import ImageCodecs
import TestSupport
import Testing

@Suite struct ThumbnailLimitTests {
  /// A PNG of ten thousand rows and columns, which are black.
  private static func hugePNG() throws -> [UInt8] {
    let row = try Bitmap(width: 10_000, height: 10_000, format: .gray8)
    return try row.encoded(as: .png(.init(level: .fastest)))
  }

  private func cost(_ file: [UInt8], width: Int, _ limits: DecodingLimits = .default) throws -> ResourceBudget {
    let options = DecodingOptions(limits: limits)
    var budget = ResourceBudget(options)
    _ = try ImageFile(file, options: options, formats: .shared).thumbnail(Thumbnail(width: width), budget: &budget)
    return budget
  }

  @Test func aHundredMegapixelsNeedAFewRows() throws {
    let file = try Self.hugePNG()
    let budget = try cost(file, width: 320)
    #expect(budget.peakByteCount < 6 << 20)
    #expect(budget.heldByteCount == 320 * 320)
  }

  @Test func progressiveFilesNeedAFewRowsOrDCOnly() throws {
    let picture = try Bitmap(width: 2048, height: 2048, format: .rgb8)
    let file = try picture.encoded(as: .jpeg(.init(isProgressive: true)))
    // Coefficients: 2048 × 2048 × 1.5 / 64, two bytes each. A bitmap of 256 × 256, and the stages on rows.
    #expect(try cost(file, width: 100).peakByteCount < 1 << 20)
    // The coefficients of 8 of 128 rows of MCUs, and as many rows at half the size.
    #expect(try cost(file, width: 400).peakByteCount < 3 << 20)
  }

  @Test(arguments: [false, true])
  func theMemoryLimitCountsAllStages(isInterlaced: Bool) throws {
    let picture = try ThumbnailPictures.photo(width: 400, height: 300, .rgba8)
    let file = try picture.encoded(as: .png(.init(isInterlaced: isInterlaced)))
    let peak = try cost(file, width: 90).peakByteCount
    #expect(try cost(file, width: 90, DecodingLimits(maximumByteCount: peak)).peakByteCount == peak)
    let error = #expect(throws: CodecError.self) {
      _ = try cost(file, width: 90, DecodingLimits(maximumByteCount: peak - 1))
    }
    #expect(error?.kind == .limitExceeded)
  }

  /// A thumbnail costs what its decode and the resizing cost, and so does each frame of an animation.
  @Test func allStagesSpendOneTotal() throws {
    let picture = try ThumbnailPictures.photo(width: 400, height: 300, .rgba8)
    let file = try picture.encoded(as: .png)
    var decoding = ResourceBudget(.default)
    var bitmap = Bitmap()
    _ = try PNGDecoder().decode(file.span, into: &bitmap, options: DecodingOptions(), budget: &decoding)
    var resizing = ResourceBudget(.default)
    _ = try picture.resized(toWidth: 360, height: 270, budget: &resizing)
    let sum = decoding.work + resizing.work
    let total = try cost(file, width: 360).work
    #expect(total >= sum && total < sum + sum / 10)
    func limits(_ work: Int64) -> DecodingLimits { DecodingLimits(maximumWork: work, maximumWorkPerPixel: 0) }
    _ = try cost(file, width: 360, limits(total))
    #expect(throws: CodecError.self) { _ = try cost(file, width: 360, limits(sum - 1)) }
    let frames = [AnimationFrame](repeating: AnimationFrame(bitmap: picture, delay: .milliseconds(50)), count: 20)
    let animation = try WebPEncoder(options: .lossless).encode(animation: frames, loopCount: .infinite)
    let error = #expect(throws: CodecError.self) {
      let options = DecodingOptions(limits: limits(10 * resizing.work))
      _ = try ImageFile(animation, options: options).encodedThumbnail(Thumbnail(width: 360, frames: .all), as: .webp)
    }
    #expect(error?.kind == .limitExceeded)
  }

  /// Decoding, conversion of colours and resizing spend one total: the smallest limit on work is their sum.
  @Test func theSmallestLimitIsTheSumOfAllStages() throws {
    var picture = try ThumbnailPictures.photo(width: 200, height: 150, .rgb8)
    picture.colorSpace = .displayP3
    let file = try picture.encoded(as: .png)
    func limits(_ work: Int64) -> DecodingLimits { DecodingLimits(maximumWork: work, maximumWorkPerPixel: 0) }
    /// Returns the smallest limit at which an operation succeeds.
    func smallest(_ operation: (DecodingOptions) throws -> Void) throws -> Int64 {
      var (low, high): (Int64, Int64) = (0, 1 << 32)
      while high - low > 1 {
        let middle = (low + high) / 2
        if (try? operation(DecodingOptions(limits: limits(middle)))) != nil { high = middle } else { low = middle }
      }
      return high
    }
    let decoding = try smallest { _ = try PNGDecoder().decode(file.span, options: $0) }
    // Colours are converted after resizing.
    let resized = try picture.resized(toWidth: 180, height: 135)
    let converting = try smallest { options in
      var budget = ResourceBudget(options)
      _ = try resized.converted(to: .sRGB, budget: &budget)
    }
    let resizing = try smallest { options in
      var budget = ResourceBudget(options)
      _ = try picture.resized(toWidth: 180, height: 135, budget: &budget)
    }
    let thumbnail = try smallest { options in
      _ = try ImageFile(file, options: options, colorConversion: .to(.sRGB)).thumbnail(Thumbnail(width: 180))
    }
    let sum = decoding + converting + resizing
    #expect(thumbnail >= sum - sum / 50 && thumbnail <= sum + sum / 10, "\(thumbnail) for \(sum)")
  }

  /// Decoding, resizing and encoding a gain map is part of the total.
  @Test func gainMapsSpendTheSameTotal() throws {
    let picture = try ThumbnailPictures.photo(width: 200, height: 150, .rgb8)
    let metadata = GainMapMetadata(
      components: [GainMapMetadata.Component(minimum: -0.5, maximum: 2.25, gamma: 0.75)], alternateHeadroom: 2.25)
    let map = GainMap(bitmap: try ThumbnailPictures.photo(width: 200, height: 150, .gray8), metadata: metadata)
    func thumbnail(_ file: [UInt8], _ limits: DecodingLimits) throws -> (work: Int64, hasMap: Bool) {
      let options = DecodingOptions(limits: limits)
      var budget = ResourceBudget(options)
      let made = try ImageFile(file, options: options, formats: .shared).encodedThumbnail(
        Thumbnail(width: 180, keepsGainMap: true), as: .jpeg, budget: &budget)
      return (budget.work, try ImageFile(made.bytes).gainMap() != nil)
    }
    let total = try thumbnail(try picture.encodedAsJPEG(with: map), .default)
    let withoutMap = try thumbnail(try picture.encoded(as: .jpeg), .default)
    #expect(total.hasMap && !withoutMap.hasMap)
    var stages = ResourceBudget(.default)
    var decoded = Bitmap()
    let codedMap = try map.bitmap.encoded(as: .jpeg)
    _ = try JPEGDecoder().decode(codedMap.span, into: &decoded, options: DecodingOptions(), budget: &stages)
    let small = try decoded.resized(toWidth: 180, height: 135, budget: &stages)
    _ = try EncodingFormat.jpeg.encoder.encode(small, metadata: ImageMetadata(), budget: &stages)
    let sum = withoutMap.work + stages.work
    #expect(total.work >= sum && total.work <= sum + sum / 10, "\(total.work) for \(sum)")
    func limits(_ work: Int64) -> DecodingLimits {
      DecodingLimits(maximumWork: work, maximumWorkPerPixel: 0, maximumEncodingWorkPerByte: 0)
    }
    let file = try picture.encodedAsJPEG(with: map)
    #expect(try thumbnail(file, limits(total.work)).hasMap)
    #expect(throws: CodecError.self) { _ = try thumbnail(file, limits(sum - sum / 100)) }
  }

  @Test func sourcesAreLimitedByTheirPixels() throws {
    let file = try Self.hugePNG()
    let error = #expect(throws: CodecError.self) {
      _ = try cost(file, width: 10, DecodingLimits(maximumSourcePixelCount: 99_999_999))
    }
    #expect(error?.kind == .limitExceeded)
    // More than may be held in memory.
    let limits = DecodingLimits(maximumPixelCount: 1_000_000, maximumByteCount: 8 << 20)
    #expect(try cost(file, width: 10, limits).peakByteCount < 8 << 20)
    let progressive = try Bitmap(width: 1024, height: 1024, format: .gray8)
      .encoded(as: .jpeg(.init(isProgressive: true)))
    #expect(try cost(progressive, width: 10, limits).peakByteCount < 8 << 20)
  }

  @Test func deadlinesAndCancellation() throws {
    let file = try ThumbnailPictures.photo(width: 600, height: 600).encoded(as: .jpeg)
    let late = DecodingOptions(limits: DecodingLimits(deadline: .zero))
    let timeout = #expect(throws: CodecError.self) {
      _ = try ImageFile(file, options: late).thumbnail(Thumbnail(width: 300))
    }
    #expect(timeout?.kind == .deadlineExceeded)
    let cancelled = DecodingOptions(shouldCancel: { true })
    for format in [EncodingFormat.jpeg, .png] {
      let error = #expect(throws: CodecError.self) {
        _ = try ImageFile(file, options: cancelled).encodedThumbnail(Thumbnail(width: 300), as: format)
      }
      #expect(error?.kind == .cancelled)
    }
  }

  @Test func damagedFilesHaveThumbnailsOrErrors() throws {
    let picture = try ThumbnailPictures.photo(width: 120, height: 90)
    let files = [
      try picture.encoded(as: .jpeg), try picture.encoded(as: .jpeg(.init(isProgressive: true))),
      try picture.encoded(as: .png), try picture.encoded(as: .gif),
    ]
    var random = TestRandom(5)
    for file in files {
      for count in stride(from: 0, to: file.count, by: 97) {
        let part = Array(file.prefix(count))
        _ = try? ImageFile(part).encodedThumbnail(Thumbnail(width: 5, frames: .all), as: .gif)
      }
      for _ in 0..<200 {
        var damaged = file
        damaged[Int.random(in: damaged.indices, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
        _ = try? ImageFile(damaged).thumbnail(Thumbnail(width: 20, height: 14, fit: .cover))
      }
      let half = Array(file.prefix(file.count * 2 / 3))
      let made = try ImageFile(half).thumbnail(Thumbnail(width: 10))
      #expect(!made.diagnostics.isEmpty)
      #expect(made.bitmap.pixelSize == PixelSize(width: 10, height: 8))
    }
  }
}
