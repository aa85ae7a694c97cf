// Thumbnails of images that arrive in parts: equal to those of whole files, however the input is divided.

import ImageCodecs
import TestSupport
import Testing

@Suite struct ThumbnailSessionTests {
  private static let requests = [
    Thumbnail(width: 7), Thumbnail(width: 4, height: 5, fit: .cover), Thumbnail(height: 3, color: .source),
  ]

  private func files() throws -> [(name: String, bytes: [UInt8])] {
    var random = TestRandom(8)
    var turned = try Bitmap(width: 64, height: 40, format: .rgb8, pixels: random.bytes(64 * 40 * 3))
    turned.orientation = .right
    var files = try SmallFiles.ofRasterFormats()
    files.append(("turned JPEG", try turned.encoded(as: .jpeg)))
    files.append(("progressive JPEG", try turned.encoded(as: .jpeg(.init(isProgressive: true)))))
    files.append(("turned PNG", try turned.encoded(as: .png)))
    files.append(("SVG", Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="7"/>"#.utf8)))
    return files
  }

  private func feed(_ session: ThumbnailSession, _ bytes: [UInt8], stride: Int) throws {
    for start in Swift.stride(from: 0, to: bytes.count, by: stride) {
      try session.append(bytes.span.extracting(start..<min(start + stride, bytes.count)))
    }
  }

  @Test(arguments: [1, 13, 1 << 20]) func partsEqualTheWhole(stride: Int) throws {
    for (name, bytes) in try files() {
      let whole = try ImageFile(bytes).thumbnails(Self.requests)
      let session = try ThumbnailSession(Self.requests)
      try feed(session, bytes, stride: stride)
      let made = try session.finish()
      #expect(made.map(\.bitmap) == whole.map(\.bitmap), "\(name)")
      #expect(made.map(\.details) == whole.map(\.details), "\(name)")
      #expect(session.type == whole[0].info.type, "\(name)")
      #expect(try session.finish().map(\.bitmap) == whole.map(\.bitmap), "\(name)")
    }
  }

  /// Every prefix has the thumbnails, or the error, of a file that ends there.
  @Test func everyPrefix() throws {
    for (name, bytes) in try files() {
      for count in Swift.stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
        let prefix = Array(bytes.prefix(count))
        let whole = Result { try ImageFile(prefix).thumbnails(Self.requests).map(\.bitmap) }
        let parts = Result {
          let session = try ThumbnailSession(Self.requests)
          try feed(session, prefix, stride: 11)
          return try session.finish().map(\.bitmap)
        }
        switch (whole, parts) {
        case (.success(let whole), .success(let parts)): #expect(whole == parts, "\(name), \(count) bytes")
        case (.failure(let whole as CodecError), .failure(let parts as CodecError)):
          #expect(whole.kind == parts.kind, "\(name), \(count) bytes: \(whole), \(parts)")
        default: Issue.record("\(name), \(count) bytes: \(whole), \(parts)")
        }
      }
    }
  }

  @Test func flippedBits() throws {
    var random = TestRandom(4)
    for (name, bytes) in try files() {
      for _ in 0..<40 {
        var damaged = bytes
        damaged[Int(random.next() % UInt64(bytes.count))] ^= 1 << UInt8(random.next() % 8)
        let whole = Result { try ImageFile(damaged).thumbnails(Self.requests).map(\.bitmap) }
        let parts = Result {
          let session = try ThumbnailSession(Self.requests)
          try feed(session, damaged, stride: 9)
          return try session.finish().map(\.bitmap)
        }
        #expect((try? whole.get()) == (try? parts.get()), "\(name)")
      }
    }
  }

  @Test func otherTypesAreRefusedAtOnce() throws {
    let file = try Bitmap(width: 100, height: 100, format: .gray8).encoded(as: .png)
    let session = try ThumbnailSession(Self.requests, accepting: [.jpeg])
    let error = #expect(throws: CodecError.self) { try feed(session, Array(file.prefix(8)), stride: 1) }
    #expect(error?.kind == .unsupported && error?.format == .png)
    let atEnd = #expect(throws: CodecError.self) { try session.finish() }
    #expect(atEnd == error)
    #expect(throws: CodecError.self) { try ThumbnailSession([Thumbnail(width: -1)]) }
  }

  @Test func theEndOfThePictureIsKnown() throws {
    let file = try Bitmap(width: 64, height: 64, format: .rgb8).encoded(as: .jpeg)
    let session = try ThumbnailSession(Self.requests)
    try feed(session, Array(file.prefix(file.count / 2)), stride: 50)
    #expect(session.info?.width == 64 && !session.progress.isComplete)
    try feed(session, Array(file.dropFirst(file.count / 2)), stride: 50)
    #expect(session.progress.isComplete)
    // Bytes after the end are ignored.
    try feed(session, [UInt8](repeating: 7, count: 1000), stride: 100)
    #expect(try session.finish().count == 3)
  }

  @Test func limitsApplyToTheWholeSession() throws {
    let file = try Bitmap(width: 400, height: 400, format: .rgb8).encoded(as: .bmp)
    let limits = DecodingLimits(maximumByteCount: 100_000)
    let session = try ThumbnailSession(Self.requests, options: DecodingOptions(limits: limits))
    let error = #expect(throws: CodecError.self) {
      try feed(session, file, stride: 5000)
      _ = try session.finish()
    }
    #expect(error?.kind == .limitExceeded && error?.limit == .memory)
    let svg = try ThumbnailSession(Self.requests, options: DecodingOptions(limits: limits))
    let collected = #expect(throws: CodecError.self) {
      try feed(svg, Array("<svg xmlns='http://www.w3.org/2000/svg'>".utf8), stride: 100)
      for _ in 0..<200 { try feed(svg, [UInt8](repeating: 0x20, count: 1000), stride: 1000) }
    }
    #expect(collected?.limit == .memory && collected?.format == .svg)
  }
}
