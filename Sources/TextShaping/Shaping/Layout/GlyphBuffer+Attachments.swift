// The last step of positioning: attached glyphs are moved with the glyphs they are attached to.

extension GlyphBuffer {
  /// Adds to the offset of each attached glyph the offset of the glyph it is attached to and, for marks, the distance
  /// back to it.
  mutating func resolveAttachments(direction: TextDirection) {
    guard positions.contains(where: { $0.attachment != 0 }) else { return }
    // The pen position before each glyph, so that distances between glyphs need no loop.
    var pens: [(x: Int, y: Int)] = [(0, 0)]
    pens.reserveCapacity(positions.count + 1)
    for position in positions {
      let last = pens[pens.count - 1]
      pens.append((last.x + position.xAdvance, last.y + position.yAdvance))
    }
    for start in positions.indices where positions[start].attachment != 0 {
      resolve(from: start, pens, direction)
    }
  }

  /// Follows a chain of attachments to its end and resolves it from there.
  private mutating func resolve(from start: Int, _ pens: [(x: Int, y: Int)], _ direction: TextDirection) {
    var chain: [(child: Int, parent: Int)] = []
    var child = start
    while positions[child].attachment != 0 {
      let parent = child + positions[child].attachment
      // Marks the glyph as resolved, which also breaks cycles.
      positions[child].attachment = 0
      guard positions.indices.contains(parent) else { break }
      chain.append((child, parent))
      child = parent
    }
    for (child, parent) in chain.reversed() {
      if positions[child].isCursive {
        if direction.isHorizontal {
          positions[child].yOffset += positions[parent].yOffset
        } else {
          positions[child].xOffset += positions[parent].xOffset
        }
        continue
      }
      positions[child].xOffset += positions[parent].xOffset
      positions[child].yOffset += positions[parent].yOffset
      if direction == .rightToLeft {
        // The mark is drawn before its base: add the advances from after the base up to the mark itself.
        positions[child].xOffset += pens[child + 1].x - pens[parent + 1].x
        positions[child].yOffset += pens[child + 1].y - pens[parent + 1].y
      } else {
        positions[child].xOffset -= pens[child].x - pens[parent].x
        positions[child].yOffset -= pens[child].y - pens[parent].y
      }
    }
  }
}
