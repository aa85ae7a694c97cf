// Text and integers of headers, against the slow and obvious way to read and write them.

import ImageCore
import MetadataFormats
import Testing

@Suite struct BytesTests {
  @Test func latin1IsTheCharacterOfEachByte() {
    let bytes = (0..<1024).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    var slow = String.UnicodeScalarView()
    for byte in bytes { slow.append(Unicode.Scalar(byte)) }
    #expect(String(latin1: bytes.span) == String(slow))
    #expect(String(latin1: [UInt8]().span).isEmpty)
  }

  @Test func textIsUTF8OrLatin1() {
    #expect(String(utf8OrLatin1: Array("Größe".utf8).span) == "Größe")
    #expect(String(utf8OrLatin1: [0x47, 0xF6].span) == "Gö")
  }

  @Test func namesAndFieldsThatEndWithNUL() {
    let bytes = Array("Exif\0\0MM".utf8)
    #expect(bytes.span.starts(with: "Exif\0\0") && !bytes.span.starts(with: "Exif\0\0MMx"))
    #expect(bytes.span.upToNUL().count == 4 && bytes.span.extracting(6..<8).upToNUL().count == 2)
  }

  @Test func integersOfBothByteOrders() {
    var big = ByteWriter(.bigEndian)
    big.append(0x01_02 as UInt16)
    big.append(0x03_04_05_06 as UInt32)
    big.append(0x07_08_09, byteCount: 3)
    #expect(big.bytes == [1, 2, 3, 4, 5, 6, 7, 8, 9])
    var little = ByteWriter(.littleEndian, after: [9])
    little.append(0x01_02 as UInt16)
    little.append(0x03_04_05_06 as UInt32)
    little.append(0x07_08_09, byteCount: 3)
    #expect(little.bytes == [9, 2, 1, 6, 5, 4, 3, 9, 8, 7])
    little.overwrite(at: 1, with: 0xAA_BB, byteCount: 2)
    little.overwrite(at: 9, with: 0xAA_BB, byteCount: 2)
    little.overwrite(at: -1, with: 0, byteCount: 1)
    #expect(little.bytes == [9, 0xBB, 0xAA, 6, 5, 4, 3, 9, 8, 7])
  }

  @Test func piecesAreAppendedInPlace() {
    let piece = [UInt8](repeating: 5, count: 1_000)
    var whole: [UInt8] = []
    var capacities: Set<Int> = []
    for _ in 0..<4_000 {
      whole.append(copying: piece.span)
      capacities.insert(whole.capacity)
    }
    #expect(whole.count == 4_000_000)
    // A copy has the capacity that it needs: one for every piece.
    #expect(capacities.count < 50)
  }
}
