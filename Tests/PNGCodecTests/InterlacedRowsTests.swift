// Rows of interlaced images that go to a sink without the whole image in memory: against the pixels that were encoded,
// and against the bitmap of damaged files.

import ImageCoding
import PNGCodec
import TestSupport
import Testing

/// A file that is read in parts of the same size.
private struct Parts: ~Copyable, PartedInput {
  private let bytes: [UInt8]
  private let partByteCount: Int
  private var start = 0

  init(_ bytes: [UInt8], of partByteCount: Int) {
    self.bytes = bytes
    self.partByteCount = partByteCount
  }

  var part: [UInt8] { Array(bytes[min(start, bytes.count)..<min(start + partByteCount, bytes.count)]) }

  mutating func readNext() throws(CodecError) { start += partByteCount }
}

@Suite struct InterlacedRowsTests {
  /// Pictures of a little more than a megabyte, from which on passes are decoded side by side.
  private static let pictures: [TestPNG] = [
    (611, 590, 2, 8), (613, 583, 3, 4), (801, 667, 4, 8), (513, 520, 6, 8), (371, 365, 6, 16),
  ].map { width, height, colorType, bitDepth in
    var png = TestPNG(width: width, height: height, colorType: colorType, bitDepth: bitDepth)
    png.isInterlaced = true
    png.idatByteCount = 10_007
    return png
  }

  private static let files = pictures.map(\.bytes)

  /// Decodes the rows of a file, which arrives in parts unless their size is `nil`.
  private func rows(
    _ bytes: [UInt8], partByteCount: Int? = nil, _ options: DecodingOptions = DecodingOptions()
  ) -> Result<(bytes: [UInt8], details: DecodingDetails, peakByteCount: Int), CodecError> {
    let sink = CollectingSink()
    var budget = ResourceBudget(options.limits)
    do throws(CodecError) {
      let details: DecodingDetails
      if let partByteCount {
        var decode = ImageDecode(PNGDecoder().makeCore(.pixels, options))
        var file = Parts(bytes, of: partByteCount)
        details = try decode.decode(&file, to: sink, options: options, budget: &budget)
      } else {
        details = try PNGDecoder().decode(bytes.span, to: sink, options: options, budget: &budget)
      }
      return .success((sink.bytes, details, budget.peakByteCount))
    } catch {
      return .failure(error)
    }
  }

  @Test func rowsHaveThePixelsThatWereEncoded() throws {
    let options = DecodingOptions(pixelFormat: .rgba16)
    for (png, file) in zip(Self.pictures, Self.files) {
      let result = try rows(file, options).get()
      let expected = png.expectedRGBA16.joined().flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      #expect(result.bytes == expected)
      #expect(result.details.isComplete && result.details.diagnostics.isEmpty)
      // The decompressors of seven passes, and a band of rows twice: filtered and expanded.
      #expect(result.peakByteCount < 2 << 20)
      let whole = try PNGDecoder().decode(file)
      let natural = try rows(file).get()
      #expect(natural.bytes == whole.bitmap.packedPixels)
      for size in [4_096, 65_537, 1 << 20] {
        let inParts = try rows(file, partByteCount: size).get()
        #expect(inParts.bytes == natural.bytes && inParts.details == natural.details)
        // The file is kept.
        #expect(inParts.peakByteCount < file.count + 3 << 20)
      }
    }
  }

  @Test func narrowPicturesLackPasses() throws {
    for (width, height) in [(1, 270_000), (3, 90_000), (270_000, 1), (90_001, 3), (5, 53_001)] {
      var png = TestPNG(width: width, height: height, colorType: 6, bitDepth: 8)
      png.isInterlaced = true
      let whole = try PNGDecoder().decode(png.bytes)
      let result = try rows(png.bytes).get()
      #expect(result.bytes == whole.bitmap.packedPixels, "\(width) × \(height)")
    }
  }

  @Test func damagedFilesHaveTheRowsOfTheBitmap() throws {
    var random = TestRandom(3)
    for file in Self.files {
      var damaged: [[UInt8]] = []
      for quarter in 1..<4 { damaged.append(Array(file.prefix(file.count * quarter / 4 + quarter))) }
      for _ in 0..<5 {
        var bytes = file
        bytes[Int.random(in: 60..<file.count, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
        damaged.append(bytes)
      }
      for bytes in damaged {
        for tolerance in [DecodingOptions.Tolerance.lenient, .strict] {
          let options = DecodingOptions(tolerance: tolerance)
          let whole = Result { () throws(CodecError) in try PNGDecoder().decode(bytes.span, options: options) }
          for partByteCount in [nil, 30_011] {
            switch (whole, rows(bytes, partByteCount: partByteCount, options)) {
            case (.success(let image), .success(let result)):
              #expect(result.bytes == image.bitmap.packedPixels)
              #expect(result.details == image.details)
            case (.failure(let one), .failure(let other)): #expect(one == other)
            case (let one, let other): Issue.record("\(one) and \(other) differ")
            }
          }
        }
      }
    }
  }

  @Test func filtersThatAreUnknown() throws {
    for row in [0, 300, 900] {
      var png = Self.pictures[3]
      png.filters = (0...row).map { $0 == row ? 7 : $0 % 5 }
      let whole = Result { () throws(CodecError) in try PNGDecoder().decode(png.bytes) }
      switch (whole, rows(png.bytes)) {
      case (.success(let image), .success(let result)):
        #expect(!image.isComplete)
        #expect(result.bytes == image.bitmap.packedPixels && result.details == image.details)
      case (.failure(let one), .failure(let other)): #expect(one == other && row == 0)
      case (let one, let other): Issue.record("\(one) and \(other) differ")
      }
    }
  }

  @Test func manySmallChunks() throws {
    var png = Self.pictures[3]
    png.idatByteCount = 30
    let whole = try PNGDecoder().decode(png.bytes)
    for partByteCount in [nil, 8_191] {
      let result = try rows(png.bytes, partByteCount: partByteCount).get()
      #expect(result.bytes == whole.bitmap.packedPixels)
    }
  }

  @Test func theNumberOfPixelsIsLimitedAsThatOfOtherRows() throws {
    // More than a bitmap may have by default.
    var png = TestPNG(width: 8, height: 8, colorType: 0, bitDepth: 1)
    png.isInterlaced = true
    var file = png.bytes
    file.replaceSubrange(16..<24, with: bigEndian(11_000) + bigEndian(11_000))
    let error = #expect(throws: CodecError.self) { try PNGDecoder().decode(file) }
    #expect(error?.kind == .limitExceeded)
    guard case .failure(let failure) = rows(file, DecodingOptions(tolerance: .lenient)) else { return }
    #expect(failure.kind != .limitExceeded)
  }

  @Test func aFailingSinkEndsTheDecode() throws {
    let file = Self.files[1]
    final class FailingSink: ImageRowSink {
      var rowCount = 0
      func begin(_ image: StreamedImage, budget: inout ResourceBudget) throws(CodecError) {}
      func append(_ row: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
        rowCount += 1
        if rowCount > 400 { throw CodecError(.encodingFailed, "the sink is full") }
      }
    }
    let sink = FailingSink()
    let error = #expect(throws: CodecError.self) { try PNGDecoder().decode(file.span, to: sink) }
    #expect(error?.reason == "the sink is full" && sink.rowCount == 401)
  }
}
