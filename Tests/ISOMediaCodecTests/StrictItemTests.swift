// Violations of the format that lenient decoding tolerates and strict decoding does not.

import ISOMediaCodec
import ImageCoding
import Testing

@Suite struct StrictItemTests {
  private typealias Item = ISOBuilder.Item
  private let decoder = ISOMediaDecoder(jpegDecoder: FlatPictureDecoder(), pictureDecoders: [PatternDecoder()])

  /// A picture of 16 × 12 pixels.
  private func file(
    properties: [Int] = [1, 2], extent: (Int, Int) = (16, 12), configuration: String = "hvcC", handler: String? = "pict"
  ) -> [UInt8] {
    ISOBuilder.heif(
      items: [Item(id: 1, type: "hvc1", properties: properties, data: PatternDecoder.picture(16, 12, seed: 3))],
      properties: [
        ISOBuilder.extent(extent.0, extent.1), ISOBuilder.box(configuration, [UInt8](repeating: 1, count: 23)),
      ], handler: handler)
  }

  /// The position of a box, or of an entry in it.
  private func place(of type: String, in file: [UInt8]) throws -> Int {
    try #require(file.indices.first { file[$0...].starts(with: Array(type.utf8)) }) - 4
  }

  /// Expects the same picture as that of the intact file with a diagnostic, and an error in strict decoding.
  private func expectViolation(
    _ file: [UInt8], _ reason: String, at byteOffset: Int, location: SourceLocation = #_sourceLocation
  ) throws {
    let image = try decoder.decode(file.span)
    #expect(try image.bitmap == decoder.decode(self.file().span).bitmap, sourceLocation: location)
    #expect(
      image.diagnostics.contains(ImageDiagnostic(.warning, reason, byteOffset: byteOffset)),
      "\(image.diagnostics)", sourceLocation: location)
    #expect(image.details.isComplete && image.details.info.size == image.bitmap.pixelSize, sourceLocation: location)
    let error = #expect(throws: CodecError.self, sourceLocation: location) {
      try decoder.decode(file.span, options: DecodingOptions(tolerance: .strict))
    }
    #expect(error?.kind == .malformed && error?.format == "public.heic", sourceLocation: location)
    #expect(error?.reason == reason && error?.byteOffset == byteOffset, "\(error as Any)", sourceLocation: location)
  }

  @Test func theIntactFileHasNoDiagnostics() throws {
    let image = try decoder.decode(file().span, options: DecodingOptions(tolerance: .strict))
    #expect(image.diagnostics.isEmpty && image.bitmap.pixelSize == PixelSize(width: 16, height: 12))
    #expect(try decoder.decode(file().span).diagnostics.isEmpty)
  }

  /// ISO/IEC 23008-12, 6.2.
  @Test func theHandlerIsThatOfPictures() throws {
    let none = file(handler: nil)
    try expectViolation(none, "the meta box has no handler", at: place(of: "meta", in: none) + 12)
    let video = file(handler: "vide")
    try expectViolation(
      video, "the handler of the meta box is 'vide', not 'pict'", at: place(of: "hdlr", in: video) + 16)
    var short = file(handler: "pict")
    let start = try place(of: "hdlr", in: short)
    // The rest of the box becomes one of no known type.
    short.replaceSubrange(start + 3..<start + 4, with: [16])
    short.replaceSubrange(start + 16..<start + 24, with: ISOBuilder.big(17, 4) + Array("free".utf8))
    try expectViolation(short, "box 'hdlr' is cut off", at: start + 16)
  }

  /// ISO/IEC 23008-12, 6.5.3.1.
  @Test(arguments: [(0x7FFF_FFFF, 0x7FFF_FFFF), (0xFFFF_FFFF, 1), (65_536, 65_536), (1, 1), (16, 13), (12, 16)])
  func theExtentIsThatOfThePicture(_ width: Int, _ height: Int) throws {
    let wrong = file(extent: (width, height))
    let stated = "\(Int(clamping: Int64(width))) × \(Int(clamping: Int64(height)))"
    try expectViolation(
      wrong, "an image of 16 × 12 pixels states \(stated)", at: place(of: "ispe", in: wrong) + 8)
  }

  @Test func theExtentIsThatOfGridsOverlaysAndPicturesOfOtherDecoders() throws {
    let strict = DecodingOptions(tolerance: .strict)
    for wrong in [false, true] {
      let size = wrong ? (31, 16) : (32, 16)
      let jpeg = ISOBuilder.heif(
        items: [Item(id: 1, type: "jpeg", properties: [1], data: FlatPictureDecoder.file(32, 16, 5))],
        properties: [ISOBuilder.extent(size.0, size.1)])
      let source = Item(id: 2, type: "hvc1", properties: [2, 3], data: PatternDecoder.picture(32, 16))
      let canvas = [0, 0] + ISOBuilder.big(0, 8) + ISOBuilder.big(32, 2) + ISOBuilder.big(16, 2) + ISOBuilder.big(0, 4)
      let derived = [("grid", [0, 0, 0, 0, 0, 32, 0, 16]), ("iovl", canvas)].map { type, data in
        ISOBuilder.heif(
          items: [Item(id: 1, type: type, properties: [1], data: data), source],
          properties: [
            ISOBuilder.extent(size.0, size.1), ISOBuilder.extent(32, 16),
            ISOBuilder.box("hvcC", [UInt8](repeating: 1, count: 23)),
          ], references: [("dimg", 1, [2])])
      }
      for file in [jpeg] + derived {
        #expect(try decoder.decode(file.span).diagnostics.isEmpty == !wrong)
        if wrong {
          let error = #expect(throws: CodecError.self) { try decoder.decode(file.span, options: strict) }
          #expect(try error?.kind == .malformed && error?.byteOffset == place(of: "ispe", in: file) + 8)
        } else {
          #expect(throws: Never.self) { try decoder.decode(file.span, options: strict) }
        }
      }
    }
  }

  /// ISO/IEC 23008-12, B.2.3.1.
  @Test func codedItemsHaveAConfiguration() throws {
    let file = file(configuration: "pasp")
    try expectViolation(
      file, "an image coded as 'hvc1' has no property 'hvcC'", at: place(of: "infe", in: file) + 8)
  }

  /// ISO/IEC 23008-12, 9.3.1.
  @Test func propertiesExist() throws {
    let file = file(properties: [1, 2, 10])
    try expectViolation(
      file, "an item refers to property 10 of 2", at: place(of: "ipma", in: file) + 12 + 4 + 3 + 2)
  }

  @Test func tablesHaveTheEntriesThatTheyState() throws {
    var file = file()
    let start = try place(of: "iloc", in: file)
    file[start + 15] = 9
    try expectViolation(file, "box 'iloc' ends inside of an entry", at: place(of: "iref", in: file))
  }

  /// ISO/IEC 14496-12, 4.2.
  @Test func boxesAreAsLongAsTheySayAndSayHowLong() throws {
    var open = file()
    let start = try place(of: "iprp", in: open)
    open.replaceSubrange(start..<start + 4, with: ISOBuilder.big(0, 4))
    try expectViolation(open, "box 'iprp' states no size", at: start)
    var long = file()
    let last = try place(of: "hvcC", in: long)
    long.replaceSubrange(last..<last + 4, with: ISOBuilder.big(600_087, 4))
    try expectViolation(long, "box 'hvcC' is longer than the box that contains it", at: last)
  }

  /// Many boxes that violate the format make few diagnostics.
  @Test func violationsAreLimited() throws {
    let open = ISOBuilder.box("iprp", ISOBuilder.big(0, 4) + Array("free".utf8))
    var file = file()
    let meta = try place(of: "meta", in: file)
    let size = file[meta..<meta + 4].reduce(0) { $0 << 8 | Int($1) }
    let storm = (0..<50_000).flatMap { _ in open }
    file.insert(contentsOf: storm, at: meta + size)
    file.replaceSubrange(meta..<meta + 4, with: ISOBuilder.big(size + storm.count, 4))
    // The data has moved.
    let place = try place(of: "iloc", in: file) + 22
    let offset = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    file.replaceSubrange(place..<place + 4, with: ISOBuilder.big(offset + storm.count, 4))
    let image = try decoder.decode(file.span, options: DecodingOptions(limits: .unlimited))
    #expect(image.diagnostics.map(\.reason) == ["box 'free' states no size"])
    let error = #expect(throws: CodecError.self) {
      try decoder.decode(file.span, options: DecodingOptions(limits: DecodingLimits(maximumWork: 50_000_000)))
    }
    #expect(error?.limit == .work)
  }
}
