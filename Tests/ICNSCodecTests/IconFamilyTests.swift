// The entries of a file: which pictures it has, tables of contents, damage.

import ICNSCodec
import ImageCoding
import PNGCodec
import TestSupport
import Testing

private let decoder = ICNSDecoder(pngDecoder: PNGDecoder())
private let strict = DecodingOptions(tolerance: .strict)

@Suite struct IconFamilyTests {
  private let small = FamilyBytes.entry("is32", FamilyBytes.solid(9))
  private let masked = FamilyBytes.entry("ICN#", FamilyBytes.noise(256, seed: 1))

  private func diagnosed(_ file: [UInt8]) throws -> [String] {
    #expect(throws: CodecError.self) { try decoder.decode(file, options: strict) }
    return try decoder.decode(file).diagnostics.map(\.reason)
  }

  @Test func picturesWithTheirScalesAndCodings() throws {
    let argb = Array("ARGB".utf8) + (0..<4).flatMap { _ in FamilyBytes.packed([UInt8](repeating: 7, count: 256)) }
    let file = FamilyBytes.file(
      FamilyBytes.entry("icnV", [0, 0, 0, 1]), FamilyBytes.entry("ic04", argb), small,
      FamilyBytes.entry("s8mk", [UInt8](repeating: 1, count: 256)), masked, FamilyBytes.entry("icl8", []),
      FamilyBytes.entry("ic11", try FamilyBytes.png(32)), FamilyBytes.entry("info", [1]))
    let family = try IconFamily(parsing: file.span)
    #expect(family.pictures.map(\.typeName) == ["ic04", "is32", "ICN#", "icl8", "ic11"])
    #expect(family.pictures.map(\.coding) == [.argb, .rgb, .bits, .indices, .png])
    #expect(family.pictures.map(\.bitsPerPixel) == [32, 24, 1, 8, 32])
    #expect(family.pictures.map(\.scale) == [1, 1, 1, 1, 2])
    #expect(family.pictures.map(\.size.width) == [16, 16, 32, 32, 32])
    let ranges = family.pictures.map(\.range)
    #expect(ranges[1].count == small.count - 8 && ranges[2].count == 256 && ranges[3].isEmpty)
    // The deepest of the largest ones.
    #expect(family.largestPicture == family.pictures[4])
    let info = try decoder.info(file)
    #expect(info.size == PixelSize(width: 32, height: 32) && info.imageCount == 5 && info.coding == "PNG")
    #expect(info.bitDepth == 8 && info.colorModel == .rgb && info.hasAlpha && info.type == ICNSDecoder.type)
  }

  @Test func picturesAreSelectedByIndexAndSize() throws {
    let file = FamilyBytes.file(
      small, FamilyBytes.entry("ich#", FamilyBytes.noise(576, seed: 2)),
      FamilyBytes.entry("ic12", try FamilyBytes.png(64)), FamilyBytes.entry("icp5", try FamilyBytes.png(32)), masked)
    func width(_ options: DecodingOptions) throws -> Int { try decoder.decode(file, options: options).bitmap.width }
    let family = try IconFamily(parsing: file.span)
    #expect(try width(DecodingOptions()) == 64)
    for (index, expected) in [16, 48, 64, 32, 32].enumerated() {
      #expect(try width(DecodingOptions(imageIndex: index)) == expected)
    }
    for (target, expected) in [(1, 16), (16, 16), (17, 32), (33, 48), (49, 64), (100, 64)] {
      let size = PixelSize(width: target, height: target)
      #expect(try width(DecodingOptions(targetSize: size)) == expected)
      #expect(family.bestPicture(for: size)?.size.width == expected)
    }
    #expect(family.bestPicture(for: PixelSize(width: 20, height: 20))?.typeName == "icp5")
    for index in [5, -1] {
      let error = #expect(throws: CodecError.self) { try width(DecodingOptions(imageIndex: index)) }
      #expect(error?.kind == .invalidArgument)
    }
  }

  @Test func nestedFamiliesAreSkipped() throws {
    let dark = FamilyBytes.file(FamilyBytes.entry("ic07", try FamilyBytes.png(128)))
    var entry = FamilyBytes.entry("dark", dark)
    entry.replaceSubrange(0..<4, with: [0xFD, 0xD9, 0x2F, 0xA8])
    let file = FamilyBytes.file(FamilyBytes.entry("slct", dark), small, FamilyBytes.entry("sbtp", dark), entry)
    #expect(try IconFamily(parsing: file.span).pictures.map(\.typeName) == ["is32"])
    #expect(try decoder.decode(file, options: strict).diagnostics == [])
  }

  @Test func unknownEntriesAreNoted() throws {
    let file = FamilyBytes.file(FamilyBytes.entry("ABCD", [1]), FamilyBytes.entry("EFGH", []), small)
    let image = try decoder.decode(file, options: strict)
    #expect(image.diagnostics.count == 1 && image.diagnostics.first?.reason.contains("ABCD") == true)
    #expect(image.diagnostics.first?.byteOffset == 8 && image.isComplete)
  }

  // MARK: Prefixes

  @Test func aTableOfContentsTellsWhatFollows() throws {
    let large = FamilyBytes.entry("ic07", try FamilyBytes.png(128))
    let file = FamilyBytes.fileWithContents(small, masked, large)
    let whole = try IconFamily(parsing: file.span)
    let prefix = try IconFamily(parsing: file.span.extracting(first: 8 + 8 + 3 * 8))
    #expect(prefix.pictures.map(\.typeName) == whole.pictures.map(\.typeName))
    #expect(prefix.pictures.map(\.range) == whole.pictures.map(\.range))
    #expect(prefix.largestPicture?.size == PixelSize(width: 128, height: 128))
    #expect(try decoder.info(Array(file.prefix(40))).size == PixelSize(width: 128, height: 128))
    #expect(try decoder.decode(file, options: strict).diagnostics == [])
  }

  @Test func withoutATableTheHeadersOfAllEntriesAreNeeded() throws {
    let file = FamilyBytes.file(small, masked, FamilyBytes.entry("ic07", try FamilyBytes.png(128)))
    let last = 8 + small.count + masked.count + 8
    for count in 0..<last {
      let error = #expect(throws: CodecError.self) { try decoder.info(Array(file.prefix(count))) }
      #expect(error?.kind == .truncated)
      let needed = try #require(error?.neededByteCount)
      #expect(needed > count && needed <= last)
    }
    #expect(try decoder.info(Array(file.prefix(last))).width == 128)
  }

  @Test func tablesThatDifferFromTheEntries() throws {
    let extra = FamilyBytes.fileWithContents(small, extra: Array(masked.prefix(8)))
    let missing = FamilyBytes.file(FamilyBytes.entry("TOC ", Array(small.prefix(8))), small, masked)
    let others = FamilyBytes.file(FamilyBytes.entry("TOC ", Array(masked.prefix(8))), small)
    for file in [extra, missing, others] {
      #expect(try diagnosed(file) == ["the table of contents differs from the entries"])
    }
  }

  // MARK: Damage

  @Test func theEntriesBeforeDamageAreDecoded() throws {
    let short = FamilyBytes.file(small, FamilyBytes.entry("ICN#", [], length: 7), masked)
    #expect(try diagnosed(short) == ["the length of an entry is 7, less than that of its header"])
    let file = FamilyBytes.file(small, masked)
    let cut = Array(file.prefix(8 + small.count + 4))
    #expect(try diagnosed(cut) == ["the file has \(cut.count) of \(file.count) bytes"])
    let image = try decoder.decode(cut)
    #expect(image.bitmap.width == 16 && image.isComplete && image.diagnostics.first?.severity == .damage)
    #expect(try diagnosed(file + [1]) == ["there are bytes after the end of the icon family"])
    var longer = file
    longer[8 + small.count + 7] += 1
    #expect(try diagnosed(longer) == ["an entry extends beyond the end of the file"])
    let tail = FamilyBytes.file(small, [1, 2, 3])
    #expect(try diagnosed(tail) == ["the file ends inside the header of an entry"])
  }

  @Test func theFirstOfTwoEntriesOfATypeCounts() throws {
    let other = FamilyBytes.entry("is32", FamilyBytes.solid(1))
    let file = FamilyBytes.file(small, other, other)
    #expect(try IconFamily(parsing: file.span).pictures.count == 1)
    #expect(try diagnosed(file) == ["there is a second entry of type “is32”"])
    #expect(try decoder.decode(file).bitmap.packedPixels.first == 9)
  }

  @Test func filesWithoutPictures() throws {
    let mask = FamilyBytes.entry("s8mk", [UInt8](repeating: 0, count: 256))
    for file in [FamilyBytes.file(), FamilyBytes.file(mask), FamilyBytes.file(FamilyBytes.entry("TOC ", []))] {
      for options in [DecodingOptions(), strict] {
        let error = #expect(throws: CodecError.self) { try decoder.decode(file, options: options) }
        #expect(error?.kind == .malformed && error?.format == ICNSDecoder.type)
      }
      #expect(throws: CodecError.self) { try decoder.info(file) }
    }
    #expect(throws: CodecError.self) { try decoder.info(Array("icnt".utf8) + [0, 0, 0, 8]) }
  }

  // MARK: Cost

  @Test func aMillionEntries() throws {
    var content: [UInt8] = []
    let entry = FamilyBytes.entry("icl8", [])
    for _ in 0..<1_000_000 { content += entry }
    let file = FamilyBytes.file(content, small)
    let few = DecodingOptions(limits: DecodingLimits(maximumWork: 99_000_000, maximumWorkPerPixel: 0))
    let error = #expect(throws: CodecError.self) { try decoder.decode(file, options: few) }
    #expect(error?.kind == .limitExceeded && error?.limit == .work)
    var budget = ResourceBudget(.default)
    var bitmap = Bitmap()
    let smallest = DecodingOptions(imageIndex: 1)
    let details = try decoder.decode(file.span, into: &bitmap, options: smallest, budget: &budget)
    #expect(details.info.imageCount == 2 && bitmap.width == 16)
    #expect(budget.heldByteCount == bitmap.byteCount && budget.work >= 100_000_000)
    // The file is not copied, nor are its entries collected.
    #expect(budget.peakByteCount < 10_000)
  }

  @Test func probing() {
    let file = Array("icns".utf8) + [0, 0, 0, 8]
    #expect(decoder.probe(file.span) == .yes(ICNSDecoder.type))
    #expect(decoder.probe(file.span.extracting(first: 3)) == .needs(byteCount: 4))
    #expect(decoder.probe(Array("icnt".utf8).span) == .no)
  }
}
