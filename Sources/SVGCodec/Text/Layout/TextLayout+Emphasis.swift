// Emphasis marks over, under or next to letters (CSS Text Decoration 4, section 3).

internal import CSSStyles
internal import ImageCoding
internal import TextShaping
internal import VectorGraphics

/// The mark of one letter.
struct PlacedMark {
  var glyphs: [ClusterGlyph]
  var fontSize: Double
  /// The transform from the mark's baseline to the text's user space.
  var transform: AffineTransform
}

/// A mark before it is placed.
private struct EmphasisMark {
  var glyphs: [ClusterGlyph] = []
  var fontSize: Double
  var width: Double
  var ascent: Double
  /// The extent below the baseline; negative.
  var descent: Double
}

extension TextLayout {
  /// Returns the emphasis marks of a segment's letters.
  ///
  /// - Parameter budget: charged for shaping the mark.
  func emphasisMarks(
    of segment: PlacedSegment, budget: inout ResourceBudget
  ) throws(CodecError) -> [PlacedMark] {
    guard let mark = try emphasisMark(of: segment, &budget) else { return [] }
    let span = content.spans[segment.span]
    var marks: [PlacedMark] = []
    for index in segment.clusters where clusters[index].isVisible && !clusters[index].glyphs.isEmpty {
      let cluster = clusters[index]
      let letters = Array(GraphemeClusters(text.scalars, in: cluster.character..<clusterEnds[index]))
      // The letters of a ligature share its width.
      let share = cluster.width / Double(max(letters.count, 1))
      let isRightToLeft = BidiClass(text.scalars[cluster.character]).isRightToLeft
      for (number, letter) in letters.enumerated() where text.scalars[letter.lowerBound].takesEmphasis {
        let place = isRightToLeft ? letters.count - 1 - number : number
        let line = segment.transform * cluster.transform * .scale(x: cluster.stretch, y: 1)
        let isUpright = content.isVertical && span.isUpright(text.scalars[cluster.character])
        let transform =
          line * .translation(x: (Double(place) + 0.5) * share, y: 0)
          * offset(of: mark, span, segment.span, isUpright: isUpright)
        if transform.isFinite {
          marks.append(PlacedMark(glyphs: mark.glyphs, fontSize: mark.fontSize, transform: transform))
        }
      }
    }
    return marks
  }

  /// Shapes the mark of a segment; `nil` if there is none or no font has it.
  private func emphasisMark(
    of segment: PlacedSegment, _ budget: inout ResourceBudget
  ) throws(CodecError) -> EmphasisMark? {
    let span = content.spans[segment.span]
    let scalars = span.style.text.emphasis.mark.scalars(isVertical: content.isVertical)
    let list = text.lists[segment.span]
    guard !scalars.isEmpty, list >= 0, !segment.clusters.isEmpty else { return nil }
    let fonts = shaper.fonts
    let number = try fonts.faces(of: scalars, lists: scalars.map { _ in list }, budget: &budget)[0]
    let face = fonts.faces[Int(number)]
    guard face.glyph(for: scalars[0]) != nil else { return nil }
    let shaped = try face.shape(
      scalars, range: scalars.indices, script: Script.scripts(of: scalars, in: [scalars.indices])[0],
      direction: .leftToRight, language: span.language.map { document.language($0) },
      features: content.isVertical ? [FontFeature("vert")] : [], budget: &budget)
    // Half as large as the text.
    let size = span.style.fontSize / 2
    let unit = size / max(face.unitsPerEm, 1)
    let metrics = fonts.metrics[Int(number)]
    var mark = EmphasisMark(
      fontSize: size, width: 0, ascent: metrics.ascent * size, descent: metrics.descent * size)
    var x = 0.0
    for glyph in shaped {
      mark.glyphs.append(
        ClusterGlyph(face: number, glyph: glyph.glyph, x: x + glyph.xOffset, y: glyph.yOffset))
      x += glyph.xAdvance
    }
    mark.width = x * unit
    return mark
  }

  /// Returns the transform from the baseline of a mark to that of a letter, on which the middle of the letter is 0.
  private func offset(
    of mark: EmphasisMark, _ span: TextContent.Span, _ index: Int, isUpright: Bool
  ) -> AffineTransform {
    let metrics = shaper.fonts.metrics[Int(text.faces[index])]
    let size = span.style.fontSize
    let emphasis = span.style.text.emphasis
    guard content.isVertical else {
      let y = emphasis.isUnder ? mark.ascent - metrics.descent * size : mark.descent - metrics.ascent * size
      return .translation(x: -mark.width / 2, y: y)
    }
    // The right side of a vertical line is above it before it is turned. Upright letters are centred on the line.
    let above = isUpright ? metrics.height / 2 * size : metrics.ascent * size
    let below = isUpright ? above : -metrics.descent * size
    let half = (mark.ascent - mark.descent) / 2
    let middle = emphasis.isLeft ? below + half : -above - half
    return .translation(x: 0, y: middle) * .rotation(-.pi / 2)
      * .translation(x: -mark.width / 2, y: (mark.ascent + mark.descent) / 2)
  }

  /// Returns the ends of the characters of a line's clusters, each of which ends before the next one and with its
  /// element.
  func ends(of line: [GlyphCluster], in characters: Range<Int>) -> [Int] {
    var ends = [Int](repeating: 0, count: line.count)
    var next = characters.upperBound
    for index in line.indices.sorted(by: { line[$0].character > line[$1].character }) {
      let start = line[index].character
      ends[index] = (start..<next).first { text.spans[$0] != text.spans[start] } ?? next
      next = start
    }
    return ends
  }
}

extension BidiClass {
  fileprivate var isRightToLeft: Bool { self == .rightToLeft || self == .arabicLetter }
}

extension Unicode.Scalar {
  /// Whether the character takes an emphasis mark, as opposed to separators, controls and punctuation (CSS Text
  /// Decoration 4, section 3.5).
  fileprivate var takesEmphasis: Bool {
    switch properties.generalCategory {
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .unassigned: false
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation:
      Self.emphasizedPunctuation.contains(self)
    default: true
    }
  }

  /// Punctuation that represents words, and compatible characters.
  private static let emphasizedPunctuation: Set<Unicode.Scalar> = [
    "#", "%", "&", "@", "\u{A7}", "\u{B6}", "\u{609}", "\u{60A}", "\u{66A}", "\u{2030}", "\u{2031}", "\u{204A}",
    "\u{204B}", "\u{2053}", "\u{303D}", "\u{FE5F}", "\u{FE60}", "\u{FE6A}", "\u{FE6B}", "\u{FF03}", "\u{FF05}",
    "\u{FF06}", "\u{FF20}",
  ]
}
