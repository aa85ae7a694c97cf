// The samples that a synthetic picture must have, and prediction from them, sample by sample.

/// The planes of a frame.
struct KnownFrame {
  let picture: SyntheticPicture
  var planes: [[UInt16]]

  init(_ picture: SyntheticPicture) {
    self.picture = picture
    planes = (0..<picture.planeCount).map { plane in
      let size = picture.macroblockSize(plane)
      let missing = plane == 0 ? 0 : UInt16(1) << UInt16(picture.bitDepth - 1)
      return [UInt16](repeating: missing, count: size.width * picture.columns * size.height * picture.rows)
    }
  }

  /// The index of a sample of a field or a frame.
  func index(_ plane: Int, x: Int, y: Int, field: Int?) -> Int {
    let width = picture.macroblockSize(plane).width * picture.columns
    return (field.map { 2 * y + $0 } ?? y) * width + x
  }

  /// Predicts a macroblock with mode DC from its neighbours.
  mutating func predict(
    _ plane: Int, column: Int, row: Int, field: Int?, hasLeft: Bool, hasAbove: Bool, isChroma: Bool
  ) {
    let size = picture.macroblockSize(plane)
    let (left, top) = (column * size.width, row * size.height)
    let step = isChroma ? 4 : 16
    for y in stride(from: 0, to: size.height, by: step) {
      for x in stride(from: 0, to: size.width, by: step) {
        var samples: [Int] = []
        let above = (0..<step).map { (left + x + $0, top - 1) }
        let beside = (0..<step).map { (left - 1, top + y + $0) }
        var used: [(Int, Int)] = []
        if isChroma, x > 0, y == 0 {
          used = hasAbove ? above : hasLeft ? beside : []
        } else if isChroma, x == 0, y > 0 {
          used = hasLeft ? beside : hasAbove ? above : []
        } else {
          used = (hasAbove ? above : []) + (hasLeft ? beside : [])
        }
        samples = used.map { Int(planes[plane][index(plane, x: $0.0, y: $0.1, field: field)]) }
        let mean =
          samples.isEmpty
          ? 1 << (picture.bitDepth - 1) : (samples.reduce(0, +) + samples.count / 2) / samples.count
        for dy in 0..<step {
          for dx in 0..<step {
            planes[plane][index(plane, x: left + x + dx, y: top + y + dy, field: field)] = UInt16(mean)
          }
        }
      }
    }
  }
}
