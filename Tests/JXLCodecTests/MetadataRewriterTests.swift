// Metadata that is removed or replaced, with the same codestream.

import ImageCoding
import JXLCodec
import Testing

@Suite struct MetadataRewriterTests {
  private let codestream = ModularFile(width: 4, height: 3, channels: [Array(0..<12)]).codestream
  private let xmp = Array("<x/>".utf8)

  private func rewritten(
    _ file: [UInt8], _ metadata: ImageMetadata = ImageMetadata(), keepsUnknown: Bool = false
  ) throws -> [UInt8] {
    try JXLMetadataRewriter(keepsUnknownParts: keepsUnknown).rewrite(file.span, metadata: metadata)
  }

  private func pixels(_ file: [UInt8]) throws -> [UInt8] {
    try JXLDecoder().decode(file, options: DecodingOptions(tolerance: .strict)).bitmap.packedPixels
  }

  @Test func bareCodestreamsAreCopiedOrPutIntoAContainer() throws {
    #expect(try rewritten(codestream) == codestream)
    var metadata = ImageMetadata()
    metadata.xmp = xmp
    let file = try rewritten(codestream, metadata)
    #expect(file == BoxWriter.start + BoxWriter.box("xml ", xmp) + BoxWriter.box("jxlc", codestream))
    #expect(try pixels(file) == pixels(codestream))
  }

  @Test(arguments: [false, true]) func boxesOfMetadataAreRemoved(keepsUnknown: Bool) throws {
    let level = BoxWriter.box("jxll", [5])
    let parts =
      BoxWriter.part(0, Array(codestream[..<5]), isLast: false)
      + BoxWriter.part(1, Array(codestream[5...]), isLast: true)
    let unknown = BoxWriter.box("abcd", [1, 2, 3])
    let removed =
      BoxWriter.box("Exif", [0, 0, 0, 0] + Array("II*\0".utf8)) + BoxWriter.box("brob", Array("xml ".utf8) + [6])
      + BoxWriter.box("jbrd", [1, 2]) + BoxWriter.box("xml ", xmp)
    let file = BoxWriter.start + level + removed + unknown + parts + removed
    let expected = BoxWriter.start + level + (keepsUnknown ? unknown : []) + parts
    #expect(try rewritten(file, keepsUnknown: keepsUnknown) == expected)
    #expect(try rewritten(expected, keepsUnknown: keepsUnknown) == expected)
  }

  @Test func metadataComesBeforeTheCodestream() throws {
    var metadata = ImageMetadata()
    metadata.xmp = xmp
    let file = BoxWriter.start + BoxWriter.openBox("jxlc", codestream)
    let result = try rewritten(file, metadata, keepsUnknown: true)
    #expect(result == BoxWriter.start + BoxWriter.box("xml ", xmp) + BoxWriter.openBox("jxlc", codestream))
    #expect(try JXLDecoder().metadata(result.span, options: InfoOptions()).xmp == xmp)
  }

  @Test func filesThatEndWithinTheirCodestreamAreRefused() throws {
    let file = BoxWriter.start + BoxWriter.box("jxlc", codestream)
    for count in 0..<file.count {
      let error = #expect(throws: CodecError.self) { try rewritten(Array(file.prefix(count))) }
      let isInBox = count >= BoxWriter.start.count + 8
      #expect(error?.kind == (isInBox ? .truncated : .malformed), "\(count)")
    }
  }
}
