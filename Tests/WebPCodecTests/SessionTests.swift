import TestSupport
import Testing
import WebPCodec

private func feed(_ file: [UInt8], options: DecodingOptions = DecodingOptions(), chunk: (Int) -> Int) throws
  -> DecodedImage
{
  let session = WebPDecoder().makeSession(options: options)
  var start = 0
  var rows = 0
  while start < file.count {
    let end = min(start + chunk(start), file.count)
    let progress = try session.append(file.span.extracting(start..<end))
    #expect(progress.completedRowCount >= rows)
    rows = progress.completedRowCount
    start = end
  }
  return try session.finish()
}

@Suite struct SessionTests {
  static let names = [
    "lossy/33x2", "lossy/40x5", "random/0", "random/3", "random/6", "lossless/photo-z3", "lossless/palette-4",
    "alpha/1-best-100",
    "alpha/0-fast-40", "animation/0", "animation/3",
  ]

  @Test(arguments: names) func theResultDoesNotDependOnHowInputIsCut(_ name: String) throws {
    let file = ReferencePicture.named(name)
    let whole = try WebPDecoder().decode(file.span)
    var noise = TestRandom(9)
    for size in [1, 7, 1000] {
      let image = try feed(file) { _ in size }
      #expect(image.bitmap == whole.bitmap && image.details == whole.details, "\(size)")
    }
    for _ in 0..<4 {
      let image = try feed(file) { _ in Int.random(in: 1...200, using: &noise) }
      #expect(image.bitmap == whole.bitmap && image.details == whole.details)
    }
  }

  @Test(arguments: names) func aPrefixGivesTheSameInOneGoAndInPieces(_ name: String) throws {
    let file = ReferencePicture.named(name)
    for length in stride(from: 0, through: file.count, by: max(1, file.count / 60)) {
      let prefix = Array(file.prefix(length))
      for tolerance in [DecodingOptions.Tolerance.lenient, .strict] {
        let options = DecodingOptions(tolerance: tolerance)
        let whole = Result { try WebPDecoder().decode(prefix.span, options: options) }
        let pieces = Result { try feed(prefix, options: options) { $0 % 50 + 7 } }
        switch (whole, pieces) {
        case (.success(let a), .success(let b)):
          #expect(a.bitmap == b.bitmap && a.details == b.details, "\(length) bytes")
          #expect(length == file.count || tolerance == .lenient)
        case (.failure(let a as CodecError), .failure(let b as CodecError)):
          #expect(a == b && (a.kind == .truncated || length < 12), "\(length) bytes")
        default: Issue.record("one shot and pieces differ at \(length) bytes")
        }
      }
    }
  }

  @Test func rowsArriveBeforeTheEnd() throws {
    for name in ["lossy/70x61-2", "lossless/photo-z3"] {
      let file = ReferencePicture.named(name)
      let session = WebPDecoder().makeSession(options: DecodingOptions())
      let progress = try session.append(file.span.extracting(0..<file.count * 9 / 10))
      let whole = try WebPDecoder().decode(file.span).bitmap
      let preview = try #require(session.makePreview())
      let rows = progress.completedRowCount
      #expect(rows > 20 && rows < whole.height)
      for y in 0..<whole.height {
        let (a, b) = (preview.row(y), whole.row(y))
        let isExpected = a.indices.allSatisfy { a[$0] == (y < rows ? b[$0] : 0) }
        #expect(isExpected, "row \(y)")
      }
    }
  }

  @Test func animationsTellTheirFramesAsTheyArrive() throws {
    let file = ReferencePicture.named("animation/2")
    let session = WebPDecoder().makeSession(options: DecodingOptions())
    var counts: [Int] = []
    for index in file.indices {
      let progress = try session.append(file.span.extracting(index..<index + 1))
      if counts.last != progress.completedFrameCount { counts.append(progress.completedFrameCount) }
    }
    #expect(counts == Array(0...6))
    #expect(try session.finish().isComplete)
  }
}
