// The demosaicing of 2 × 2 mosaics at full size: ratio-corrected, along the direction of least change. It follows the
// method that L. Sanz Rodríguez published as RCD.

internal import ImageCoding

/// Demosaics a picture row by row. Each step follows the one on which it depends by some rows, so that all of them work on
/// a ring of rows. Rows and columns beyond the edges are reflections, which keeps the phase of the mosaic.
struct DirectionalDemosaic {
  /// The number of rows of a ring; a power of two.
  static let ringCount = 32
  /// The number of rows and columns on which a pixel depends, in each direction.
  static let reach = 10
  /// The number of columns before and after those of the picture; even, to keep the phase.
  static let padding = 12

  let width: Int
  let height: Int
  /// The number of values of a row of a ring.
  let stride: Int
  private let mosaic: Mosaic
  /// The first rows, until the reflection above the picture can be made of them.
  private var early: [[Float]] = []
  /// The next row, counted from that of the picture; negative above it.
  private var next = -Self.reach

  // The rings. Values are those of the sensor, but for `direction` and `diagonal`, which are weights of 0…1.
  var samples: [Float]
  var lowPass: [Float]
  var verticalEnergy: [Float]
  var horizontalEnergy: [Float]
  var direction: [Float]
  var fallingEnergy: [Float]
  var risingEnergy: [Float]
  var diagonal: [Float]
  var red: [Float]
  var green: [Float]
  var blue: [Float]
  /// The last row that was completed: three planes.
  private(set) var output: [Float]

  /// The number of bytes that a picture of a width needs.
  static func byteCount(width: Int) -> Int {
    (width + 2 * padding) * (11 * ringCount * 4) + width * 4 * (3 + reach + 1)
  }

  init(_ mosaic: Mosaic, size: PixelSize) {
    self.mosaic = mosaic
    width = size.width
    height = size.height
    stride = size.width + 2 * Self.padding
    let count = stride * Self.ringCount
    samples = [Float](repeating: 0, count: count)
    lowPass = [Float](repeating: 0, count: count)
    verticalEnergy = [Float](repeating: 0, count: count)
    horizontalEnergy = [Float](repeating: 0, count: count)
    direction = [Float](repeating: 0, count: count)
    fallingEnergy = [Float](repeating: 0, count: count)
    risingEnergy = [Float](repeating: 0, count: count)
    diagonal = [Float](repeating: 0, count: count)
    red = [Float](repeating: 0, count: count)
    green = [Float](repeating: 0, count: count)
    blue = [Float](repeating: 0, count: count)
    output = [Float](repeating: 0, count: size.width * 3)
  }

  /// Adds a row. Returns whether ``output`` holds a new row.
  mutating func append(_ row: Span<Float>) -> Bool {
    guard next < 0 else { return feed(row) }
    var copy = [Float](repeating: 0, count: width)
    for x in 0..<width { copy[x] = row[x] }
    early.append(copy)
    guard early.count == min(height, Self.reach + 1) else { return false }
    while next < 0 {
      let index = Self.reflected(next, count: height)
      let source = early[index]
      _ = feed(source.span)
    }
    var isReady = false
    for source in early { isReady = feed(source.span) }
    early = []
    return isReady
  }

  /// Adds a row below the picture. Returns whether ``output`` holds a new row; `nil` after the last.
  mutating func appendReflection() -> Bool? {
    guard next >= height, next < height + Self.reach else { return nil }
    let start = offset(Self.reflected(next, count: height)) + Self.padding
    let row = Array(samples[start..<start + width])
    return feed(row.span)
  }

  /// The index of the row that is reflected to an index outside of the picture.
  static func reflected(_ index: Int, count: Int) -> Int {
    guard count > 1 else { return 0 }
    let period = 2 * (count - 1)
    let place = ((index % period) + period) % period
    return place < count ? place : period - place
  }

  /// The start of a row in a ring.
  @inline(__always)
  func offset(_ y: Int) -> Int { (y & (Self.ringCount - 1)) &* stride }

  /// The colour of the filters of a row that are not green, and the parity of their columns in a ring.
  func sites(_ y: Int) -> (color: Int, parity: Int) {
    let row = y & 1
    return mosaic.color(0, row) == 1 ? (mosaic.color(1, row), 1) : (mosaic.color(0, row), 0)
  }

  /// Stores a row and performs all steps that it makes possible. Returns whether a row was completed.
  private mutating func feed(_ row: Span<Float>) -> Bool {
    let y = next
    next += 1
    store(row, at: y)
    filterVertically(y - 3)
    filterDiagonally(y - 3)
    filterLowPass(y - 1)
    decideDirection(y - 4)
    interpolateGreen(y - 5)
    decideDiagonal(y - 6)
    interpolateOpposite(y - 7)
    interpolateAtGreen(y - 10)
    guard y - Self.reach >= 0, y - Self.reach < height else { return false }
    let start = offset(y - Self.reach) + Self.padding
    for x in 0..<width {
      output[x] = red[start &+ x].limited(to: 1)
      output[width &+ x] = green[start &+ x].limited(to: 1)
      output[2 &* width &+ x] = blue[start &+ x].limited(to: 1)
    }
    return true
  }

  private mutating func store(_ row: Span<Float>, at y: Int) {
    let start = offset(y) + Self.padding
    for x in 0..<width { samples[start &+ x] = row[x] }
    for x in 1...Self.padding {
      samples[start - x] = row[Self.reflected(-x, count: width)]
      samples[start + width - 1 + x] = row[Self.reflected(width - 1 + x, count: width)]
    }
  }
}
