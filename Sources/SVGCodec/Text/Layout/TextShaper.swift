// Shaping of a chunk of text to glyph clusters in visual order: directions, fallback fonts, scripts, then the shaping
// of the font.

internal import CSSStyles
internal import ImageCoding
internal import TextShaping
internal import VectorGraphics

/// Shapes chunks.
struct TextShaper {
  /// The properties of a character that delimit items: only characters with equal ones are shaped together.
  private struct Item {
    var face: TextFonts.FaceIndex
    var script: Script
    /// The element.
    var span: Int
    var isUpright: Bool
    var size: DrawnText.Size
  }

  let content: TextContent
  let document: StyledDocument
  let fonts: TextFonts
  private(set) var clusters: [GlyphCluster] = []
  private(set) var glyphs: [ClusterGlyph] = []

  init(_ content: TextContent, _ document: StyledDocument, fonts: TextFonts) {
    self.content = content
    self.document = document
    self.fonts = fonts
  }

  /// The work units for a chunk, for finding the items of its characters, and for a glyph.
  private static let workPerChunk = 1_000
  private static let workPerCharacter = 300
  private static let workPerGlyph = 100

  /// Appends the clusters of a chunk and returns their range.
  ///
  /// - Parameter budget: charged for the characters, their faces and their shaping.
  mutating func shape(
    _ range: Range<Int>, of text: DrawnText, budget: inout ResourceBudget
  ) throws(CodecError) -> Range<Int> {
    try budget.chargeWork(Self.workPerChunk)
    try budget.chargeWorkInParts(count: range.count, unitsEach: Self.workPerCharacter)
    let start = clusters.count
    var scalars = Array(text.scalars[range])
    if text.hasControls { for index in scalars.indices where scalars[index].isLineControl { scalars[index] = " " } }
    let runs = TextDirections.visualRuns(of: range, text, content)
    let items = try items(of: scalars, runs.map(\.range), range, text, &budget)
    for run in runs {
      try shape(
        run.range, isRightToLeft: run.level & 1 == 1, scalars, items, offset: range.lowerBound, text, &budget)
    }
    return start..<clusters.count
  }

  // MARK: Items

  private mutating func items(
    of scalars: [Unicode.Scalar], _ runs: [Range<Int>], _ range: Range<Int>, _ text: DrawnText,
    _ budget: inout ResourceBudget
  ) throws(CodecError) -> [Item] {
    let faces = try fonts.faces(
      of: scalars, lists: range.map { text.lists[Int(text.spans[$0])] }, budget: &budget)
    let scripts = Script.scripts(of: scalars, in: runs)
    return scalars.indices.map { index in
      let span = Int(text.spans[range.lowerBound + index])
      return Item(
        face: faces[index], script: scripts[index], span: span,
        isUpright: content.isVertical && content.spans[span].isUpright(scalars[index]),
        size: text.size(of: range.lowerBound + index))
    }
  }

  /// Whether two characters may be shaped together.
  private func agree(_ first: Item, _ second: Item, _ text: DrawnText) -> Bool {
    first.face == second.face && first.script == second.script && first.isUpright == second.isUpright
      && first.size == second.size && (first.span == second.span || agree(first.span, second.span, text))
  }

  /// Whether the text of two elements may be shaped together.
  private func agree(_ first: Int, _ second: Int, _ text: DrawnText) -> Bool {
    let (one, other) = (content.spans[first], content.spans[second])
    return one.style.text.shaping == other.style.text.shaping && one.language == other.language
      && one.style.text.letterSpacing.isZero == other.style.text.letterSpacing.isZero
      && text.features[first] == text.features[second]
  }

  // MARK: Shaping

  /// Shapes a run of one direction, item by item in visual order.
  private mutating func shape(
    _ run: Range<Int>, isRightToLeft: Bool, _ scalars: [Unicode.Scalar], _ items: [Item], offset: Int,
    _ text: DrawnText, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var ranges: [Range<Int>] = []
    var start = run.lowerBound
    for index in run where index > start && !agree(items[index], items[start], text) {
      ranges.append(start..<index)
      start = index
    }
    ranges.append(start..<run.upperBound)
    if isRightToLeft { ranges.reverse() }
    for range in ranges {
      let item = items[range.lowerBound]
      let shaped = try fonts.faces[Int(item.face)].shape(
        scalars, range: range, script: item.script, direction: isRightToLeft ? .rightToLeft : .leftToRight,
        language: content.spans[item.span].language.map { document.language($0) },
        features: features(of: item, text), budget: &budget)
      try budget.chargeWorkInParts(count: shaped.count, unitsEach: Self.workPerGlyph)
      try append(shaped, item, offset: offset, text, &budget)
    }
  }

  private func features(of item: Item, _ text: DrawnText) -> [FontFeature] {
    let style = content.spans[item.span].style.text
    var features: [FontFeature] = []
    if !style.shaping.hasKerning { features.append(FontFeature("kern", 0)) }
    if item.isUpright { features.append(FontFeature("vert")) }
    // Ligatures are disabled between letters with spacing (CSS Text 3, section 8.2).
    if !style.letterSpacing.isZero { features += [FontFeature("liga", 0), FontFeature("clig", 0)] }
    return features + text.features[item.span] + style.shaping.variants.features + style.shaping.features
  }

  /// Groups glyphs into clusters.
  private mutating func append(
    _ shaped: [ShapedGlyph], _ item: Item, offset: Int, _ text: DrawnText, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var index = 0
    while index < shaped.count {
      let cluster = shaped[index].cluster
      let start = glyphs.count
      var x = 0.0
      while index < shaped.count, shaped[index].cluster == cluster {
        let glyph = shaped[index]
        glyphs.append(
          ClusterGlyph(face: item.face, glyph: glyph.glyph, x: x + glyph.xOffset, y: glyph.yOffset))
        x += glyph.xAdvance
        index += 1
      }
      let character = offset + cluster
      let metrics = fonts.metrics[Int(item.face)]
      let (size, rise) = synthesised(item.size, of: character, text)
      let width = max(0, x * size / fonts.faces[Int(item.face)].unitsPerEm)
      var made = GlyphCluster(
        character: character, glyphs: start..<glyphs.count, fontSize: size, width: width, advance: width,
        ascent: metrics.ascent * size, descent: metrics.descent * size)
      if rise != 0 { made.turn = .translation(x: 0, y: -rise) }
      if content.isVertical { try turn(&made, item, &budget) }
      clusters.append(made)
    }
  }

  /// The size of synthesised small capitals in relation to that of the font.
  private static let smallCapitalSize = 0.7

  /// Returns the size of a character's glyphs and their height above the baseline.
  private func synthesised(_ size: DrawnText.Size, of character: Int, _ text: DrawnText) -> (size: Double, rise: Double)
  {
    let number = Int(text.spans[character])
    let full = content.spans[number].style.fontSize
    let metrics = fonts.metrics[Int(text.faces[number])]
    return switch size {
    case .normal: (full, 0)
    case .smallCapital: (full * Self.smallCapitalSize, 0)
    case .subscripted: (full * min(max(metrics.subscriptSize, 0.25), 1), -full * metrics.subscriptOffset)
    case .superscripted: (full * min(max(metrics.superscriptSize, 0.25), 1), full * metrics.superscriptOffset)
    }
  }

  // MARK: Vertical text

  /// Centres a cluster on the vertical line, upright or sideways.
  private func turn(
    _ cluster: inout GlyphCluster, _ item: Item, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let center = (cluster.ascent + cluster.descent) / 2
    guard item.isUpright else {
      cluster.transform = .translation(x: 0, y: center)
      return
    }
    let face = fonts.faces[Int(item.face)]
    if face.hasVerticalMetrics {
      cluster.advance =
        try face.verticalAdvance(of: glyphs[cluster.glyphs.lowerBound].glyph, budget: &budget) * cluster.fontSize
        / face.unitsPerEm
    } else if content.spans[0].style.text.orientation == .upright {
      cluster.advance = cluster.ascent - cluster.descent
    }
    // A quarter turn to the left about the middle of the glyph's box, which is then on the line.
    cluster.turn =
      .translation(x: cluster.advance / 2, y: 0) * .rotation(-.pi / 2)
      * .translation(x: -cluster.width / 2, y: center) * cluster.turn
    cluster.width = cluster.advance
    cluster.ascent = cluster.width / 2
    cluster.descent = -cluster.width / 2
  }
}

extension TextContent {
  /// Whether lines run from top to bottom.
  var isVertical: Bool { spans[0].style.text.isVertical }
}

extension TextContent.Span {
  /// Returns whether a character of vertical text is upright.
  func isUpright(_ scalar: Unicode.Scalar) -> Bool {
    switch style.text.orientation {
    case .mixed: VerticalOrientation.isUpright(scalar)
    case .upright: true
    case .sideways: false
    }
  }
}

extension Script {
  /// Whether letters of the script may be spaced, which is not so in cursive scripts (CSS Text 3, section 8.2.1).
  var allowsLetterSpacing: Bool { !Self.joining.contains(self) }

  private static let joining: Set<Script> = [
    "Arab", "Syrc", "Nkoo", "Mani", "Phlp", "Mand", "Mong", "Phag", "Deva", "Beng", "Guru", "Modi", "Shrd", "Sylo",
    "Tirh", "Ogam",
  ]
}

extension Unicode.Scalar {
  /// Whether the character is a line end or a tab that white space processing preserved.
  var isLineControl: Bool { self == "\n" || self == "\t" }
}
