// The output of the tool, printed and written, without running it.

import ImageCodecs
import Testing
import imagecodec

private func encoded(_ bitmap: Bitmap, as format: OutputFormat) throws -> [UInt8] {
  var budget = ResourceBudget(.default)
  return try format.encode(bitmap, metadata: nil, budget: &budget)
}

@Suite struct NetpbmOutputTests {
  @Test func pamHasAlphaAndBigEndianSamples() throws {
    let gray = try Bitmap(width: 2, height: 1, format: .gray8, pixels: [7, 8])
    #expect(
      try encoded(gray, as: .pam)
        == Array("P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n".utf8)
        + [7, 7, 7, 255, 8, 8, 8, 255])
    let deep = try Bitmap(
      width: 1, height: 1, format: .rgba16,
      pixels: ([0x0102, 0x0304, 0x0506, 0x0708] as [UInt16]).flatMap { value in
        UInt16(1).littleEndian == 1
          ? [UInt8(value & 255), UInt8(value >> 8)] : [UInt8(value >> 8), UInt8(value & 255)]
      })
    #expect(try encoded(deep, as: .pam).suffix(8) == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(try encoded(deep, as: .ppm) == Array("P6\n1 1\n65535\n".utf8) + [1, 2, 3, 4, 5, 6])
  }

  @Test func ppmDropsAlpha() throws {
    let bitmap = try Bitmap(width: 1, height: 1, format: .rgba8, pixels: [1, 2, 3, 4])
    #expect(try encoded(bitmap, as: .ppm) == Array("P6\n1 1\n255\n".utf8) + [1, 2, 3])
  }

  @Test func formatsByFileName() {
    #expect(OutputFormat(fileName: "a/b.PNG") == .png)
    #expect(OutputFormat(fileName: "a.b.pam") == .pam)
    #expect(OutputFormat(fileName: "a.jpg") == .jpeg && OutputFormat(fileName: "a.JPEG") == .jpeg)
    #expect(OutputFormat(fileName: "png") == nil)
    #expect(OutputFormat(fileName: "-") == nil)
  }
}

@Suite struct ImageReportTests {
  @Test func aLineOfJSONHasAllKeysInOrder() {
    let info = ImageInfo(
      type: .gif, width: 5, height: 3, bitDepth: 2, colorModel: .palette, hasAlpha: true, frameCount: 2,
      loopCount: .infinite, duration: .milliseconds(100))
    #expect(
      ImageReport(file: "a \"b\"\n.gif", info: info).json
        == #"{"file":"a \"b\"\n.gif","format":"gif","mimeType":"image/gif","width":5,"height":3,"bitDepth":2,"#
        + #""color":"palette","alpha":true,"images":1,"frames":2,"loopCount":0,"durationMs":100,"orientation":1,"icc":null,"#
        + #""progressive":false,"coding":null,"orientedWidth":5,"orientedHeight":3}"#)
  }

  @Test func whatIsNotKnownIsNull() {
    let line = ImageReport(
      file: "x", info: ImageInfo(type: "org.example.toy", width: 1, height: 1, orientation: .left, frameCount: nil)
    ).json
    #expect(
      line == #"{"file":"x","format":"org.example.toy","mimeType":null,"width":1,"height":1,"bitDepth":null,"#
        + #""color":null,"alpha":false,"images":1,"frames":null,"loopCount":null,"durationMs":null,"orientation":8,"icc":null,"#
        + #""progressive":false,"coding":null,"orientedWidth":1,"orientedHeight":1}"#)
  }

  @Test func aLineForPeople() {
    let info = ImageInfo(
      type: .jpeg, width: 300, height: 200, bitDepth: 8, colorModel: .yCbCr, orientation: .right, isProgressive: true)
    #expect(ImageReport(file: "a.jpg", info: info).text == "a.jpg: JPEG 300x200 8-bit yCbCr progressive orientation 6")
  }

  @Test func failuresAreOneLine() {
    let error = CodecError(.malformed, "the CRC of chunk IDAT is wrong", format: .png, byteOffset: 49)
    let failure = ToolFailure(file: "a.png", error)
    #expect(failure.description == "a.png: malformed: the CRC of chunk IDAT is wrong (byte 49)")
    #expect(failure.exitCode == 1)
    #expect(ToolFailure(file: "-", usage: "no").exitCode == 2)
  }
}
