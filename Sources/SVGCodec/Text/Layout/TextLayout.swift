// Positioning of clusters: letter and word spacing, `textLength`, anchors, positions, rotation, baselines (SVG 2,
// chapter 11). Where the specification leaves a choice, the result is that of resvg.

internal import CSSStyles
internal import ImageCoding
internal import TextShaping
internal import VectorGraphics
internal import XMLDocuments

/// A part of a decoration line that is straight.
struct DecorationPiece {
  var length: Double
  /// The transform from the piece to the line of text.
  var transform: AffineTransform
  /// The clusters along the piece.
  var clusters: Range<Int>
}

/// A unit of painting: the glyphs of a segment and its decoration lines.
struct PlacedSegment {
  var span: Int
  /// The clusters in visual order, as indices into those of the layout.
  var clusters: [Int] = []
  /// The transform from the line to the text's user space.
  var transform: AffineTransform
  /// The pieces of a decoration line at the baseline.
  var pieces: [DecorationPiece] = []
}

/// Lays out one `text` element.
struct TextLayout {
  let content: TextContent
  private(set) var text: DrawnText
  let positions: CharacterPositions
  /// Returns the context for lengths in an element's attributes.
  let lengths: (ComputedStyle) -> LengthContext
  /// The paths of text, by the elements that reference them.
  let paths: [Int32: TextPathGeometry]
  private(set) var shaper: TextShaper
  private(set) var clusters: [GlyphCluster] = []
  /// The end of the characters of each cluster; empty if there are no emphasis marks.
  private(set) var clusterEnds: [Int] = []
  private(set) var segments: [PlacedSegment] = []
  /// The union of the clusters' boxes and the decoration lines.
  private(set) var bounds: Rect?
  /// The part of the user space to which text that exceeds the lines is clipped.
  private(set) var clip: Rect?
  let document: StyledDocument
  /// Whether there is spacing between letters or words, or a tab.
  private let isSpaced: Bool
  /// Whether any letter has an emphasis mark.
  let hasEmphasis: Bool

  init(
    _ content: TextContent, _ text: DrawnText, _ positions: CharacterPositions, paths: [Int32: TextPathGeometry],
    fonts: TextFonts, _ document: StyledDocument, lengths: @escaping (ComputedStyle) -> LengthContext
  ) {
    self.content = content
    self.text = text
    self.positions = positions
    self.lengths = lengths
    self.paths = paths
    self.document = document
    isSpaced =
      text.hasControls
      || content.spans.contains { !$0.style.text.letterSpacing.isZero || !$0.style.text.wordSpacing.isZero }
    hasEmphasis = content.spans.contains { $0.style.text.emphasis.mark != .none }
    shaper = TextShaper(content, document, fonts: fonts)
  }

  /// The work units for spacing, placing and measuring a cluster.
  private static let workPerCluster = 600

  /// Positions all clusters.
  ///
  /// - Parameter budget: charged for each chunk.
  mutating func run(budget: inout ResourceBudget) throws(CodecError) {
    let wrapping = try wrapping(budget: &budget)
    let chunks = wrapping?.chunks ?? text.chunks(content, positions)
    let offsets = lineOffsets(wrapping?.lines ?? text.lines())
    var next = Point.zero
    var origin: Point?
    for var chunk in chunks {
      let known = origin ?? Point(x: chunk.x.isNaN ? 0 : chunk.x, y: chunk.y.isNaN ? 0 : chunk.y)
      origin = known
      if chunk.startsLine { next = lineStart(chunk.line, known, offsets) }
      if let wrapping { try finish(&chunk, wrapping, &budget) }
      let range = try shaper.shape(chunk.characters, of: text, budget: &budget)
      try budget.chargeWorkInParts(count: range.count, unitsEach: Self.workPerCluster)
      var line = Array(shaper.clusters[range])
      guard !line.isEmpty else { continue }
      let segments = text.segments(of: chunk.characters)
      addSpacing(&line)
      if wrapping == nil { adjustLengths(&line) }
      var start = Point(x: chunk.x.isNaN ? next.x : chunk.x, y: chunk.y.isNaN ? next.y : chunk.y)
      if chunk.path >= 0 {
        guard let path = paths[chunk.path] else { continue }
        next = placeAlong(path, &line, chunk)
        start = .zero
      } else {
        if let wrapping, chunk.line == 0 { indent(&start, wrapping) }
        next = placeInLine(&line, chunk, from: start)
      }
      place(line, segments, chunk, start)
    }
    if let wrapping, let origin { clip = clip(of: wrapping, origin) }
  }

  /// Replaces characters at the end of a line: a soft hyphen by a hyphen, or the text that exceeds the line.
  mutating func replace(_ character: Int, by scalar: Unicode.Scalar) { text.scalars[character] = scalar }

  func span(of cluster: GlyphCluster) -> TextContent.Span {
    content.spans[Int(text.spans[cluster.character])]
  }

  /// Returns the position that applies to a cluster.
  func position(of cluster: GlyphCluster) -> CharacterPositions.Position {
    text.isFirst(cluster.character) ? positions[Int(text.sources[cluster.character])] : CharacterPositions.Position()
  }

  /// Returns the rotation of a cluster in degrees.
  func rotation(of cluster: GlyphCluster) -> Double { positions.rotation(of: Int(text.sources[cluster.character])) }

  // MARK: Spacing

  func addSpacing(_ line: inout [GlyphCluster]) {
    guard isSpaced else { return }
    var x = 0.0
    for index in line.indices {
      defer { x += line[index].advance }
      let span = span(of: line[index])
      let (letterSpacing, wordSpacing) = (span.style.text.letterSpacing, span.style.text.wordSpacing)
      let scalar = text.scalars[line[index].character]
      // Nothing is added after the last letter, since that would move anchored text.
      if !letterSpacing.isZero, index < line.count - 1, Script(of: scalar).allowsLetterSpacing {
        line[index].advance += emLength(letterSpacing, span.style)
        if line[index].advance < 0 {
          // Letters whose advance would become negative are hidden, as in browsers.
          line[index].advance = 0
          line[index].width = 0
          line[index].glyphs = 0..<0
        }
      }
      if !wordSpacing.isZero, Self.separatesWords(scalar) {
        line[index].advance += emLength(wordSpacing, span.style)
      }
      if scalar == "\t" { line[index].advance = tabAdvance(from: x, span.style, space: line[index]) }
    }
  }

  /// Returns a length whose percentages refer to the font size (CSS Text 4, section 8.2).
  func emLength(_ length: Length, _ style: ComputedStyle) -> Double {
    var context = lengths(style)
    if length.unit == .percent || length.unit == .calculated {
      context.viewportWidth = style.fontSize
      context.viewportHeight = style.fontSize
    }
    return context.resolve(length, .horizontal)
  }

  /// Returns the distance to the next tab stop (CSS Text 3, section 4.2).
  private func tabAdvance(from x: Double, _ style: ComputedStyle, space: GlyphCluster) -> Double {
    let interval: Double =
      switch style.text.lines.tabSize {
      case .spaces(let count): count * space.advance
      case .length(let length): lengths(style).resolve(length, .other)
      }
    guard interval > 0, interval.isFinite else { return 0 }
    let rest = ((x / interval).rounded(.down) + 1) * interval - x
    // A stop that is too near is skipped.
    return rest < lengths(style).resolve(Length(0.5, .ch), .other) ? rest + interval : rest
  }

  /// CSS Text 3, section 8.1.
  private static func separatesWords(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0xa0, 0x1361, 0x10100, 0x10101, 0x1039f, 0x1091f: true
    default: false
    }
  }

  /// Spreads or stretches the text of elements with a `textLength`. If several elements around a character have one, the
  /// innermost applies.
  private func adjustLengths(_ line: inout [GlyphCluster]) {
    guard !content.lengthOwners.isEmpty else { return }
    var members: [Int32: [Int]] = [:]
    for index in line.indices {
      let owner = content.lengthOwners[Int(text.spans[line[index].character])]
      if owner >= 0 { members[owner, default: []].append(index) }
    }
    for (owner, members) in members {
      let span = content.spans[Int(owner)]
      guard let slice = document.xml.value(.textLength, of: span.node),
        let length = Length(parsing: document.xml.text.span.extracting(slice.range))
      else { continue }
      let target = lengths(span.style).resolve(length, .horizontal)
      guard target >= 0 else { continue }
      let adjustment = document.xml.value(.lengthAdjust, of: span.node)
      if let adjustment, document.xml.equals(adjustment, "spacingAndGlyphs") {
        stretch(&line, members, to: target)
      } else {
        spread(&line, members, to: target)
      }
    }
  }

  private func stretch(_ line: inout [GlyphCluster], _ members: [Int], to target: Double) {
    let width = members.reduce(0) { $0 + line[$1].width }
    guard width > 0, target / width >= 0.001 else { return }
    for index in members {
      line[index].stretch = target / width
      line[index].advance *= target / width
      line[index].width *= target / width
    }
  }

  /// Sets gaps between clusters, in which case the spacing properties are ignored.
  private func spread(_ line: inout [GlyphCluster], _ members: [Int], to target: Double) {
    let width = members.reduce(0) { $0 + line[$1].width }
    let gap = members.count > 1 ? (target - width) / Double(members.count - 1) : 0
    // Text after the element follows with the same gap, as in the algorithm of SVG 2 (section 11.5.2, step 4).
    for index in members { line[index].advance = line[index].width + (index == line.count - 1 ? 0 : gap) }
  }

  // MARK: Straight lines

  /// Returns the offset of the start of the text from its anchor; 0 or negative.
  func anchorOffset(_ chunk: TextChunk, _ length: Double) -> Double {
    let style = content.spans[Int(text.spans[chunk.characters.lowerBound])].style.text
    let isReversed = content.spans[0].style.text.isRightToLeft
    switch style.anchor {
    case .start: return isReversed ? -length : 0
    case .middle: return -length / 2
    case .end: return isReversed ? 0 : -length
    }
  }

  /// Positions the clusters of a chunk in sequence and returns the start of the next chunk.
  private func placeInLine(_ line: inout [GlyphCluster], _ chunk: TextChunk, from start: Point) -> Point {
    var x = anchorOffset(chunk, line.reduce(0) { $0 + $1.advance })
    var y = 0.0
    for index in line.indices {
      let position = position(of: line[index])
      let rotation = rotation(of: line[index])
      // On a vertical line, the axes are rotated.
      x += content.isVertical ? position.dy : position.dx
      y += content.isVertical ? -position.dx : position.dy
      line[index].breaksDecoration = position.dx != 0 || position.dy != 0 || rotation != 0
      var place = AffineTransform.translation(x: x, y: y)
      if rotation != 0 { place = place * .rotation(rotation * .pi / 180) }
      line[index].transform = line[index].transform * place
      x += line[index].advance
    }
    return content.isVertical ? Point(x: start.x - y, y: start.y + x) : Point(x: start.x + x, y: start.y + y)
  }

  // MARK: Segments

  /// Returns the distance by which an element's text is shifted downwards from its line.
  func baselineOffset(of index: Int) -> Double {
    let span = content.spans[index]
    let size = span.style.fontSize
    let metrics = shaper.fonts.metrics[Int(text.faces[index])]
    var offset =
      (span.shift.subscripts * metrics.subscriptOffset - span.shift.superscripts * metrics.superscriptOffset) * size
      - span.shift.distance
    if !content.isVertical {
      let own = span.style.ownText.alignmentBaseline
      let baseline = own == .auto ? span.style.text.dominantBaseline : own
      offset += metrics.shift(to: baseline) * size
    }
    return offset
  }

  /// Transforms a line and its segments to the text's user space.
  private mutating func place(
    _ line: [GlyphCluster], _ segments: [TextSegment], _ chunk: TextChunk, _ start: Point
  ) {
    let first = clusters.count
    clusters.append(contentsOf: line)
    if hasEmphasis { clusterEnds += ends(of: line, in: chunk.characters) }
    var members = [[Int]](repeating: [], count: segments.count)
    for index in line.indices {
      let character = line[index].character
      let segment = Self.segment(of: character, segments)
      members[segment].append(first + index)
    }
    for (segment, clusters) in zip(segments, members) where !clusters.isEmpty {
      var transform = AffineTransform.translation(x: start.x, y: start.y)
      if chunk.path < 0 {
        if content.isVertical { transform = transform * .rotation(.pi / 2) }
        transform = transform * .translation(x: 0, y: baselineOffset(of: segment.span))
      }
      var placed = PlacedSegment(span: segment.span, clusters: clusters, transform: transform)
      placed.pieces = decorationPieces(clusters)
      expandBounds(linesOf: placed)
      for index in clusters where self.clusters[index].isVisible { expand(by: self.clusters[index], transform) }
      self.segments.append(placed)
    }
  }

  private static func segment(of character: Int, _ segments: [TextSegment]) -> Int {
    var low = 0
    var high = segments.count - 1
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].characters.upperBound <= character { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func expand(by cluster: GlyphCluster, _ transform: AffineTransform) {
    let box = Rect(
      x: 0, y: -cluster.ascent, width: cluster.advance > 0 ? cluster.advance / cluster.stretch : 1,
      height: max(0, cluster.ascent - cluster.descent))
    expandBounds(transform.concatenating(cluster.placement).apply(box))
  }

  /// Extends the bounds to include a rectangle.
  mutating func expandBounds(_ rect: Rect) {
    guard rect.isFinite else { return }
    bounds = bounds?.union(rect) ?? rect
  }
}
