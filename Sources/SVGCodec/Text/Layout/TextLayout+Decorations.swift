// Decoration lines: where they are, and their shapes (CSS Text Decoration 4, sections 2 and 3).

internal import CSSStyles
internal import ImageCoding
internal import TextShaping
internal import VectorGraphics

extension TextLayout {
  /// The kinds of lines in the order in which they are painted: below the text and above it.
  static let linesBelow: [TextStyle.DecorationLines] = [.underline, .overline]
  static let linesAbove: [TextStyle.DecorationLines] = [.lineThrough]

  /// Returns the pieces of a decoration line for runs of adjacent clusters.
  func decorationPieces(_ members: [Int]) -> [DecorationPiece] {
    var pieces: [DecorationPiece] = []
    for index in members where clusters[index].isVisible {
      if let last = pieces.last, index == last.clusters.upperBound, !clusters[index].breaksDecoration {
        pieces[pieces.count - 1].length += clusters[index].advance
        pieces[pieces.count - 1].clusters = last.clusters.lowerBound..<index + 1
      } else {
        pieces.append(
          DecorationPiece(
            length: clusters[index].advance, transform: clusters[index].transform, clusters: index..<index + 1))
      }
    }
    return pieces
  }

  /// Extends the bounds to include the decoration lines of a segment.
  mutating func expandBounds(linesOf segment: PlacedSegment) {
    for index in content.spans[segment.span].decorators {
      let declared = content.decorators[Int(index)].style.ownText
      for line in Self.linesBelow + Self.linesAbove where declared.lines.contains(line) {
        if let box = self.line(line, of: segment, declared, isBox: true).bounds { expandBounds(box) }
      }
    }
  }

  /// Returns a decoration line in the text's user space.
  ///
  /// - Parameters:
  ///   - declared: the properties of the element that declares it.
  ///   - isBox: whether the boxes of the line's pieces are returned instead of their shapes.
  func line(
    _ line: TextStyle.DecorationLines, of segment: PlacedSegment, _ declared: OwnTextStyle, isBox: Bool = false
  ) -> Path {
    let metrics = shaper.fonts.metrics[Int(text.faces[segment.span])]
    let style = content.spans[segment.span].style
    let size = style.fontSize
    let thickness = declared.lineThickness.map { max(0, $0.value) } ?? metrics.lineThickness * size
    let (middle, side) = place(of: line, metrics, style, thickness: thickness)
    guard middle.isFinite, (4 * thickness).isFinite else { return Path() }
    let skipping = style.text.decoration.skipping
    let skips = skipsInk(line, style)
    var shape = DecorationShape(style: declared.lineStyle, middle: middle, thickness: thickness, side: side)
    var path = Path()
    let extent = shape.extent
    for piece in segment.pieces where piece.length > 0 {
      if isBox {
        let height = extent.upperBound - extent.lowerBound
        let box = Path(Rect(x: 0, y: extent.lowerBound, width: piece.length, height: height))
        path.append(box, transform: segment.transform * piece.transform)
        continue
      }
      let gaps = skips ? self.gaps(in: piece, extent, thickness, allGlyphs: skipping == .all) : []
      for part in Self.parts(of: piece.length, without: gaps) {
        path.append(
          shape.path(from: part.lowerBound, to: part.upperBound), transform: segment.transform * piece.transform)
      }
    }
    return path
  }

  /// Returns the position of the middle of a line below the baseline, in the direction of y, and its side of the text.
  private func place(
    of line: TextStyle.DecorationLines, _ metrics: TextMetrics, _ style: ComputedStyle, thickness: Double
  ) -> (middle: Double, side: DecorationShape.Side) {
    let size = style.fontSize
    let placement = style.text.decoration
    switch (line, content.isVertical) {
    case (.underline, false):
      if placement.position == .under {
        return (-metrics.descent * size + (placement.offset?.value ?? 0) + thickness / 2, .below)
      }
      // An offset is the distance of the line's edge from the baseline.
      return (placement.offset.map { $0.value + thickness / 2 } ?? -metrics.underline * size, .below)
    case (.overline, false): return (-metrics.ascent * size, .above)
    case (.lineThrough, false): return (-metrics.lineThrough * size, .through)
    case (.underline, true), (.overline, true):
      // Lines are turned by a quarter: the left side of the text is below it.
      let isLeft = (line == .underline) != (placement.isOnRight ?? false)
      let distance = metrics.height / 2 * size + (line == .underline ? placement.offset?.value ?? 0 : 0)
      return isLeft ? (distance, .below) : (-distance, .above)
    default: return (0, .through)
    }
  }

  // MARK: Ink

  /// Returns whether a line is interrupted at the glyphs of a segment.
  private func skipsInk(_ line: TextStyle.DecorationLines, _ style: ComputedStyle) -> Bool {
    line != .lineThrough && style.text.decoration.skipping != .none && !content.isVertical
  }

  /// Returns the number of outline points that are compared with a line.
  ///
  /// - Parameter budget: charged for outlines that are needed for the first time.
  func inkPointCount(
    _ line: TextStyle.DecorationLines, of segment: PlacedSegment, budget: inout ResourceBudget
  ) throws(CodecError) -> Int {
    guard skipsInk(line, content.spans[segment.span].style) else { return 0 }
    var count = 0
    for index in segment.clusters {
      for glyph in shaper.glyphs[clusters[index].glyphs] {
        count += try shaper.fonts.outline(of: glyph.glyph, glyph.face, budget: &budget)?.points.count ?? 0
      }
    }
    return count
  }

  /// Returns the parts of a line that glyphs cover, with a distance around them.
  private func gaps(
    in piece: DecorationPiece, _ band: ClosedRange<Double>, _ thickness: Double, allGlyphs: Bool
  ) -> [ClosedRange<Double>] {
    guard let inverse = piece.transform.inverted else { return [] }
    var gaps: [ClosedRange<Double>] = []
    for cluster in clusters[piece.clusters] where cluster.isVisible {
      // Lines pass through ideographs, which extend below the baseline.
      if !allGlyphs, Script(of: text.scalars[cluster.character]).hasIdeographicInk { continue }
      for glyph in shaper.glyphs[cluster.glyphs] {
        guard let outline = shaper.fonts.knownOutline(of: glyph.glyph, glyph.face) else { continue }
        let scale = cluster.fontSize / shaper.fonts.faces[Int(glyph.face)].unitsPerEm
        let transform =
          inverse * cluster.placement * .scale(x: scale, y: -scale) * .translation(x: glyph.x, y: glyph.y)
        guard transform.isFinite, let bounds = outline.controlBounds.map({ transform.apply($0) }),
          bounds.maxY > band.lowerBound, bounds.minY < band.upperBound,
          let reach = outline.horizontalExtent(in: band, transform)
        else { continue }
        gaps.append(reach.lowerBound - thickness...reach.upperBound + thickness)
      }
    }
    return gaps.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Returns the parts of a line from 0 to a length between gaps, which are in ascending order.
  private static func parts(of length: Double, without gaps: [ClosedRange<Double>]) -> [ClosedRange<Double>] {
    var parts: [ClosedRange<Double>] = []
    var start = 0.0
    for gap in gaps {
      if gap.lowerBound > start { parts.append(start...min(gap.lowerBound, length)) }
      start = max(start, gap.upperBound)
      if start >= length { return parts }
    }
    return parts + [start...length]
  }
}

extension Script {
  /// Whether the characters of the script are drawn on decoration lines.
  fileprivate var hasIdeographicInk: Bool {
    ["Hani", "Hira", "Kana", "Hang", "Bopo", "Yiii"].contains(self)
  }
}
