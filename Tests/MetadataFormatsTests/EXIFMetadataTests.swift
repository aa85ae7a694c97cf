// EXIF blocks put together by hand: what they state, and what damage leaves of it.

import ImageCore
import MetadataFormats
import Testing

/// Builds blocks of either byte order.
struct EXIFBuilder {
  enum Value {
    case short([Int])
    case long([Int])
    case ascii(String)
    case rational([(Int, Int)])
    case undefined([UInt8])
    /// The offset of another directory.
    case directory(Int)
  }

  let isBigEndian: Bool
  /// Directories in the order in which they are written; each is at a higher offset than the previous one.
  var directories: [[(tag: Int, value: Value)]]
  /// For each directory, the number of the one that its link names.
  var links: [Int: Int] = [:]
  var tail: [UInt8] = []

  func integer(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    return isBigEndian ? bytes.reversed() : bytes
  }

  private func data(_ value: Value, offsets: [Int]) -> (type: Int, count: Int, bytes: [UInt8]) {
    switch value {
    case .short(let values): (3, values.count, values.flatMap { integer($0, 2) })
    case .long(let values): (4, values.count, values.flatMap { integer($0, 4) })
    case .ascii(let text): (2, text.utf8.count + 1, Array(text.utf8) + [0])
    case .rational(let values): (5, values.count, values.flatMap { integer($0.0, 4) + integer($0.1, 4) })
    case .undefined(let bytes): (7, bytes.count, bytes)
    case .directory(let index): (4, 1, integer(offsets[index], 4))
    }
  }

  var bytes: [UInt8] {
    var offsets: [Int] = []
    var end = 8
    for directory in directories {
      offsets.append(end)
      end += 6 + directory.count * 12
      for field in directory {
        let count = data(field.value, offsets: Array(repeating: 0, count: 8)).bytes.count
        if count > 4 { end += count }
      }
    }
    var result = Array((isBigEndian ? "MM" : "II").utf8) + integer(42, 2) + integer(8, 4)
    for (index, directory) in directories.enumerated() {
      var fields = integer(directory.count, 2)
      var values: [UInt8] = []
      for field in directory {
        let (type, count, bytes) = data(field.value, offsets: offsets)
        fields += integer(field.tag, 2) + integer(type, 2) + integer(count, 4)
        if bytes.count > 4 {
          fields += integer(offsets[index] + 6 + directory.count * 12 + values.count, 4)
          values += bytes
        } else {
          fields += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
        }
      }
      result += fields + integer(links[index].map { offsets[$0] } ?? 0, 4) + values
    }
    return result + tail
  }

  /// A picture with all directories.
  static func camera(isBigEndian: Bool) -> EXIFBuilder {
    EXIFBuilder(
      isBigEndian: isBigEndian,
      directories: [
        [
          (0x010F, .ascii("Maker")), (0x0110, .ascii("Model 7  ")), (0x0112, .short([6])),
          (0x0132, .ascii("2026:01:02 03:04:05")), (0x8769, .directory(1)), (0x8825, .directory(2)),
        ],
        [
          (0x829A, .rational([(1, 250)])), (0x829D, .rational([(28, 10)])), (0x8827, .short([400])),
          (0x9003, .ascii("2025:12:31 23:59:58")), (0x9011, .ascii("-03:30")), (0x9291, .ascii("25")),
          (0x9286, .undefined(Array("ASCII\0\0\0hello".utf8))), (0xA005, .directory(3)), (0xA434, .ascii("Lens 50")),
        ],
        [
          (1, .ascii("S")), (2, .rational([(33, 1), (51, 1), (3120, 100)])), (3, .ascii("E")),
          (4, .rational([(151, 1), (12, 1), (0, 1)])), (5, .undefined([1])), (6, .rational([(15, 2)])),
        ],
        [(1, .ascii("R98"))],
        [(0x0201, .long([0])), (0x0202, .long([0]))],
      ], links: [0: 4])
  }
}

@Suite struct EXIFMetadataTests {
  @Test(arguments: [
    ("+14:00", 840), ("-00:30", -30), ("+15:00", nil), ("+01:60", nil), ("+-9223372036854775808:00", nil),
    ("--1:00", nil), ("+01:-9223372036854775808", nil), ("05:00", nil),
  ]) func offsetsFromUTC(_ text: String, _ minutes: Int?) throws {
    let block = EXIFBuilder(
      isBigEndian: true,
      directories: [
        [(0x8769, .directory(1))], [(0x9003, .ascii("2025:12:31 23:59:58")), (0x9011, .ascii(text))],
      ], links: [:])
    #expect(try EXIFMetadata(block.bytes).dateTaken?.minutesAheadOfUTC == minutes)
  }

  @Test(arguments: [false, true]) func valuesOfEveryDirectory(_ isBigEndian: Bool) throws {
    let exif = try EXIFMetadata(EXIFBuilder.camera(isBigEndian: isBigEndian).bytes)
    #expect(exif.cameraMake == "Maker" && exif.cameraModel == "Model 7" && exif.lensModel == "Lens 50")
    #expect(exif.orientation == .right)
    #expect(exif.exposureTime == EXIFRational(1, 250) && exif.fNumber == 2.8 && exif.isoSpeed == 400)
    #expect(exif.userComment == "hello")
    #expect(exif[.interoperability, 1] == .text("R98"))
    #expect(exif[.thumbnail, .thumbnailOffset] == .integers([0]))
    let taken = try #require(exif.dateTaken)
    #expect(
      taken.local == ImageMetadata.Timestamp(year: 2025, month: 12, day: 31, hour: 23, minute: 59, second: 58))
    #expect(taken.subsecondDigits == "25" && taken.minutesAheadOfUTC == -210)
    #expect(exif.dateModified?.local.year == 2026 && exif.dateModified?.minutesAheadOfUTC == nil)
    let place = try #require(exif.location)
    // 33° 51′ 31.2″ S, 151° 12′ E.
    #expect(abs(place.latitude + 33.858666666666664) < 1e-12 && place.longitude == 151.2)
    #expect(place.altitude == -7.5)
  }

  @Test func aDateThatIsNoneAndAPlaceOfZeroes() throws {
    var builder = EXIFBuilder.camera(isBigEndian: true)
    builder.directories[0][3].value = .ascii("    :  :     :  :  ")
    builder.directories[2][1].value = .rational([(33, 0), (0, 0), (0, 0)])
    let exif = try EXIFMetadata(builder.bytes)
    #expect(exif.dateModified == nil && exif.location == nil)
  }

  @Test func directoriesThatPointBackAreReadOnce() throws {
    for link in 0...3 {
      var builder = EXIFBuilder.camera(isBigEndian: false)
      builder.links[0] = link
      builder.directories[1][7].value = .directory(0)
      builder.directories[0][5].value = .directory(1)
      let exif = try EXIFMetadata(builder.bytes)
      #expect(exif.entries.count { $0.directory == .image } == 6)
      #expect(exif.entries.count <= 21)
    }
  }

  @Test func countsBeyondTheBlockAreLeftOut() throws {
    var bytes = EXIFBuilder.camera(isBigEndian: true).bytes
    // The counts of the first two fields.
    for start in [14, 26] { bytes.replaceSubrange(start..<start + 4, with: [0xFF, 0xFF, 0xFF, 0xFF]) }
    let exif = try EXIFMetadata(bytes)
    #expect(exif.cameraMake == nil && exif.cameraModel == nil && exif.orientation == .right)
  }

  @Test func aStormOfTagsIsCutShort() throws {
    let fields = (0..<60_000).map { (tag: $0, value: EXIFBuilder.Value.short([1])) }
    let exif = try EXIFMetadata(EXIFBuilder(isBigEndian: false, directories: [fields]).bytes)
    #expect(exif.entries.count == DecodingLimits.default.maximumMetadataChunkCount)
    #expect(try EXIFMetadata(exif.bytes, limits: DecodingLimits(maximumMetadataChunkCount: 7)).entries.count == 7)
    #expect(try EXIFMetadata(exif.bytes, limits: .unlimited).entries.count == 60_000)
  }

  @Test func valuesThatShareTheirBytesDoNotAddUp() throws {
    let builder = EXIFBuilder(isBigEndian: false, directories: [])
    var bytes = Array("II".utf8) + builder.integer(42, 2) + builder.integer(8, 4) + builder.integer(500, 2)
    for tag in 0..<500 {
      bytes += builder.integer(tag, 2) + builder.integer(7, 2) + builder.integer(6_000, 4) + builder.integer(8, 4)
    }
    // 6,014 bytes hold one value of 6,000.
    let exif = try EXIFMetadata(bytes + [0, 0, 0, 0])
    #expect(exif.bytes.count == 6_014 && exif.entries.count == 1)
  }

  @Test(arguments: [false, true]) func prefixesAndFlippedBitsComeBack(_ isBigEndian: Bool) {
    let whole = EXIFBuilder.camera(isBigEndian: isBigEndian).bytes
    func use(_ bytes: [UInt8]) {
      guard let exif = try? EXIFMetadata(bytes) else { return }
      for entry in exif.entries { _ = exif.value(of: entry)?.description }
      _ = (exif.location, exif.dateTaken, exif.userComment, exif.thumbnail)
      _ = exifBlockRemovingThumbnail(bytes)
    }
    for count in whole.indices { use(Array(whole.prefix(count))) }
    for bit in 0..<whole.count * 8 {
      var bytes = whole
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      use(bytes)
    }
  }

  @Test func theThumbnailGoesAndTheRestStays() throws {
    var builder = EXIFBuilder.camera(isBigEndian: true)
    let start = builder.bytes.count
    builder.tail = [1, 2, 3, 4]
    builder.directories[4] = [(0x0201, .long([start])), (0x0202, .long([4]))]
    let before = try EXIFMetadata(builder.bytes)
    #expect(before.thumbnail == [1, 2, 3, 4])
    let after = try EXIFMetadata(exifBlockRemovingThumbnail(builder.bytes))
    #expect(after.thumbnail == nil && after.bytes.suffix(4) == [0, 0, 0, 0])
    #expect(after.lensModel == "Lens 50" && after.location == before.location)
  }
}

@Suite struct TextMetadataTests {
  @Test func iptcDataSetsAndTheirEncoding() throws {
    func set(_ record: UInt8, _ number: UInt8, _ text: [UInt8]) -> [UInt8] {
      [0x1C, record, number, 0, UInt8(text.count)] + text
    }
    let latin = try IPTCRecords(
      set(2, 25, [0x4B, 0xF6]) + set(2, 25, Array("two".utf8)) + set(2, 105, Array("H".utf8)))
    #expect(latin.keywords == ["K\u{F6}", "two"] && latin.headline == "H" && latin.caption == nil)
    let unicode = try IPTCRecords(set(1, 90, [0x1B, 0x25, 0x47]) + set(2, 120, Array("\u{20AC}".utf8)))
    #expect(unicode.caption == "\u{20AC}")
    // An extended length of four bytes that reaches beyond the block ends it.
    let damaged = try IPTCRecords(set(2, 5, [65]) + [0x1C, 2, 5, 0x80, 4, 0xFF, 0xFF, 0xFF, 0xFF, 1])
    #expect(damaged.dataSets.count == 1)
    #expect(throws: CodecError.self) { try IPTCRecords([0x1D, 2, 5, 0, 0]) }
    let many = Array([UInt8]((0..<5_000).flatMap { _ in set(2, 25, [65]) }))
    #expect(try IPTCRecords(many).dataSets.count == DecodingLimits.default.maximumMetadataChunkCount)
    #expect(try IPTCRecords(many, limits: DecodingLimits(maximumMetadataByteCount: 9)).dataSets.count == 9)
    #expect(try IPTCRecords(many, limits: .unlimited).dataSets.count == 5_000)
  }

  @Test func xmpPropertiesInBothForms() throws {
    let xml = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>\
      <rdf:Description xmp:CreatorTool="A &amp; B"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">T&lt;</rdf:li>\
      </rdf:Alt></dc:title><tiff:Orientation>6</tiff:Orientation></rdf:Description></rdf:RDF></x:xmpmeta>   \
      <?xpacket end="w"?>
      """
    var sixteen: [UInt8] = [0xFE, 0xFF]
    for unit in xml.utf16 { sixteen += [UInt8(unit >> 8), UInt8(unit & 255)] }
    for bytes in [Array(xml.utf8), sixteen] {
      let packet = try XMPPacket(bytes)
      #expect(packet.text.hasPrefix("<x:xmpmeta") && packet.text.hasSuffix("</x:xmpmeta>"))
      #expect(packet.value(of: "xmp:CreatorTool") == "A & B")
      #expect(packet.value(of: "dc:title") == "T<")
      #expect(packet.value(of: "tiff:Orientation") == "6")
      #expect(packet.value(of: "dc:creator") == nil)
    }
    #expect(throws: CodecError.self) { try XMPPacket(Array("<svg/>".utf8)) }
  }
}
