// Damage, and files that cost much: what is intact is kept, everything is charged, nothing is allocated in vain.

import ImageCoding
import TIFFCodec
import TestSupport
import Testing

@Suite struct DamageTests {
  private func stored(_ change: (inout SmallTIFF) -> Void = { _ in }) -> [UInt8] {
    var tiff = SmallTIFF(width: 4, height: 6)
    tiff.rowsPerStrip = 2
    change(&tiff)
    return tiff.file((0..<3).map { [UInt8](repeating: UInt8(10 * $0 + 10), count: 8) })
  }

  @Test func aPreviewOfAnImpossibleSizeIsNil() throws {
    let file = stored { ($0.width, $0.height) = (0xFFFF_FFFF, 0xFFFF_FFFF) }
    let session = decoder.makeSession(options: DecodingOptions())
    // One part at a time, so that the size is known before all of the file has arrived.
    for index in file.indices {
      try session.append(file.span.extracting(index..<index + 1))
      #expect(session.makePreview() == nil)
    }
    let error = #expect(throws: CodecError.self) { try session.finish() }
    #expect(error?.kind == .limitExceeded)
  }

  @Test func aMissingStripIsZero() throws {
    let file = stored { $0.offsets = [8, 1 << 30, 24] }
    let image = try decoder.decode(file)
    #expect(!image.isComplete && image.diagnostics.count == 1 && image.diagnostics[0].severity == .damage)
    let rows: [[UInt8]] = [10, 0, 30].map { [UInt8](repeating: $0, count: 8) }
    #expect(image.bitmap.packedPixels == rows.flatMap { $0 })
    let error = #expect(throws: CodecError.self) {
      try decoder.decode(file, options: DecodingOptions(tolerance: .strict))
    }
    #expect(error?.kind == .truncated && error?.format == TIFFDecoder.type)
  }

  @Test func aShortStripIsKeptAsFarAsItGoes() throws {
    let file = stored { $0.byteCounts = [8, 5, 8] }
    let image = try decoder.decode(file)
    #expect(!image.isComplete)
    #expect(
      image.bitmap.packedPixels == [10, 10, 10, 10, 10, 10, 10, 10, 20, 20, 20, 20, 20, 0, 0, 0]
        + [UInt8](repeating: 30, count: 8))
    #expect(throws: CodecError.self) { try decoder.decode(file, options: DecodingOptions(tolerance: .strict)) }
  }

  @Test func aFileWithoutAnyStripIsAnError() throws {
    let error = #expect(throws: CodecError.self) {
      try decoder.decode(stored { $0.offsets = [1 << 30, 1 << 30, 1 << 30] })
    }
    #expect(error?.kind == .truncated)
  }

  @Test func damagedCompressionKeepsWhatPrecedesIt() throws {
    var random = TestRandom(3)
    let bitmap = try Bitmap(width: 60, height: 60, format: .rgb8, pixels: random.bytes(60 * 60 * 3))
    for compression in [TIFFEncoder.Options.Compression.lzw, .deflate(level: 6), .packBits] {
      var file = try TIFFEncoder(options: .init(compression: compression, usesPredictor: false, rowsPerStrip: 60))
        .encode(bitmap)
      for index in 5000..<5400 { file[index] = 0xA5 }
      let image = try decoder.decode(file)
      #expect(image.bitmap.row(5).span16 == bitmap.row(5).span16)
    }
  }

  /// Rows of whole pictures are decompressed into the bitmap, those for a sink through a buffer.
  @Test(arguments: [TIFFEncoder.Options.Compression.lzw, .deflate(level: 6), .packBits], [false, true])
  func damageIsTheSameForABitmapAndForRows(compression: TIFFEncoder.Options.Compression, isStrict: Bool) throws {
    var random = TestRandom(4)
    let bitmap = try Bitmap(width: 40, height: 40, format: .rgb8, pixels: random.bytes(40 * 40 * 3))
    let file = try TIFFEncoder(options: .init(compression: compression, usesPredictor: false, rowsPerStrip: 10))
      .encode(bitmap)
    let options = DecodingOptions(tolerance: isStrict ? .strict : .lenient)
    var errors = 0
    for _ in 0..<200 {
      var damaged = file
      for _ in 0..<3 {
        damaged[Int.random(in: 8..<4000, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let sink = CollectingSink()
      let whole = Result { try decoder.decode(damaged, options: options) }
      let rows = Result { try decoder.decode(damaged.span, to: sink, options: options) }
      switch (whole, rows) {
      case (.success(let whole), .success(let rows)):
        #expect(whole.bitmap.packedPixels == sink.bytes && whole.diagnostics == rows.diagnostics)
      case (.failure(let whole as CodecError), .failure(let rows as CodecError)):
        #expect(whole.description == rows.description)
        errors += 1
      default: Issue.record("\(whole) for a bitmap, \(rows) for rows")
      }
    }
    // Most bytes of PackBits may have any value.
    #expect(!isStrict || errors > 0 || compression == .packBits)
  }

  /// A strip of twelve rows, of which its data has two. The others are decompressed in several parts for a sink.
  @Test(arguments: [TIFFEncoder.Options.Compression.none, .lzw, .deflate(level: 6), .packBits], [false, true])
  func stripsThatEndEarlyAreReportedOnce(compression: TIFFEncoder.Options.Compression, isStrict: Bool) throws {
    let (width, height) = (30_000, 12)
    var random = TestRandom(5)
    let bitmap = try Bitmap(width: width, height: 2, format: .gray8, pixels: random.bytes(width * 2))
    var file = try TIFFEncoder(options: .init(compression: compression, usesPredictor: false, rowsPerStrip: 2))
      .encode(bitmap)
    let directory = Int(file[4]) | Int(file[5]) << 8 | Int(file[6]) << 16
    for field in stride(from: directory + 2, to: file.count - 12, by: 12) {
      // The number of rows of the image, and of a strip.
      if [[0x01, 0x01], [0x16, 0x01]].contains(Array(file[field..<field + 2])) { file[field + 8] = UInt8(height) }
    }
    let options = DecodingOptions(tolerance: isStrict ? .strict : .lenient)
    let sink = CollectingSink()
    let whole = Result { try decoder.decode(file, options: options) }
    let rows = Result { try decoder.decode(file.span, to: sink, options: options) }
    switch (whole, rows) {
    case (.success(let whole), .success(let rows)):
      #expect(!isStrict && whole.diagnostics.count == 1 && rows.diagnostics == whole.diagnostics)
      #expect(whole.bitmap.packedPixels == bitmap.packedPixels + [UInt8](repeating: 0, count: width * (height - 2)))
      #expect(sink.bytes == whole.bitmap.packedPixels)
    case (.failure(let whole as CodecError), .failure(let rows as CodecError)):
      #expect(isStrict && whole.kind == .truncated && whole.description == rows.description)
    default: Issue.record("\(whole) for a bitmap, \(rows) for rows")
    }
  }

  @Test func tablesOfDamagedPalettesAreShadesOfGray() throws {
    var tiff = SmallTIFF(width: 2, height: 1)
    tiff.photometric = 3
    let image = try decoder.decode(tiff.file([[7, 200]]))
    #expect(image.bitmap.packedPixels == [7, 7, 7, 200, 200, 200] && image.diagnostics.count == 1)
    #expect(throws: CodecError.self) {
      try decoder.decode(tiff.file([[7, 200]]), options: DecodingOptions(tolerance: .strict))
    }
  }

  @Test func limitsApplyBeforeMemoryIsAllocated() throws {
    for (width, height) in [(1 << 30, 1 << 30), (100_000, 100_000), (1 << 31 - 1, 1)] {
      let error = #expect(throws: CodecError.self) {
        try decoder.decode(SmallTIFF(width: width, height: height).file([[1]]))
      }
      #expect(error?.kind == .limitExceeded || error?.kind == .malformed)
    }
    // Tiles far larger than the image.
    var tiled = SmallTIFF(width: 1, height: 1)
    tiled.longs = [(322, [1 << 30]), (323, [1 << 30]), (324, [8]), (325, [1])]
    #expect(throws: CodecError.self) { try decoder.decode(tiled.file([[1]])) }
    let limits = DecodingLimits(maximumByteCount: 1_000_000)
    tiled.longs = [(322, [65_536]), (323, [1 << 20]), (324, [8]), (325, [1])]
    _ = try? decoder.decode(tiled.file([[1]]), options: DecodingOptions(limits: limits))
    let small = stored()
    #expect(throws: CodecError.self) {
      try decoder.decode(small, options: DecodingOptions(limits: DecodingLimits(maximumPixelCount: 23)))
    }
    #expect(throws: Never.self) {
      try decoder.decode(small, options: DecodingOptions(limits: DecodingLimits(maximumPixelCount: 24)))
    }
  }

  @Test func stripsThatShareDataAreEachCharged() throws {
    // A million strips of one row refer to the same Deflate stream.
    var tiff = SmallTIFF(width: 1, height: 20_000)
    tiff.compression = 8
    tiff.rowsPerStrip = 1
    let strip = [UInt8](repeating: 0, count: 200_000)
    tiff.offsets = [Int](repeating: 8, count: 20_000)
    tiff.byteCounts = [Int](repeating: 200_000, count: 20_000)
    let file = tiff.file([strip])
    let error = #expect(throws: CodecError.self) { try decoder.decode(file) }
    #expect(error?.kind == .limitExceeded)
  }

  /// PackBits bytes without meaning, and those of JPEG tables, cost the more the more strips refer to them.
  @Test func bytesThatDecodeToNothingAreChargedForEachStrip() throws {
    var tiff = SmallTIFF(width: 8, height: 200)
    tiff.compression = 32773
    tiff.rowsPerStrip = 1
    let idle = [UInt8](repeating: 0x80, count: 10_000)
    var limits = DecodingLimits(maximumWork: 10_000_000)
    limits.maximumWorkPerPixel = 0
    let options = DecodingOptions(limits: limits)
    // As many bytes in one strip that no other refers to are within the limit.
    let single = tiff.file([idle + idle] + [[UInt8]](repeating: [7, 1, 2, 3, 4, 5, 6, 7, 8], count: 199))
    #expect(try decoder.decode(single, options: options).diagnostics.count == 1)
    tiff.offsets = [Int](repeating: 8, count: 200)
    tiff.byteCounts = [Int](repeating: idle.count, count: 200)
    let shared = tiff.file([idle])
    let error = #expect(throws: CodecError.self) { try decoder.decode(shared, options: options) }
    #expect(error?.kind == .limitExceeded)
    let stripping = #expect(throws: CodecError.self) {
      try TIFFMetadataRewriter(keepsUnknownParts: false)
        .rewrite(shared.span, metadata: ImageMetadata(), limits: limits)
    }
    #expect(stripping?.kind == .limitExceeded)
  }

  /// Strips whose lengths are missing end where the next one begins, in whatever order they are stored.
  @Test func stripsWithoutLengthsEndAtTheNext() throws {
    var tiff = SmallTIFF(width: 2, height: 100)
    tiff.compression = 32773
    tiff.rowsPerStrip = 1
    let strips = (0..<100).map { [1, UInt8($0), UInt8($0 + 100)] as [UInt8] }
    tiff.offsets = (0..<100).map { 8 + 3 * (99 - $0) }
    let reversed = Array(strips.reversed())
    let whole = try decoder.decode(tiff.file(reversed))
    #expect(whole.isComplete && whole.bitmap.packedPixels == strips.flatMap { $0.dropFirst() })
    tiff.byteCounts = [Int](repeating: 0, count: 100)
    // Reading each strip up to the end of the file would exceed this.
    var limits = DecodingLimits(maximumWork: 200_000)
    limits.maximumWorkPerPixel = 0
    let open = try decoder.decode(tiff.file(reversed), options: DecodingOptions(limits: limits))
    #expect(open.isComplete && open.bitmap == whole.bitmap)
  }

  @Test func missingTilesAndHugePixelsAreCharged() {
    // 160,000 tiles of one pixel, of which the first is in the file.
    var tiles = SmallTIFF(width: 400, height: 400)
    tiles.longs = [(322, [1]), (323, [1]), (324, [8]), (325, [1])]
    // Rows of 260 MB.
    var samples = SmallTIFF(width: 4000, height: 400)
    samples.shorts = [(277, [65535])]
    let options = DecodingOptions(limits: DecodingLimits(maximumWork: 1_000_000))
    for file in [tiles.file([[1]]), samples.file([[1, 2, 3]])] {
      #expect {
        try decoder.decode(file, options: options)
      } throws: {
        ($0 as? CodecError)?.kind == .limitExceeded
      }
    }
  }

  @Test func decodingCanBeCancelled() throws {
    let bitmap = try Bitmap(width: 800, height: 800, format: .rgb8)
    let file = try TIFFEncoder().encode(bitmap)
    let error = #expect(throws: CodecError.self) {
      try decoder.decode(file, options: DecodingOptions(shouldCancel: { true }))
    }
    #expect(error?.kind == .cancelled)
  }

  @Test func everyPrefixOfAFileIsTruncatedOrKept() throws {
    var random = TestRandom(8)
    let bitmap = try Bitmap(width: 20, height: 12, format: .rgb8, pixels: random.bytes(720))
    for options in [
      TIFFEncoder.Options(rowsPerStrip: 3),
      TIFFEncoder.Options(compression: .deflate(level: 1), tileSize: PixelSize(width: 16, height: 16)),
    ] {
      let file = try TIFFEncoder(options: options).encode(bitmap)
      // The directory is at the end; only the link after it is dispensable.
      for count in 0..<file.count - 4 {
        let prefix = Array(file.prefix(count))
        let error = #expect(throws: CodecError.self) { try decoder.decode(prefix) }
        #expect(error?.kind == .truncated)
      }
    }
  }
}

extension Span<UInt8> {
  /// The first sixteen elements.
  fileprivate var span16: [UInt8] { (0..<16).map { self[$0] } }
}
