// The parts of the resolutions and bands of a component that a part of it depends on (ITU-T T.800, F.3).

/// The part of a resolution that is reconstructed, and the coefficients that it depends on.
package struct ResolutionWindow: Sendable {
  /// All samples of the resolution.
  package let area: GridArea
  /// The samples that are reconstructed.
  package let samples: GridArea
  /// These and the samples around them that the filter reaches.
  package let extended: GridArea

  /// - Parameter reach: the number of samples at each side that a sample depends on.
  package init(_ area: GridArea, samples: GridArea, reach: Int) {
    self.area = area
    self.samples = samples.intersection(area)
    extended = self.samples.expanded(by: Int64(reach)).intersection(area)
  }

  /// The samples of the resolution below.
  package var lower: GridArea { extended.halved(isHighX: false, isHighY: false) }

  /// Returns the coefficients of a band that the resolution adds.
  package func band(isHighX: Bool, isHighY: Bool) -> GridArea { extended.halved(isHighX: isHighX, isHighY: isHighY) }
}

extension GridArea {
  /// The rectangle with `count` more columns and rows at each side; an empty one remains empty.
  func expanded(by count: Int64) -> GridArea {
    isEmpty ? self : GridArea(x0: x0 - count, y0: y0 - count, x1: x1 + count, y1: y1 + count)
  }

  /// The low or the high frequencies among samples: even coordinates are low ones.
  func halved(isHighX: Bool, isHighY: Bool) -> GridArea {
    let (dx, dy): (Int64, Int64) = (isHighX ? 0 : 1, isHighY ? 0 : 1)
    return GridArea(x0: (x0 + dx) >> 1, y0: (y0 + dy) >> 1, x1: (x1 + dx) >> 1, y1: (y1 + dy) >> 1)
  }
}
