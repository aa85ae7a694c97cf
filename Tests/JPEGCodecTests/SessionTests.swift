import JPEGCodec
import TestSupport
import Testing

private func feed(_ file: [UInt8], chunk: (Int) -> Int, options: DecodingOptions = DecodingOptions()) throws
  -> DecodedImage
{
  let session = JPEGDecoder().makeSession(options: options)
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
    "standard-tables", "non-interleaved", "restart-3", "progressive-restart", "preview-2x2/whole", "rgb",
  ]

  @Test(arguments: names) func theResultDoesNotDependOnHowInputIsCut(_ name: String) throws {
    let file = ReferencePicture.named(name)
    let whole = try JPEGDecoder().decode(file.span)
    var noise = TestRandom(9)
    for size in [1, 2, 3, 64, 1000] {
      let image = try feed(file, chunk: { _ in size })
      #expect(image.bitmap == whole.bitmap && image.details == whole.details)
    }
    for _ in 0..<8 {
      let image = try feed(file, chunk: { _ in Int.random(in: 1...200, using: &noise) })
      #expect(image.bitmap == whole.bitmap && image.details == whole.details)
    }
  }

  @Test(arguments: names) func aPrefixGivesTheSameInOneGoAndInPieces(_ name: String) throws {
    let file = ReferencePicture.named(name)
    var rowsBefore = 0
    for length in 0...file.count {
      let prefix = Array(file.prefix(length))
      do {
        let whole = try JPEGDecoder().decode(prefix.span)
        let pieces = try feed(prefix, chunk: { $0 % 50 + 7 })
        #expect(pieces.bitmap == whole.bitmap && pieces.details == whole.details, "\(length) bytes")
        let rows = (0..<whole.bitmap.height).filter { y in
          let row = whole.bitmap.row(y)
          return row.indices.contains { row[$0] != 0 }
        }
        #expect(rows.count >= rowsBefore)
        rowsBefore = rows.count
      } catch let error as CodecError {
        #expect(error.kind == .truncated || length < 2)
        #expect(throws: error) { try feed(prefix, chunk: { $0 % 50 + 7 }) }
      }
    }
  }

  @Test(arguments: ["1x1", "2x2", "2x1"]) func previewsAreThoseOfFilesCutAfterAScan(_ sampling: String) throws {
    let file = ReferencePicture.named("preview-\(sampling)/whole")
    let session = JPEGDecoder().makeSession(options: DecodingOptions())
    var scans = 0
    for byte in file {
      let progress = try session.append([byte].span)
      guard progress.completedScanCount > scans else { continue }
      scans = progress.completedScanCount
      let cut = try #require(ReferencePicture.all.first { $0.name == "preview-\(sampling)/\(scans)" })
      let preview = try #require(session.makePreview())
      #expect(fnv1a(preview.packedPixels) == cut.pixelHash, "after scan \(scans)")
    }
    #expect(scans == 10)
    let image = try session.finish()
    #expect(try image.bitmap == JPEGDecoder().decode(file.span).bitmap)
  }

  @Test func rowsOfASequentialImageComeFromTheTop() throws {
    let file = ReferencePicture.named("standard-tables")
    let whole = try JPEGDecoder().decode(file.span).bitmap
    let session = JPEGDecoder().makeSession(options: DecodingOptions())
    #expect(session.makePreview() == nil)
    var seen = 0
    for byte in file {
      let progress = try session.append([byte].span)
      guard progress.completedRowCount > seen else { continue }
      seen = progress.completedRowCount
      let preview = try #require(session.makePreview())
      for y in 0..<seen { #expect(preview.row(y).indices.allSatisfy { preview.row(y)[$0] == whole.row(y)[$0] }) }
    }
    #expect(seen == whole.height)
  }

  @Test func anErrorEndsTheSession() throws {
    let session = JPEGDecoder().makeSession(options: DecodingOptions())
    #expect(throws: CodecError.self) { try session.append([0x89, 0x50, 0x4E, 0x47].span) }
    #expect(throws: CodecError.self) { try session.append([0xFF].span) }
    #expect(throws: CodecError.self) { try session.finish() }
  }
}
