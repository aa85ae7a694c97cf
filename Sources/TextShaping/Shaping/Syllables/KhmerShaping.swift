// Khmer syllables (OpenType, developing fonts for the Khmer script).

internal import Fonts
internal import ImageCore

/// The syllables of the Khmer script.
struct KhmerShaping {
  /// The features applied together after reordering, to glyphs that reordering selects.
  static let basicFeatures: [Tag] = ["pref", "blwf", "abvf", "pstf", "cfar"]

  let plan: ShapePlan

  private enum Kind {
    static let consonant = 0
    static let broken = 1
  }

  private static let machine = SyllableMachine(
    symbols: IndicCategory.symbols,
    grammar: """
      c = C | Ra | V;
      j = ZWJ | ZWNJ;
      cn = c (j? Robatic)?;
      xgroup = (j* Xgroup)*;
      ygroup = Ygroup*;
      matras = VPre? xgroup VBlw? xgroup (j? VAbv)? xgroup VPst?;
      tail = xgroup matras xgroup (H c)? ygroup;
      broken = Robatic? (H cn)* (H | tail);
      consonant = (cn | PLACEHOLDER | DOTTEDCIRCLE) broken;
      """,
    kinds: ["consonant", "broken"])

  func findSyllables(_ buffer: inout GlyphBuffer) { buffer.findSyllables(Self.machine) }

  func reorder(_ buffer: inout GlyphBuffer, circle: GlyphID?) {
    buffer.insertDottedCircles(circle, kind: Kind.broken, category: IndicCategory.dottedCircle.rawValue)
    buffer.forEachSyllable { buffer, range, kind in
      if kind == Kind.consonant || kind == Kind.broken { reorderSyllable(&buffer, range) }
    }
  }

  private func reorderSyllable(_ buffer: inout GlyphBuffer, _ range: Range<Int>) {
    let (start, end) = (range.lowerBound, range.upperBound)
    let postBase = plan.mask("blwf") | plan.mask("abvf") | plan.mask("pstf")
    for index in range.dropFirst() { buffer.infos[index].mask |= postBase }
    var subscriptCount = 0
    for index in range.dropFirst() {
      if buffer.infos[index].isOf(.halant), subscriptCount <= 2, index + 1 < end {
        subscriptCount += 1
        guard buffer.infos[index + 1].isOf(.ra) else { continue }
        // A subscript RO is drawn before the base.
        buffer.infos[index].mask |= plan.mask("pref")
        buffer.infos[index + 1].mask |= plan.mask("pref")
        buffer.mergeClusters(start..<index + 2)
        buffer.moveGlyph(from: index, to: start)
        buffer.moveGlyph(from: index + 1, to: start + 1)
        // Fonts may shape what follows it differently.
        for later in index + 2..<max(end, index + 2) { buffer.infos[later].mask |= plan.mask("cfar") }
        subscriptCount = 2
      } else if buffer.infos[index].isOf(.vowelBefore) {
        buffer.mergeClusters(start..<index + 1)
        buffer.moveGlyph(from: index, to: start)
      }
    }
  }
}
