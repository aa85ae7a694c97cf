// Conversion of a `text` element to groups of ordinary shapes: the sequence of stages, and the shapes of their results.

internal import ImageCore
internal import TextShaping
internal import VectorGraphics

/// What text has in common in a document: fonts, and the glyphs and paths that have been converted.
struct TextResources {
  let fonts: TextFonts
  var glyphContents: [ClusterGlyph.Key: RenderTree.ImageNode.Content?] = [:]
  var pendingGlyphs: [TreeBuilder.PendingGlyph] = []
  var pathMeasures: [TreeBuilder.TextPathKey: PathMeasure] = [:]
}

extension TreeBuilder {
  /// Converts a `text` element.
  mutating func convertText(_ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame) throws(CodecError) {
    let held = draft.account.budget.heldByteCount - draft.account.treeByteCount
    // Everything except the shapes is released at the end.
    defer { draft.account.budget.settle(heldByteCount: held + draft.account.treeByteCount) }
    let content = try textContent(node, style)
    guard !content.scalars.isEmpty else { return }
    guard !draft.options.fonts.isEmpty else {
      draft.note(node, "there is no font, so text is not drawn")
      return
    }
    let text = drawnText(content, node)
    guard !text.scalars.isEmpty else { return }
    let viewport = frame.viewport
    let rootFontSize = draft.styles.rootFontSize
    func lengths(_ style: ComputedStyle) -> LengthContext {
      LengthContext(
        fontSize: style.fontSize, rootFontSize: rootFontSize, viewportWidth: viewport.width,
        viewportHeight: viewport.height)
    }
    let positions = CharacterPositions(content, draft.document, lengths: lengths)
    let paths = try textPaths(content, frame)
    var layout = TextLayout(
      content, text, positions, paths: paths, fonts: textResources.fonts, draft.document, lengths: lengths)
    layout.run()
    try emit(layout, node, style, frame)
  }

  // MARK: Characters

  /// The work units for shaping and placing a character.
  private static let workPerCharacter = 3_000
  /// The number of bytes of a character during the conversion: its place in the text, its cluster, its glyphs.
  private static let bytesPerCharacter = 600

  private mutating func textContent(_ node: NodeIndex, _ style: ComputedStyle) throws(CodecError) -> TextContent {
    let remaining = draft.account.limits.maximumCharacterCount - draft.account.characterCount
    var collector = TextCollector(
      draft.document, maximumCount: remaining, styles: draft.takeStyles(), budget: draft.account.budget)
    defer { draft.styles = collector.styles }
    guard let content = try collector.collect(node, style, isIncluded: { passesConditions($0) }) else {
      throw draft.error("more than \(draft.account.limits.maximumCharacterCount) characters of text")
    }
    draft.account.budget = collector.budget
    draft.account.characterCount += content.scalars.count
    try draft.account.budget.chargeWork(count: content.scalars.count, unitsEach: Self.workPerCharacter)
    try draft.account.budget.allocate(count: content.scalars.count, bytesEach: Self.bytesPerCharacter)
    return content
  }

  /// Returns the characters of elements that are displayed and have a font.
  private mutating func drawnText(_ content: TextContent, _ node: NodeIndex) -> DrawnText {
    var text = DrawnText()
    var isMissing = false
    for span in content.spans {
      let size = span.style.fontSize
      guard size > 0, size.isFinite, !span.characters.isEmpty else {
        text.faces.append(-1)
        continue
      }
      let face = textResources.fonts.face(span.style.text.font, size: size, draft.document)
      if face == nil { isMissing = true }
      text.faces.append(face ?? -1)
    }
    if isMissing { draft.note(node, "there is no font for text") }
    for (index, scalar) in content.scalars.enumerated() where text.faces[Int(content.spanOfScalar[index])] >= 0 {
      text.scalars.append(scalar)
      text.spans.append(content.spanOfScalar[index])
      text.sources.append(Int32(index))
    }
    return text
  }

  // MARK: Paths

  /// Returns the paths of the `textPath` elements. Elements without a valid path are left out, together with their
  /// text.
  private mutating func textPaths(
    _ content: TextContent, _ frame: Frame
  ) throws(CodecError) -> [Int32: TextPathGeometry] {
    var paths: [Int32: TextPathGeometry] = [:]
    for (index, span) in content.spans.enumerated() where draft.document.xml[span.node].element == .textPath {
      guard let lengths = try textPath(span, frame), lengths.length > 0 else { continue }
      var offset = 0.0
      if let start = draft.length(.startOffset, of: span.node) {
        offset =
          start.unit == .percent
          ? lengths.length * start.value / 100
          : draft.lengths(span.style, frame.viewport).resolve(start, .other)
      }
      let side = draft.document.xml.value(.side, of: span.node)
      paths[Int32(index)] = TextPathGeometry(
        lengths: lengths, startOffset: offset,
        isReversed: side.map { draft.document.xml.equals($0, "right") } ?? false)
    }
    return paths
  }

  private mutating func textPath(_ span: TextContent.Span, _ frame: Frame) throws(CodecError) -> PathMeasure? {
    if draft.document.xml.value(.path, of: span.node) != nil {
      draft.document.note("the attribute path of textPath has no effect", at: 0)
    }
    guard let target = draft.hrefTarget(of: span.node), let element = draft.document.xml[target].element,
      element.isShape,
      draft.document.xml[target].namespace == .svg
    else { return nil }
    try draft.spendReference()
    let key = TextPathKey(target: target, width: frame.viewport.width, height: frame.viewport.height)
    if let known = textResources.pathMeasures[key] { return known }
    let style = try draft.documentStyle(of: target)
    var path = try draft.path(of: target, element, style, draft.lengths(style, frame.viewport))
    let transform = draft.transform(of: style, frame.viewport)
    if transform != .identity { path = path.transformed(by: transform) }
    let lengths = PathMeasure(path)
    textResources.pathMeasures[key] = lengths
    return lengths
  }

  /// The parameters on which the path of a `textPath` depends.
  struct TextPathKey: Hashable {
    var target: NodeIndex
    var width: Double
    var height: Double
  }

  // MARK: Shapes

  private mutating func emit(
    _ layout: TextLayout, _ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame
  ) throws(CodecError) {
    guard var group = try group(for: node, style, frame) else { return }
    group.transform = draft.transform(of: style, frame.viewport, box: style.transformBox == .view ? nil : layout.bounds)
    guard group.transform.isFinite else { return }
    // Gradients and patterns of all parts refer to the bounds of the whole text.
    group.context = Int32(draft.tree.contextCount)
    group.layoutBounds = layout.bounds
    draft.tree.contextCount += 1
    let groupNode = try draft.openGroup(group)
    for segment in layout.segments {
      let span = layout.content.spans[segment.span]
      let lines = span.style.text.propagatedLines
      if lines.contains(.overline) { try appendLine(.overline, segment, layout, frame, group.context) }
      if lines.contains(.underline) { try appendLine(.underline, segment, layout, frame, group.context) }
      try appendGlyphs(segment, layout, frame, group.context)
      if lines.contains(.lineThrough) { try appendLine(.lineThrough, segment, layout, frame, group.context) }
    }
    draft.closeGroup(groupNode)
  }

  private mutating func appendLine(
    _ kind: TextStyle.DecorationLines, _ segment: PlacedSegment, _ layout: TextLayout, _ frame: Frame,
    _ context: RenderTree.Index?
  ) throws(CodecError) {
    let span = layout.content.spans[segment.span]
    let owner = layout.content.spans[Int(span.decorationOwner(of: kind))]
    let path = layout.line(kind, of: segment)
    guard !path.isEmpty, span.style.isVisible else { return }
    try append(path, owner.style, owner.node, frame, context, isStrokeFirst: false)
  }

  /// Appends a path with the paints of an element.
  private mutating func append(
    _ path: Path, _ style: ComputedStyle, _ node: NodeIndex, _ frame: Frame, _ context: RenderTree.Index?,
    isStrokeFirst: Bool
  ) throws(CodecError) {
    var shape = RenderTree.Shape(
      path: path, transform: .identity, fill: nil, fillRule: .nonZero, stroke: nil, strokeStyle: StrokeStyle(),
      isStrokeFirst: isStrokeFirst, isAntialiased: !style.text.isCrisp, context: nil, bounds: nil)
    if frame.mode == .clipping {
      shape.fill = RenderTree.ShapePaint(source: .color(.black), opacity: 1, context: nil)
    } else {
      let paints = try paintServers.paints(of: style, node, frame, context: context, &draft)
      shape.fill = paints.fill
      shape.stroke = paints.stroke
      shape.strokeStyle = strokeStyle(style, draft.lengths(style, frame.viewport))
      try draft.account.hold(dashesOf: shape.strokeStyle)
    }
    try draft.account.hold(path)
    try draft.append(shape)
  }

  /// Appends the glyphs of a segment: outlines are joined to one shape, except that colour glyphs are inserted in
  /// order.
  private mutating func appendGlyphs(
    _ segment: PlacedSegment, _ layout: TextLayout, _ frame: Frame, _ context: RenderTree.Index?
  ) throws(CodecError) {
    let span = layout.content.spans[segment.span]
    guard span.style.isVisible else { return }
    let isStrokeFirst = isStrokeFirst(span.style)
    var foreground = span.style.color
    if case .color(let color) = span.style.fill { foreground = color.resolved(foreground) }
    var path = Path()
    for index in segment.clusters {
      let cluster = layout.clusters[index]
      guard cluster.isVisible else { continue }
      let placement = segment.transform * cluster.placement
      for glyph in layout.shaper.glyphs[cluster.glyphs] {
        let scale = cluster.fontSize / textResources.fonts.faces[Int(glyph.face)].unitsPerEm
        let transform = placement * .scale(x: scale, y: -scale) * .translation(x: glyph.x, y: glyph.y)
        guard transform.isFinite else { continue }
        if let color = textResources.fonts.colorGlyph(of: glyph.glyph, glyph.face, foreground: foreground) {
          if !path.isEmpty {
            try append(path, span.style, span.node, frame, context, isStrokeFirst: isStrokeFirst)
            path = Path()
          }
          try append(color, glyph, transform, frame)
        } else if let outline = textResources.fonts.outline(of: glyph.glyph, glyph.face) {
          path.append(outline, transform: transform)
        }
      }
    }
    guard !path.isEmpty else { return }
    try append(path, span.style, span.node, frame, context, isStrokeFirst: isStrokeFirst)
  }
}
