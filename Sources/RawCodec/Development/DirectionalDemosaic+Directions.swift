// The directions along which values change least, from the energy of high frequencies.

extension DirectionalDemosaic {
  /// The least energy, below which there is no direction.
  static let least: Float = 1e-10

  /// Calculates the energy of high frequencies in the vertical direction, of seven rows around one.
  mutating func filterVertically(_ y: Int) {
    var verticalEnergyRing: [Float] = []
    swap(&verticalEnergyRing, &verticalEnergy)
    defer { swap(&verticalEnergyRing, &verticalEnergy) }
    var horizontalEnergyRing: [Float] = []
    swap(&horizontalEnergyRing, &horizontalEnergy)
    defer { swap(&horizontalEnergyRing, &horizontalEnergy) }
    let source = samples.span
    let (above3, above2, above1) = (row(source, y - 3), row(source, y - 2), row(source, y - 1))
    let (below1, below2, below3) = (row(source, y + 1), row(source, y + 2), row(source, y + 3))
    let center = row(source, y)
    let start = offset(y)
    var rings = verticalEnergyRing.mutableSpan
    var target = rings._mutatingExtracting(start..<start + stride)
    for x in 0..<target.count {
      let value =
        above3[x] - above1[x] - below1[x] + below3[x] - 3 * (above2[x] + below2[x]) + 6 * center[x]
      target[x] = value * value
    }
    // The horizontal energy depends on one row only.
    var horizontal = horizontalEnergyRing.mutableSpan
    var line = horizontal._mutatingExtracting(start..<start + stride)
    for x in 3..<line.count - 3 {
      let value =
        center[x &- 3] - center[x &- 1] - center[x &+ 1] + center[x &+ 3] - 3 * (center[x &- 2] + center[x &+ 2])
        + 6 * center[x]
      line[x] = value * value
    }
  }

  /// Calculates the energies along both diagonals at red and blue filters.
  mutating func filterDiagonally(_ y: Int) {
    var fallingEnergyRing: [Float] = []
    swap(&fallingEnergyRing, &fallingEnergy)
    defer { swap(&fallingEnergyRing, &fallingEnergy) }
    var risingEnergyRing: [Float] = []
    swap(&risingEnergyRing, &risingEnergy)
    defer { swap(&risingEnergyRing, &risingEnergy) }
    let source = samples.span
    let (above3, above2, above1) = (row(source, y - 3), row(source, y - 2), row(source, y - 1))
    let (below1, below2, below3) = (row(source, y + 1), row(source, y + 2), row(source, y + 3))
    let center = row(source, y)
    let start = offset(y)
    var fallingRings = fallingEnergyRing.mutableSpan
    var falling = fallingRings._mutatingExtracting(start..<start + stride)
    var risingRings = risingEnergyRing.mutableSpan
    var rising = risingRings._mutatingExtracting(start..<start + stride)
    var x = 4 + sites(y).parity
    while x < stride - 4 {
      let own = 6 * center[x]
      let fall =
        above3[x &- 3] - above1[x &- 1] - below1[x &+ 1] + below3[x &+ 3] - 3 * (above2[x &- 2] + below2[x &+ 2]) + own
      falling[x] = fall * fall
      let rise =
        above3[x &+ 3] - above1[x &+ 1] - below1[x &- 1] + below3[x &- 3] - 3 * (above2[x &+ 2] + below2[x &- 2]) + own
      rising[x] = rise * rise
      x &+= 2
    }
  }

  /// Calculates the weight of the horizontal direction: the share of the vertical energy.
  mutating func decideDirection(_ y: Int) {
    var directionRing: [Float] = []
    swap(&directionRing, &direction)
    defer { swap(&directionRing, &direction) }
    let energies = verticalEnergy.span
    let (above, center, below) = (row(energies, y - 1), row(energies, y), row(energies, y + 1))
    let line = row(horizontalEnergy.span, y)
    let start = offset(y)
    var rings = directionRing.mutableSpan
    var target = rings._mutatingExtracting(start..<start + stride)
    for x in 4..<target.count - 4 {
      let vertical = max(above[x] + center[x] + below[x], Self.least)
      let horizontal = max(line[x &- 1] + line[x] + line[x &+ 1], Self.least)
      target[x] = vertical / (vertical + horizontal)
    }
  }

  /// Calculates the weight of the rising diagonal at red and blue filters: the share of the energy along the falling one.
  mutating func decideDiagonal(_ y: Int) {
    var diagonalRing: [Float] = []
    swap(&diagonalRing, &diagonal)
    defer { swap(&diagonalRing, &diagonal) }
    let (fall, rise) = (fallingEnergy.span, risingEnergy.span)
    let (fallAbove, fallCenter, fallBelow) = (row(fall, y - 1), row(fall, y), row(fall, y + 1))
    let (riseAbove, riseCenter, riseBelow) = (row(rise, y - 1), row(rise, y), row(rise, y + 1))
    let start = offset(y)
    var rings = diagonalRing.mutableSpan
    var target = rings._mutatingExtracting(start..<start + stride)
    var x = 6 + sites(y).parity
    while x < stride - 6 {
      let falling = max(fallAbove[x &- 1] + fallCenter[x] + fallBelow[x &+ 1], Self.least)
      let rising = max(riseAbove[x &+ 1] + riseCenter[x] + riseBelow[x &- 1], Self.least)
      target[x] = falling / (falling + rising)
      x &+= 2
    }
  }

  /// Returns a row of a ring.
  @inline(__always)
  @_lifetime(copy ring)
  func row(_ ring: Span<Float>, _ y: Int) -> Span<Float> {
    let start = offset(y)
    return ring.extracting(start..<start &+ stride)
  }

  /// Returns the weight at a pixel or the mean of its four diagonal neighbours, whichever is more distinct.
  @inline(__always)
  static func distinct(_ own: Float, _ neighbours: Float) -> Float {
    abs(0.5 - own) < abs(0.5 - neighbours) ? neighbours : own
  }
}
