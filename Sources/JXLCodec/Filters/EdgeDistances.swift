// The distances between samples and their neighbours (ISO/IEC 18181-1, J.3.2).

/// Calculates the distances of the samples of a row, one row after the other.
///
/// The distance to a neighbour in one direction is that of the neighbour in the opposite direction, so that half of the
/// directions suffice.
struct EdgeDistances: Sendable {
  /// The neighbours that are averaged, and the samples around both that are compared.
  enum Pattern: Sendable {
    /// Twelve neighbours, with a cross of five samples around each.
    case far
    /// Four neighbours with crosses.
    case near
    /// Four neighbours, compared alone.
    case direct

    /// The distance of the farthest sample that takes part.
    var reach: Int { self == .far ? 3 : self == .near ? 2 : 1 }

    fileprivate var directions: [(x: Int, y: Int)] {
      self == .far ? [(1, 0), (0, 1), (2, 0), (0, 2), (1, 1), (-1, 1)] : [(1, 0), (0, 1)]
    }
  }

  let pattern: Pattern
  private let directions: [(x: Int, y: Int)]
  private let scales: [Float]
  private let stride: Int
  /// The differences between single samples: for each direction, the latest three rows.
  private var differences: [Float]
  /// The distances: for each direction, the latest three rows.
  private var distances: [Float]
  /// The next row of distances; `nil` before the first one.
  private var next: Int?

  /// The greatest distance between rows whose samples are compared, by which distances precede their use.
  private static let lead = 2
  private static let maximumDirectionCount = 6

  init(_ window: FilterWindow, _ scales: [Float], _ pattern: Pattern) {
    (self.scales, self.pattern) = (scales, pattern)
    directions = pattern.directions
    stride = window.stride
    differences = [Float](repeating: 0, count: pattern == .direct ? 0 : 3 * directions.count * stride)
    distances = [Float](repeating: 0, count: 3 * directions.count * stride)
  }

  /// The greatest memory of the rows, with those of the factors.
  static func byteCount(width: Int) -> Int {
    FilterWindow.stride(width) * (2 * 3 * maximumDirectionCount + 1) * 4
  }

  /// The work for a sample of a colour.
  var unitsPerSample: Int { pattern == .far ? 5 : pattern == .near ? 2 : 1 }

  /// The start of a row in one of the rings.
  @inline(__always)
  private func ring(_ direction: Int, _ y: Int) -> Int {
    (direction &* 3 &+ (y &+ 6) % 3) &* stride &+ FilterWindow.start
  }

  /// Calculates the distances up to those of a row.
  mutating func advance(to y: Int, _ window: FilterWindow) {
    let isFirst = next == nil
    let lead = pattern == .far ? Self.lead : 1
    let first = next ?? y - lead
    for row in first...y {
      for direction in directions.indices {
        guard pattern != .direct else {
          Self.subtract(window, row, directions[direction], scales, into: &distances, at: ring(direction, row))
          continue
        }
        for other in isFirst && row == first ? row - 1...row + 1 : row + 1...row + 1 {
          Self.subtract(window, other, directions[direction], scales, into: &differences, at: ring(direction, other))
        }
        addCrosses(direction, row, window.calculatedColumns)
      }
    }
    next = y + 1
  }

  /// Calculates the differences between the samples of a row and their neighbours.
  private static func subtract(
    _ window: FilterWindow, _ y: Int, _ direction: (x: Int, y: Int), _ scales: [Float], into rows: inout [Float],
    at start: Int
  ) {
    let samples = window.samples.span
    var output = rows.mutableSpan
    let columns = window.calculatedColumns
    var x = columns.lowerBound
    let end = columns.upperBound
    if scales.count == 3 {
      let (scale0, scale1, scale2) = (scales[0], scales[1], scales[2])
      let (first0, first1, first2) = (window.index(0, y), window.index(1, y), window.index(2, y))
      let row = y &+ direction.y
      let second0 = window.index(0, row) &+ direction.x
      let second1 = window.index(1, row) &+ direction.x
      let second2 = window.index(2, row) &+ direction.x
      while x < end {
        let a = loadVector(samples, at: first0 &+ x) - loadVector(samples, at: second0 &+ x)
        let b = loadVector(samples, at: first1 &+ x) - loadVector(samples, at: second1 &+ x)
        let c = loadVector(samples, at: first2 &+ x) - loadVector(samples, at: second2 &+ x)
        storeVector(absolute(a) * scale0 + absolute(b) * scale1 + absolute(c) * scale2, into: &output, at: start &+ x)
        x &+= 8
      }
      return
    }
    let (first, second) = (window.index(0, y), window.index(0, y &+ direction.y) &+ direction.x)
    while x < end {
      let difference = loadVector(samples, at: first &+ x) - loadVector(samples, at: second &+ x)
      storeVector(absolute(difference) * scales[0], into: &output, at: start &+ x)
      x &+= 8
    }
  }

  private mutating func addCrosses(_ direction: Int, _ y: Int, _ columns: Range<Int>) {
    // Moved out while in use, so that nothing is copied.
    var rows = distances
    distances = []
    defer { distances = rows }
    let source = differences.span
    var output = rows.mutableSpan
    let (above, row) = (ring(direction, y &- 1), ring(direction, y))
    let (below, target) = (ring(direction, y &+ 1), row)
    var x = columns.lowerBound
    while x < columns.upperBound {
      let vertical = loadVector(source, at: above &+ x) + loadVector(source, at: below &+ x)
      let horizontal = loadVector(source, at: row &+ x &- 1) + loadVector(source, at: row &+ x &+ 1)
      storeVector(vertical + horizontal + loadVector(source, at: row &+ x), into: &output, at: target &+ x)
      x &+= 8
    }
  }

  /// Averages the samples of a row with their neighbours.
  ///
  /// - Parameter factors: the factors of the distances.
  func average(_ y: Int, _ window: FilterWindow, _ factors: Span<Float>, into target: inout FilterWindow) {
    if window.planeCount == 3 {
      averageColors(y, window, factors, into: &target)
    } else {
      averageGray(y, window, factors, into: &target)
    }
  }

  private func averageColors(
    _ y: Int, _ window: FilterWindow, _ factors: Span<Float>, into target: inout FilterWindow
  ) {
    let samples = window.samples.span
    let distances = distances.span
    let (place0, place1, place2) = (window.index(0, y), window.index(1, y), window.index(2, y))
    let places = places(y, window)
    let neighbours = places.span
    let planeDistance = place1 &- place0
    let (start0, start1, start2) = (target.index(0, y), target.index(1, y), target.index(2, y))
    let columns = target.calculatedColumns
    var output = target.samples.mutableSpan
    var x = columns.lowerBound
    while x < columns.upperBound {
      let factor = loadVector(factors, at: FilterWindow.start &+ x)
      var total = FloatVector(repeating: 1)
      var first = loadVector(samples, at: place0 &+ x)
      var second = loadVector(samples, at: place1 &+ x)
      var third = loadVector(samples, at: place2 &+ x)
      for index in neighbours.indices {
        let neighbour = neighbours[index]
        let weight = Self.weight(loadVector(distances, at: neighbour.distance &+ x) * factor)
        let place = neighbour.sample &+ x
        total += weight
        first += weight * loadVector(samples, at: place)
        second += weight * loadVector(samples, at: place &+ planeDistance)
        third += weight * loadVector(samples, at: place &+ 2 &* planeDistance)
      }
      let scale = 1 / total
      storeVector(first * scale, into: &output, at: start0 &+ x)
      storeVector(second * scale, into: &output, at: start1 &+ x)
      storeVector(third * scale, into: &output, at: start2 &+ x)
      x &+= 8
    }
  }

  private func averageGray(
    _ y: Int, _ window: FilterWindow, _ factors: Span<Float>, into target: inout FilterWindow
  ) {
    let samples = window.samples.span
    let distances = distances.span
    let place = window.index(0, y)
    let places = places(y, window)
    let start = target.index(0, y)
    let columns = target.calculatedColumns
    var output = target.samples.mutableSpan
    for x in Swift.stride(from: columns.lowerBound, to: columns.upperBound, by: 8) {
      let factor = loadVector(factors, at: FilterWindow.start &+ x)
      var total = FloatVector(repeating: 1)
      var sum = loadVector(samples, at: place &+ x)
      for neighbour in places {
        let weight = Self.weight(loadVector(distances, at: neighbour.distance &+ x) * factor)
        total += weight
        sum += weight * loadVector(samples, at: neighbour.sample &+ x)
      }
      storeVector(sum / total, into: &output, at: start &+ x)
    }
  }

  /// The neighbours of the samples of a row: the indices of their distances and of their samples.
  private func places(_ y: Int, _ window: FilterWindow) -> [(distance: Int, sample: Int)] {
    var places: [(distance: Int, sample: Int)] = []
    places.reserveCapacity(2 * directions.count)
    for (index, direction) in directions.enumerated() {
      places.append((ring(index, y), window.index(0, y &+ direction.y) &+ direction.x))
      places.append(
        (
          ring(index, y &- direction.y) &- direction.x, window.index(0, y &- direction.y) &- direction.x
        ))
    }
    return places
  }

  @inline(__always)
  private static func weight(_ scaledDistance: FloatVector) -> FloatVector {
    let weight = scaledDistance + 1
    return weight.replacing(with: 0, where: weight .< 0)
  }

  @inline(__always)
  private static func absolute(_ value: FloatVector) -> FloatVector {
    floats(ofBits: bits(of: value) & 0x7FFF_FFFF)
  }
}
