// The shapes of laid out text: shadows, decoration lines and glyphs of each segment, within the groups that elements
// require.

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics

extension TreeBuilder {
  /// The layout and the coordinate system that the shapes of one text share.
  struct TextPainting {
    let layout: TextLayout
    let frame: Frame
    /// The context of paint servers: the bounds of the whole text.
    let context: RenderTree.Index?
  }

  /// An element that is drawn as a group.
  private struct OpenSpan {
    var span: Int32
    /// The group's node; −1 if it has no effect.
    var node: Int32
    /// Whether the content is not drawn, because of an invalid filter.
    var isHidden: Bool
  }

  /// Glyphs that are painted alike.
  private struct GlyphRun {
    let style: ComputedStyle
    let node: NodeIndex
    /// The colour that colour glyphs refer to.
    let foreground: Color

    init(style: ComputedStyle, node: NodeIndex) {
      self.style = style
      self.node = node
      if case .color(let color) = style.fill {
        foreground = color.resolved(style.color)
      } else {
        foreground = style.color
      }
    }
  }

  /// The maximum nesting depth of elements that are drawn as groups; deeper ones are drawn without their effects.
  private static let maximumGroupDepth = 64

  /// The work units for comparing a point of an outline with a decoration line.
  private static let workPerInkPoint = 60
  /// The work units for placing an emphasis mark.
  private static let workPerMark = 3_000
  /// The work units for a glyph, besides those of its outline.
  private static let workPerGlyph = 400
  /// The work units for a point of a widened outline.
  private static let workPerBoldPoint = 100

  /// Appends the nodes of a text.
  mutating func emit(
    _ layout: TextLayout, _ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame
  ) throws(CodecError) {
    guard var group = try group(for: node, style, frame) else { return }
    group.transform = draft.transform(of: style, frame.viewport, box: style.transformBox == .view ? nil : layout.bounds)
    guard group.transform.isFinite else { return }
    // Gradients and patterns of all parts refer to the bounds of the whole text.
    group.context = Int32(draft.tree.contextCount)
    group.layoutBounds = layout.bounds
    group.clipRect = layout.clip
    draft.tree.contextCount += 1
    let groupNode = try draft.openGroup(group)
    let painting = TextPainting(layout: layout, frame: frame, context: group.context)
    var open: [OpenSpan] = []
    for segment in layout.segments {
      try move(from: &open, to: Int32(segment.span), painting)
      guard !open.contains(where: \.isHidden) else { continue }
      try appendShadows(segment, painting)
      try append(segment, painting)
    }
    while let last = open.popLast() { draft.closeGroup(last.node) }
    draft.closeGroup(groupNode)
  }

  // MARK: Groups

  /// Closes and opens groups for the transition to the text of an element.
  private mutating func move(
    from open: inout [OpenSpan], to span: Int32, _ painting: TextPainting
  ) throws(CodecError) {
    let content = painting.layout.content
    var path: [Int32] = []
    var current = content.groupOwners[Int(span)]
    while current >= 0, path.count < Self.maximumGroupDepth {
      path.append(current)
      let parent = content.spans[Int(current)].parent
      current = parent >= 0 ? content.groupOwners[Int(parent)] : -1
    }
    path.reverse()
    var common = 0
    while common < path.count, common < open.count, path[common] == open[common].span { common += 1 }
    while open.count > common, let last = open.popLast() { draft.closeGroup(last.node) }
    for index in path[common...] {
      let span = content.spans[Int(index)]
      guard var group = try group(for: span.node, span.style, painting.frame) else {
        open.append(OpenSpan(span: index, node: -1, isHidden: true))
        continue
      }
      // The bounding box of parts of a text is that of the text (SVG 2, section 8.10).
      group.layoutBounds = painting.layout.bounds
      open.append(OpenSpan(span: index, node: try draft.openGroup(group), isHidden: false))
    }
  }

  // MARK: Shadows

  /// Appends the shadows of a segment, the last of which is the lowest.
  private mutating func appendShadows(_ segment: PlacedSegment, _ painting: TextPainting) throws(CodecError) {
    let style = painting.layout.content.spans[segment.span].style
    guard painting.frame.mode == .drawing, style.isVisible else { return }
    for shadow in style.text.shadows.reversed() where shadow.color.alpha > 0 {
      var group = RenderTree.Group(transform: .translation(x: shadow.x, y: shadow.y))
      guard group.transform.isFinite else { continue }
      group.filters = try filterResources.shadow(color: shadow.color, deviation: shadow.blur / 2, &draft)
      let node = try draft.openGroup(group)
      try append(segment, painting)
      draft.closeGroup(node)
    }
  }

  // MARK: Segments

  private mutating func append(_ segment: PlacedSegment, _ painting: TextPainting) throws(CodecError) {
    for line in TextLayout.linesBelow { try appendLines(line, segment, painting) }
    try appendGlyphs(segment, painting)
    try appendMarks(segment, painting)
    for line in TextLayout.linesAbove { try appendLines(line, segment, painting) }
  }

  private mutating func appendLines(
    _ kind: TextStyle.DecorationLines, _ segment: PlacedSegment, _ painting: TextPainting
  ) throws(CodecError) {
    let content = painting.layout.content
    guard content.spans[segment.span].style.isVisible, !content.spans[segment.span].decorators.isEmpty else { return }
    let inkPointCount = try painting.layout.inkPointCount(kind, of: segment, budget: &draft.account.budget)
    for index in content.spans[segment.span].decorators {
      let owner = content.decorators[Int(index)]
      guard owner.style.ownText.lines.contains(kind) else { continue }
      try draft.account.budget.chargeWork(count: inkPointCount, unitsEach: Self.workPerInkPoint)
      let path = painting.layout.line(kind, of: segment, owner.style.ownText)
      guard !path.isEmpty else { continue }
      var style = owner.style
      if let color = style.ownText.lineColor {
        style.inherited.fill = .color(.color(color))
        style.inherited.stroke = .none
      }
      try append(path, style, owner.node, painting, isStrokeFirst: false)
    }
  }

  /// Appends a path with the paints of an element.
  private mutating func append(
    _ path: Path, _ style: ComputedStyle, _ node: NodeIndex, _ painting: TextPainting, isStrokeFirst: Bool
  ) throws(CodecError) {
    var shape = RenderTree.Shape(
      path: path, transform: .identity, fill: nil, fillRule: .nonZero, stroke: nil, strokeStyle: StrokeStyle(),
      isStrokeFirst: isStrokeFirst, isAntialiased: !style.text.isCrisp, context: nil, bounds: nil)
    if painting.frame.mode == .clipping {
      shape.fill = RenderTree.ShapePaint(source: .color(.black), opacity: 1, context: nil)
    } else {
      let paints = try paintServers.paints(of: style, node, painting.frame, context: painting.context, &draft)
      shape.fill = paints.fill
      shape.stroke = paints.stroke
      shape.strokeStyle = strokeStyle(style, draft.lengths(style, painting.frame.viewport))
      try draft.account.hold(dashesOf: shape.strokeStyle)
    }
    try draft.account.hold(path)
    try draft.append(shape)
  }

  /// Appends the glyphs of a segment: outlines are joined to one shape, except that colour glyphs are inserted in
  /// order.
  private mutating func appendGlyphs(_ segment: PlacedSegment, _ painting: TextPainting) throws(CodecError) {
    let layout = painting.layout
    let span = layout.content.spans[segment.span]
    guard span.style.isVisible else { return }
    let run = GlyphRun(style: span.style, node: span.node)
    var path = Path()
    for index in segment.clusters {
      let cluster = layout.clusters[index]
      guard cluster.isVisible else { continue }
      let placement = segment.transform * cluster.placement
      for glyph in layout.shaper.glyphs[cluster.glyphs] {
        try append(glyph, cluster.fontSize, placement, run, to: &path, painting)
      }
    }
    try finish(run, &path, painting)
  }

  /// Appends the emphasis marks of a segment.
  private mutating func appendMarks(_ segment: PlacedSegment, _ painting: TextPainting) throws(CodecError) {
    guard painting.layout.hasEmphasis else { return }
    let span = painting.layout.content.spans[segment.span]
    let emphasis = span.style.text.emphasis
    guard emphasis.mark != .none, span.style.isVisible else { return }
    // The mark is shaped once for each segment.
    try draft.account.budget.chargeWork(count: segment.clusters.count + 2, unitsEach: Self.workPerMark)
    var style = span.style
    if let color = emphasis.color {
      style.inherited.fill = .color(.color(color))
      style.inherited.stroke = .none
    }
    let run = GlyphRun(style: style, node: span.node)
    var path = Path()
    for mark in try painting.layout.emphasisMarks(of: segment, budget: &draft.account.budget) {
      for glyph in mark.glyphs { try append(glyph, mark.fontSize, mark.transform, run, to: &path, painting) }
    }
    try finish(run, &path, painting)
  }

  /// Appends a glyph to a path, or a colour glyph after it.
  ///
  /// - Parameter placement: the transform from the glyph's cluster to the text's user space.
  private mutating func append(
    _ glyph: ClusterGlyph, _ fontSize: Double, _ placement: AffineTransform, _ run: GlyphRun, to path: inout Path,
    _ painting: TextPainting
  ) throws(CodecError) {
    try draft.account.budget.chargeWork(Self.workPerGlyph)
    let fonts = textResources.fonts
    let face = fonts.faces[Int(glyph.face)]
    let scale = fontSize / face.unitsPerEm
    let transform = placement * .scale(x: scale, y: -scale) * .translation(x: glyph.x, y: glyph.y)
    guard transform.isFinite else { return }
    if face.isColored, let color = try colorGlyph(glyph, run) {
      try finish(run, &path, painting)
      let slant = face.slant
      try append(color, glyph, slant == .identity ? transform : transform * slant, painting.frame)
    } else if let outline = try fonts.outline(of: glyph.glyph, glyph.face, budget: &draft.account.budget) {
      if face.synthesis.boldWidth > 0 {
        try draft.account.budget.chargeWork(count: outline.points.count, unitsEach: Self.workPerBoldPoint)
      }
      try draft.account.append(outline, to: path)
      path.append(outline, transform: transform)
    }
  }

  /// Returns the colour glyph that replaces a glyph's outline.
  private mutating func colorGlyph(_ glyph: ClusterGlyph, _ run: GlyphRun) throws(CodecError) -> ColorGlyph? {
    let palette = try palette(of: run.style.text, glyph.face)
    return try textResources.fonts.colorGlyph(
      of: glyph.glyph, glyph.face, foreground: run.foreground, palette: palette, budget: &draft.account.budget)
  }

  private mutating func finish(_ run: GlyphRun, _ path: inout Path, _ painting: TextPainting) throws(CodecError) {
    guard !path.isEmpty else { return }
    draft.account.releaseParts(of: path)
    try append(path, run.style, run.node, painting, isStrokeFirst: isStrokeFirst(run.style))
    path = Path()
  }
}
