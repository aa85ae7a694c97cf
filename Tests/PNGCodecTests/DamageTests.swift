import ImageCoding
import PNGCodec
import TestSupport
import Testing

@Suite struct DamageTests {
  static let smallFiles: [[UInt8]] = layouts.flatMap { layout in
    [false, true].map { isInterlaced in
      var png = TestPNG(width: 9, height: 9, colorType: layout.colorType, bitDepth: layout.bitDepth, seed: 2)
      png.isInterlaced = isInterlaced
      png.idatByteCount = 60
      png.extraChunks = [("gAMA", bigEndian(45455)), ("tEXt", Array("Title\0x".utf8))]
      return png.bytes
    }
  }

  @Test func everyPrefixGivesTheRowsItHolds() throws {
    for file in Self.smallFiles {
      let whole = try decode(file).bitmap
      var rowsBefore = 0
      for count in 0..<file.count {
        let prefix = Array(file[..<count])
        guard let image = try? decode(prefix) else {
          #expect(rowsBefore == 0)
          continue
        }
        #expect(decodeError(prefix, strict) != nil)
        #expect(!image.diagnostics.isEmpty)
        // Each row is the real one or still all zero; a pass of an interlaced image fills parts of rows.
        var rows = 0
        if !image.info.isProgressive {
          while rows < whole.height, equalRows(image.bitmap, whole, rows) { rows += 1 }
          for y in rows..<whole.height { #expect(isZero(image.bitmap, row: y)) }
          #expect(rows >= rowsBefore)
          rowsBefore = rows
        } else {
          for y in 0..<whole.height { #expect(isSubset(image.bitmap, of: whole, row: y)) }
        }
      }
    }
  }

  private func equalRows(_ a: Bitmap, _ b: Bitmap, _ y: Int) -> Bool {
    a.row(y).indices.allSatisfy { a.row(y)[$0] == b.row(y)[$0] }
  }
  private func isZero(_ a: Bitmap, row y: Int) -> Bool { a.row(y).indices.allSatisfy { a.row(y)[$0] == 0 } }
  private func isSubset(_ a: Bitmap, of b: Bitmap, row y: Int) -> Bool {
    a.row(y).indices.allSatisfy { a.row(y)[$0] == b.row(y)[$0] || a.row(y)[$0] == 0 }
  }

  @Test func aSessionEqualsOneShotHoweverTheInputIsCut() throws {
    var random = TestRandom(11)
    for file in Self.smallFiles {
      for cut in [file.count, file.count * 3 / 4, file.count / 2] {
        let bytes = Array(file[..<cut])
        let expected = Result { try decode(bytes) }
        for maximum in [1, 2, 5, 40] {
          let session = PNGDecoder().makeSession(options: DecodingOptions())
          let result = Result {
            var start = 0
            while start < bytes.count {
              let end = min(bytes.count, start + (maximum == 1 ? 1 : Int.random(in: 1...maximum, using: &random)))
              try session.append(bytes.span.extracting(start..<end))
              start = end
            }
            return try session.finish()
          }
          switch (expected, result) {
          case (.success(let a), .success(let b)):
            #expect(a.bitmap == b.bitmap)
            #expect(a.details == b.details)
          case (.failure(let a), .failure(let b)): #expect(a as? CodecError == b as? CodecError)
          default: Issue.record("one-shot and session differ")
          }
        }
      }
    }
  }

  @Test func noFlippedBitTraps() {
    for file in Self.smallFiles.prefix(30) {
      for bit in 0..<file.count * 8 {
        var damaged = file
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        let small = DecodingLimits(maximumPixelCount: 100_000)
        _ = decodeError(damaged, DecodingOptions(limits: small))
        _ = decodeError(damaged, DecodingOptions(tolerance: .strict, limits: small))
      }
    }
  }

  @Test func strictDecodingWantsEveryChecksum() throws {
    let png = TestPNG(width: 8, height: 8, colorType: 2, bitDepth: 8)
    for (index, chunk) in png.chunks.enumerated() {
      var file = TestPNG.signature
      for (other, data) in png.chunks.enumerated() {
        var bytes = TestPNG.chunk(data.0, data.1)
        if other == index { bytes[bytes.count - 1] ^= 1 }
        file += bytes
      }
      let error = decodeError(file, strict)
      #expect(error?.kind == .malformed, "\(chunk.0)")
      #expect(error?.byteOffset != nil)
      let image = try decode(file)
      #expect(image.bitmap.rgba16 == png.expectedRGBA16)
      #expect(image.diagnostics.count == 1)
    }
  }

  @Test func damagedAncillaryChunksAreSkippedEvenInStrictMode() throws {
    var png = TestPNG(width: 4, height: 4, colorType: 2, bitDepth: 8)
    png.extraChunks = [
      ("gAMA", [1]), ("cHRM", [0, 0]), ("sRGB", [9]), ("cICP", [1, 1, 5, 1]), ("pHYs", bigEndian(1)), ("tIME", [0]),
      ("iCCP", Array("name\0\0garbage".utf8)), ("zTXt", Array("k\0\0garbage".utf8)), ("tEXt", [0, 1]), ("iTXt", [65]),
      ("sBIT", [9, 9, 9]), ("bKGD", [1]), ("tRNS", [1]),
    ]
    let image = try decode(png.bytes, strict)
    #expect(image.bitmap.rgba16 == png.expectedRGBA16)
    #expect(image.metadata.isEmpty)
    #expect(image.diagnostics.count == png.extraChunks.count)
  }

  @Test(arguments: ["ABCD", "IEMd"])
  func unknownCriticalChunksAreErrorsWhenStrict(type: String) throws {
    var png = TestPNG(width: 4, height: 4, colorType: 0, bitDepth: 8)
    png.extraChunks = [(type, [1, 2, 3])]
    #expect(decodeError(png.bytes, strict)?.kind == .unsupported)
    #expect(try decode(png.bytes).bitmap.rgba16 == png.expectedRGBA16)
  }

  @Test func orderIsKept() throws {
    let png = TestPNG(width: 4, height: 4, colorType: 3, bitDepth: 8)
    let (header, palette, data, end) = (png.chunks[0], png.chunks[1], png.chunks[2], png.chunks[3])
    #expect(decodeError(TestPNG.file([palette, header, data, end]))?.kind == .malformed)
    #expect(decodeError(TestPNG.file([header, data, end]))?.reason == "PLTE is missing")
    #expect(decodeError(TestPNG.file([header, palette, end]))?.reason == "there is no image data")
    #expect(decodeError(TestPNG.file([header, header, palette, data, end]), strict)?.reason == "IHDR is repeated")
    #expect(decodeError(TestPNG.file([header, palette, palette, data, end]), strict)?.reason == "PLTE is repeated")
    let half = data.1.count / 2
    let split = [
      header, palette, ("IDAT", Array(data.1[..<half])), ("tEXt", Array("a\0b".utf8)),
      ("IDAT", Array(data.1[half...])), end,
    ]
    #expect(decodeError(TestPNG.file(split), strict) != nil)
    let bytes = png.bytes
    #expect(decodeError(Array(bytes[..<(bytes.count - 12)]), strict)?.kind == .truncated)
    #expect(try decode(Array(bytes[..<(bytes.count - 12)])).isComplete)
  }

  @Test func headersMustBeSound() {
    let png = TestPNG(width: 4, height: 4, colorType: 0, bitDepth: 8)
    func file(_ header: [UInt8]) -> [UInt8] { TestPNG.file([("IHDR", header)] + png.chunks.dropFirst()) }
    let tail: [UInt8] = [8, 0, 0, 0, 0]
    for header in [
      bigEndian(0) + bigEndian(4) + tail, bigEndian(4) + bigEndian(0) + tail, bigEndian(-1) + bigEndian(4) + tail,
      bigEndian(4) + bigEndian(4) + [3, 0, 0, 0, 0], bigEndian(4) + bigEndian(4) + [8, 1, 0, 0, 0],
      bigEndian(4) + bigEndian(4) + [8, 0, 1, 0, 0], bigEndian(4) + bigEndian(4) + [8, 0, 0, 1, 0],
      bigEndian(4) + bigEndian(4) + [8, 0, 0, 0, 2], bigEndian(4) + bigEndian(4) + tail + [0],
      bigEndian(4) + bigEndian(4) + [16, 3, 0, 0, 0],
    ] {
      #expect(decodeError(file(header))?.kind == .malformed)
    }
    var bad = png.bytes
    bad[0] = 0
    #expect(decodeError(bad)?.reason == "the PNG signature is damaged")
    #expect(decodeError([])?.kind == .truncated)
  }

  @Test func unknownPaletteIndicesAreBlack() throws {
    var png = TestPNG(width: 4, height: 1, colorType: 3, bitDepth: 8, paletteCount: 2)
    png.samples = [0, 1, 2, 255]
    #expect(decodeError(png.bytes, strict)?.kind == .malformed)
    let image = try decode(png.bytes)
    #expect(image.diagnostics.count == 1)
    #expect(image.bitmap[2, 0] == RGBA8(red: 0, green: 0, blue: 0))
    #expect(image.bitmap[3, 0] == RGBA8(red: 0, green: 0, blue: 0))
    #expect(image.bitmap.rgba16[1] == png.palette[1].map { UInt16($0) * 257 } + [65535])
  }

  @Test func imageDataMayBeLongerThanTheImage() throws {
    let png = TestPNG(width: 4, height: 4, colorType: 0, bitDepth: 8)
    let rows = png.filteredRows + [UInt8](repeating: 7, count: 5000)
    let stream = zlib(rows)
    let file = TestPNG.file([("IHDR", png.header), ("IDAT", stream), ("IEND", [])])
    let image = try decode(file, strict)
    #expect(image.bitmap.rgba16 == png.expectedRGBA16)
    #expect(image.diagnostics.count == 1)
  }

  @Test func whereARowIsWrongDoesNotDependOnHowTheInputIsCut() throws {
    // Found by fuzzing: the offset was that of the last byte of the piece in which the row was complete.
    var png = TestPNG(width: 2, height: 300, colorType: 2, bitDepth: 8)
    png.filters = Array(repeating: 0, count: 100) + [9]
    let bytes = png.bytes
    let expected = try decode(bytes)
    let session = PNGDecoder().makeSession(options: DecodingOptions())
    for index in bytes.indices { try session.append(bytes.span.extracting(index..<index + 1)) }
    let result = try session.finish()
    #expect(result.details == expected.details)
    #expect(result.bitmap == expected.bitmap)
    #expect(expected.diagnostics.first?.reason == "a row has an unknown filter type")
  }

  @Test func aWrongStreamChecksumIsFound() throws {
    let png = TestPNG(width: 4, height: 4, colorType: 0, bitDepth: 8)
    var stream = png.imageStream
    stream[stream.count - 1] ^= 1
    let file = TestPNG.file([("IHDR", png.header), ("IDAT", stream), ("IEND", [])])
    #expect(decodeError(file, strict)?.reason == "incorrect data check")
    let image = try decode(file)
    #expect(image.isComplete)
    #expect(image.diagnostics.first?.severity == .damage)
  }
}

@Suite struct LimitTests {
  @Test func pixelCount() throws {
    let png = TestPNG(width: 10, height: 10, colorType: 6, bitDepth: 8)
    #expect(decodeError(png.bytes, DecodingOptions(limits: DecodingLimits(maximumPixelCount: 100))) == nil)
    let error = decodeError(png.bytes, DecodingOptions(limits: DecodingLimits(maximumPixelCount: 99)))
    #expect(error?.kind == .limitExceeded)
    #expect(error?.format == PNGDecoder.type)
    #expect(error?.byteOffset == 16)
  }

  @Test func hugeSizesAreRefusedBeforeAnythingIsAllocated() {
    let png = TestPNG(width: 1, height: 1, colorType: 6, bitDepth: 16)
    for (width, height) in [(0x7FFF_FFFF, 0x7FFF_FFFF), (0x7FFF_FFFF, 1), (1, 0x7FFF_FFFF), (20_000, 20_000)] {
      let header = bigEndian(width) + bigEndian(height) + [16, 6, 0, 0, 0]
      let file = TestPNG.file([("IHDR", header)] + png.chunks.dropFirst())
      #expect(decodeError(file)?.kind == .limitExceeded)
      #expect(decodeError(file, DecodingOptions(limits: .server))?.kind == .limitExceeded)
    }
  }

  @Test func metadataBombsAreSkipped() throws {
    let bomb = zlib([UInt8](repeating: 65, count: 20_000_000))
    var png = TestPNG(width: 4, height: 4, colorType: 0, bitDepth: 8)
    png.extraChunks = [
      ("zTXt", Array("k\0\0".utf8) + bomb), ("iTXt", Array("k\0".utf8) + [1, 0, 0, 0] + bomb),
      ("iCCP", Array("k\0\0".utf8) + bomb), ("tEXt", Array("ok\0yes".utf8)),
    ]
    let image = try decode(png.bytes)
    #expect(image.metadata.texts.map(\.keyword) == ["ok"])
    #expect(image.metadata.colorSpace.iccProfile == nil)
    #expect(image.diagnostics.count == 3)
  }

  @Test func metadataIsCountedAndSummed() throws {
    var png = TestPNG(width: 4, height: 4, colorType: 0, bitDepth: 8)
    png.extraChunks = (0..<20).map { ("tEXt", Array("k\(10 + $0)\0v".utf8)) }
    func texts(_ limits: DecodingLimits) throws -> Int {
      try decode(png.bytes, DecodingOptions(limits: limits)).metadata.texts.count
    }
    #expect(try texts(DecodingLimits()) == 20)
    #expect(try texts(DecodingLimits(maximumMetadataChunkCount: 7)) == 7)
    #expect(try texts(DecodingLimits(maximumMetadataByteCount: 50)) == 10)
    #expect(try texts(DecodingLimits(maximumMetadataChunkByteCount: 4)) == 0)
    #expect(try texts(DecodingLimits(maximumMetadataChunkByteCount: 5)) == 20)
  }
}
