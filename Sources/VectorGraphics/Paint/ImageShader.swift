// Layers as paint: each pixel's centre is mapped to the layer, which is sampled there.

/// An image paint prepared for drawing.
struct ImageShader: Sendable {
  private let layer: Layer
  private let sampling: ImagePaint.Sampling
  private let extend: ImagePaint.Extend
  /// The transform from device pixels to pixels of the layer, relative to its top left corner.
  private let inverse: AffineTransform
  private let period: Point
  private let amount: UInt32
  /// The offset from device pixels to pixels of the layer; `nil` if the two grids do not coincide.
  private let shift: (x: Int, y: Int)?

  /// Returns `nil` if there is nothing to draw.
  init?(_ paint: ImagePaint, transform: AffineTransform, opacity: Double) {
    guard !paint.layer.bounds.isEmpty, let mapped = (transform * paint.transform).inverted else { return nil }
    let period = paint.period ?? Point(x: Double(paint.layer.bounds.width), y: Double(paint.layer.bounds.height))
    guard period.x > 0, period.y > 0, period.isFinite else { return nil }
    let (layer, extend) = (paint.layer, paint.extend)
    let toLayer =
      AffineTransform.translation(x: -Double(layer.bounds.minX), y: -Double(layer.bounds.minY)) * mapped
    self.layer = layer
    self.period = period
    inverse = toLayer
    self.extend = extend
    amount = UInt32(min(max(0, opacity), 1) * 255 + 0.5)
    let isWholeShift =
      abs(toLayer.a - 1) < 1e-9 && abs(toLayer.d - 1) < 1e-9 && abs(toLayer.b) < 1e-9 && abs(toLayer.c) < 1e-9
      && abs(toLayer.e - toLayer.e.rounded()) < 1e-6 && abs(toLayer.f - toLayer.f.rounded()) < 1e-6
      && (extend != .repeat || (period.x == period.x.rounded() && period.y == period.y.rounded()))
    shift =
      isWholeShift
      ? (
        x: floorInt(Self.wrapped(toLayer.e.rounded(), period.x, extend)),
        y: floorInt(Self.wrapped(toLayer.f.rounded(), period.y, extend))
      ) : nil
    sampling = isWholeShift ? .nearest : paint.sampling
  }

  /// The cost of a pixel, in units of about a nanosecond.
  var pixelCost: Int {
    switch sampling {
    case .nearest:
      shift != nil ? (extend == .repeat ? 2 : 1) : extend == .repeat ? 20 : 5
    case .bilinear: extend == .repeat ? 14 : 20
    case .bicubic: inverse.b == 0 ? 20 : 150
    }
  }

  func shade(x: Int, y: Int, into row: inout MutableSpan<UInt32>) {
    if let shift, extend != .pad {
      if extend == .transparent {
        copyAligned(column: x + shift.x, line: y + shift.y, into: &row)
      } else {
        copyTiles(column: x + shift.x, line: y + shift.y, into: &row)
      }
      return
    }
    let words = pixelWords(of: layer.pixels.span)
    let center = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
    let start = inverse.apply(center)
    switch sampling {
    case .nearest:
      for index in row.indices {
        let place = Point(x: start.x + inverse.a * Double(index), y: start.y + inverse.b * Double(index))
        row[index] = texel(words, column(place.x), line(place.y))
      }
    case .bilinear where extend == .repeat: shadeTiles(words, start, into: &row)
    case .bilinear:
      for index in row.indices {
        let place = Point(x: start.x + inverse.a * Double(index), y: start.y + inverse.b * Double(index))
        row[index] = bilinear(words, place)
      }
    case .bicubic:
      if inverse.b == 0, abs(inverse.a) <= 1, extend == .pad {
        shadeBicubicRow(words, start, into: &row)
      } else {
        for index in row.indices {
          let place = Point(x: start.x + inverse.a * Double(index), y: start.y + inverse.b * Double(index))
          row[index] = bicubic(words, place)
        }
      }
    }
    if amount < 255 {
      for index in row.indices { row[index] = PixelWord.scaled(row[index], by: amount) }
    }
  }

  /// Shades a row of tiles. A subtraction per step keeps the position inside the tile; a division would cost more than
  /// everything else.
  private func shadeTiles(_ words: Span<UInt32>, _ start: Point, into row: inout MutableSpan<UInt32>) {
    let (width, height) = (layer.bounds.width, layer.bounds.height)
    let (periodX, periodY) = (period.x, period.y)
    var x = wrapped(start.x - 0.5, periodX)
    var y = wrapped(start.y - 0.5, periodY)
    let stepX = wrapped(inverse.a, periodX)
    let stepY = wrapped(inverse.b, periodY)
    for index in row.indices {
      let column = Int(x)
      let line = Int(y)
      let right = UInt32(truncatingIfNeeded: nearestInt32((x - Double(column)) * 256))
      let down = UInt32(truncatingIfNeeded: nearestInt32((y - Double(line)) * 256))
      if column &+ 1 < width, line &+ 1 < height {
        let pixels = words.extracting(line &* width &+ column..<(line &+ 1) &* width &+ column &+ 2)
        row[index] = PixelWord.mixed(
          PixelWord.mixed(pixels[0], pixels[1], right),
          PixelWord.mixed(pixels[width], pixels[width &+ 1], right), down)
      } else {
        row[index] = PixelWord.mixed(
          PixelWord.mixed(texel(words, column, line), texel(words, column &+ 1, line), right),
          PixelWord.mixed(texel(words, column, line &+ 1), texel(words, column &+ 1, line &+ 1), right), down)
      }
      x += stepX
      if x >= periodX { x -= periodX }
      y += stepY
      if y >= periodY { y -= periodY }
    }
  }

  /// Shades a row that is parallel to the rows of an enlarged layer: those rows are first filtered vertically to a
  /// single one, which has fewer pixels than the row to be drawn.
  private func shadeBicubicRow(_ words: Span<UInt32>, _ start: Point, into row: inout MutableSpan<UInt32>) {
    let width = layer.bounds.width
    let top = min(max(-4, start.y - 0.5), Double(layer.bounds.height) + 4)
    let line = floorInt(top)
    let weights = mitchellWeights(Float(top - Double(line)))
    func place(_ index: Int) -> Double {
      min(max(-4, start.x - 0.5 + inverse.a * Double(index)), Double(width) + 4)
    }
    let ends = [floorInt(place(0)), floorInt(place(row.count - 1))]
    let first = min(ends[0], ends[1]) - 1
    let last = max(ends[0], ends[1]) + 2
    var mixed: [FloatPixel] = []
    mixed.reserveCapacity(last - first + 1)
    for column in first...last {
      var sum = FloatPixel(repeating: 0)
      for tap in 0..<4 { sum += floatPixel(texel(words, column, line &+ tap &- 1)) * weights[tap] }
      mixed.append(sum)
    }
    for index in row.indices {
      let x = place(index)
      let column = floorInt(x)
      let weights = mitchellWeights(Float(x - Double(column)))
      let from = column &- 1 &- first
      row[index] = pixelWord(
        mixed[from] * weights.x + mixed[from &+ 1] * weights.y + mixed[from &+ 2] * weights.z
          + mixed[from &+ 3] * weights.w)
    }
  }

  /// Copies a row whose pixels coincide with pixels of the layer.
  private func copyAligned(column first: Int, line: Int, into row: inout MutableSpan<UInt32>) {
    let width = layer.bounds.width
    let start = min(max(0, -first), row.count)
    let end = line < 0 || line >= layer.bounds.height ? start : max(start, min(row.count, width - first))
    for index in 0..<start { row[index] = 0 }
    if start < end {
      let from = line * width + first
      let source = pixelWords(of: layer.pixels.span).extracting(from + start..<from + end)
      var target = row._mutatingExtracting(start..<end)
      if amount == 255 {
        for index in target.indices { target[index] = source[index] }
      } else {
        for index in target.indices { target[index] = PixelWord.scaled(source[index], by: amount) }
      }
    }
    for index in end..<row.count { row[index] = 0 }
  }

  /// Copies a row of tiles whose pixels coincide with pixels of the layer. Between tiles that are farther apart than
  /// they are wide, nothing shows.
  private func copyTiles(column: Int, line: Int, into row: inout MutableSpan<UInt32>) {
    let width = layer.bounds.width
    let stepX = Int(min(period.x, 0x1p30))
    let line = Self.folded(line, Int(min(period.y, 0x1p30)))
    var column = Self.folded(column, stepX)
    let hasPixels = line < layer.bounds.height
    let words = pixelWords(of: layer.pixels.span).extracting(hasPixels ? line * width..<(line + 1) * width : 0..<0)
    let shown = hasPixels ? min(width, stepX) : 0
    var index = 0
    // At least the first period, which may start inside a tile.
    while index < min(row.count, stepX) {
      let copied = max(0, min(shown - column, row.count - index))
      if copied > 0 {
        let source = words.extracting(column..<column + copied)
        var target = row._mutatingExtracting(index..<index + copied)
        if amount == 255 {
          for place in target.indices { target[place] = source[place] }
        } else {
          for place in target.indices { target[place] = PixelWord.scaled(source[place], by: amount) }
        }
      }
      let end = min(row.count, index + stepX - column)
      for gap in index + copied..<end { row[gap] = 0 }
      index = end
      column = 0
    }
    // The rest repeats it: copying narrow tiles one by one would cost more.
    if index < row.count { for place in index..<row.count { row[place] = row[place &- stepX] } }
  }

  /// Returns a coordinate reduced to the period, or clamped so that adding a few pixels to it as an integer cannot
  /// overflow.
  @inline(__always)
  private func wrapped(_ value: Double, _ period: Double) -> Double { Self.wrapped(value, period, extend) }

  @inline(__always)
  private static func wrapped(_ value: Double, _ period: Double, _ extend: ImagePaint.Extend) -> Double {
    // The bound is the first argument of `max`, so that NaN becomes the bound.
    guard extend == .repeat else { return min(max(-0x1p30, value), 0x1p30) }
    let quotient = value / period
    guard abs(quotient) < 0x1p40 else { return 0 }
    return min(max(0, value - Double(floorInt(quotient)) * period), period)
  }

  @inline(__always)
  private func column(_ x: Double) -> Int { floorInt(wrapped(x, period.x)) }
  @inline(__always)
  private func line(_ y: Double) -> Int { floorInt(wrapped(y, period.y)) }

  /// The pixel at a column and row, which may be outside the layer.
  @inline(__always)
  private func texel(_ words: Span<UInt32>, _ column: Int, _ line: Int) -> UInt32 {
    let width = layer.bounds.width
    let height = layer.bounds.height
    var x = column
    var y = line
    if x < 0 || x >= width || y < 0 || y >= height {
      switch extend {
      case .transparent: return 0
      case .pad:
        x = min(max(x, 0), width &- 1)
        y = min(max(y, 0), height &- 1)
      case .repeat:
        x = ImageShader.folded(x, Int(period.x.rounded(.up)))
        y = ImageShader.folded(y, Int(period.y.rounded(.up)))
        if x >= width || y >= height { return 0 }
      }
    }
    return words[y &* width &+ x]
  }

  /// Maps a column or row outside the tile to that of the tile.
  private static func folded(_ value: Int, _ period: Int) -> Int {
    let step = min(max(period, 1), 1 << 30)
    let rest = value % step
    return rest < 0 ? rest + step : rest
  }

  @inline(__always)
  private func bilinear(_ words: Span<UInt32>, _ place: Point) -> UInt32 {
    let x = wrapped(place.x - 0.5, period.x)
    let y = wrapped(place.y - 0.5, period.y)
    let column = floorInt(x)
    let line = floorInt(y)
    let right = UInt32(truncatingIfNeeded: nearestInt32((x - Double(column)) * 256))
    let down = UInt32(truncatingIfNeeded: nearestInt32((y - Double(line)) * 256))
    let width = layer.bounds.width
    if column >= 0, line >= 0, column &+ 1 < width, line &+ 1 < layer.bounds.height {
      // Inside the layer no wrapping is needed.
      let pixels = words.extracting(line &* width &+ column..<(line &+ 1) &* width &+ column &+ 2)
      let top = PixelWord.mixed(pixels[0], pixels[1], right)
      return down == 0 ? top : PixelWord.mixed(top, PixelWord.mixed(pixels[width], pixels[width &+ 1], right), down)
    }
    let top = PixelWord.mixed(texel(words, column, line), texel(words, column &+ 1, line), right)
    if down == 0 { return top }
    let low = PixelWord.mixed(texel(words, column, line &+ 1), texel(words, column &+ 1, line &+ 1), right)
    return PixelWord.mixed(top, low, down)
  }

  private func bicubic(_ words: Span<UInt32>, _ place: Point) -> UInt32 {
    let x = wrapped(place.x - 0.5, period.x)
    let y = wrapped(place.y - 0.5, period.y)
    let column = floorInt(x)
    let line = floorInt(y)
    let weightsX = mitchellWeights(Float(x - Double(column)))
    let weightsY = mitchellWeights(Float(y - Double(line)))
    var sum = FloatPixel(repeating: 0)
    for row in 0..<4 {
      var part = FloatPixel(repeating: 0)
      for offset in 0..<4 {
        part += floatPixel(texel(words, column &+ offset &- 1, line &+ row &- 1)) * weightsX[offset]
      }
      sum += part * weightsY[row]
    }
    return pixelWord(sum)
  }
}

/// The cubic filter of Mitchell and Netravali with B = C = 1/3, at the distances 1 + t, t, 1 - t, 2 - t.
private func mitchellWeights(_ t: Float) -> SIMD4<Float> {
  func near(_ d: Float) -> Float { ((7 * d - 12) * d * d + 16.0 / 3) / 6 }
  func far(_ d: Float) -> Float { (((-7.0 / 3 * d + 12) * d - 20) * d + 32.0 / 3) / 6 }
  return SIMD4(far(1 + t), near(t), near(1 - t), far(2 - t))
}

/// The largest integer not greater than a number within ±2^40.
@inline(__always)
func floorInt(_ value: Double) -> Int {
  let rounded = (value + 0x1.8p52) - 0x1.8p52
  return Int(rounded > value ? rounded - 1 : rounded)
}

extension PixelWord {
  /// Interpolates between `a` and `b`: `weight` / 256 of b, rounded to nearest.
  @inline(__always)
  static func mixed(_ a: UInt32, _ b: UInt32, _ weight: UInt32) -> UInt32 {
    let lanes: UInt64 = 0x00FF_00FF_00FF_00FF
    let first = (UInt64(a) | (UInt64(a) &<< 24)) & lanes
    let second = (UInt64(b) | (UInt64(b) &<< 24)) & lanes
    let sum = first &* UInt64(256 &- weight) &+ second &* UInt64(weight) &+ 0x0080_0080_0080_0080
    let rounded = (sum &>> 8) & lanes
    return UInt32(truncatingIfNeeded: rounded | (rounded &>> 24))
  }
}
