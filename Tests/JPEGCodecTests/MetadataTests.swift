// The cost of metadata in JPEG files, and the joining of its pieces.

import ImageCoding
import JPEGCodec
import Testing

@Suite struct MetadataTests {
  private func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
  }

  private func big32(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

  private func extended(_ offset: Int, _ piece: [UInt8], identifier: UInt8 = 7) -> [UInt8] {
    segment(
      0xE1,
      Array("http://ns.adobe.com/xmp/extension/\0".utf8) + [UInt8](repeating: identifier, count: 32) + big32(0)
        + big32(offset) + piece)
  }

  private func metadata(_ file: [UInt8], limits: DecodingLimits = .default) throws -> ImageMetadata {
    try JPEGDecoder().metadata(file.span, options: InfoOptions(limits: limits))
  }

  @Test func extendedXMPIsJoinedInOrderUpToTheFirstGap() throws {
    let packet = segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<a>".utf8))
    let start: [UInt8] = [0xFF, 0xD8]
    let file = start + extended(3, [4, 5]) + packet + extended(0, [1, 2, 3]) + extended(9, [9])
    #expect(try metadata(file).xmp == Array("<a>".utf8) + [1, 2, 3, 4, 5])
    let others = start + packet + extended(0, [1]) + extended(1, [2], identifier: 8)
    #expect(try metadata(others).xmp == Array("<a>".utf8) + [1])
  }

  @Test func extendedXMPOfManyPiecesIsJoined() throws {
    let piece = [UInt8](repeating: 0x20, count: 400)
    var file: [UInt8] = [0xFF, 0xD8]
    for index in 0..<20_000 { file += extended(index * piece.count, piece) }
    #expect(try metadata(file, limits: .unlimited).xmp?.count == 8_000_000)
  }

  @Test func everyKindOfMetadataIsWithinTheLimits() throws {
    let resources = Array("Photoshop 3.0\08BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 6, 0x1C, 2, 5, 0, 1, 65]
    let file: [UInt8] = [0xFF, 0xD8] + segment(0xED, resources) + segment(0xFE, Array("comment".utf8))
    #expect(try metadata(file).iptc == [0x1C, 2, 5, 0, 1, 65])
    #expect(try metadata(file, limits: DecodingLimits(maximumMetadataChunkByteCount: 5)).iptc == nil)
    let limited = try metadata(file, limits: DecodingLimits(maximumMetadataByteCount: 6))
    #expect(limited.iptc != nil && limited.comments.isEmpty)
    let one = try metadata(file, limits: DecodingLimits(maximumMetadataChunkCount: 1))
    #expect(one.iptc != nil && one.comments.isEmpty)
  }

  @Test func aSearchForThumbnailsResumes() throws {
    let pixels: [UInt8] = [1, 2, 3, 4, 5, 6]
    let file: [UInt8] =
      [0xFF, 0xD8] + segment(0xE0, Array("JFXX\0".utf8) + [0x13, 2, 1] + pixels) + segment(0xE5, [1, 2, 3])
      + [0xFF, 0xDA]
    var search = JPEGThumbnailSearch()
    var found: [JPEGThumbnail] = []
    for count in 0...file.count {
      let prefix = Array(file.prefix(count))
      while let thumbnail = search.next(prefix.span) { found.append(thumbnail) }
    }
    #expect(found.count == 1 && found.first?.coding == .rgb(width: 2, height: 1))
    var budget = ResourceBudget(DecodingLimits.default)
    let bitmap = try #require(try found.first?.storedPixels(in: file.span, budget: &budget))
    #expect(bitmap.packedPixels == pixels && budget.heldByteCount == 6)
  }
}
