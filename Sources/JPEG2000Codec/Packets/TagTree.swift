// Tag trees: two-dimensional arrays of numbers, coded hierarchically (ITU-T T.800, B.10.2).

/// A tag tree whose numbers become known bit by bit.
package struct TagTree: Sendable {
  /// A node: the lower bound of its value.
  struct Node: Sendable {
    var lowerBound: UInt16 = 0
    /// Whether the value is the lower bound.
    var isKnown = false
  }

  /// The nodes of a level.
  private struct Level: Sendable {
    let start: Int
    let width: Int
  }

  private var nodes: [Node] = []
  /// The levels, from the leaves to the root.
  private var levels: [Level] = []

  package init(width: Int, height: Int) {
    guard width > 0, height > 0 else { return }
    var (width, height) = (width, height)
    var count = 0
    while true {
      levels.append(Level(start: count, width: width))
      count += width * height
      if width == 1, height == 1 { break }
      (width, height) = ((width + 1) / 2, (height + 1) / 2)
    }
    nodes = [Node](repeating: Node(), count: count)
  }

  /// Reads bits until it is known whether the number of a leaf is less than a threshold, and returns that.
  package mutating func isLess(
    than threshold: UInt16, x: Int, y: Int, _ bits: inout PacketBitReader, _ bytes: Span<UInt8>
  ) -> Bool {
    var bound: UInt16 = 0
    var isKnown = false
    for level in stride(from: levels.count - 1, through: 0, by: -1) {
      let index = levels[level].start + (y >> level) * levels[level].width + (x >> level)
      var node = nodes[index]
      node.lowerBound = max(node.lowerBound, bound)
      while node.lowerBound < threshold, !node.isKnown {
        if bits.read(bytes) == 1 { node.isKnown = true } else { node.lowerBound += 1 }
      }
      nodes[index] = node
      bound = node.lowerBound
      isKnown = node.isKnown
    }
    return isKnown && bound < threshold
  }
}
