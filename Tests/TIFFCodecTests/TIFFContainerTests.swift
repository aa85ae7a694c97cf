// TIFF files put together by hand in both byte orders and both widths: layout, pages, metadata, loops and storms.

import ImageCoding
import MetadataFormats
import TIFFCodec
import Testing

private struct TIFFBuilder {
  var isBigEndian = false
  var isBig = false

  func integer(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
  var wide: Int { isBig ? 8 : 4 }
  var headerByteCount: Int { isBig ? 16 : 8 }

  func header(first: Int? = nil) -> [UInt8] {
    let order = Array((isBigEndian ? "MM" : "II").utf8)
    let version: [UInt8] = isBig ? integer(43, 2) + integer(8, 2) + integer(0, 2) : integer(42, 2)
    return order + version + integer(first ?? headerByteCount, wide)
  }
  func short(_ tag: Int, _ value: Int) -> [UInt8] {
    integer(tag, 2) + integer(3, 2) + integer(1, wide) + integer(value, 2) + [UInt8](repeating: 0, count: wide - 2)
  }
  func field(_ tag: Int, type: Int, count: Int, offset: Int) -> [UInt8] {
    integer(tag, 2) + integer(type, 2) + integer(count, wide) + integer(offset, wide)
  }
  func directory(_ fields: [[UInt8]], next: Int = 0) -> [UInt8] {
    integer(fields.count, isBig ? 8 : 2) + fields.flatMap { $0 } + integer(next, wide)
  }
  func directoryByteCount(_ fieldCount: Int) -> Int { (isBig ? 8 : 2) + fieldCount * (isBig ? 20 : 12) + wide }
}

@Suite struct TIFFContainerTests {
  private func container(_ bytes: [UInt8], indexed: Bool = true) throws -> TIFFContainer {
    try TIFFContainer(parsing: bytes.span, options: InfoOptions(indexesFrames: indexed))
  }

  @Test(arguments: [false, true], [false, true]) func layoutOfTheFirstPage(_ isBigEndian: Bool, _ isBig: Bool) throws {
    let builder = TIFFBuilder(isBigEndian: isBigEndian, isBig: isBig)
    let count = 9
    let values = builder.headerByteCount + builder.directoryByteCount(count)
    let file =
      builder.header()
      + builder.directory([
        builder.short(256, 30), builder.short(257, 20), builder.field(258, type: 3, count: 5, offset: values),
        builder.short(259, 5), builder.short(262, 2), builder.short(274, 6), builder.short(277, 5),
        builder.short(338, 2), builder.field(700, type: 1, count: 9, offset: values + 10),
      ])
      + [16, 16, 16, 16, 16].flatMap { builder.integer($0, 2) } + Array("<rdf:RDF>".utf8)
    let tiff = try container(file)
    #expect(tiff.size == PixelSize(width: 30, height: 20) && tiff.bitsPerSample == [16, 16, 16, 16, 16])
    #expect(tiff.isBig == isBig && tiff.isBigEndian == isBigEndian && tiff.hasAlpha && tiff.samplesPerPixel == 5)
    let info = try TIFFDecoder().info(file)
    #expect(info.orientedSize == PixelSize(width: 20, height: 30) && info.coding == "LZW" && info.bitDepth == 16)
    #expect(try TIFFDecoder().metadata(file).xmp == Array("<rdf:RDF>".utf8))
    for count in file.indices {
      // A prefix says the same, or how many bytes would do.
      let prefix = Array(file.prefix(count))
      do {
        #expect(try TIFFDecoder().info(prefix) == info)
      } catch {
        #expect(error.kind == .truncated && (error.neededByteCount ?? 0) > count)
      }
    }
  }

  @Test func pagesAreCountedAndLoopsEnd() throws {
    let builder = TIFFBuilder()
    let page = builder.directoryByteCount(2)
    let fields = [builder.short(256, 3), builder.short(257, 2)]
    func file(lastLink: Int) -> [UInt8] {
      builder.header() + builder.directory(fields, next: 8 + page) + builder.directory(fields, next: 8 + 2 * page)
        + builder.directory(fields, next: lastLink)
    }
    #expect(try container(file(lastLink: 0)).pageCount == 3)
    #expect(try container(file(lastLink: 0), indexed: false).pageCount == nil)
    for link in [8, 8 + page, 8 + 2 * page, 0xFFFF_FFFF, 1] {
      #expect(try container(file(lastLink: link)).pageCount == 3)
    }
  }

  @Test func descriptiveTagsBecomeABlockOfTheirOwn() throws {
    let builder = TIFFBuilder(isBigEndian: true)
    let exif = 8 + builder.directoryByteCount(5)
    let values = exif + builder.directoryByteCount(1)
    let file =
      builder.header()
      + builder.directory([
        builder.short(256, 3), builder.short(257, 2), builder.field(271, type: 2, count: 6, offset: values),
        builder.short(274, 8), builder.field(0x8769, type: 4, count: 1, offset: exif),
      ])
      + builder.directory([builder.field(0x829A, type: 5, count: 1, offset: values + 6)]) + Array("Maker\0".utf8)
      + builder.integer(1, 4) + builder.integer(60, 4)
    let metadata = try TIFFDecoder().metadata(file)
    let tags = try #require(metadata.exifTags)
    #expect(tags.cameraMake == "Maker" && tags.exposureTime == EXIFRational(1, 60) && tags.orientation == .left)
    #expect(tags[.image, 256] == nil)
  }

  @Test func stormsOverflowsAndFlippedBitsComeBack() {
    let builder = TIFFBuilder(isBig: true)
    // Counts and offsets of 2⁶⁴ - 1, a directory that points to itself.
    var file =
      builder.header()
      + builder.directory(
        [
          builder.short(256, 3), builder.short(257, 2), builder.field(258, type: 3, count: -1, offset: -1),
          builder.field(34675, type: 7, count: 1 << 30, offset: -1),
          builder.field(0x8769, type: 4, count: 1, offset: 16),
        ], next: 16)
    for bit in 0..<file.count * 8 {
      file[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try? container(file)
      _ = try? TIFFDecoder().metadata(file)
      file[bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }

  @Test func pagesBeyondTheLimitAreAnErrorNotACount() throws {
    // A chain of 30,000 directories of no fields.
    let classic = TIFFBuilder()
    var chain = classic.header() + classic.directory([classic.short(256, 1), classic.short(257, 1)], next: 38)
    for index in 0..<30_000 { chain += classic.directory([], next: 38 + 6 * (index + 1)) }
    let error = #expect(throws: CodecError.self) { try container(chain) }
    #expect(error?.kind == .limitExceeded)
    let unlimited = InfoOptions(limits: .unlimited, indexesFrames: true)
    #expect(try TIFFContainer(parsing: chain.span, options: unlimited).pageCount == 30_001)
  }

  /// 9,990 directories of 65,535 fields each, all of which overlap: 655 million entries in 0.8 MB.
  @Test func overlappingPagesCostTheirLinksOnly() throws {
    let builder = TIFFBuilder()
    let stride = 4
    let pageCount = 9_990
    let tail = 65_535 * 12
    var file = builder.header(first: 8) + [UInt8](repeating: 0, count: pageCount * stride + tail + 64)
    func store(_ value: Int, _ count: Int, at offset: Int) {
      for (index, byte) in builder.integer(value, count).enumerated() { file[offset + index] = byte }
    }
    // The first directory is valid; the others have their counts every four bytes.
    let first = builder.directory([builder.short(256, 1), builder.short(257, 1)], next: 64)
    file.replaceSubrange(8..<8 + first.count, with: first)
    for page in 0..<pageCount - 64 / stride {
      let offset = 64 + page * stride
      store(0xFFFF, 2, at: offset)
      store(page == pageCount - 64 / stride - 1 ? 0 : offset + stride, 4, at: offset + 2 + tail)
    }
    #expect(try container(file).pageCount == pageCount - 64 / stride + 1)
    let options = DecodingOptions()
    var budget = ResourceBudget(options)
    var bitmap = Bitmap()
    // The first page has no pixels: only the chain of pages costs anything.
    _ = try? TIFFDecoder().decode(file.span, into: &bitmap, options: options, budget: &budget)
    #expect(budget.work < 20_000_000)
  }

  @Test func fieldsAreChargedToTheBudget() {
    let builder = TIFFBuilder()
    let fields = [builder.short(256, 1), builder.short(257, 1)] + (0..<60_000).map { builder.short(60_000, $0) }
    let file = builder.header() + builder.directory(fields)
    for limits in [DecodingLimits(maximumByteCount: 100_000), DecodingLimits(maximumWork: 100_000)] {
      let error = #expect(throws: CodecError.self) {
        try TIFFContainer(parsing: file.span, options: InfoOptions(limits: limits))
      }
      #expect(error?.kind == .limitExceeded)
    }
    #expect(throws: Never.self) { try TIFFContainer(parsing: file.span) }
  }
}
