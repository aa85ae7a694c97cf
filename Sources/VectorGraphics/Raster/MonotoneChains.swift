// The chains of an outline: maximal sequences of connected lines that all lead downwards, or all upwards.
//
// In a row of pixels that no chain begins or ends in, each chain crosses every scanline exactly once. Where no other
// chain comes near, the winding number then takes two adjacent values only, and the signed area is the coverage.

/// For each row of a shape, how many chains cross it, and whether one of them begins or ends in it.
struct ChainCensus: Sendable {
  /// The number of chains in each row, followed by a zero.
  private var counts: [Int32] = []
  /// Whether a chain begins or ends within a row.
  private var hasEnds: [Bool] = []

  /// Counts the chains in the rows from `firstRow` on. Keeps its memory between shapes.
  ///
  /// - Parameter edges: in the order of the path.
  mutating func count(_ edges: [Edge], firstRow: Int, height: Int) {
    counts.removeAll(keepingCapacity: true)
    counts.append(contentsOf: repeatElement(0, count: height + 1))
    hasEnds.removeAll(keepingCapacity: true)
    hasEnds.append(contentsOf: repeatElement(false, count: height))
    guard var last = edges.first else { return }
    var (top, bottom) = (last.y0, last.y1)
    for edge in edges.dropFirst() {
      if edge.winding > 0, last.winding > 0, edge.y0 == last.y1, edge.x0 == last.x1 {
        bottom = edge.y1
      } else if edge.winding < 0, last.winding < 0, edge.y1 == last.y0, edge.x1 == last.x0 {
        top = edge.y0
      } else {
        addChain(top: Int(top) - firstRow << 8, bottom: Int(bottom) - firstRow << 8, height: height)
        (top, bottom) = (edge.y0, edge.y1)
      }
      last = edge
    }
    addChain(top: Int(top) - firstRow << 8, bottom: Int(bottom) - firstRow << 8, height: height)
    var sum: Int32 = 0
    for row in counts.indices {
      sum &+= counts[row]
      counts[row] = sum
    }
  }

  private mutating func addChain(top: Int, bottom: Int, height: Int) {
    let first = max(top >> 8, 0)
    let last = min((bottom - 1) >> 8, height - 1)
    guard first <= last else { return }
    counts[first] &+= 1
    counts[last + 1] &-= 1
    if top >= 0, top & 255 != 0 { hasEnds[top >> 8] = true }
    if bottom & 255 != 0, bottom >> 8 < height { hasEnds[bottom >> 8] = true }
  }

  /// Whether edges of a row may share pixels, so that areas may not be coverage.
  ///
  /// - Parameters:
  ///   - islandCount: the number of separate sequences of cells that edges have been drawn into. Each chain belongs to
  ///     one.
  ///   - isClosed: whether there are as many upward as downward chains.
  func edgesMayMeet(row: Int, islandCount: Int, isClosed: Bool) -> Bool {
    let count = Int(counts[row])
    // Chains that are separate: where all cross the whole row, the winding number is the same from top to bottom on
    // both sides of each. A single pair of chains has the winding number 0 outside, and the same number inside.
    return islandCount != count || (hasEnds[row] && !(count <= 2 && isClosed))
  }
}
