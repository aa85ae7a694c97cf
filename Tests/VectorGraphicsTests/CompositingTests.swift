import ImageCore
import TestSupport
import Testing
import VectorGraphics

@Suite struct CompositingTests {
  /// A row of random premultiplied pixels with all extremes.
  private func randomLayer(_ random: inout TestRandom, count: Int) -> Layer {
    var layer = Layer(bounds: PixelRect(minX: 0, minY: 0, maxX: count, maxY: 1))
    for pixel in 0..<count {
      let alpha = [0, 255, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
      layer.pixels[pixel * 4 + 3] = alpha
      for sample in 0..<3 {
        layer.pixels[pixel * 4 + sample] =
          [0, alpha, UInt8.random(in: 0...alpha, using: &random)].randomElement(using: &random) ?? 0
      }
    }
    return layer
  }

  private func samples(_ layer: Layer, _ pixel: Int) -> [Double] {
    layer.pixels[pixel * 4..<pixel * 4 + 4].map { Double($0) / 255 }
  }

  @Test(arguments: BlendMode.allCases)
  func blendModesFollowTheSpecification(mode: BlendMode) throws {
    var random = TestRandom(4)
    let source = randomLayer(&random, count: 3000)
    let backdrop = randomLayer(&random, count: 3000)
    for opacity in [1, 0.5] {
      var canvas = try Canvas(backdrop)
      try canvas.draw(source, compositing: Compositing(opacity: opacity, blendMode: mode))
      for pixel in 0..<3000 {
        let s = samples(source, pixel).map { $0 * opacity }
        let b = samples(backdrop, pixel)
        let exact = CompositingFormulas.combine(mode == .normal ? "source-over" : mode.rawValue, s, b)
        let result = samples(canvas.layer, pixel)
        for channel in 0..<3 {
          #expect(abs(result[channel] - exact[channel]) * 255 < 1.6, "\(s) over \(b): \(result), not \(exact)")
        }
        #expect(abs(result[3] - exact[3]) * 255 < 1.1)
      }
    }
  }

  private static let operators: [(CompositeOperator, String)] = [
    (.clear, "clear"), (.source, "copy"), (.destination, "destination"), (.over, "source-over"),
    (.destinationOver, "destination-over"), (.sourceIn, "source-in"), (.destinationIn, "destination-in"),
    (.out, "source-out"), (.destinationOut, "destination-out"), (.atop, "source-atop"),
    (.destinationAtop, "destination-atop"), (.xor, "xor"), (.lighter, "lighter"),
  ]

  @Test func operatorsFollowPorterAndDuff() throws {
    var random = TestRandom(5)
    let source = randomLayer(&random, count: 2000)
    let backdrop = randomLayer(&random, count: 2000)
    #expect(Set(Self.operators.map(\.0)) == Set(CompositeOperator.allCases))
    for (compositeOperator, name) in Self.operators {
      var canvas = try Canvas(backdrop)
      try canvas.draw(source, compositing: Compositing(compositeOperator: compositeOperator))
      for pixel in 0..<2000 {
        let exact = CompositingFormulas.combine(name, samples(source, pixel), samples(backdrop, pixel))
        let result = samples(canvas.layer, pixel)
        for channel in 0..<4 { #expect(abs(result[channel] - exact[channel]) * 255 < 1.1, "\(name)") }
      }
    }
  }

  /// Layers that are smaller than what is below them.
  @Test func unboundedOperatorsReachBeyondTheSource() throws {
    let source = Layer(bounds: PixelRect(minX: 4, minY: 4, maxX: 6, maxY: 6))
    for (compositeOperator, name) in Self.operators {
      var canvas = try Canvas(bounds: PixelRect(minX: 0, minY: 0, maxX: 10, maxY: 10))
      try canvas.paint(.color(.white))
      try canvas.draw(source, compositing: Compositing(compositeOperator: compositeOperator))
      let exact = CompositingFormulas.combine(name, [0, 0, 0, 0], [1, 1, 1, 1])[3]
      #expect(canvas.layer[0, 0] == (exact == 1 ? 0xFFFF_FFFF : 0), "\(name)")
    }
  }

  @Test func clipsMultiplyCoverage() throws {
    let bounds = PixelRect(minX: 0, minY: 0, maxX: 40, maxY: 40)
    var circle = Path()
    circle.addEllipse(center: Point(x: 20, y: 18), radiusX: 13, radiusY: 9)
    let mask = try coverage(circle, bounds)
    #expect(bounds.contains(mask.bounds) && mask.bounds.width <= 27 + 3 && mask.bounds.height <= 19)
    var square = Path(Rect(x: 5.5, y: 10.25, width: 20, height: 30))
    square = square.transformed(by: .rotation(0.1))
    let shape = try coverage(square, bounds)
    // As large as the shape's, so that both are rasterised on the same grid.
    var whole = Mask(bounds: bounds)
    try whole.formUnion(mask)
    var canvas = try Canvas(bounds: bounds)
    try canvas.fill(square, paint: .color(.white), compositing: Compositing(clip: Clip(whole)))
    for y in 0..<40 {
      for x in 0..<40 {
        let exact = Double(mask[x, y]) * Double(shape[x, y]) / 255
        #expect(abs(Double(canvas.layer[x, y] >> 24) - exact) <= 0.51)
      }
    }
    let both = try mask.intersection(shape)
    for y in 0..<40 { for x in 0..<40 { #expect(canvas.layer[x, y] >> 24 == UInt32(both[x, y])) } }
    var union = Mask(bounds: bounds)
    try union.formUnion(mask)
    try union.formUnion(shape)
    for y in 0..<40 {
      for x in 0..<40 {
        let exact = 255 - (255 - Double(mask[x, y])) * (255 - Double(shape[x, y])) / 255
        #expect(abs(Double(union[x, y]) - exact) <= 0.51)
      }
    }
  }

  @Test func masksComeFromLayers() throws {
    var layer = Layer(bounds: PixelRect(minX: 2, minY: 3, maxX: 3, maxY: 4))
    layer.pixels = [100, 50, 20, 200]
    #expect(try Mask(layer, source: .alpha)[2, 3] == 200)
    // 0.2125 · 100 + 0.7154 · 50 + 0.0721 · 20 = 58.46
    #expect(try Mask(layer, source: .luminance)[2, 3] == 58)
    // Straight samples 127.5 → 128, 63.75 → 64, 25.5 → 26; as light 0.2159, 0.0513, 0.0103.
    let light: Double = 0.2125 * 0.2159 + 0.7154 * 0.0513 + 0.0721 * 0.0103
    #expect(try abs(Double(Mask(layer, source: .linearLuminance)[2, 3]) - light * 200) < 1)
  }

  @Test func layersAreDrawnInTheirPlace() throws {
    let bounds = PixelRect(minX: 0, minY: 0, maxX: 20, maxY: 20)
    var canvas = try Canvas(bounds: bounds)
    try canvas.pushLayer(bounds: PixelRect(minX: 15, minY: -4, maxX: 25, maxY: 4))
    try canvas.paint(.color(Color(red: 0, green: 1, blue: 0)))
    let layer = try canvas.popLayer()
    try canvas.draw(layer, compositing: Compositing(opacity: 0.5))
    for y in 0..<20 {
      for x in 0..<20 { #expect(canvas.layer[x, y] == (x >= 15 && y < 4 ? 0x8000_8000 : 0)) }
    }
  }

  @Test func budgetsEndTheWork() throws {
    let limits = DecodingLimits(maximumByteCount: 6000, maximumWork: 2000, maximumWorkPerPixel: 0)
    func small() -> RasterBudget {
      RasterBudget(resources: ResourceBudget(limits), segmentCount: 100, layerDepth: 2)
    }
    let bounds = PixelRect(minX: 0, minY: 0, maxX: 20, maxY: 20)
    #expect(throws: CodecError.self) {
      _ = try Canvas(bounds: PixelRect(minX: 0, minY: 0, maxX: 50, maxY: 50), budget: small())
    }
    #expect(throws: CodecError.self) {
      _ = try Canvas(bounds: PixelRect(minX: 0, minY: 0, maxX: 1 << 29, maxY: 1))
    }
    var canvas = try Canvas(bounds: bounds, budget: small())
    #expect(throws: CodecError.self) { for _ in 0..<10 { try canvas.paint(.color(.black)) } }
    canvas = try Canvas(bounds: bounds, budget: small())
    #expect(throws: CodecError.self) {
      for _ in 0..<30 { try canvas.fill(Path(Rect(x: 1, y: 1, width: 2, height: 2)), paint: .color(.black)) }
    }
    canvas = try Canvas(bounds: .empty, budget: small())
    #expect(throws: CodecError.self) { for _ in 0..<5 { try canvas.pushLayer(bounds: .empty) } }
  }

  /// Rows are cleared only when they are drawn into or when the layer is finished.
  @Test func whatIsNotDrawnIsTransparentInUsedMemory() throws {
    let bounds = PixelRect(minX: -3, minY: 5, maxX: 61, maxY: 69)
    for _ in 0..<4 {
      // Freed at once, and likely to be the memory of the next layer.
      #expect([UInt8](repeating: 0xA5, count: bounds.pixelCount * 4).last == 0xA5)
      var canvas = try Canvas(bounds: bounds)
      #expect([UInt8](repeating: 0xA5, count: bounds.pixelCount * 4).last == 0xA5)
      try canvas.pushLayer(bounds: bounds)
      let clip = Clip(bounds: PixelRect(minX: 10, minY: 20, maxX: 30, maxY: 40))
      try canvas.paint(.color(.black), compositing: Compositing(clip: clip))
      #expect(canvas.layer[20, 30] == 0xFF00_0000)
      let top = try canvas.popLayer()
      try canvas.draw(top, compositing: Compositing(clip: clip))
      for layer in [top, canvas.layer, try canvas.popLayer()] {
        for y in 5..<69 {
          for x in -3..<61 {
            let isInside = clip.bounds.minX..<clip.bounds.maxX ~= x && clip.bounds.minY..<clip.bounds.maxY ~= y
            #expect(layer[x, y] == (isInside ? 0xFF00_0000 : 0))
          }
        }
      }
    }
  }

  /// A layer drawn over an empty canvas of its size replaces it.
  @Test func layersOverNothingAreMultipliedByTheClip() throws {
    let bounds = PixelRect(minX: -3, minY: 5, maxX: 38, maxY: 47)
    var random = TestRandom(11)
    var source = Layer(bounds: bounds)
    for index in stride(from: 0, to: source.pixels.count, by: 4) {
      let alpha = random.next() % 256
      source.pixels[index + 3] = UInt8(alpha)
      for sample in 0..<3 { source.pixels[index + sample] = UInt8(random.next() % (alpha + 1)) }
    }
    let before = source
    // Larger than the layer, and full in most rows.
    var mask = Mask(bounds: PixelRect(minX: -7, minY: 2, maxX: 40, maxY: 50), coverage: 255)
    for index in 0..<(47 * 11) { mask.coverage[index] = UInt8(truncatingIfNeeded: random.next()) }
    for clip in [nil, Clip(mask), Clip(bounds: bounds)] as [Clip?] {
      var canvas = try Canvas(bounds: bounds)
      try canvas.draw(source, compositing: Compositing(clip: clip))
      let result = try canvas.popLayer()
      for y in 5..<47 {
        for x in -3..<38 {
          let amount = clip?.mask.map { UInt32($0[x, y]) } ?? 255
          let expected = stride(from: 0, to: 32, by: 8).reduce(UInt32(0)) { word, shift in
            word | ((2 * (source[x, y] >> UInt32(shift) & 255) * amount + 255) / 510) << UInt32(shift)
          }
          #expect(result[x, y] == expected)
        }
      }
      #expect(source == before)
    }
  }
}
