// The same codestream in boxes of all forms.

import JXLCodec
import Testing

@Suite struct ContainerTests {
  private let codestream = ModularFile(width: 4, height: 3, channels: [Array(0..<12)]).codestream
  private let pixels = (0..<12).map { UInt8($0) }

  private func decode(_ boxes: [[UInt8]]) throws -> DecodedImage {
    try JXLDecoder().decode(BoxWriter.start + boxes.flatMap { $0 }, options: DecodingOptions(tolerance: .strict))
  }

  @Test func codestreamBoxes() throws {
    for box in [
      BoxWriter.box("jxlc", codestream), BoxWriter.largeBox("jxlc", codestream), BoxWriter.openBox("jxlc", codestream),
    ] {
      #expect(
        try decode([BoxWriter.box("jxll", [10]), BoxWriter.box("abcd", [1, 2]), box]).bitmap.packedPixels == pixels)
    }
  }

  @Test func partsInOrder() throws {
    for cut in [0, 1, 2, 5, codestream.count - 1] {
      let boxes = [
        BoxWriter.part(0, Array(codestream[..<cut]), isLast: false), BoxWriter.part(1, [], isLast: false),
        BoxWriter.box("free", [0]), BoxWriter.part(2, Array(codestream[cut...]), isLast: true),
      ]
      #expect(try decode(boxes).bitmap.packedPixels == pixels)
    }
  }

  @Test func partsOutOfOrder() {
    let boxes = [
      BoxWriter.part(1, Array(codestream[5...]), isLast: true),
      BoxWriter.part(0, Array(codestream[..<5]), isLast: false),
    ]
    #expect { try decode(boxes) } throws: { ($0 as? CodecError)?.kind == .malformed }
  }

  @Test func metadata() throws {
    let boxes = [
      BoxWriter.box("Exif", [0, 0, 0, 2, 9, 9] + Array("II*\0".utf8)), BoxWriter.box("jxlc", codestream),
      BoxWriter.box("xml ", Array("<x/>".utf8)),
    ]
    let image = try decode(boxes)
    #expect(image.metadata.exif == Array("II*\0".utf8))
    #expect(image.metadata.xmp == Array("<x/>".utf8))
  }

  @Test func compressedMetadata() throws {
    let text = Array("<y/>".utf8)
    let stream = BoxWriter.storedBrotli(text)
    let image = try decode([BoxWriter.box("brob", Array("xml ".utf8) + stream), BoxWriter.box("jxlc", codestream)])
    #expect(image.metadata.xmp == text)
  }

  @Test func infoFromFewBytes() throws {
    let info = try JXLDecoder().info(Array(codestream.prefix(16)))
    #expect(info.width == 4 && info.height == 3 && info.bitDepth == 8 && info.colorModel == .gray)
  }

  @Test func twoCodestreams() {
    let boxes = [BoxWriter.box("jxlc", codestream), BoxWriter.box("jxlc", codestream)]
    #expect { try decode(boxes) } throws: { ($0 as? CodecError)?.kind == .malformed }
  }
}
