// Sizes of thumbnails, computed by hand.

import ImageCodecs
import Testing

@Suite struct ThumbnailGeometryTests {
  struct Case: CustomTestStringConvertible {
    var source: (Int, Int)
    var width: Int?
    var height: Int?
    var fit: Thumbnail.Fit
    var enlarges = false
    var expected: (Int, Int)

    var testDescription: String { "\(source) in \(width ?? 0)x\(height ?? 0), \(fit)" }
  }

  static let cases = [
    Case(source: (40, 30), width: 20, height: 20, fit: .inside, expected: (20, 15)),
    Case(source: (30, 40), width: 20, height: 20, fit: .inside, expected: (15, 20)),
    Case(source: (40, 30), width: 20, fit: .inside, expected: (20, 15)),
    Case(source: (40, 30), height: 6, fit: .inside, expected: (8, 6)),
    Case(source: (40, 30), fit: .inside, expected: (40, 30)),
    Case(source: (40, 30), width: 80, height: 80, fit: .inside, expected: (40, 30)),
    Case(source: (40, 30), width: 80, height: 80, fit: .inside, enlarges: true, expected: (80, 60)),
    Case(source: (40, 30), width: 20, height: 20, fit: .outside, expected: (27, 20)),
    Case(source: (40, 30), width: 20, height: 20, fit: .cover, expected: (20, 20)),
    Case(source: (40, 30), width: 60, height: 20, fit: .cover, expected: (40, 20)),
    Case(source: (40, 30), width: 60, height: 20, fit: .cover, enlarges: true, expected: (60, 20)),
    Case(source: (40, 30), width: 10, height: 29, fit: .exact, expected: (10, 29)),
    Case(source: (40, 30), width: 10, fit: .exact, expected: (10, 8)),
    Case(source: (40, 30), width: 10, height: 50, fit: .exact, expected: (10, 30)),
    Case(source: (40, 30), width: 10, height: 50, fit: .exact, enlarges: true, expected: (10, 50)),
    Case(source: (300, 1), width: 100, height: 100, fit: .inside, expected: (100, 1)),
    Case(source: (1, 300), width: 100, height: 100, fit: .inside, expected: (1, 100)),
    Case(source: (1, 1), width: 100, height: 100, fit: .cover, enlarges: true, expected: (100, 100)),
  ]

  @Test(arguments: cases)
  func size(_ example: Case) throws {
    let bitmap = try Bitmap(width: example.source.0, height: example.source.1, format: .gray8)
    let request = Thumbnail(
      width: example.width, height: example.height, fit: example.fit, enlarges: example.enlarges)
    let file = try bitmap.encoded(as: .png)
    let made = try ImageFile(file).thumbnail(request)
    #expect(made.bitmap.pixelSize == PixelSize(width: example.expected.0, height: example.expected.1))
    #expect(made.info.size == bitmap.pixelSize)
  }

  @Test func gravityKeepsItsSide() throws {
    // Columns 0…5 of a row of six; the middle third, and so on.
    let pixels: [UInt8] = (0..<6).flatMap { _ in [0, 50, 100, 150, 200, 250] as [UInt8] }
    let bitmap = try Bitmap(width: 6, height: 6, format: .gray8, pixels: pixels)
    func columns(_ gravity: Thumbnail.Gravity) throws -> [UInt8] {
      let cropped = try bitmap.thumbnail(Thumbnail(width: 2, height: 6, fit: .cover(gravity)))
      #expect(cropped.pixelSize == PixelSize(width: 2, height: 6))
      return Array(cropped.packedPixels.prefix(2))
    }
    #expect(try columns(.left) == [0, 50])
    #expect(try columns(.topLeft) == [0, 50])
    #expect(try columns(.center) == [100, 150])
    #expect(try columns(.bottom) == [100, 150])
    #expect(try columns(.right) == [200, 250])
    var turned = bitmap
    turned.orientation = .right
    // Clockwise, the left column becomes the top row.
    for (gravity, expected) in [(Thumbnail.Gravity.top, [0, 50]), (.center, [100, 150]), (.bottomLeft, [200, 250])] {
      let cropped = try turned.thumbnail(Thumbnail(width: 6, height: 2, fit: .cover(gravity)))
      #expect(cropped.pixelSize == PixelSize(width: 6, height: 2))
      let samples = cropped.packedPixels
      #expect([samples[0], samples[6]] == expected.map { UInt8($0) })
    }
  }

  @Test func invalidRequests() throws {
    let file = try Bitmap(width: 2, height: 2, format: .gray8).encoded(as: .png)
    for request in [
      Thumbnail(width: 0), Thumbnail(height: -1), Thumbnail(width: 1, sharpening: -0.1),
      Thumbnail(width: 1, sharpening: .nan),
    ] {
      let error = #expect(throws: CodecError.self) { _ = try ImageFile(file).thumbnail(request) }
      #expect(error?.kind == .invalidArgument)
    }
    let error = #expect(throws: CodecError.self) {
      _ = try ImageFile(file).thumbnail(Thumbnail(width: .max, height: .max, enlarges: true))
    }
    #expect(error?.kind == .limitExceeded)
  }
}
