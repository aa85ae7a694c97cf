// Rows that are cleared when they are first drawn into, and rows that are drawn in the memory of a picture.

import TestSupport
import Testing
import VectorGraphics

struct DrawingSurfaceTests {
  private var random = TestRandom(31)

  private mutating func polygon(_ range: ClosedRange<Double>) -> Path {
    Polygons(contours: [(0..<5).map { _ in random.point(range) }]).path
  }

  private mutating func color() -> Color {
    let alpha = random.next() % 2 == 0 ? 1 : random.number(0...1)
    return Color(red: random.number(0...1), green: random.number(0...1), blue: random.number(0...1), alpha: alpha)
  }

  /// The rows of a new canvas are arbitrary until the first shape is drawn, those of a layer are transparent.
  @Test mutating func theFirstShapeIsDrawnOverTransparentPixels() throws {
    for width in [1, 3, 8, 61, 200] {
      let bounds = PixelRect(minX: -5, minY: 7, maxX: width - 5, maxY: 47)
      let part = PixelRect(minX: width / 3 - 5, minY: 9, maxX: width - 6, maxY: 30)
      for (clip, rule) in [(bounds, Fill.Rule.nonZero), (part, .nonZero), (bounds, .evenOdd)] {
        let (path, color) = (polygon(-20...220), color())
        var new = try Canvas(bounds: bounds)
        var clear = try Canvas(Layer(bounds: bounds))
        let compositing = Compositing(clip: Clip(bounds: clip))
        try new.fill(path, fill: Fill(rule: rule), paint: .color(color), compositing: compositing)
        try clear.fill(path, fill: Fill(rule: rule), paint: .color(color), compositing: compositing)
        #expect(new.layer == clear.layer, "\(width), \(clip)")
      }
    }
  }

  /// Draws shapes that cross all rows, a layer, and nothing in some rows.
  private static func draw(_ shapes: [(Path, Color)], on canvas: inout Canvas, firstIsLayer: Bool) throws {
    if firstIsLayer {
      try canvas.pushLayer(bounds: canvas.bounds)
      try canvas.fill(shapes[0].0, paint: .color(shapes[0].1))
      try canvas.draw(try canvas.popLayer())
    }
    for (path, color) in shapes { try canvas.fill(path, paint: .color(color)) }
  }

  @Test(arguments: [false, true])
  mutating func bandsAreTheRowsOfOneDrawing(firstIsLayer: Bool) throws {
    let area = PixelRect(minX: 0, minY: 0, maxX: 67, maxY: 50)
    let shapes = (0..<4).map { _ in (polygon(-10...40), color()) }
    var whole = try Canvas(bounds: area)
    try Self.draw(shapes, on: &whole, firstIsLayer: firstIsLayer)
    for height in [1, 7, 25, 50, 80] {
      var pixels = random.bytes(67 * 50 * 4)
      let count = try withBands(of: &pixels, bandByteCount: 67 * 4 * height) { bands in
        Result {
          var count = 0
          while let band = bands.takeBand() {
            count += 1
            let rows = height * band.index..<min(height * (band.index + 1), 50)
            var canvas = try Canvas(rows: rows, of: area, band: consume band)
            try Self.draw(shapes, on: &canvas, firstIsLayer: firstIsLayer)
            try canvas.finishBand()
          }
          return count
        }
      }.get()
      #expect(count == (50 + height - 1) / height)
      #expect(pixels == whole.layer.pixels)
    }
  }

  @Test func aCopyOfABandHasItsOwnMemory() throws {
    let area = PixelRect(minX: 0, minY: 0, maxX: 8, maxY: 4)
    var pixels = [UInt8](repeating: 77, count: 8 * 4 * 4)
    let copied = try withBands(of: &pixels, bandByteCount: pixels.count) { bands in
      Result {
        guard let band = bands.takeBand() else { return Layer(bounds: .empty) }
        var canvas = try Canvas(rows: 0..<4, of: area, band: consume band)
        try canvas.fill(Path(Rect(x: 0, y: 0, width: 4, height: 2)), paint: .color(.white))
        let copied: Layer
        do {
          var copy = try Canvas(canvas.layer)
          try copy.paint(.color(.black))
          copied = copy.layer
        }
        try canvas.finishBand()
        return copied
      }
    }.get()
    #expect(copied.pixels == Array(repeating: [0, 0, 0, 255], count: 32).flatMap { $0 })
    for y in 0..<4 {
      for x in 0..<8 {
        let expected: UInt8 = x < 4 && y < 2 ? 255 : 0
        #expect(pixels[(y * 8 + x) * 4..<(y * 8 + x) * 4 + 4].allSatisfy { $0 == expected })
      }
    }
  }
}
