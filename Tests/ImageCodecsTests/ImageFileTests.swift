// The handle of an image: its sources, the types that it accepts, several thumbnails of one decode, asynchronous calls.

import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite struct ImageFileTests {
  private let picture: Bitmap

  init() throws {
    var random = TestRandom(5)
    picture = try Bitmap(width: 90, height: 60, format: .rgb8, pixels: random.bytes(90 * 60 * 3))
  }

  @Test func allSourcesAreTheSameImage() throws {
    let bytes = try picture.encoded(as: .png)
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(bytes).write(to: url)
    let files = [
      try ImageFile(bytes), try ImageFile(Data(bytes)), try ImageFile(contentsOf: url),
      try ImageFile(contentsOfFile: url.path),
    ]
    for file in files {
      #expect(file.type == .png)
      #expect(try file.info().size == PixelSize(width: 90, height: 60))
      #expect(try file.decode().bitmap == picture)
      #expect(try file.stripped() == bytes)
      #expect(try file.thumbnail(width: 9).bitmap == picture.thumbnail(Thumbnail(width: 9)))
      #expect(try file.animation() == nil)
      #expect(try file.gainMap() == nil)
      #expect(try file.placeholder() == ThumbHash(picture))
    }
  }

  @Test func otherTypesAreRefused() throws {
    let bytes = try picture.encoded(as: .gif)
    let error = #expect(throws: CodecError.self) { try ImageFile(bytes, accepting: [.png, .jpeg]) }
    #expect(error?.kind == .unsupported && error?.format == .gif && error?.reason == "GIF files are not accepted")
    #expect(try ImageFile(bytes, accepting: [.gif]).type == .gif)
    let formats = ImageFormatRegistry.shared
    let refused = #expect(throws: CodecError.self) { _ = try formats.probe(bytes.span, accepting: [.png]) }
    #expect(refused == error)
    #expect(try formats.probe(bytes.span, accepting: [.gif]) == .yes(.gif))
    let start = Array(bytes.prefix(2))
    #expect(try formats.probe(start.span, accepting: [.png]) != .no)
    let text = Array("hello, world: this is no image, and its text is long enough for every decoder to know.".utf8)
    let unknownText = #expect(throws: CodecError.self) { _ = try formats.probe(text.span, accepting: [.png]) }
    #expect(unknownText?.kind == .unrecognizedFormat)
    let known = ImageFormatRegistry(types: [.png, .heic])
    let unknown = #expect(throws: CodecError.self) { try ImageFile(bytes, formats: known) }
    #expect(unknown?.kind == .unrecognizedFormat)
    #expect(try ImageFile(picture.encoded(as: .png), formats: known).decode().bitmap == picture)
    #expect(known.decoders.flatMap(\.types).contains(.heic))
    // Pictures within files are those of the registry, too.
    let embedded = "data:image/gif;base64,\(Data(bytes).base64EncodedString())"
    let drawing = Array(
      #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="6"><image width="9" href="\#(embedded)"/></svg>"#.utf8
    )
    #expect(try ImageFile(drawing).decode().bitmap.packedPixels.contains { $0 != 0 })
    let restricted = ImageFormatRegistry(types: [.svg])
    #expect(try ImageFile(drawing, formats: restricted).decode().bitmap.packedPixels.allSatisfy { $0 == 0 })
  }

  @Test func theTypesThatCanBeStripped() {
    let types = ImageFormatRegistry.shared.strippableTypes
    #expect(types.isSuperset(of: [.jpeg, .png, .gif, .webp, .tiff, .heic, .avif, .svg, .jpeg2000]))
    #expect(types.isDisjoint(with: [.bmp, .ico, .icns, .qoi]))
  }

  /// Each is what a call for it alone returns, if the decode is the same; JPEG, HEIF, JPEG 2000 and DNG are decoded for the
  /// largest.
  @Test func severalThumbnailsOfOneDecode() throws {
    let requests = [
      Thumbnail(width: 30), Thumbnail(width: 12, height: 12, fit: .cover), Thumbnail(width: 5, color: .source),
      Thumbnail(width: 20, background: RGBA8(red: 9, green: 8, blue: 7), sharpening: 1),
    ]
    for (name, bytes) in try SmallFiles.ofRasterFormats() where !["HEIC", "JPEG 2000", "DNG"].contains(name) {
      let file = try ImageFile(bytes)
      let all = try file.thumbnails(requests)
      #expect(all.count == requests.count, "\(name)")
      for (request, made) in zip(requests, all) {
        let single = try file.thumbnail(request)
        #expect(made.bitmap == single.bitmap && made.details == single.details, "\(name)")
      }
    }
    let large = try ImageFile(picture.resized(toWidth: 720, height: 480).encoded(as: .jpeg))
    let sizes = try large.thumbnails([Thumbnail(width: 360), Thumbnail(width: 40)]).map(\.bitmap.pixelSize)
    #expect(sizes == [PixelSize(width: 360, height: 240), PixelSize(width: 40, height: 27)])
    #expect(try large.thumbnails([]).isEmpty)
    #expect(throws: CodecError.self) { try large.thumbnails([Thumbnail(width: 3), Thumbnail(width: 0)]) }
  }

  /// Two thumbnails cost one decode, and both resizes are part of the total.
  @Test func severalThumbnailsSpendOneTotal() throws {
    let file = try ImageFile(picture.resized(toWidth: 150, height: 100).encoded(as: .png))
    let request = Thumbnail(width: 50)
    func smallestWork(_ requests: [Thumbnail]) throws -> Int64 {
      var (low, high): (Int64, Int64) = (0, 1 << 26)
      while high - low > 1000 {
        var limited = file
        let middle = (low + high) / 2
        limited.options.limits = DecodingLimits(maximumWork: middle, maximumWorkPerPixel: 0)
        if (try? limited.thumbnails(requests)) == nil { low = middle } else { high = middle }
      }
      return high
    }
    let (one, two) = (try smallestWork([request]), try smallestWork([request, request]))
    let three = try smallestWork([request, request, request])
    #expect(two > one && three - two <= two - one + 2000 && three - two >= two - one - 2000)
    #expect(two < 2 * one)
  }

  @Test func asynchronousCallsReturnTheSame() async throws {
    let bytes = try await picture.encoded(as: .png)
    let expected = picture
    let file = try ImageFile(Data(bytes))
    #expect(try await file.info().size == expected.pixelSize)
    #expect(try await file.metadata() == ImageMetadata())
    #expect(try await file.decode().bitmap == expected)
    #expect(try await file.thumbnails([Thumbnail(width: 9)])[0].bitmap.width == 9)
    #expect(try await file.thumbnail(width: 9).bitmap.width == 9)
    #expect(try await file.encodedThumbnail(Thumbnail(width: 9), as: .jpeg).size.width == 9)
    #expect(try await file.placeholder() == ThumbHash(expected))
    #expect(try await file.gainMap() == nil)
    #expect(try await file.animation() == nil)
    #expect(try await file.embeddedThumbnail() == nil)
    #expect(try await file.stripped() == bytes)
    var metadata = ImageMetadata()
    metadata.texts = [ImageMetadata.Text(keyword: "Comment", value: "mine")]
    let replaced = try await file.replacingMetadata(with: metadata)
    #expect(try await ImageFile(replaced).metadata().texts == metadata.texts)
    #expect(try await expected.encoded(as: .png) == bytes)
  }

  @Test func aCancelledTaskEndsItsCall() async throws {
    let large = try await Bitmap(width: 4000, height: 4000, format: .rgb8).encoded(as: .jpeg)
    for parallelism in [1, 2] {
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return try await ImageFile(large, options: DecodingOptions(parallelism: parallelism)).decode()
      }
      task.cancel()
      let error = await #expect(throws: CodecError.self) { _ = try await task.value }
      #expect(error?.kind == .cancelled)
    }
  }

  /// Counts the decodes that run at a time.
  private final class Occupancy: @unchecked Sendable {
    private let lock = NSLock()
    private var (current, largest) = (0, 0)

    var maximum: Int { lock.withLock { largest } }
    func enter() { lock.withLock { (current, largest) = (current + 1, max(largest, current + 1)) } }
    func leave() { lock.withLock { current -= 1 } }
  }

  /// Its decode enters the count, and leaves it after other tasks have had the time to enter.
  private struct CountingDecoder: ImageFormatDecoder {
    let occupancy: Occupancy

    var types: [AssetType] { ["org.example.counting"] }
    func probe(_ prefix: Span<UInt8>) -> ProbeResult { .yes("org.example.counting") }

    func info(
      _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
    ) throws(CodecError) -> ImageInfo {
      ImageInfo(type: types[0], width: 1, height: 1, bitDepth: 8, colorModel: .gray)
    }

    func decode(
      _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
    ) throws(CodecError) -> DecodingDetails {
      occupancy.enter()
      defer { occupancy.leave() }
      Thread.sleep(forTimeInterval: 0.002)
      try bitmap.reset(width: 1, height: 1, format: .gray8, budget: &budget)
      return DecodingDetails(info: try info(bytes, options: InfoOptions()))
    }
  }

  @Test func asynchronousCallsRunOnALimitedNumberOfThreads() async throws {
    let occupancy = Occupancy()
    let formats = ImageFormatRegistry(decoders: [CountingDecoder(occupancy: occupancy)])
    let file = try ImageFile([1], formats: formats)
    try await withThrowingTaskGroup { group in
      for _ in 0..<100 { group.addTask { _ = try await file.decode() } }
      try await group.waitForAll()
    }
    #expect((1...max(2, ProcessInfo.processInfo.activeProcessorCount)).contains(occupancy.maximum))
  }

  @Test func errorsTellTheLimitAndWhoseFaultItIs() throws {
    let bytes = try picture.encoded(as: .png)
    func error(_ limits: DecodingLimits) -> CodecError? {
      #expect(throws: CodecError.self) { try ImageFile(bytes, options: DecodingOptions(limits: limits)).decode() }
    }
    let pixels = error(DecodingLimits(maximumPixelCount: 5399))
    #expect(pixels?.limit == .pixelCount && pixels?.fault == .input && pixels?.suggestedHTTPStatus == 413)
    let memory = error(DecodingLimits(maximumByteCount: 1000))
    #expect(memory?.limit == .memory && memory?.suggestedHTTPStatus == 413)
    let work = error(DecodingLimits(maximumWork: 10, maximumWorkPerPixel: 0))
    #expect(work?.limit == .work && work?.suggestedHTTPStatus == 422)
    let deadline = error(DecodingLimits(deadline: .zero))
    #expect(deadline?.kind == .deadlineExceeded && deadline?.limit == nil)
    #expect(deadline?.fault == .environment && deadline?.suggestedHTTPStatus == 503)
    let damaged = #expect(throws: CodecError.self) { try ImageFile(Array(bytes.prefix(30))).decode() }
    #expect(damaged?.fault == .input && damaged?.suggestedHTTPStatus == 422)
    let unknown = #expect(throws: CodecError.self) { try ImageFile(Array("hello, world".utf8)) }
    #expect(unknown?.fault == .input && unknown?.suggestedHTTPStatus == 415)
    let invalid = #expect(throws: CodecError.self) { try ImageFile(bytes).thumbnail(width: 0) }
    #expect(invalid?.fault == .program && invalid?.suggestedHTTPStatus == 500)
  }
}
