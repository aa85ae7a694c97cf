// The parts of a file that options select: one image of several, a region of it.

import FoundationEssentials
import ImageCodecs
import TestSupport
import Testing

@Suite struct SelectionTests {
  private static func files() throws -> [(name: String, bytes: [UInt8])] {
    var random = TestRandom(9)
    var picture = try Bitmap(width: 61, height: 47, format: .rgb8, pixels: random.bytes(61 * 47 * 3))
    var files = [
      ("png", try picture.encoded(as: .png)), ("jpeg", try picture.encoded(as: .jpeg)),
      ("gif", try picture.encoded(as: .gif)),
      ("svg", Array("<svg xmlns='http://www.w3.org/2000/svg' width='61' height='47'><circle r='40'/></svg>".utf8)),
    ]
    picture.orientation = .right
    files.append(("turned", try picture.encoded(as: .jpeg)))
    return files
  }

  @Test func aRegionIsThatPartOfTheImage() throws {
    for (name, bytes) in try Self.files() {
      for orientation in [DecodingOptions.OrientationHandling.apply, .report] {
        var options = DecodingOptions(orientation: orientation, targetSize: PixelSize(width: 5, height: 5))
        options.region = PixelRegion(x: 3, y: 7, width: 31, height: 29)
        let region = try #require(options.region)
        let whole = try Bitmap(decoding: bytes, options: DecodingOptions(orientation: orientation))
        let expected = try whole.cropped(to: region)
        #expect(try Bitmap(decoding: bytes, options: options) == expected, "\(name)")
        let decoder = try ImageFormatRegistry.shared.decoder(for: bytes.span)
        let session = decoder.makeSession(options: options)
        for byte in bytes { try session.append([byte].span) }
        #expect(try session.finish().bitmap == expected, "\(name)")
      }
    }
  }

  @Test(arguments: [
    PixelRegion(x: 0, y: 0, width: 62, height: 1), PixelRegion(x: -1, y: 0, width: 2, height: 2),
    PixelRegion(x: 60, y: 46, width: 2, height: 1), PixelRegion(x: .max, y: .max, width: .max, height: .max),
  ])
  func aRegionOutsideOfTheImageIsAnError(_ region: PixelRegion) throws {
    for (name, bytes) in try Self.files() where name != "turned" {
      let error = #expect(throws: CodecError.self) {
        try Bitmap(decoding: bytes, options: DecodingOptions(region: region))
      }
      #expect(error?.kind == .invalidArgument, "\(name)")
    }
  }

  @Test func aSingleImageHasTheIndexZero() throws {
    for (name, bytes) in try Self.files() {
      #expect(try ImageFile(bytes).info().imageCount == 1)
      let whole = try Bitmap(decoding: bytes)
      #expect(try Bitmap(decoding: bytes, options: DecodingOptions(imageIndex: 0)) == whole)
      for index in [-1, 1, .max] {
        let error = #expect(throws: CodecError.self) {
          try Bitmap(decoding: bytes, options: DecodingOptions(imageIndex: index))
        }
        #expect(error?.kind == .invalidArgument, "\(name)")
      }
    }
  }

  @Test func infoAndMetadataSurviveCoding() throws {
    for (_, bytes) in try Self.files() {
      let image = try ImageFile(bytes).decode()
      let encoder = JSONEncoder()
      let decoder = JSONDecoder()
      #expect(try decoder.decode(ImageInfo.self, from: encoder.encode(image.info)) == image.info)
      #expect(try decoder.decode(ImageMetadata.self, from: encoder.encode(image.metadata)) == image.metadata)
      #expect(try decoder.decode([ImageDiagnostic].self, from: encoder.encode(image.diagnostics)) == image.diagnostics)
    }
    let error = CodecError(.limitExceeded, "too large", format: .png, byteOffset: 7)
    #expect(try JSONDecoder().decode(CodecError.self, from: JSONEncoder().encode(error)) == error)
  }
}
