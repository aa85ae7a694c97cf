// Every limit, cancellation and the deadline, on every format that is decoded: each is the typed error that it should be.

import ImageCodecs
import TestSupport
import Testing

@Suite struct LimitTests {
  private static func files() throws -> [(name: String, bytes: [UInt8])] {
    var random = TestRandom(3)
    let pixels = random.bytes(320 * 240 * 3)
    let picture = try Bitmap(width: 320, height: 240, format: .rgb8, pixels: pixels)
    var progressive = JPEGEncoder.Options()
    progressive.isProgressive = true
    let drawing = """
      <svg xmlns='http://www.w3.org/2000/svg' width='320' height='240'>
        <circle cx='99' cy='99' r='90' stroke='red' stroke-width='9'/></svg>
      """
    return [
      ("png", try picture.encoded(as: .png)), ("jpeg", try picture.encoded(as: .jpeg)),
      ("progressive", try picture.encoded(as: .jpeg(progressive))), ("gif", try picture.encoded(as: .gif)),
      ("svg", Array(drawing.utf8)),
    ]
  }

  private func expect(
    _ kind: CodecError.Kind, _ name: String, _ bytes: [UInt8], _ options: DecodingOptions
  ) throws {
    let error = #expect(throws: CodecError.self, "\(name)") { try Bitmap(decoding: bytes, options: options) }
    #expect(error?.kind == kind, "\(name): \(String(describing: error))")
    let decoder = try ImageFormatRegistry.shared.decoder(for: bytes.span)
    let session = decoder.makeSession(options: options)
    let late = #expect(throws: CodecError.self, "\(name)") {
      var start = 0
      while start < bytes.count {
        let end = min(start + 1000, bytes.count)
        try session.append(bytes.span.extracting(start..<end))
        start = end
      }
      _ = try session.finish()
    }
    #expect(late?.kind == kind, "\(name) in pieces: \(String(describing: late))")
  }

  @Test func limitsAreTypedErrors() throws {
    for (name, bytes) in try Self.files() {
      for limits in [
        DecodingLimits(maximumPixelCount: 320 * 240 - 1), DecodingLimits(maximumByteCount: 1000),
        DecodingLimits(maximumWork: 1, maximumWorkPerPixel: 0),
      ] {
        try expect(.limitExceeded, name, bytes, DecodingOptions(limits: limits))
      }
      #expect(throws: Never.self) {
        try Bitmap(decoding: bytes, options: DecodingOptions(limits: DecodingLimits(maximumPixelCount: 320 * 240)))
      }
    }
  }

  /// No pixels are held for headers and metadata, so that they are read of pictures of any size, but for formats whose
  /// pictures are small.
  @Test func headersAreReadWhateverTheSize() throws {
    let limits = DecodingLimits(maximumPixelCount: 1)
    let small = ["ICO", "ICNS", "XBM"]
    for (name, bytes) in try SmallFiles.ofRasterFormats() + Self.files() where !small.contains(name) {
      let file = try ImageFile(bytes, options: DecodingOptions(limits: limits))
      #expect(throws: Never.self, "\(name)") {
        _ = try file.info(indexesFrames: true)
        _ = try file.metadata()
      }
    }
  }

  @Test func cancellationAndDeadlineAreTypedErrors() throws {
    for (name, bytes) in try Self.files() {
      try expect(.cancelled, name, bytes, DecodingOptions(shouldCancel: { true }))
      try expect(.deadlineExceeded, name, bytes, DecodingOptions(limits: DecodingLimits(deadline: .zero)))
    }
  }
}
