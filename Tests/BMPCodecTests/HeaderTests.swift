// Bitmap headers of every version.

import BMPCodec
import ImageCoding
import Testing

/// An information header of a given version, followed by zeros.
private func header(
  _ byteCount: Int, width: Int = 30, height: Int = 20, bits: Int = 32, compression: Int = 0, rest: [UInt8] = []
) -> [UInt8] {
  if byteCount == 12 { return little(12, 4) + little(width, 2) + little(height, 2) + little(1, 2) + little(bits, 2) }
  let start = little(byteCount, 4) + little(width, 4) + little(height, 4) + little(1, 2) + little(bits, 2)
  let bytes = (byteCount >= 20 ? start + little(compression, 4) : start) + rest
  return bytes + [UInt8](repeating: 0, count: max(0, byteCount - bytes.count))
}
private func file(_ header: [UInt8], tail: [UInt8] = []) -> [UInt8] {
  Array("BM".utf8) + little(14 + header.count + tail.count, 4) + [0, 0, 0, 0] + little(14 + header.count, 4) + header
    + tail
}

@Suite struct BMPHeaderTests {
  @Test(arguments: [12, 16, 40, 52, 56, 64, 108, 124]) func everyVersionStatesItsSize(_ byteCount: Int) throws {
    let bytes = file(header(byteCount, bits: 24))
    let info = try BMPDecoder().info(bytes)
    #expect(info.size == PixelSize(width: 30, height: 20) && info.colorModel == .rgb)
    for count in bytes.indices {
      let prefix = Array(bytes.prefix(count))
      switch Result(catching: { () throws(CodecError) in try BMPDecoder().info(prefix) }) {
      // Fields at the end that nothing depends on may be missing.
      case .success(let early): #expect(early == info && count >= 14 + min(byteCount, 40))
      case .failure(let error): #expect(error.kind == .truncated && (error.neededByteCount ?? 0) > count)
      }
    }
  }

  @Test func compressionsByTheirFamily() throws {
    #expect(try BMPDecoder().info(file(header(64, bits: 24, compression: 4))).coding == "RLE24")
    #expect(try BMPDecoder().info(file(header(40, bits: 24, compression: 4))).coding == "JPEG")
    #expect(try BMPDecoder().info(file(header(40, bits: 8, compression: 1))).coding == "RLE8")
  }

  @Test func alphaIsThereWithAMask() throws {
    let masks = [UInt8](repeating: 0, count: 20) + little(0xFF, 4) + little(0xFF00, 4) + little(0xFF_0000, 4)
    let with = file(header(124, compression: 3, rest: masks + little(0xFF00_0000, 4)))
    #expect(try BMPDecoder().info(with).hasAlpha)
    #expect(try !BMPDecoder().info(file(header(124, compression: 3, rest: masks))).hasAlpha)
    // The masks follow a short header.
    let following = file(header(40, compression: 6) + masks.suffix(12) + little(0xFF00_0000, 4))
    #expect(try BMPDecoder().info(following).hasAlpha)
  }

  @Test func rowsFromTheTopAndProfiles() throws {
    #expect(try BMPDecoder().info(file(header(40, height: -20))).size == PixelSize(width: 30, height: 20))
    #expect(throws: CodecError.self) { try BMPDecoder().info(file(header(40, width: -1))) }
    #expect(try BMPDecoder().info(file(header(40, height: -0x8000_0000))).height == 0x8000_0000)
    var version5 = header(124)
    version5.replaceSubrange(56..<60, with: little(0x4D42_4544, 4))
    version5.replaceSubrange(112..<120, with: little(124, 4) + little(3, 4))
    let bytes = file(version5, tail: [7, 8, 9])
    #expect(try BMPDecoder().info(bytes).colorSpace == .icc([7, 8, 9]))
    version5.replaceSubrange(112..<120, with: little(0xFFFF_FFFF, 4) + little(0xFFFF_FFFF, 4))
    #expect(try BMPDecoder().info(file(version5)).colorSpace == .unspecified)
  }
}
