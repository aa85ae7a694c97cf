// Mark placement for fonts without anchors: each mark is moved above, below or next to its base according to the
// bounding boxes of their outlines and its combining class (HarfBuzz's fallback).

internal import Fonts
internal import ImageCore
internal import VectorGraphics

/// Positions marks by bounding boxes.
struct MarkPlacement {
  private let face: FontFace
  private let direction: TextDirection
  private let gap: Int

  init(face: FontFace, direction: TextDirection) {
    self.face = face
    self.direction = direction
    gap = face.tables.unitsPerEm / 16
  }

  /// Positions all marks relative to the base before them.
  ///
  /// - Parameter budget: charged for outlines whose boxes are not stored.
  func place(_ buffer: inout GlyphBuffer, budget: inout ResourceBudget) throws(CodecError) {
    var start = 0
    while start < buffer.count {
      var end = start + 1
      while end < buffer.count, buffer.infos[end].traits.contains(.mark) { end += 1 }
      if end > start + 1, !buffer.infos[start].traits.contains(.mark) {
        try placeMarks(&buffer, base: start, end: end, &budget)
      }
      start = end
    }
  }

  private func placeMarks(
    _ buffer: inout GlyphBuffer, base: Int, end: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let glyph = GlyphID(UInt16(truncatingIfNeeded: buffer.infos[base].glyph))
    var box = try face.box(of: glyph, budget: &budget)
    box.top += buffer.positions[base].yOffset
    box.bottom += buffer.positions[base].yOffset
    // Along the line the advance is the better measure, even for glyphs without contours.
    box.left = 0
    box.right = Int(try face.advance(of: glyph, budget: &budget).rounded())
    // If marks follow the base, the pen has already moved past it.
    let isForward = direction != .rightToLeft
    var pen = isForward ? (x: -buffer.positions[base].xAdvance, y: -buffer.positions[base].yAdvance) : (x: 0, y: 0)
    var stack = box
    var lastClass: UInt8 = 255
    for index in base + 1..<end {
      let combiningClass = MarkPlacement.placementClass(of: buffer.infos[index])
      let position = buffer.positions[index]
      guard combiningClass != 0 else {
        pen.x += isForward ? -position.xAdvance : position.xAdvance
        pen.y += isForward ? -position.yAdvance : position.yAdvance
        continue
      }
      if combiningClass != lastClass {
        stack = box
        lastClass = combiningClass
      }
      let mark = try face.box(
        of: GlyphID(UInt16(truncatingIfNeeded: buffer.infos[index].glyph)), budget: &budget)
      var placed = GlyphPosition()
      placed.xOffset = horizontalOffset(of: mark, combiningClass, stack) + pen.x
      placed.yOffset = verticalOffset(of: mark, combiningClass, &stack) + pen.y
      buffer.positions[index] = placed
    }
  }

  private func horizontalOffset(of mark: GlyphBox, _ combiningClass: UInt8, _ stack: GlyphBox) -> Int {
    switch combiningClass {
    case 233, 234:
      // Double marks extend over the next base.
      let middle = direction == .rightToLeft ? stack.left : stack.right
      return middle - mark.width / 2 - mark.left
    case 200, 218, 228: return stack.left - mark.left
    case 216, 222, 232: return stack.right - mark.width - mark.left
    default: return stack.left + (stack.width - mark.width) / 2 - mark.left
    }
  }

  /// Also extends the stack's box by this mark.
  private func verticalOffset(of mark: GlyphBox, _ combiningClass: UInt8, _ stack: inout GlyphBox) -> Int {
    switch combiningClass {
    case 200, 202, 218, 220, 222, 233:
      // Attached marks touch their base; others keep a distance.
      if combiningClass != 200, combiningClass != 202 { stack.bottom -= gap }
      var offset = stack.bottom - mark.top
      if offset > 0 {
        // Marks below are never moved up.
        stack.bottom -= offset
        offset = 0
      }
      stack.bottom -= mark.height
      return offset
    case 214, 216, 228, 230, 232, 234:
      if combiningClass != 214, combiningClass != 216 { stack.top += gap }
      var offset = stack.top - mark.bottom
      if offset <= 0 {
        // Marks above are moved down by half of the possible distance.
        let correction = -offset / 2
        stack.top += correction
        offset += correction
      }
      stack.top += mark.height
      return offset
    default: return 0
    }
  }

  /// The combining class, with script-specific fixed classes mapped to the positions they imply.
  private static func placementClass(of info: GlyphInfo) -> UInt8 {
    guard info.combiningClass != 0, let scalar = Unicode.Scalar(info.character) else { return 0 }
    switch scalar.properties.canonicalCombiningClass.rawValue {
    case 10...18, 20, 22, 29, 32, 118, 129, 132: return 220
    case 23: return 214
    case 24, 107: return 232
    case 19, 25: return 228
    case 26, 27, 28, 30, 31, 33...36, 122, 130: return 230
    case 103: return 222
    case let other: return other
    }
  }
}
