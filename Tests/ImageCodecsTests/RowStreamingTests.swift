// Rows that go to a sink as they are decoded, against the same files decoded to bitmaps.

import ImageCodecs
import JPEGCodec
import PNGCodec
import TestSupport
import Testing

/// Collects rows, and checks that they arrive as the protocol promises.
private final class CollectingSink: ImageRowSink {
  private(set) var image: StreamedImage?
  private(set) var bytes: [UInt8] = []
  private(set) var rowCount = 0
  /// The row after which the sink fails.
  var failureRow = Int.max

  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) {
    #expect(self.image == nil)
    self.image = image
  }

  func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    guard let image else { throw CodecError(.invalidArgument, "a row precedes the image") }
    #expect(row.count == image.width * image.format.bytesPerPixel)
    if rowCount == failureRow {
      // It would take later rows again.
      failureRow = .max
      throw CodecError(.encodingFailed, "the sink is full")
    }
    for index in row.indices { bytes.append(row[index]) }
    rowCount += 1
  }
}

/// Counts rows and sums their bytes, without keeping any.
private final class SummingSink: ImageRowSink {
  private(set) var rowCount = 0
  private(set) var sum = 0

  func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) {}

  func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    rowCount += 1
    for index in row.indices { sum += Int(row[index]) }
  }
}

@Suite struct RowStreamingTests {
  private static func picture(width: Int, height: Int, _ format: PixelFormat, seed: UInt64) throws -> Bitmap {
    var random = TestRandom(seed)
    return try Bitmap(
      width: width, height: height, format: format, pixels: random.bytes(width * height * format.bytesPerPixel))
  }

  private static func files() throws -> [(name: String, bytes: [UInt8])] {
    var files: [(String, [UInt8])] = []
    let photo = try picture(width: 173, height: 421, .rgb8, seed: 1)
    for isInterlaced in [false, true] {
      for format in [PixelFormat.gray8, .rgb8, .rgba8, .rgba16] {
        let bitmap = try picture(width: 301, height: 457, format, seed: 2)
        let encoder = PNGEncoder(options: PNGEncoder.Options(isInterlaced: isInterlaced))
        files.append(("\(format) \(isInterlaced).png", try encoder.encode(bitmap)))
      }
    }
    for subsampling in [JPEGEncoder.Options.Subsampling.yuv444, .yuv422, .yuv420, .yuv440] {
      for isProgressive in [false, true] {
        var options = JPEGEncoder.Options()
        options.subsampling = subsampling
        options.isProgressive = isProgressive
        files.append(("\(subsampling) \(isProgressive).jpg", try JPEGEncoder(options: options).encode(photo)))
      }
    }
    var rotated = photo
    rotated.orientation = .right
    files.append(("rotated.jpg", try JPEGEncoder().encode(rotated)))
    files.append(("still.gif", try GIFEncoder().encode(photo)))
    return files
  }

  @Test func rowsAreThoseOfTheBitmap() throws {
    for (name, bytes) in try Self.files() {
      let decoder = try ImageFormatRegistry.shared.decoder(for: bytes.span)
      for count in [bytes.count, bytes.count * 2 / 3] {
        let file = Array(bytes.prefix(count))
        let options = DecodingOptions(orientation: .report)
        let expected = try decoder.decode(file, options: options)
        let sink = CollectingSink()
        let details = try decoder.decode(file.span, to: sink)
        #expect(sink.bytes == expected.bitmap.packedPixels, "\(name) \(count)")
        #expect(sink.image?.format == expected.bitmap.format, "\(name)")
        #expect(sink.rowCount == expected.bitmap.height, "\(name)")
        #expect(details == expected.details, "\(name) \(count)")
      }
    }
  }

  @Test func damagedRowsAreThoseOfTheBitmap() throws {
    var options = JPEGEncoder.Options()
    options.restartInterval = .mcus(5)
    let bytes = try JPEGEncoder(options: options).encode(try Self.picture(width: 333, height: 200, .rgb8, seed: 5))
    var random = TestRandom(6)
    for _ in 0..<40 {
      var file = bytes
      for _ in 0..<3 {
        file[Int.random(in: 700..<file.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let expected = try? JPEGDecoder().decode(file, options: DecodingOptions(orientation: .report))
      let sink = CollectingSink()
      let details = try? JPEGDecoder().decode(file.span, to: sink)
      #expect(details == expected?.details)
      if let expected { #expect(sink.bytes == expected.bitmap.packedPixels) }
    }
  }

  @Test func onlyAFewRowsAreHeld() throws {
    let bitmap = try Bitmap(width: 1000, height: 6000, format: .rgb8)
    let interlaced = try PNGEncoder(options: PNGEncoder.Options(isInterlaced: true)).encode(bitmap)
    // Seven decompressors read an interlaced file side by side.
    for (bytes, maximum) in [
      (try PNGEncoder().encode(bitmap), 1 << 20), (try JPEGEncoder().encode(bitmap), 1 << 20), (interlaced, 2 << 20),
    ] {
      let decoder = try ImageFormatRegistry.shared.decoder(for: bytes.span)
      var budget = ResourceBudget(.default)
      let sink = SummingSink()
      _ = try decoder.decode(bytes.span, to: sink, options: DecodingOptions(), budget: &budget)
      #expect(sink.rowCount == 6000)
      #expect(budget.peakByteCount < maximum)
      #expect(budget.heldByteCount < 1000)
    }
  }

  @Test func sourcesMayBeLargerThanBitmaps() throws {
    // 121 million pixels, more than a bitmap may have by default.
    let bytes = try PNGEncoder(options: PNGEncoder.Options(compressionLevel: 1)).encode(
      try Bitmap(width: 11_000, height: 11_000, format: .gray8, limits: .unlimited))
    #expect(throws: CodecError.self) { try PNGDecoder().decode(bytes) }
    let sink = SummingSink()
    _ = try PNGDecoder().decode(bytes.span, to: sink)
    #expect(sink.rowCount == 11_000 && sink.sum == 0)
    let limits = DecodingLimits(maximumSourcePixelCount: 120_999_999)
    #expect(throws: CodecError.self) {
      try PNGDecoder().decode(bytes.span, to: sink, options: DecodingOptions(limits: limits))
    }
  }

  @Test func aFailingSinkEndsTheDecode() throws {
    for (name, bytes) in try Self.files() {
      let decoder = try ImageFormatRegistry.shared.decoder(for: bytes.span)
      let sink = CollectingSink()
      sink.failureRow = 7
      let error = #expect(throws: CodecError.self) { try decoder.decode(bytes.span, to: sink) }
      #expect(error?.reason == "the sink is full" && sink.rowCount == 7, "\(name)")
    }
  }
}
