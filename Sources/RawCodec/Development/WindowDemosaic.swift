// The demosaicing of 6 × 6 mosaics: each missing colour is the mean of the values in a window of 5 × 5 pixels, weighted
// by their distance.

internal import ImageCoding

/// Demosaics a picture row by row.
struct WindowDemosaic {
  /// A value of the window and its weight.
  private struct Tap {
    let x: Int
    let y: Int
    let color: Int
    let weight: Float
  }

  private static let ringCount = 8
  private static let reach = 2

  private let width: Int
  private let height: Int
  private let mosaic: Mosaic
  /// The values around each phase of the mosaic.
  private let taps: [[Tap]]
  private var ring: [Float]
  private var next = 0
  /// The last row that was completed: three planes.
  private(set) var output: [Float]

  static func byteCount(width: Int) -> Int { width * (ringCount + 3) * 4 + 36 * 25 * 32 }

  init(_ mosaic: Mosaic, size: PixelSize) {
    self.mosaic = mosaic
    width = size.width
    height = size.height
    ring = [Float](repeating: 0, count: size.width * Self.ringCount)
    output = [Float](repeating: 0, count: size.width * 3)
    let period = mosaic.period
    taps = (0..<period * period).map { phase in
      let (x, y) = (phase % period + period, phase / period + period)
      let own = mosaic.color(x, y)
      var taps: [Tap] = []
      for dy in -Self.reach...Self.reach {
        for dx in -Self.reach...Self.reach {
          let color = mosaic.color(x + dx, y + dy)
          let distance = dx * dx + dy * dy
          if distance == 0 || color != own {
            taps.append(Tap(x: dx, y: dy, color: color, weight: distance == 0 ? 1 : 1 / Float(distance * distance)))
          }
        }
      }
      return taps
    }
  }

  /// Adds a row. Returns whether ``output`` holds a new row.
  mutating func append(_ row: Span<Float>) -> Bool {
    let start = next % Self.ringCount * width
    for x in 0..<width { ring[start &+ x] = row[x] }
    next += 1
    return complete(next - 1 - Self.reach)
  }

  /// Completes a row without those below the picture. Returns whether ``output`` holds a new row; `nil` after the last.
  mutating func appendReflection() -> Bool? {
    guard next < height + Self.reach else { return nil }
    next += 1
    return complete(next - 1 - Self.reach)
  }

  private mutating func complete(_ y: Int) -> Bool {
    guard y >= 0, y < height else { return false }
    let period = mosaic.period
    var completed: [Float] = []
    swap(&completed, &output)
    defer { swap(&completed, &output) }
    let values = ring.span
    var planes = completed.mutableSpan
    for x in 0..<width {
      var sums = SIMD4<Float>()
      var weights = SIMD4<Float>(repeating: 1e-20)
      let taps = taps[y % period * period + x % period]
      for tap in taps {
        let (column, row) = (x + tap.x, y + tap.y)
        guard column >= 0, column < width, row >= 0, row < height else { continue }
        sums[tap.color] += values[row % Self.ringCount * width + column] * tap.weight
        weights[tap.color] += tap.weight
      }
      for color in 0..<3 { planes[color * width + x] = sums[color] / weights[color] }
    }
    return true
  }
}
