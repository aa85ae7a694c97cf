// ThunderScan compared with an encoder that selects among the codes at random.

import ImageCore
import TIFFCodec
import TestSupport
import Testing

@Suite struct ThunderScanTests {
  /// Codes a row of samples of 4 bits.
  private func coded(_ row: [Int], _ random: inout TestRandom) -> [UInt8] {
    var bytes: [UInt8] = []
    var value = 0
    var index = 0
    /// The code of a difference in 2 bits, if there is one.
    func code2(_ difference: Int) -> Int? { [0: 0, 1: 1, 15: 3][difference & 15] }
    func code3(_ difference: Int) -> Int? { [0: 0, 1: 1, 2: 2, 3: 3, 13: 5, 14: 6, 15: 7][difference & 15] }
    while index < row.count {
      let run = row[index...].prefix { $0 == value }.count
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where run > 0:
        let count = min(63, run)
        bytes.append(UInt8(count))
        index += count
      case 1:
        var byte = 1
        for _ in 0..<3 {
          if index < row.count, let code = code2(row[index] - value) {
            byte = byte << 2 | code
            value = row[index]
            index += 1
          } else {
            byte = byte << 2 | 2
          }
        }
        bytes.append(UInt8(byte))
      case 2:
        var byte = 2
        for _ in 0..<2 {
          if index < row.count, let code = code3(row[index] - value) {
            byte = byte << 3 | code
            value = row[index]
            index += 1
          } else {
            byte = byte << 3 | 4
          }
        }
        bytes.append(UInt8(byte))
      default:
        value = row[index]
        bytes.append(0xC0 | UInt8(value))
        index += 1
      }
    }
    return bytes
  }

  @Test func samplesAreThoseCoded() throws {
    var random = TestRandom(4)
    for width in [1, 2, 7, 64, 200] {
      let rows = (0..<9).map { _ in
        (0..<width).reduce(into: [Int]()) { row, _ in
          let step = Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 0..<16, using: &random) : 0
          row.append(((row.last ?? 0) + step) & 15)
        }
      }
      var tiff = SmallTIFF(width: width, height: 9)
      (tiff.compression, tiff.photometric, tiff.bits, tiff.rowsPerStrip) = (32809, 1, [4], 4)
      let strips = [rows[0..<4], rows[4..<8], rows[8..<9]].map { $0.flatMap { coded($0, &random) } }
      let image = try decoder.decode(tiff.file(strips), options: DecodingOptions(tolerance: .strict))
      #expect(image.bitmap.packedPixels == rows.flatMap { $0.map { UInt8($0 * 17) } })
    }
  }

  @Test func aStripThatEndsEarlyKeepsItsRows() throws {
    var tiff = SmallTIFF(width: 4, height: 2)
    (tiff.compression, tiff.photometric, tiff.bits) = (32809, 1, [4])
    let file = tiff.file([[0xC5, 3]])
    #expect(try decoder.decode(file).bitmap.packedPixels == [85, 85, 85, 85, 0, 0, 0, 0])
    #expect(throws: CodecError.self) { try decoder.decode(file, options: DecodingOptions(tolerance: .strict)) }
  }

  @Test func otherDepthsAreRejected() {
    var tiff = SmallTIFF(width: 1, height: 1)
    (tiff.compression, tiff.photometric) = (32809, 1)
    #expect(throws: CodecError.self) { try decoder.decode(tiff.file([[0xC5]])) }
  }
}
