// Conversions with centred chroma against libavif's sums in single precision, whose rounding is followed.

import ImageCoding
import PixelPlanes
import TestSupport
import Testing

@Suite struct LibavifConversionTests {
  /// The chroma number at a pixel: four neighbours, weighted and added in libavif's order. In 4:2:2 the neighbours of
  /// the other row are those of this row.
  private func chroma(_ plane: SamplePlane, _ format: ChromaFormat, _ x: Int, _ y: Int) -> Float {
    let scale = Float(1 << (plane.bitDepth - 8))
    func number(_ column: Int, _ row: Int) -> Float { (Float(plane[column, row]) - 128 * scale) / (224 * scale) }
    if format == .yuv444 { return number(x, y) }
    let (column, row) = (x / 2, format == .yuv420 ? y / 2 : y)
    let nextColumn = min(max(x % 2 == 0 ? column - 1 : column + 1, 0), plane.width - 1)
    let nextRow = format == .yuv420 ? min(max(y % 2 == 0 ? row - 1 : row + 1, 0), plane.height - 1) : row
    return number(column, row) * (9.0 / 16) + number(nextColumn, row) * (3.0 / 16)
      + number(column, nextRow) * (3.0 / 16) + number(nextColumn, nextRow) * (1.0 / 16)
  }

  private func pixel(_ picture: PlanarPicture, _ x: Int, _ y: Int) throws -> [UInt8] {
    let scale = Float(1 << (picture.bitDepth - 8))
    let luma = (Float(picture.luma[x, y]) - 16 * scale) / (219 * scale)
    let cb = chroma(try #require(picture.cb), picture.chromaFormat, x, y)
    let cr = chroma(try #require(picture.cr), picture.chromaFormat, x, y)
    let (kr, kb) = (Float(0.2627), Float(0.0593))
    let red = luma + (2 * (1 - kr)) * cr
    let blue = luma + (2 * (1 - kb)) * cb
    let green = luma - (2 * ((kr * (1 - kr) * cr) + (kb * (1 - kb) * cb))) / (1 - kr - kb)
    return [red, green, blue].map { UInt8(0.5 + min(max($0, 0), 1) * 255) }
  }

  private func check(_ picture: PlanarPicture) throws {
    var budget = ResourceBudget(.default)
    let bitmap = try picture.bitmap(format: .rgb8, budget: &budget)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let row = bitmap.row(y)
        #expect(try (0..<3).map { row[x * 3 + $0] } == pixel(picture, x, y), "\(x), \(y)")
      }
    }
  }

  @Test(arguments: [ChromaFormat.yuv420, .yuv422, .yuv444], [10, 12])
  func pixelsAreItsSums(format: ChromaFormat, depth: Int) throws {
    var noise = TestRandom(UInt64(depth))
    func plane(_ width: Int, _ height: Int) throws -> SamplePlane {
      let samples = (0..<width * height).map { _ in UInt16(noise.next() % UInt64(1 << depth)) }
      return try SamplePlane(width: width, height: height, bitDepth: depth, samples: samples)
    }
    let (width, height) = (61, 9)
    let (chromaWidth, chromaHeight) = (format.chromaWidth(width), format.chromaHeight(height))
    try check(
      PlanarPicture(
        chromaFormat: format, coding: PlanarPicture.Coding(matrix: .bt2020, range: .limited),
        luma: plane(width, height), cb: plane(chromaWidth, chromaHeight), cr: plane(chromaWidth, chromaHeight)))
  }

  /// Red is 36.49999999; two neighbours of weights 3/4 and 1/4 round it to 36, and libavif's four to 37.
  @Test func neighboursOf422AreCountedTwice() throws {
    let width = 40
    func row(_ values: [UInt16], _ count: Int) throws -> SamplePlane {
      try SamplePlane(width: count, height: 1, bitDepth: 10, samples: (0..<count).map { values[$0 % values.count] })
    }
    let picture = try PlanarPicture(
      chromaFormat: .yuv422, coding: PlanarPicture.Coding(matrix: .bt2020, range: .limited), luma: row([131], width),
      cb: row([487, 471], width / 2), cr: row([548, 566], width / 2))
    var budget = ResourceBudget(.default)
    let bitmap = try picture.bitmap(format: .rgb8, budget: &budget)
    for x in stride(from: 1, to: width, by: 4) { #expect(bitmap.row(0)[x * 3] == 37) }
    try check(picture)
  }
}
