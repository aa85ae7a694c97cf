// Weighted sums of the pixels around each pixel (Filter Effects 1, section 9.9; independent of SVG).

package import ImageCore

/// The extension of the region visible to a filter beyond its edges.
package enum EdgeMode: Hashable, Sendable {
  /// The outside is transparent.
  case none
  /// The outermost pixels are extended.
  case duplicate
  /// The pixels of the opposite side continue.
  case wrap
}

/// A convolution matrix and its parameters.
package struct Convolution: Hashable, Sendable {
  package let columns: Int
  package let rows: Int
  /// The weights as written, row by row; the matrix is rotated by 180° when applied.
  package let weights: [Double]
  package let targetX: Int
  package let targetY: Int
  package let divisor: Double
  package let bias: Double
  package let edgeMode: EdgeMode
  package let preservesAlpha: Bool

  /// Returns `nil` unless there is a weight for each matrix element, the target is inside the matrix, and the divisor
  /// is not zero.
  package init?(
    columns: Int, rows: Int, weights: [Double], targetX: Int, targetY: Int, divisor: Double, bias: Double,
    edgeMode: EdgeMode, preservesAlpha: Bool
  ) {
    guard columns > 0, rows > 0, columns <= 1 << 20, rows <= 1 << 20, weights.count == columns * rows,
      (0..<columns).contains(targetX), (0..<rows).contains(targetY), divisor != 0, divisor.isFinite, bias.isFinite
    else { return nil }
    self.columns = columns
    self.rows = rows
    self.weights = weights
    self.targetX = targetX
    self.targetY = targetY
    self.divisor = divisor
    self.bias = bias
    self.edgeMode = edgeMode
    self.preservesAlpha = preservesAlpha
  }

  /// The pixels on which those of an area depend, before pixels outside the region are replaced.
  package func source(of area: PixelRect) -> PixelRect {
    area.isEmpty
      ? area
      : PixelRect(
        minX: area.minX - targetX, minY: area.minY - targetY, maxX: area.maxX + columns - 1 - targetX,
        maxY: area.maxY + rows - 1 - targetY)
  }

  /// Returns the pixels of an area within `region`. The cost is one multiplication per pixel and nonzero weight.
  package func apply(
    to layer: Layer, area: PixelRect, region: PixelRect, interruption: Interruption = Interruption()
  ) throws(CodecError) -> Layer {
    let visible = area.intersection(region)
    guard !visible.isEmpty else { return Layer(bounds: .empty) }
    var result = layer.extracting(visible)
    let taps = taps
    let stride = visible.width + columns - 1
    // Sums use floating-point pixels, which are four times as large, so rows are processed in bands.
    let bandHeight = max(1, 4 * rows, Self.bandPixelCount / stride)
    var first = visible.minY
    while first < visible.maxY {
      try interruption.check()
      let band = PixelRect(
        minX: visible.minX, minY: first, maxX: visible.maxX, maxY: min(first + bandHeight, visible.maxY))
      let planes = surroundings(of: band, layer, region)
      try convolve(&result, band, planes, stride: stride, taps, interruption)
      first = band.maxY
    }
    return result
  }

  private static let bandPixelCount = 1 << 17

  private func convolve(
    _ result: inout Layer, _ band: PixelRect, _ planes: [FloatPixel], stride: Int, _ taps: [Tap],
    _ interruption: Interruption
  ) throws(CodecError) {
    let factor = Float(1 / divisor)
    let bias = Float(self.bias)
    let width = band.width
    var sums = [FloatPixel](repeating: FloatPixel(repeating: 0), count: width)
    for y in band.minY..<band.maxY {
      // A row costs a nanosecond per pixel and weight.
      if (y - band.minY) * width * taps.count % Self.bandPixelCount < width * taps.count { try interruption.check() }
      var totals = sums.mutableSpan
      for index in totals.indices { totals[index] = FloatPixel(repeating: 0) }
      let samples = planes.span
      for tap in taps {
        let start = (y - band.minY + tap.row) * stride + tap.column
        let line = samples.extracting(start..<start + width)
        precondition(line.count == totals.count)
        for index in totals.indices { totals[index] += line[index] * tap.weight }
      }
      let first = (y - result.bounds.minY) * width
      withPixelWords(&result.pixels) { words in
        var row = words._mutatingExtracting(first..<first + width)
        let totals = sums.span
        for index in row.indices { row[index] = pixel(totals[index] * factor, row[index], bias) }
      }
    }
  }

  private struct Tap {
    var column: Int
    var row: Int
    var weight: Float
  }

  private var taps: [Tap] {
    var taps: [Tap] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let weight = weights[(rows - 1 - row) * columns + columns - 1 - column]
        if weight != 0 { taps.append(Tap(column: column, row: row, weight: Float(min(max(weight, -1e9), 1e9)))) }
      }
    }
    return taps
  }

  /// Converts sums to a pixel: alpha, then colours limited by it.
  @inline(__always)
  private func pixel(_ sum: FloatPixel, _ original: UInt32, _ bias: Float) -> UInt32 {
    if preservesAlpha {
      let alpha = Float(original &>> 24)
      var straight = (sum + bias * (alpha * (1 / 255))) * 255
      straight.w = alpha
      return premultipliedWord(straight)
    }
    let alpha = sum.w + bias
    var value = sum + bias * alpha
    value.w = alpha
    return pixelWord(value)
  }

  /// The pixels around an area as numbers in 0…1, straight if alpha is to be preserved.
  private func surroundings(of area: PixelRect, _ layer: Layer, _ region: PixelRect) -> [FloatPixel] {
    let rect = source(of: area)
    let extended = layer.extended(to: rect, region: region, edgeMode: edgeMode)
    let factors = StraightColor.factors
    let scales = factors.span
    let words = pixelWords(of: extended.pixels.span)
    var result = [FloatPixel](repeating: FloatPixel(repeating: 0), count: words.count)
    var target = result.mutableSpan
    for index in target.indices {
      target[index] = floatPixel(preservesAlpha ? StraightColor.word(words[index], scales) : words[index])
    }
    return result
  }
}

extension Layer {
  /// Returns the pixels of a rectangle that may extend beyond the region visible to a filter.
  package func extended(to rect: PixelRect, region: PixelRect, edgeMode: EdgeMode) -> Layer {
    if edgeMode == .none || region.contains(rect) || region.isEmpty {
      var result = extracting(rect.intersection(region))
      if result.bounds != rect { result = result.extracting(rect) }
      return result
    }
    var result = Layer(bounds: rect)
    func place(_ value: Int, _ low: Int, _ high: Int) -> Int {
      if edgeMode == .duplicate { return min(max(value, low), high - 1) }
      let rest = (value - low) % (high - low)
      return low + (rest < 0 ? rest + high - low : rest)
    }
    let columns = (rect.minX..<rect.maxX).map { place($0, region.minX, region.maxX) }
    let words = pixelWords(of: pixels.span)
    withPixelWords(&result.pixels) { target in
      for y in rect.minY..<rect.maxY {
        let line = place(y, region.minY, region.maxY)
        guard line >= bounds.minY, line < bounds.maxY else { continue }
        let from = (line - bounds.minY) * bounds.width - bounds.minX
        let to = (y - rect.minY) * rect.width
        for index in columns.indices {
          let column = columns[index]
          if column >= bounds.minX, column < bounds.maxX { target[to + index] = words[from + column] }
        }
      }
    }
    return result
  }
}
