import JPEGCodec
import Testing

/// A file with segments inserted after its SOI marker.
private func file(_ name: String, with segments: [(code: UInt8, content: [UInt8])]) -> [UInt8] {
  let source = ReferencePicture.named(name)
  let inserted = segments.flatMap { segment -> [UInt8] in
    let length = segment.content.count + 2
    return [0xFF, segment.code, UInt8(length >> 8), UInt8(length & 255)] + segment.content
  }
  return Array(source.prefix(2)) + inserted + Array(source.dropFirst(2))
}

private func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

private func exif(orientation: UInt8) -> [UInt8] {
  ascii("Exif\0\0MM") + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
}

@Suite struct HeaderTests {
  @Test func probeLooksAtThreeBytes() {
    let decoder = JPEGDecoder()
    #expect(decoder.probe([0xFF, 0xD8, 0xFF].span) == .yes(JPEGDecoder.type))
    #expect(decoder.probe([0xFF, 0xD8].span) == .needs(byteCount: 3))
    #expect(decoder.probe([0x89, 0x50].span) == .no)
  }

  @Test func infoNeedsOnlyTheHeaders() throws {
    let file = ReferencePicture.named("preview-2x2/whole")
    let frame = try #require(index(of: 0xC2, in: file))
    let head = Array(file.prefix(frame + 19))
    let info = try JPEGDecoder().info(head.span)
    #expect(info.width == 67 && info.height == 53 && info.isProgressive && info.coding == "progressive")
    #expect(info.colorModel == .yCbCr && info.bitDepth == 8)
    let tooShort = Array(file.prefix(frame + 18))
    let error = #expect(throws: CodecError.self) { try JPEGDecoder().info(tooShort.span) }
    #expect(error?.kind == .truncated)
  }

  @Test func orientationIsAppliedOrReported() throws {
    let turned = file("standard-tables", with: [(0xE1, exif(orientation: 6))])
    let plain = try JPEGDecoder().decode(ReferencePicture.named("standard-tables").span).bitmap
    let reported = try JPEGDecoder().decode(turned.span, options: DecodingOptions(orientation: .report))
    #expect(reported.bitmap.orientation == .right && reported.bitmap.packedPixels == plain.packedPixels)
    let applied = try JPEGDecoder().decode(turned.span).bitmap
    #expect(applied.width == 53 && applied.height == 67 && applied.orientation == .up)
    // The upper left corner of the upright image is the lower left one of the stored.
    #expect(applied[0, 0] == plain[0, 52])
    #expect(reported.info.orientation == .right && reported.metadata.exif?.first == 0x4D)
  }

  @Test func profilesComeTogetherInTheOrderOfTheirNumbers() throws {
    func piece(_ number: UInt8, _ bytes: [UInt8]) -> (UInt8, [UInt8]) {
      (0xE2, ascii("ICC_PROFILE\0") + [number, 2] + bytes)
    }
    let whole = try JPEGDecoder().decode(file("rgb", with: [piece(2, [3, 4]), piece(1, [1, 2])]).span)
    #expect(whole.metadata.colorSpace.iccProfile == [1, 2, 3, 4])
    #expect(whole.bitmap.colorSpace == .icc([1, 2, 3, 4]))
    let gap = try JPEGDecoder().decode(file("rgb", with: [piece(2, [3, 4])]).span)
    #expect(gap.metadata.colorSpace.iccProfile == nil && gap.bitmap.colorSpace == .unspecified)
  }

  @Test func metadataIsKeptAsBytes() throws {
    let image = try JPEGDecoder().decode(
      file(
        "rgb",
        with: [
          (0xE1, ascii("http://ns.adobe.com/xap/1.0/\0<x/>")), (0xFE, ascii("made by hand")),
          (0xE0, ascii("JFIF\0") + [1, 2, 1, 0, 72, 0, 96, 0, 0]),
          (0xED, ascii("Photoshop 3.0\08BIM") + [4, 4, 0, 0, 0, 0, 0, 3, 28, 2, 0, 0]),
        ]
      ).span)
    #expect(image.metadata.xmp == ascii("<x/>"))
    #expect(image.metadata.comments == ["made by hand"])
    #expect(image.metadata.density == .init(x: 72, y: 96, unit: .perInch))
    #expect(image.metadata.iptc == [28, 2, 0])
  }

  @Test func extendedXMPFollowsThePacketInTheOrderOfItsOffsets() throws {
    func piece(_ offset: UInt8, _ text: String) -> (UInt8, [UInt8]) {
      let identifier = ascii("http://ns.adobe.com/xmp/extension/\0") + [UInt8](repeating: 65, count: 32)
      return (0xE1, identifier + [0, 0, 0, 6, 0, 0, 0, offset] + ascii(text))
    }
    let segments = [(UInt8(0xE1), ascii("http://ns.adobe.com/xap/1.0/\0<x/>")), piece(3, "def"), piece(0, "abc")]
    #expect(try JPEGDecoder().decode(file("rgb", with: segments).span).metadata.xmp == ascii("<x/>abcdef"))
  }

  @Test func thumbnailsAreLocated() throws {
    let inner = ReferencePicture.named("gray/9x13")
    let length = UInt8(inner.count & 255)
    let directories: [UInt8] = [
      0, 0, 0, 0, 0, 14, 0, 2, 0x02, 0x01, 0, 4, 0, 0, 0, 1, 0, 0, 0, 44, 0x02, 0x02, 0, 4, 0, 0, 0, 1, 0, 0,
      UInt8(inner.count >> 8), length, 0, 0, 0, 0,
    ]
    let exif = ascii("Exif\0\0MM") + [0, 42, 0, 0, 0, 8] + directories + inner
    let jfxx = ascii("JFXX\0") + [0x10] + inner
    let outer = file("rgb", with: [(0xE1, exif), (0xE0, jfxx)])
    let found = JPEGDecoder().embeddedThumbnails(in: outer.span)
    #expect(found.map(\.coding) == [.exifJPEG, .jfxxJPEG])
    for thumbnail in found { #expect(Array(outer[thumbnail.byteRange]) == inner) }
    #expect(try JPEGDecoder().decode(outer.span).bitmap.packedPixels.count == 67 * 53 * 3)
  }

  @Test func colourModelsFollowMarkersThenIdentifiers() throws {
    let adobe: (UInt8) -> (UInt8, [UInt8]) = { (0xEE, ascii("Adobe") + [0, 100, 0, 0, 0, 0, $0]) }
    #expect(try JPEGDecoder().info(ReferencePicture.named("rgb").span).colorModel == .rgb)
    // JFIF comes before Adobe.
    #expect(try JPEGDecoder().info(file("1x1/9x13", with: [adobe(0)]).span).colorModel == .yCbCr)
  }

  @Test func framesWithoutTablesUseTheStandardOnes() throws {
    let whole = ReferencePicture.named("standard-tables")
    var stripped: [UInt8] = Array(whole.prefix(2))
    var position = 2
    while whole[position + 1] != 0xDA {
      let length = Int(whole[position + 2]) << 8 | Int(whole[position + 3])
      if whole[position + 1] != 0xC4 { stripped += whole[position..<position + 2 + length] }
      position += 2 + length
    }
    stripped += whole[position...]
    #expect(stripped.count < whole.count - 400)
    #expect(try JPEGDecoder().decode(stripped.span).bitmap == JPEGDecoder().decode(whole.span).bitmap)
  }

  @Test func theHeightMayFollowTheFirstScan() throws {
    for name in ["standard-tables", "preview-2x2/whole", "gray/9x13"] {
      let whole = ReferencePicture.named(name)
      let frame = try #require([0xC0, 0xC1, 0xC2].lazy.compactMap { index(of: $0, in: whole) }.first)
      let scan = try #require(index(of: 0xDA, in: whole))
      let dataEnd = try #require(
        (scan + 2..<whole.count - 1).first { whole[$0] == 0xFF && whole[$0 + 1] != 0 && $0 > scan + 14 })
      var open = whole
      open.replaceSubrange(frame + 5..<frame + 7, with: [0, 0])
      open.insert(contentsOf: [0xFF, 0xDC, 0, 4, whole[frame + 5], whole[frame + 6]], at: dataEnd)
      #expect(try JPEGDecoder().decode(open.span).bitmap == JPEGDecoder().decode(whole.span).bitmap, "\(name)")
      let tooShort = Array(open.prefix(dataEnd))
      let error = #expect(throws: CodecError.self) { try JPEGDecoder().info(tooShort.span) }
      #expect(error?.kind == .truncated)
    }
  }
}
