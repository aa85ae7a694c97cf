// A row of filtered samples on its way to pixels.

/// The colours of a row of a tile, and its opacities.
struct ColorRows {
  private let width: Int
  private var first: [Float]
  private var second: [Float]
  private var third: [Float]
  private var alpha: [Float]

  init(width: Int, hasAlpha: Bool) {
    self.width = width
    first = [Float](repeating: 0, count: width)
    (second, third) = (first, first)
    alpha = [Float](repeating: 0, count: hasAlpha ? width : 0)
  }

  /// Copies the samples of a row of a window of three planes.
  mutating func copy(_ window: borrowing FilterWindow, row y: Int) {
    let samples = window.samples.span
    Self.copy(samples, from: window.index(0, y), to: &first)
    Self.copy(samples, from: window.index(1, y), to: &second)
    Self.copy(samples, from: window.index(2, y), to: &third)
  }

  /// Copies samples of the planes of a frame, from an index on, and opacities of one of its planes.
  mutating func copy(_ frame: RenderedFrame, start: Int, alphaPlane: Int?) {
    let (first, second, third) = (frame.planes[0], frame.planes[1], frame.planes[2])
    Self.copy(first.span, from: start, to: &self.first)
    Self.copy(second.span, from: start, to: &self.second)
    Self.copy(third.span, from: start, to: &self.third)
    guard let alphaPlane else { return }
    let opacities = frame.planes[alphaPlane]
    Self.copy(opacities.span, from: start, to: &alpha)
  }

  /// Replaces one of the three colours, or the opacities.
  mutating func replace(_ index: Int, _ body: (inout MutableSpan<Float>) -> Void) {
    switch index {
    case 0: Self.change(&first, body)
    case 1: Self.change(&second, body)
    case 2: Self.change(&third, body)
    default: Self.change(&alpha, body)
    }
  }

  private static func change(_ samples: inout [Float], _ body: (inout MutableSpan<Float>) -> Void) {
    var row = samples.mutableSpan
    body(&row)
  }

  private static func copy(_ source: Span<Float>, from start: Int, to target: inout [Float]) {
    var output = target.mutableSpan
    let row = source.extracting(start..<start + output.count)
    for x in 0..<row.count { output[x] = row[x] }
  }

  mutating func convert(_ colors: ColorConversion) {
    change { first, second, third in colors.convert(&first, &second, &third, count: first.count) }
  }

  /// Changes the colours.
  mutating func change(
    _ body: (_ first: inout MutableSpan<Float>, _ second: inout MutableSpan<Float>, _ third: inout MutableSpan<Float>)
      -> Void
  ) {
    // Moved out while in use, so that nothing is copied.
    var (red, green, blue) = (first, second, third)
    (first, second, third) = ([], [], [])
    var firstRow = red.mutableSpan
    var secondRow = green.mutableSpan
    var thirdRow = blue.mutableSpan
    body(&firstRow, &secondRow, &thirdRow)
    (first, second, third) = (red, green, blue)
  }

  /// Sets the opacities from those of a channel, from a place on.
  mutating func setAlpha(_ channel: ModularChannel, _ conversion: SampleConversion, x: Int, y: Int) {
    let start = y * channel.width + x
    let samples = channel.samples.span.extracting(start..<start + width)
    for x in 0..<width { alpha[x] = conversion.float(samples[x]) }
  }

  /// Writes the pixels.
  func write(_ output: RenderedOutput, into pixels: inout MutableSpan<UInt8>) {
    if output.writesVectors {
      PixelInterleaving.write(first.span, second.span, third.span, into: &pixels)
      return
    }
    let colorCount = output.componentCount - (alpha.isEmpty ? 0 : 1)
    output.write(first.span, component: 0, into: &pixels)
    if colorCount == 3 {
      output.write(second.span, component: 1, into: &pixels)
      output.write(third.span, component: 2, into: &pixels)
    }
    if !alpha.isEmpty { output.write(alpha.span, component: colorCount, into: &pixels) }
  }
}
