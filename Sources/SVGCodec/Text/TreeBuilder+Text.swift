// Conversion of a `text` element to groups of ordinary shapes: the sequence of stages, and the shapes of their results.

internal import CSSStyles
internal import ImageCoding
internal import TextShaping
internal import VectorGraphics
internal import XMLDocuments

/// The resources that all text of a document shares: fonts, and the glyphs and paths that have been converted.
struct TextResources {
  /// A palette, and the face for which it is looked up.
  struct PaletteKey: Hashable {
    var palette: FontPalette
    var face: TextFonts.FaceIndex
  }

  let fonts: TextFonts
  var palettes: [PaletteKey: TextFonts.PaletteIndex] = [:]
  var glyphContents: [ClusterGlyph.Key: RenderTree.ImageNode.Content?] = [:]
  var pendingGlyphClips: [TreeBuilder.PendingGlyphClip] = []
  var pathMeasures: [TreeBuilder.TextPathKey: PathMeasure] = [:]
}

extension TreeBuilder {
  /// Converts a `text` element.
  mutating func convertText(_ node: NodeIndex, _ style: ComputedStyle, _ frame: Frame) throws(CodecError) {
    let fonts = textResources.fonts
    let held = draft.account.budget.heldByteCount - draft.account.treeByteCount - fonts.heldByteCount
    // Everything except the shapes and what the fonts keep is released at the end.
    defer {
      draft.account.budget.settle(heldByteCount: held + draft.account.treeByteCount + fonts.heldByteCount)
    }
    let content = try textContent(node, style)
    guard !content.scalars.isEmpty else { return }
    guard !draft.options.fonts.isEmpty else {
      draft.note(node, "there is no font, so text is not drawn")
      return
    }
    let paths = try textPaths(content, frame)
    let text = try drawnText(content, paths, node)
    guard !text.scalars.isEmpty else { return }
    let viewport = frame.viewport
    let base = draft.lengths(style, viewport)
    func lengths(_ style: ComputedStyle) -> LengthContext {
      var context = base
      context.fontSize = style.fontSize
      context.font?.style = style
      return context
    }
    if style.ownText.inlineSize != nil {
      // The text is shaped twice: once to be measured.
      try draft.account.budget.chargeWorkInParts(count: text.scalars.count, unitsEach: Self.workPerCharacter)
      try draft.account.budget.allocate(count: text.scalars.count, bytesEach: Self.bytesPerCharacter)
    }
    let positions = CharacterPositions(content, draft.document, lengths: lengths)
    var layout = TextLayout(
      content, text, positions, paths: paths, fonts: textResources.fonts, draft.document, lengths: lengths)
    try layout.run(budget: &draft.account.budget)
    try emit(layout, node, style, frame)
  }

  // MARK: Characters

  /// The work units for finding the direction, the script and the place of a character. Its face, shaping and glyphs
  /// are charged separately.
  private static let workPerCharacter = 400
  /// The number of bytes of a character during the conversion: its place in the text, its cluster, its glyphs.
  private static let bytesPerCharacter = 600

  private mutating func textContent(_ node: NodeIndex, _ style: ComputedStyle) throws(CodecError) -> TextContent {
    let remaining = draft.account.limits.maximumCharacterCount - draft.account.characterCount
    var collector = TextCollector(
      draft.document, maximumCount: remaining, styles: draft.takeStyles())
    defer { draft.styles = collector.styles }
    let (document, languages) = (draft.document, draft.options.languages)
    let collected = try collector.collect(node, style, budget: &draft.account.budget) {
      document.passesConditions($0, languages: languages)
    }
    guard let content = collected else {
      throw draft.error("more than \(draft.account.limits.maximumCharacterCount) characters of text")
    }
    draft.account.characterCount += content.scalars.count
    try draft.account.budget.chargeWorkInParts(count: content.scalars.count, unitsEach: Self.workPerCharacter)
    try draft.account.budget.allocate(count: content.scalars.count, bytesEach: Self.bytesPerCharacter)
    return content
  }

  /// Returns the characters of elements that are displayed and have a font. Those of a `textPath` without a path are
  /// left out, as if it were not displayed, so that the text after it continues the text before it.
  private mutating func drawnText(
    _ content: TextContent, _ paths: [Int32: TextPathGeometry], _ node: NodeIndex
  ) throws(CodecError) -> DrawnText {
    var lists: [FaceSelection.ListNumber] = []
    var isMissing = false
    for span in content.spans {
      let size = span.style.fontSize
      let hasPlace = span.path < 0 || paths[span.path] != nil
      guard size > 0, size.isFinite, !span.characters.isEmpty, hasPlace else {
        lists.append(-1)
        continue
      }
      let list = try textResources.fonts.list(
        span.style.text.font, size: size, budget: &draft.account.budget)
      if list == nil { isMissing = true }
      lists.append(list ?? -1)
    }
    if isMissing { draft.note(node, "there is no font for text") }
    return try DrawnText(
      content, lists: lists, textResources.fonts, draft.document, budget: &draft.account.budget)
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
      if let method = draft.document.xml.value(.method, of: span.node), draft.document.xml.equals(method, "stretch") {
        draft.document.note("method stretch of textPath has no effect", at: 0)
      }
      let isReversed = side.map { draft.document.xml.equals($0, "right") } ?? false
      let end = lengths.location(at: isReversed ? 0 : lengths.length)?.point ?? .zero
      paths[Int32(index)] = TextPathGeometry(
        lengths: lengths, startOffset: offset, isReversed: isReversed, isClosed: lengths.isSingleClosedContour, end: end
      )
    }
    return paths
  }

  private mutating func textPath(_ span: TextContent.Span, _ frame: Frame) throws(CodecError) -> PathMeasure? {
    if let own = try ownPath(of: span) { return own }
    guard let target = draft.hrefTarget(of: span.node), let element = draft.document.xml[target].element,
      element.isShape,
      draft.document.xml[target].namespace == .svg
    else { return nil }
    try draft.spendReference()
    let key = TextPathKey(target: target, width: frame.viewport.width, height: frame.viewport.height)
    if let known = textResources.pathMeasures[key] { return known }
    let style = try draft.documentStyle(of: target)
    var path = try draft.path(of: target, element, style, frame.viewport)
    let transform = draft.transform(of: style, frame.viewport)
    if transform != .identity { path = path.transformed(by: transform) }
    let lengths = PathMeasure(path)
    textResources.pathMeasures[key] = lengths
    return lengths
  }

  /// Returns the path of the attribute `path`, which takes precedence over a reference; `nil` if it has no valid part.
  private mutating func ownPath(of span: TextContent.Span) throws(CodecError) -> PathMeasure? {
    guard let slice = draft.document.xml.value(.path, of: span.node) else { return nil }
    let key = TextPathKey(target: span.node, width: 0, height: 0)
    if let known = textResources.pathMeasures[key] { return known }
    let path = try PathDataParser.parse(
      draft.document.xml.text.span.extracting(slice.range),
      maximumSegmentCount: draft.account.limits.maximumPathSegmentCount - draft.account.segmentCount,
      interruption: draft.account.budget.interruption)
    try draft.account.hold(path)
    let lengths = PathMeasure(path)
    guard lengths.length > 0 else { return nil }
    textResources.pathMeasures[key] = lengths
    return lengths
  }

  /// The parameters on which the path of a `textPath` depends.
  struct TextPathKey: Hashable {
    var target: NodeIndex
    var width: Double
    var height: Double
  }
}
