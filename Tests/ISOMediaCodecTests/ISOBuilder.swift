// Boxes put together by hand from ISO/IEC 14496-12 and 23008-12.

import ISOMediaCodec
import ImageCoding
import Threading

enum ISOBuilder {
  static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }
  static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    big(payload.count + 8, 4) + Array(type.utf8) + payload
  }
  static func fullBox(_ type: String, version: UInt8 = 0, flags: Int = 0, _ payload: [UInt8]) -> [UInt8] {
    box(type, [version] + big(flags, 3) + payload)
  }
  static func fileType(_ major: String, _ compatible: [String] = []) -> [UInt8] {
    box("ftyp", Array(major.utf8) + big(0, 4) + compatible.flatMap { Array($0.utf8) })
  }

  struct Item {
    var id: Int
    var type: String
    var properties: [Int] = []
    var data: [UInt8] = []
    var contentType = ""
  }

  /// A HEIF file whose items' data follows in a media data box.
  ///
  /// - Parameters:
  ///   - sizeStyle: how the meta box states its size: 0 as usual, 1 with 64 bits.
  ///   - handler: the type in the handler box; `nil` without one.
  static func heif(
    brand: String = "mif1", compatible: [String] = ["heic"], primary: Int = 1, items: [Item], properties: [[UInt8]],
    references: [(type: String, from: Int, to: [Int])] = [], sizeStyle: Int = 0, handler: String? = "pict"
  ) -> [UInt8] {
    let start = fileType(brand, compatible)
    func meta(dataOffset: Int) -> [UInt8] {
      var offset = dataOffset
      var locations: [UInt8] = []
      for item in items {
        locations += big(item.id, 2) + big(0, 2) + big(1, 2) + big(offset, 4) + big(item.data.count, 4)
        offset += item.data.count
      }
      let entries = items.flatMap { item in
        fullBox(
          "infe", version: 2,
          big(item.id, 2) + [0, 0] + Array(item.type.utf8) + [0]
            + (item.type == "mime" ? Array(item.contentType.utf8) + [0] : []))
      }
      let associations = items.flatMap { (item: Item) -> [UInt8] in
        big(item.id, 2) + [UInt8(item.properties.count)] + item.properties.map { UInt8($0) | 0x80 }
      }
      let linked = references.flatMap { reference in
        box(reference.type, big(reference.from, 2) + big(reference.to.count, 2) + reference.to.flatMap { big($0, 2) })
      }
      let handlerBox = handler.map { fullBox("hdlr", big(0, 4) + Array($0.utf8) + big(0, 13)) } ?? []
      let payload =
        handlerBox + fullBox("pitm", big(primary, 2)) + fullBox("iinf", big(items.count, 2) + entries)
        + fullBox("iloc", [0x44, 0x00] + big(items.count, 2) + locations) + fullBox("iref", linked)
        + box("iprp", box("ipco", properties.flatMap { $0 }) + fullBox("ipma", big(items.count, 4) + associations))
      return sizeStyle == 1
        ? big(1, 4) + Array("meta".utf8) + big(payload.count + 20, 8) + big(0, 4) + payload : fullBox("meta", payload)
    }
    let dataOffset = start.count + meta(dataOffset: 0).count + 8
    return start + meta(dataOffset: dataOffset) + box("mdat", items.flatMap(\.data))
  }

  static func extent(_ width: Int, _ height: Int) -> [UInt8] { fullBox("ispe", big(width, 4) + big(height, 4)) }

  /// A film of 2.5 s at 90,000 units a second, turned by a quarter, with a cover.
  static func video(brand: String = "isom", coding: String = "avc1", cover: [UInt8] = [1, 2, 3], frame: [UInt8] = [])
    -> [UInt8]
  {
    func header(_ type: String, _ skipped: Int) -> [UInt8] {
      fullBox(type, big(0, 8) + big(90_000, 4) + big(225_000, 4) + [UInt8](repeating: 0, count: skipped))
    }
    let matrix = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x4000_0000].flatMap { big($0, 4) }
    let trackHeader = fullBox(
      "tkhd",
      big(0, 8) + big(7, 4) + big(0, 4) + big(0, 4) + big(0, 16) + matrix + big(640 << 16, 4) + big(480 << 16, 4))
    let entry = box(coding, big(0, 6) + big(1, 2) + big(0, 16) + big(320, 2) + big(240, 2) + big(0, 50))
    let data = fileType(brand) + box("mdat", frame)
    let table = box(
      "stbl",
      fullBox("stsd", big(1, 4) + entry) + fullBox("stsz", big(0, 4) + big(2, 4) + big(frame.count, 4) + big(0, 4))
        + fullBox("stco", big(1, 4) + big(data.count - frame.count, 4)))
    let media = box(
      "mdia", header("mdhd", 4) + fullBox("hdlr", big(0, 4) + Array("vide".utf8) + big(0, 12)) + box("minf", table))
    let picture = box("covr", box("data", big(13, 4) + big(0, 4) + cover))
    let userData = box("udta", fullBox("meta", fullBox("hdlr", big(0, 20)) + box("ilst", picture)))
    return data + box("moov", header("mvhd", 80) + box("trak", trackHeader + media) + userData)
  }
}

/// Counts the decodes of another decoder.
struct CountingDecoder: ImageFormatDecoder {
  let base: any ImageFormatDecoder
  private let counter = Counter()

  private final class Counter: Sendable {
    let count = Mutex(0)
  }

  init(_ base: any ImageFormatDecoder) {
    self.base = base
  }

  var count: Int { counter.count.withLock { $0 } }
  var types: [AssetType] { base.types }

  func probe(_ prefix: Span<UInt8>) -> ProbeResult { base.probe(prefix) }

  func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    try base.info(bytes, options: options)
  }

  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    counter.count.withLock { $0 += 1 }
    return try base.decode(bytes, into: &bitmap, options: options, budget: &budget)
  }
}

/// A "JPEG" of the tests: `FF D8 FF`, width, height and one gray level.
struct FlatPictureDecoder: ImageFormatDecoder {
  let types: [AssetType] = ["public.jpeg"]

  static func file(_ width: UInt8, _ height: UInt8, _ level: UInt8) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, width, height, level]
  }

  func probe(_ prefix: Span<UInt8>) -> ProbeResult { .yes("public.jpeg") }

  func info(
    _ bytes: Span<UInt8>, options: InfoOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> ImageInfo {
    guard bytes.count == 6 else { throw CodecError(.malformed, "not six bytes") }
    return ImageInfo(type: "public.jpeg", width: Int(bytes[3]), height: Int(bytes[4]))
  }

  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, options: DecodingOptions, budget: inout ResourceBudget
  ) throws(CodecError) -> DecodingDetails {
    let info = try info(bytes, options: InfoOptions())
    let pixels = [UInt8](repeating: bytes[5], count: info.width * info.height)
    bitmap = try Bitmap(width: info.width, height: info.height, format: .gray8, pixels: pixels)
    if options.pixelFormat != .gray8 { bitmap = try bitmap.converted(to: options.pixelFormat ?? .rgb8) }
    return DecodingDetails(info: info)
  }
}
