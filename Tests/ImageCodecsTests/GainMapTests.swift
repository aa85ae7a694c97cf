// Gain maps of JPEG files: found, decoded and written.

import ImageCodecs
import TestSupport
import Testing

@Suite struct GainMapTests {
  private static func gradient(_ width: Int, _ height: Int, _ format: PixelFormat) throws -> Bitmap {
    try Bitmap(
      width: width, height: height, format: format,
      pixels: (0..<width * height * format.bytesPerPixel).map { UInt8(truncatingIfNeeded: $0 / 5) })
  }

  private func gainMap(_ file: [UInt8]) throws -> GainMap? { try GainMap(of: file.span) }

  @Test func writtenAndRead() throws {
    let picture = try Self.gradient(64, 48, .rgb8)
    let metadata = GainMapMetadata(
      components: [GainMapMetadata.Component(minimum: -0.5, maximum: 2.25, gamma: 0.75)], alternateHeadroom: 2.25)
    let map = GainMap(bitmap: try Self.gradient(32, 24, .gray8), metadata: metadata)
    let plain = try picture.encoded(as: .jpeg)
    let file = try picture.encodedAsJPEG(with: map)
    // The picture itself is that of the plain file.
    #expect(try Bitmap(decoding: file).packedPixels == (try Bitmap(decoding: plain)).packedPixels)
    let found = try #require(try gainMap(file))
    #expect(found.metadata == metadata)
    #expect(found.bitmap.packedPixels == (try Bitmap(decoding: try map.bitmap.encoded(as: .jpeg))).packedPixels)
    // The directory is that of CIPA DC-007: the map is where the file of the picture ends.
    let range = JPEGDecoder().gainMap(in: file.span)
    let location = try #require(range)
    #expect(location.byteRange.upperBound == file.count)
    #expect(Array(file[location.byteRange].prefix(2)) == [0xFF, 0xD8])
    #expect(Array(file[..<location.byteRange.lowerBound].suffix(2)) == [0xFF, 0xD9])
    // Written again from what was read, with its metadata.
    let image = try DecodedImage(decoding: file)
    let again = try image.bitmap.encodedAsJPEG(with: found, metadata: image.metadata)
    #expect(try #require(try gainMap(again)).metadata == metadata)
    #expect(try gainMap(plain) == nil)
  }

  @Test func damage() throws {
    let map = GainMap(bitmap: try Self.gradient(8, 8, .gray8), metadata: GainMapMetadata())
    let file = try Self.gradient(16, 16, .rgb8).encodedAsJPEG(with: map)
    for count in stride(from: 0, to: file.count, by: 11) { _ = try? gainMap(Array(file[..<count])) }
    var random = TestRandom(2)
    for _ in 0..<300 {
      var damaged = file
      damaged[Int.random(in: 0..<file.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      _ = try? gainMap(damaged)
    }
  }

  @Test func aMapWithoutParametersIsNotWritten() throws {
    let picture = try Self.gradient(8, 8, .rgb8)
    #expect(throws: CodecError.self) {
      try picture.encodedAsJPEG(with: GainMap(bitmap: picture, metadata: nil))
    }
  }
}
