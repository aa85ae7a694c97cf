// The metrics of a whole face: `head`, `hhea`, `OS/2` and `post`.

internal import ImageCore

/// The position and thickness of an underline or strikeout line, in font units.
package struct LineMetrics: Hashable, Sendable {
  /// The position of the line above the baseline, as stored in the font.
  package var position: Double
  /// The thickness of the line.
  package var thickness: Double

  /// Creates metrics from a position and a thickness.
  package init(position: Double, thickness: Double) {
    self.position = position
    self.thickness = thickness
  }
}

/// The size and position of subscripts or superscripts, in font units.
package struct ScriptMetrics: Hashable, Sendable {
  /// The size along each axis, relative to the units per em.
  package var xSize: Double
  package var ySize: Double
  /// The offset to the right, and away from the baseline (down for subscripts, up for superscripts).
  package var xOffset: Double
  package var yOffset: Double

  /// Creates metrics from a size and an offset along each axis.
  package init(xSize: Double, ySize: Double, xOffset: Double, yOffset: Double) {
    self.xSize = xSize
    self.ySize = ySize
    self.xOffset = xOffset
    self.yOffset = yOffset
  }
}

/// The slope of a face.
package enum FontStyle: Hashable, Sendable {
  case normal
  case italic
  case oblique
}

/// The properties in `OS/2` and `head` that distinguish the faces of a family.
struct FaceTraits: Hashable, Sendable {
  var style: FontStyle
  /// The weight, 1…1000; 400 is regular.
  var weight: Int
  /// The width as a percentage of the normal width.
  var stretch: Double
  var isMonospaced: Bool

  init(os2: TableBytes, head: TableBytes, post: TableBytes) {
    let selection = os2.uint16(at: 62)
    let italicAngle = post.int32(at: 4)
    if os2.isEmpty {
      let macStyle = head.uint16(at: 44)
      style = macStyle & 2 != 0 ? .italic : .normal
      weight = macStyle & 1 != 0 ? 700 : 400
      stretch = 100
    } else {
      let isOblique = os2.uint16(at: 0) >= 4 && selection & 0x200 != 0
      style = selection & 1 != 0 ? .italic : isOblique ? .oblique : italicAngle != 0 ? .italic : .normal
      let stored = os2.uint16(at: 4)
      weight = stored == 0 ? 400 : min(stored, 1000)
      stretch = FaceTraits.percent(ofWidthClass: os2.uint16(at: 6))
    }
    isMonospaced = post.uint32(at: 12) != 0
  }

  /// The percentages for usWidthClass 1…9; 100 for other values.
  static func percent(ofWidthClass widthClass: Int) -> Double {
    let percentages = [50, 62.5, 75, 87.5, 100, 112.5, 125, 150, 200]
    return (1...9).contains(widthClass) ? percentages[widthClass - 1] : 100
  }
}

/// The vertical metrics of a face before variations, in font units.
struct FaceMetrics: Hashable, Sendable {
  var ascender: Double
  var descender: Double
  var lineGap: Double
  var xHeight: Double?
  var capHeight: Double?
  var underline: LineMetrics?
  var strikeout: LineMetrics?
  var subscripts: ScriptMetrics?
  var superscripts: ScriptMetrics?
  /// The `MVAR` tag of the ascender, which depends on the table it comes from; those of the descender and line gap
  /// follow.
  var ascenderTag: Tag = "hasc"
  var descenderTag: Tag = "hdsc"
  let lineGapTag: Tag = "hlgp"

  init(hhea: TableBytes, os2: TableBytes, post: TableBytes) {
    let typographic = (ascender: os2.int16(at: 68), descender: os2.int16(at: 70), gap: os2.int16(at: 72))
    let usesTypographic = os2.uint16(at: 0) >= 4 && os2.uint16(at: 62) & 0x80 != 0
    let horizontal = (ascender: hhea.int16(at: 4), descender: hhea.int16(at: 6), gap: hhea.int16(at: 8))
    // If `hhea` is all zeros, fall back to the typographic values, then to the Windows values.
    ascender = Double(horizontal.ascender)
    descender = Double(horizontal.descender)
    lineGap = Double(horizontal.gap)
    if usesTypographic {
      (ascender, descender) = (Double(typographic.ascender), Double(typographic.descender))
      lineGap = Double(typographic.gap)
    } else if !os2.isEmpty {
      if horizontal.ascender == 0 || horizontal.descender == 0 {
        lineGap = typographic.ascender != 0 || typographic.descender != 0 ? Double(typographic.gap) : 0
      }
      if horizontal.ascender == 0 {
        ascender = typographic.ascender != 0 ? Double(typographic.ascender) : Double(os2.uint16(at: 74))
        if typographic.ascender == 0 { ascenderTag = "hcla" }
      }
      if horizontal.descender == 0 {
        descender = typographic.descender != 0 ? Double(typographic.descender) : -Double(os2.uint16(at: 76))
        if typographic.descender == 0 { descenderTag = "hcld" }
      }
    }
    if os2.uint16(at: 0) >= 2, os2.count >= 90 {
      xHeight = Double(os2.int16(at: 86))
      capHeight = Double(os2.int16(at: 88))
    }
    if os2.count >= 30 {
      subscripts = ScriptMetrics(os2, at: 10)
      superscripts = ScriptMetrics(os2, at: 18)
      strikeout = LineMetrics(position: Double(os2.int16(at: 28)), thickness: Double(os2.int16(at: 26)))
    }
    if post.count >= 12 {
      underline = LineMetrics(position: Double(post.int16(at: 8)), thickness: Double(post.int16(at: 10)))
    }
  }
}

extension ScriptMetrics {
  fileprivate init(_ os2: TableBytes, at offset: Int) {
    xSize = Double(os2.int16(at: offset))
    ySize = Double(os2.int16(at: offset + 2))
    xOffset = Double(os2.int16(at: offset + 4))
    yOffset = Double(os2.int16(at: offset + 6))
  }
}
