// X bitmaps as C source text.

import ImageCoding
import TestSupport
import Testing
import XBMCodec

private let text = """
  /* a bitmap */
  #define test_width 10
  #define test_height 2
  #define test_x_hot 3
  #define test_y_hot 1
  static unsigned char test_bits[] = {
     0x01, 0x02, /* the second row */ 0xff, 03 };
  """

private func decode(_ text: String, _ tolerance: DecodingOptions.Tolerance = .strict) throws -> DecodedImage {
  try XBMDecoder().decode(Array(text.utf8), options: DecodingOptions(tolerance: tolerance))
}

private func hotSpot(_ text: String) throws -> XBMHeader.HotSpot? {
  let bytes = Array(text.utf8)
  return try XBMHeader(parsing: bytes.span).hotSpot
}

@Suite struct XBMTests {
  @Test func setBitsAreBlack() throws {
    let row: [UInt8] = [0, 255, 255, 255, 255, 255, 255, 255, 255, 0]
    #expect(try decode(text).bitmap.packedPixels == row + [UInt8](repeating: 0, count: 10))
    #expect(try hotSpot(text) == .init(x: 3, y: 1))
  }

  @Test func valuesOfX10HaveSixteenBits() throws {
    let old = "#define a_width 17\n#define a_height 1\nstatic short a_bits[] = {\n 0x8001, 1};\n"
    let expected = (0..<17).map { $0 == 0 || $0 >= 15 ? UInt8(0) : 255 }
    #expect(try decode(old).bitmap.packedPixels == expected)
    #expect(try hotSpot(old) == nil)
  }

  @Test func missingValues() throws {
    let cut = text.replacing(", 03 }", with: "}")
    #expect(throws: CodecError.self) { try decode(cut) }
    let image = try decode(cut, .lenient)
    #expect(!image.isComplete && Array(image.bitmap.packedPixels.prefix(2)) == [0, 255])
    #expect(throws: CodecError.self) { try decode("#define a_width 8\n#define a_height 1\n", .lenient) }
    let huge = "#define a_width 999999\n#define a_height 999999\nstatic char a_bits[] = { 1 };"
    let error = #expect(throws: CodecError.self) { try decode(huge, .lenient) }
    #expect(error?.kind == .limitExceeded)
  }

  @Test func everyWayToDecodeAgreesOrThrowsTypedErrors() {
    #expect(DecoderContract(XBMDecoder(), Array(text.utf8)).violations() == [])
  }
}
