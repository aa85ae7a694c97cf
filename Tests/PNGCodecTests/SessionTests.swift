import ImageCoding
import PNGCodec
import Testing

@Suite struct SessionTests {
  @Test func rowsAppearAsTheyArrive() throws {
    var png = TestPNG(width: 20, height: 40, colorType: 2, bitDepth: 8)
    png.filters = [0]
    let file = png.bytes
    let whole = try decode(file).bitmap
    let session = PNGDecoder().makeSession(options: DecodingOptions())
    var rowsBefore = 0
    var previewCount = 0
    for index in file.indices {
      let progress = try session.append(file.span.extracting(index..<index + 1))
      #expect(progress.completedRowCount >= rowsBefore)
      #expect(progress.isHeaderComplete == (session.info != nil))
      if progress.completedRowCount > rowsBefore {
        rowsBefore = progress.completedRowCount
        let preview = try #require(session.makePreview())
        previewCount += 1
        for y in 0..<whole.height {
          let expected = y < rowsBefore ? bytes(of: whole.row(y)) : [UInt8](repeating: 0, count: 60)
          let shown = bytes(of: preview.row(y))
          #expect(shown == expected)
        }
      }
    }
    #expect(rowsBefore == 40)
    #expect(previewCount > 5)
    #expect(try session.finish().bitmap == whole)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 8, 9, 17])
  func interlacedPreviewsShowBlocks(size: Int) throws {
    var png = TestPNG(width: size, height: size + 3, colorType: 0, bitDepth: 8, seed: UInt64(size))
    png.isInterlaced = true
    png.filters = [0]
    let bytes = png.bytes
    let session = PNGDecoder().makeSession(options: DecodingOptions())
    var sawPreview = false
    for index in bytes.indices {
      let progress = try session.append(bytes.span.extracting(index..<index + 1))
      guard let preview = session.makePreview(), progress.completedScanCount >= 1, progress.completedScanCount < 7
      else { continue }
      sawPreview = true
      // After k whole passes, every pixel shows the nearest pixel above and to the left that those passes hold; the
      // unfinished pass may have refined it since, to the pixel's own block of that pass.
      for y in 0..<png.height {
        for x in 0..<png.width {
          let coarse = nearest(x, y, passCount: progress.completedScanCount, png)
          let fine = nearest(x, y, passCount: progress.completedScanCount + 1, png)
          let shown = UInt16(preview.row(y)[x])
          #expect(shown == coarse || shown == fine, "\(x), \(y) after \(progress.completedScanCount) passes")
        }
      }
    }
    #expect(sawPreview || size < 2)
    #expect(try session.finish().bitmap.rgba16 == png.expectedRGBA16)
  }

  /// The sample of the block's corner, the block being as small as the first passes make it.
  private func nearest(_ x: Int, _ y: Int, passCount: Int, _ png: TestPNG) -> UInt16 {
    let (width, height) = [(8, 8), (4, 8), (4, 4), (2, 4), (2, 2), (1, 2), (1, 1)][passCount - 1]
    return png.samples[y / height * height * png.width + x / width * width]
  }

  @Test func everyPixelBelongsToThePassOfTheSpecificationsTable() {
    // PNG section 8.2.
    let table = [
      [1, 6, 4, 6, 2, 6, 4, 6], [7, 7, 7, 7, 7, 7, 7, 7], [5, 6, 5, 6, 5, 6, 5, 6], [7, 7, 7, 7, 7, 7, 7, 7],
      [3, 6, 4, 6, 3, 6, 4, 6], [7, 7, 7, 7, 7, 7, 7, 7], [5, 6, 5, 6, 5, 6, 5, 6], [7, 7, 7, 7, 7, 7, 7, 7],
    ]
    let header = ImageHeader(width: 21, height: 19, bitDepth: 8, colorType: .gray, isInterlaced: true)
    var pass = [Int](repeating: 0, count: 21 * 19)
    for interlacePass in InterlacePass.passes(of: header) {
      for row in 0..<interlacePass.height {
        for column in 0..<interlacePass.width {
          let y = interlacePass.firstRow + row * interlacePass.rowStep
          let x = interlacePass.firstColumn + column * interlacePass.columnStep
          #expect(pass[y * 21 + x] == 0)
          pass[y * 21 + x] = interlacePass.index + 1
        }
      }
    }
    for y in 0..<19 { for x in 0..<21 { #expect(pass[y * 21 + x] == table[y % 8][x % 8]) } }
  }

  @Test func headersAreReadFromAPrefix() throws {
    var png = TestPNG(width: 7, height: 5, colorType: 6, bitDepth: 8)
    png.extraChunks = [("gAMA", bigEndian(45455))]
    let bytes = png.bytes
    let dataStart = TestPNG.file(Array(png.chunks.prefix(2))).count + 8
    for count in 0..<dataStart {
      #expect(throws: CodecError.self) { try PNGDecoder().info(bytes.span.extracting(0..<count)) }
    }
    let info = try PNGDecoder().info(bytes.span.extracting(0..<dataStart))
    #expect(info.size == PixelSize(width: 7, height: 5))
    #expect(info.hasAlpha)
    #expect(info.frameCount == 1)
    #expect(!info.isAnimated)
    #expect(info.colorSpace == .calibrated(gamma: 0.45455, chromaticities: nil))
  }

  @Test func probing() {
    func probe(_ bytes: [UInt8]) -> ProbeResult { PNGDecoder().probe(bytes.span) }
    let signature = TestPNG.signature
    for count in 0..<8 { #expect(probe(Array(signature[..<count])) == .needs(byteCount: 8)) }
    #expect(probe(signature) == .yes("public.png"))
    for index in 0..<8 {
      var other = signature
      other[index] ^= 4
      #expect(probe(other) == .no)
    }
  }
}

private func bytes(of span: Span<UInt8>) -> [UInt8] {
  span.indices.map { span[$0] }
}
