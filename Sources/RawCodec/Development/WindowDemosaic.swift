// The demosaicing of 6 × 6 mosaics: green is the mean of the values in a window of 5 × 5 pixels, weighted by their
// distance; red and blue are added as means of their differences from green.

internal import ImageCoding

/// Demosaics a picture row by row. The differences are two rows after green, and green two rows after the input.
struct WindowDemosaic {
  /// A value of the window and its weight.
  private struct Tap {
    let x: Int
    let y: Int
    let weight: Float
  }

  private static let ringCount = 16
  private static let reach = 2

  private let width: Int
  private let height: Int
  private let mosaic: Mosaic
  /// The values of each colour around each phase of the mosaic.
  private let taps: [[Tap]]
  private var ring: [Float]
  private var greens: [Float]
  private var next = 0
  /// The last row that was completed: three planes.
  private(set) var output: [Float]

  static func byteCount(width: Int) -> Int { width * (2 * ringCount + 3) * 4 + 36 * 25 * 32 }

  init(_ mosaic: Mosaic, size: PixelSize) {
    self.mosaic = mosaic
    width = size.width
    height = size.height
    ring = [Float](repeating: 0, count: size.width * Self.ringCount)
    greens = [Float](repeating: 0, count: size.width * Self.ringCount)
    output = [Float](repeating: 0, count: size.width * 3)
    let period = mosaic.period
    taps = (0..<period * period * 3).map { index in
      let (phase, color) = (index / 3, index % 3)
      return Self.taps(of: color, mosaic, x: phase % period + period, y: phase / period + period)
    }
  }

  /// Returns the values of a colour around a pixel. Greens are weighted by the fourth power of the distance, which keeps
  /// edges; differences are smoother.
  private static func taps(of color: Int, _ mosaic: Mosaic, x: Int, y: Int) -> [Tap] {
    if mosaic.color(x, y) == color { return [Tap(x: 0, y: 0, weight: 1)] }
    var taps: [Tap] = []
    for dy in -reach...reach {
      for dx in -reach...reach where mosaic.color(x + dx, y + dy) == color {
        let square = Float(dx * dx + dy * dy)
        taps.append(Tap(x: dx, y: dy, weight: color == 1 ? 1 / (square * square) : 1 / square))
      }
    }
    return taps
  }

  /// Adds a row. Returns whether ``output`` holds a new row.
  mutating func append(_ row: Span<Float>) -> Bool {
    let start = next % Self.ringCount * width
    for x in 0..<width { ring[start &+ x] = row[x] }
    return advance()
  }

  /// Continues below the picture, of which there are no values. Returns whether ``output`` holds a new row; `nil` after
  /// the last.
  mutating func appendReflection() -> Bool? { next < height + 2 * Self.reach ? advance() : nil }

  private mutating func advance() -> Bool {
    let y = next
    next += 1
    completeGreen(y - Self.reach)
    return complete(y - 2 * Self.reach)
  }

  private mutating func completeGreen(_ y: Int) {
    guard y >= 0, y < height else { return }
    var target: [Float] = []
    swap(&target, &greens)
    defer { swap(&target, &greens) }
    let start = y % Self.ringCount * width
    for x in 0..<width {
      target[start + x] = mean(of: 1, x, y) { ring[$0] }
    }
  }

  private mutating func complete(_ y: Int) -> Bool {
    guard y >= 0, y < height else { return false }
    var target: [Float] = []
    swap(&target, &output)
    defer { swap(&target, &output) }
    let start = y % Self.ringCount * width
    for x in 0..<width {
      let green = greens[start + x]
      target[x] = (green + mean(of: 0, x, y) { ring[$0] - greens[$0] }).limited(to: 1)
      target[width + x] = green
      target[2 * width + x] = (green + mean(of: 2, x, y) { ring[$0] - greens[$0] }).limited(to: 1)
    }
    return true
  }

  /// Returns the weighted mean of a colour's values around a pixel; 0 if there are none.
  @inline(__always)
  private func mean(of color: Int, _ x: Int, _ y: Int, _ value: (Int) -> Float) -> Float {
    let period = mosaic.period
    let taps = taps[(y % period * period + x % period) * 3 + color]
    var sum: Float = 0
    var total: Float = 0
    for tap in taps {
      let (column, row) = (x + tap.x, y + tap.y)
      guard column >= 0, column < width, row >= 0, row < height else { continue }
      sum += value(row % Self.ringCount * width + column) * tap.weight
      total += tap.weight
    }
    return total > 0 ? sum / total : 0
  }
}
