// Intra prediction in its simplest form, from the formulae of the specification.

/// Prediction as section 8.4.4.2 defines it, sample by sample.
struct SlowPrediction {
  let size: Int
  let bitDepth: Int
  /// The neighbours: (−1, y) at `corner − 1 − y`, (x, −1) at `corner + 1 + x`.
  private var line: [Int]
  /// The mean of the neighbours at the left and at the top.
  private var mean = 0

  private var corner: Int { 2 * size }

  /// - Parameter known: the neighbours in the order of `line`; `nil` for those that are not available.
  init(_ known: [Int?], bitDepth: Int) {
    size = known.count / 4
    self.bitDepth = bitDepth
    var known = known
    if known[0] == nil { known[0] = known.compactMap(\.self).first ?? 1 << (bitDepth - 1) }
    line = []
    for value in known { line.append(value ?? line[line.count - 1]) }
    setMean()
  }

  private mutating func setMean() { mean = ((0..<size).reduce(size) { $0 + left($1) + top($1) }) / (2 * size) }

  mutating func smoothen(isStrong: Bool) {
    defer { setMean() }
    let old = line
    let last = 4 * size
    if isStrong, abs(old[corner] + old[last] - 2 * old[3 * size]) < 1 << (bitDepth - 5),
      abs(old[corner] + old[0] - 2 * old[size]) < 1 << (bitDepth - 5)
    {
      for place in 1..<64 {
        line[64 - place] = ((64 - place) * old[64] + place * old[0] + 32) >> 6
        line[64 + place] = ((64 - place) * old[64] + place * old[128] + 32) >> 6
      }
    } else {
      for place in 1..<last { line[place] = (old[place - 1] + 2 * old[place] + old[place + 1] + 2) >> 2 }
    }
  }

  private func left(_ y: Int) -> Int { line[corner - 1 - y] }
  private func top(_ x: Int) -> Int { line[corner + 1 + x] }

  func sample(_ x: Int, _ y: Int, mode: Int, blendsEdges: Bool) -> Int {
    switch mode {
    case 0:
      let horizontal = (size - 1 - x) * left(y) + (x + 1) * top(size)
      let vertical = (size - 1 - y) * top(x) + (y + 1) * left(size)
      return (horizontal + vertical + size) / (2 * size)
    case 1:
      guard blendsEdges else { return mean }
      if x == 0, y == 0 { return (left(0) + 2 * mean + top(0) + 2) >> 2 }
      if y == 0 { return (top(x) + 3 * mean + 2) >> 2 }
      return x == 0 ? (left(y) + 3 * mean + 2) >> 2 : mean
    default: return directional(x, y, mode: mode, blendsEdges: blendsEdges)
    }
  }

  private static let angles = [32, 26, 21, 17, 13, 9, 5, 2, 0, -2, -5, -9, -13, -17, -21, -26, -32]

  private func directional(_ x: Int, _ y: Int, mode: Int, blendsEdges: Bool) -> Int {
    let isFromTop = mode >= 18
    let angle = Self.angles[isFromTop ? 34 - mode : mode - 2]
    // The coordinates along and across the reference.
    let (along, across) = isFromTop ? (x, y) : (y, x)
    func main(_ place: Int) -> Int { isFromTop ? line[corner + place] : line[corner - place] }
    func side(_ place: Int) -> Int { isFromTop ? line[corner - place] : line[corner + place] }
    func reference(_ place: Int) -> Int {
      if place >= 0 { return main(place) }
      let inverse = Int((8192.0 / Double(-angle)).rounded())
      return side((-place * inverse + 128) >> 8)
    }
    if angle == 0, blendsEdges, along == 0 {
      return min(max(main(1) + (side(1 + across) - main(0)) >> 1, 0), 1 << bitDepth - 1)
    }
    let position = (across + 1) * angle
    let (whole, fraction) = (position >> 5, position & 31)
    if fraction == 0 { return reference(along + whole + 1) }
    return ((32 - fraction) * reference(along + whole + 1) + fraction * reference(along + whole + 2) + 16) >> 5
  }
}
