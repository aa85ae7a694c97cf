// The prediction modes of 4 × 4 and 8 × 8 blocks, and the neighbours that they need (tables 8-2 and 8-3).

/// Which neighbours of a block are available.
package struct BlockAvailability {
  var left: Bool
  var above: Bool
  var aboveLeft: Bool
  var aboveRight: Bool

  package init(left: Bool, above: Bool, aboveLeft: Bool, aboveRight: Bool) {
    (self.left, self.above, self.aboveLeft, self.aboveRight) = (left, above, aboveLeft, aboveRight)
  }
}

/// `Intra4x4PredMode` and `Intra8x8PredMode`.
package enum BlockMode: Int8, CaseIterable {
  case vertical
  case horizontal
  case dc
  case diagonalDownLeft
  case diagonalDownRight
  case verticalRight
  case horizontalDown
  case verticalLeft
  case horizontalUp

  /// Whether the samples that the mode needs are available.
  package func isValid(_ available: BlockAvailability) -> Bool {
    switch self {
    case .vertical, .diagonalDownLeft, .verticalLeft: available.above
    case .horizontal, .horizontalUp: available.left
    case .dc: true
    case .diagonalDownRight, .verticalRight, .horizontalDown:
      available.left && available.above && available.aboveLeft
    }
  }
}
