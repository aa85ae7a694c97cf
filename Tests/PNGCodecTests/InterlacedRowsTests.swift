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
  /// A picture of half gradients, half noise.
  private static func picture(width: Int, height: Int, _ format: PixelFormat) throws -> Bitmap {
    var random = TestRandom(UInt64(width))
    let noise = random.bytes(4_096)
    let pixels = (0..<width * height * format.bytesPerPixel).map { index in
      noise[index & 4_095] & 15 &+ UInt8(truncatingIfNeeded: index >> 7)
    }
    return try Bitmap(width: width, height: height, format: format, pixels: pixels)
  }

  private static func interlaced(_ bitmap: Bitmap) throws -> [UInt8] {
    try PNGEncoder(options: PNGEncoder.Options(compressionLevel: 1, isInterlaced: true, reducesColors: false)).encode(
      bitmap)
  }

  /// Pictures of a little more than a megabyte, from which on passes are decoded side by side, and their files.
  private static let pictures = Result {
    try [
      picture(width: 611, height: 590, .rgb8), picture(width: 801, height: 667, .gray16),
      picture(width: 513, height: 520, .rgba8), picture(width: 371, height: 365, .rgba16),
    ].map { (bitmap: $0, file: try interlaced($0)) }
  }

  /// As little data as possible for a megabyte of pixels.
  private static let palettePicture: TestPNG = {
    var png = TestPNG(width: 613, height: 583, colorType: 3, bitDepth: 1)
    png.isInterlaced = true
    return png
  }()

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
    for (bitmap, file) in try Self.pictures.get() {
      let natural = try rows(file).get()
      #expect(natural.bytes == bitmap.packedPixels)
      #expect(natural.details.isComplete && natural.details.diagnostics.isEmpty)
      // The decompressors of seven passes, and a band of rows twice: filtered and expanded.
      #expect(natural.peakByteCount < 2 << 20)
      let converted = try rows(file, DecodingOptions(pixelFormat: .rgba16)).get()
      #expect(try converted.bytes == bitmap.converted(to: .rgba16).packedPixels)
      for size in [4_096, 1 << 20] {
        let inParts = try rows(file, partByteCount: size).get()
        #expect(inParts.bytes == natural.bytes && inParts.details == natural.details)
        // The file is kept.
        #expect(inParts.peakByteCount < file.count + 3 << 20)
      }
    }
  }

  @Test func indicesBecomeColours() throws {
    let png = Self.palettePicture
    let result = try rows(png.bytes, DecodingOptions(pixelFormat: .rgba16)).get()
    #expect(result.bytes == png.expectedRGBA16.joined().flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
  }

  @Test func narrowPicturesLackPasses() throws {
    for (width, height) in [(1, 131_100), (3, 43_701), (131_100, 1), (43_701, 3), (5, 26_301)] {
      let bitmap = try Self.picture(width: width, height: height, .rgba16)
      let result = try rows(try Self.interlaced(bitmap)).get()
      #expect(result.bytes == bitmap.packedPixels, "\(width) × \(height)")
    }
  }

  @Test func damagedFilesHaveTheRowsOfTheBitmap() throws {
    var random = TestRandom(3)
    for (_, file) in try Self.pictures.get() {
      var damaged: [[UInt8]] = []
      for quarter in 1..<4 { damaged.append(Array(file.prefix(file.count * quarter / 4 + quarter))) }
      for _ in 0..<3 {
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
    for row in [0, 300, 1_000] {
      var png = Self.palettePicture
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
    var png = Self.palettePicture
    png.idatByteCount = 7
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
    let file = try Self.pictures.get()[1].file
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
