// Marks of fonts without anchors: each is moved above, below or beside its base by the boxes of their outlines, in the
// order of its combining class (the fallback of HarfBuzz).

internal import ImageCore
internal import VectorGraphics

/// Places marks by boxes.
struct MarkPlacement {
  private let face: FontFace
  private let direction: TextDirection
  private let gap: Int

  init(face: FontFace, direction: TextDirection) {
    self.face = face
    self.direction = direction
    gap = face.tables.unitsPerEm / 16
  }

  /// A box with y upwards, in whole font units.
  private struct Box {
    var left: Int
    var bottom: Int
    var right: Int
    var top: Int
    var width: Int { right - left }
  }

  private func box(of glyph: Int) -> Box? {
    guard let outline = (try? face.outline(of: GlyphID(UInt16(truncatingIfNeeded: glyph)))) ?? nil,
      let bounds = outline.bounds
    else { return nil }
    return Box(
      left: Int(bounds.minX.rounded(.down)), bottom: Int(bounds.minY.rounded(.down)),
      right: Int(bounds.maxX.rounded(.up)), top: Int(bounds.maxY.rounded(.up)))
  }

  /// Places all marks on the base before them.
  func place(_ buffer: inout GlyphBuffer) {
    guard direction.isHorizontal else { return }
    var start = 0
    while start < buffer.count {
      var end = start + 1
      while end < buffer.count, buffer.infos[end].traits.contains(.mark) { end += 1 }
      if end > start + 1, !buffer.infos[start].traits.contains(.mark) { placeMarks(&buffer, base: start, end: end) }
      start = end
    }
  }

  private func placeMarks(_ buffer: inout GlyphBuffer, base: Int, end: Int) {
    guard var box = box(of: buffer.infos[base].glyph) else { return }
    box.left += buffer.positions[base].xOffset
    box.right += buffer.positions[base].xOffset
    box.bottom += buffer.positions[base].yOffset
    box.top += buffer.positions[base].yOffset
    // The pen has moved past the base where marks come after it.
    var pen = direction == .leftToRight ? -buffer.positions[base].xAdvance : 0
    var stack = box
    var lastClass: UInt8 = 255
    for index in base + 1..<end {
      let combiningClass = MarkPlacement.placementClass(of: buffer.infos[index])
      if combiningClass != 0 {
        if combiningClass != lastClass {
          stack = box
          lastClass = combiningClass
        }
        placeMark(&buffer, index, combiningClass, &stack)
        buffer.positions[index].xAdvance = 0
        buffer.positions[index].xOffset += pen
      }
      pen += direction == .leftToRight ? -buffer.positions[index].xAdvance : buffer.positions[index].xAdvance
    }
  }

  /// The combining class, with the fixed classes of scripts as the place that they stand for.
  private static func placementClass(of info: GlyphInfo) -> UInt8 {
    guard info.traits.contains(.mark), let scalar = Unicode.Scalar(info.character) else { return 0 }
    switch scalar.properties.canonicalCombiningClass.rawValue {
    case 10...18, 20, 22, 29, 32: return 220
    case 23, 27, 28, 30, 31, 33...36, 19, 24...26: return 230
    case 107, 122: return 230
    case 103, 118: return 220
    case let other: return other
    }
  }

  private func placeMark(_ buffer: inout GlyphBuffer, _ index: Int, _ combiningClass: UInt8, _ stack: inout Box) {
    guard let mark = box(of: buffer.infos[index].glyph) else { return }
    var position = GlyphPosition()
    position.xAdvance = buffer.positions[index].xAdvance
    switch combiningClass {
    case 200, 218, 228: position.xOffset = stack.left - mark.left
    case 216, 222, 232: position.xOffset = stack.right - mark.width - mark.left
    default: position.xOffset = stack.left + (stack.width - mark.width) / 2 - mark.left
    }
    switch combiningClass {
    case 200, 202, 218, 220, 222, 233, 240:
      // Attached marks touch their base, others keep a distance.
      let distance = combiningClass == 200 || combiningClass == 202 ? 0 : gap
      position.yOffset = min(0, stack.bottom - distance - mark.top)
      stack.bottom = mark.bottom + position.yOffset
    case 214, 216, 228, 230, 232, 234:
      let distance = combiningClass == 214 || combiningClass == 216 ? 0 : gap
      position.yOffset = max(0, stack.top + distance - mark.bottom)
      stack.top = mark.top + position.yOffset
    default: break
    }
    buffer.positions[index] = position
  }
}
