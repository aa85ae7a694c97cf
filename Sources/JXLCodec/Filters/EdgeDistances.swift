// The distances between samples and their neighbours (ISO/IEC 18181-1, J.3.2).

internal import ImageCoding

/// Calculates the distances of the samples of a row, one row after the other.
///
/// The distance to a neighbour in one direction is that of the neighbour in the opposite direction, so that half of the
/// directions suffice.
struct EdgeDistances {
  /// The neighbours that are averaged, and the samples around both that are compared.
  enum Pattern {
    /// Twelve neighbours, with a cross of five samples around each.
    case far
    /// Four neighbours with crosses.
    case near
    /// Four neighbours, compared alone.
    case direct
  }

  private let directions: [(x: Int, y: Int)]
  private let usesCrosses: Bool
  private let scales: [Float]
  private let width: Int
  private let stride: Int
  /// The differences between single samples: for each direction, the latest three rows.
  private var differences: [Float]
  /// The distances: for each direction, the latest three rows.
  private var distances: [Float]

  /// The number of rows before the first one whose distances are needed.
  static let reach = 2
  private static let maximumDirectionCount = 6

  init(width: Int, _ scales: [Float], _ pattern: Pattern) {
    (self.width, self.scales) = (width, scales)
    directions = pattern == .far ? [(1, 0), (0, 1), (2, 0), (0, 2), (1, 1), (-1, 1)] : [(1, 0), (0, 1)]
    usesCrosses = pattern != .direct
    stride = PaddedPlanes.byteCount(rowsOfWidth: width, count: 1) / 4
    differences = [Float](repeating: 0, count: 3 * directions.count * stride)
    distances = [Float](repeating: 0, count: 3 * directions.count * stride)
  }

  /// The greatest memory of the rows, with some of the results.
  static func byteCount(width: Int) -> Int {
    PaddedPlanes.byteCount(rowsOfWidth: width, count: 2 * 3 * maximumDirectionCount + 4)
  }

  /// The work for a sample of a colour.
  var unitsPerSample: Int { directions.count * 2 }

  /// The start of a row in one of the rings.
  @inline(__always)
  private func ring(_ direction: Int, _ y: Int) -> Int { (direction &* 3 &+ (y &+ 6) % 3) &* stride }

  /// Calculates the distances of a row. Rows follow one another from −``reach`` on.
  mutating func advance(to y: Int, _ planes: PaddedPlanes) {
    for direction in directions.indices {
      guard usesCrosses else {
        Self.subtract(planes, y, directions[direction], scales, into: &distances, at: ring(direction, y), width)
        continue
      }
      for row in y == -Self.reach ? y - 1...y + 1 : y + 1...y + 1 {
        Self.subtract(planes, row, directions[direction], scales, into: &differences, at: ring(direction, row), width)
      }
      addCrosses(direction, y)
    }
  }

  /// Calculates the differences between the samples of a row and their neighbours.
  private static func subtract(
    _ planes: PaddedPlanes, _ y: Int, _ direction: (x: Int, y: Int), _ scales: [Float], into rows: inout [Float],
    at start: Int, _ width: Int
  ) {
    let samples = planes.samples.span
    var output = rows.mutableSpan
    for (plane, scale) in scales.enumerated() {
      let first = planes.index(plane, y)
      let second = planes.index(plane, y &+ direction.y) &+ direction.x
      var x = -4
      while x < width &+ 4 {
        let difference = loadVector(samples, at: first &+ x) - loadVector(samples, at: second &+ x)
        var sum = absolute(difference) * scale
        let place = start &+ PaddedPlanes.left &+ x
        if plane > 0 { sum += loadVector(output, at: place) }
        storeVector(sum, into: &output, at: place)
        x &+= 8
      }
    }
  }

  private mutating func addCrosses(_ direction: Int, _ y: Int) {
    // Moved out while in use, so that nothing is copied.
    var rows = distances
    distances = []
    defer { distances = rows }
    let source = differences.span
    var output = rows.mutableSpan
    let left = PaddedPlanes.left
    let (above, row) = (ring(direction, y &- 1) &+ left, ring(direction, y) &+ left)
    let (below, target) = (ring(direction, y &+ 1) &+ left, row)
    var x = -2
    while x < width &+ 2 {
      let vertical = loadVector(source, at: above &+ x) + loadVector(source, at: below &+ x)
      let horizontal = loadVector(source, at: row &+ x &- 1) + loadVector(source, at: row &+ x &+ 1)
      storeVector(vertical + horizontal + loadVector(source, at: row &+ x), into: &output, at: target &+ x)
      x &+= 8
    }
  }

  /// Averages the samples of a row with their neighbours.
  ///
  /// - Parameters:
  ///   - factors: the factors of the distances.
  ///   - results: rows of the stride of the planes.
  func average(_ y: Int, _ planes: PaddedPlanes, _ factors: Span<Float>, into results: inout [Float]) {
    let samples = planes.samples.span
    let distances = distances.span
    var output = results.mutableSpan
    let left = PaddedPlanes.left
    let colorCount = scales.count
    var x = 0
    while x < width {
      let factor = loadVector(factors, at: left &+ x)
      var total = FloatVector(repeating: 1)
      var first = loadVector(samples, at: planes.index(0, y) &+ x)
      var (second, third) = (FloatVector(), FloatVector())
      if colorCount == 3 {
        second = loadVector(samples, at: planes.index(1, y) &+ x)
        third = loadVector(samples, at: planes.index(2, y) &+ x)
      }
      for index in directions.indices {
        let direction = directions[index]
        let forward = loadVector(distances, at: ring(index, y) &+ left &+ x)
        let backward = loadVector(distances, at: ring(index, y &- direction.y) &+ left &+ x &- direction.x)
        let (next, previous) = (Self.weight(forward * factor), Self.weight(backward * factor))
        total += next + previous
        let offset = direction.y &* planes.stride &+ direction.x
        for plane in 0..<colorCount {
          let place = planes.index(plane, y) &+ x
          let sum =
            next * loadVector(samples, at: place &+ offset) + previous * loadVector(samples, at: place &- offset)
          if plane == 0 { first += sum } else if plane == 1 { second += sum } else { third += sum }
        }
      }
      storeVector(first / total, into: &output, at: left &+ x)
      if colorCount == 3 {
        storeVector(second / total, into: &output, at: planes.stride &+ left &+ x)
        storeVector(third / total, into: &output, at: 2 &* planes.stride &+ left &+ x)
      }
      x &+= 8
    }
  }

  @inline(__always)
  private static func weight(_ scaledDistance: FloatVector) -> FloatVector {
    let weight = scaledDistance + 1
    return weight.replacing(with: 0, where: weight .< 0)
  }

  @inline(__always)
  private static func absolute(_ value: FloatVector) -> FloatVector {
    value.replacing(with: 0 - value, where: value .< 0)
  }
}
