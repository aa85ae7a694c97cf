// Colour glyphs: paint operations become shapes, bitmaps are decoded by the caller's decoder, SVG glyphs are nested
// documents.

internal import ImageCore
internal import TextShaping
internal import VectorGraphics

extension TreeBuilder {
  /// A part of a glyph whose nodes follow those of the document.
  enum PendingGlyph {
    /// The shape of a clip.
    case clip(RenderTree.Index, Path)
    /// The operations of a mask, and the position of the whole glyph.
    case mask(RenderTree.Index, ArraySlice<GlyphPainting.Operation>)
  }

  /// Appends a glyph.
  ///
  /// - Parameter transform: the transform from font units, with y upwards, to the text's user space.
  mutating func append(
    _ glyph: ColorGlyph, _ place: ClusterGlyph, _ transform: AffineTransform, _ frame: Frame
  ) throws(CodecError) {
    switch glyph {
    case .painting(let painting):
      var group = RenderTree.Group(transform: transform)
      group.clipRect = painting.clipBox
      let node = try draft.openGroup(group)
      try append(painting.operations[...])
      draft.closeGroup(node)
    case .bitmap(let bitmap):
      guard frame.mode == .drawing, let picture = try picture(of: bitmap, place) else { return }
      let bounds = picture.layer.bounds
      let scale = textResources.fonts.faces[Int(place.face)].designUnitsPerEm / Double(max(bitmap.pixelsPerEm, 1))
      let toGlyph =
        AffineTransform.scale(x: scale, y: scale)
        * AffineTransform(1, 0, 0, -1, Double(bitmap.x), Double(bitmap.y + bounds.height))
      let size = Rect(x: 0, y: 0, width: Double(bounds.width), height: Double(bounds.height))
      try append(.bitmap(picture), size, transform * toGlyph)
    case .document(let document):
      guard frame.mode == .drawing, let drawing = try drawing(of: document, place) else { return }
      // Glyphs have no size; anything beyond these bounds is clipped.
      let em = textResources.fonts.faces[Int(place.face)].designUnitsPerEm
      let area = Rect(x: -2 * em, y: -3 * em, width: 6 * em, height: 6 * em)
      try append(.document(drawing), area, transform * .scale(x: 1, y: -1))
    }
  }

  private mutating func append(
    _ content: RenderTree.ImageNode.Content, _ area: Rect, _ transform: AffineTransform
  ) throws(CodecError) {
    let node = try draft.openGroup(RenderTree.Group(transform: transform))
    draft.tree.images.append(
      RenderTree.ImageNode(content: content, transform: .identity, clip: area, bounds: area, isSmooth: true))
    try draft.append(.image(Int32(draft.tree.images.count - 1)))
    draft.closeGroup(node)
  }

  // MARK: Pictures and documents

  private mutating func picture(
    of bitmap: GlyphBitmap, _ place: ClusterGlyph
  ) throws(CodecError) -> RenderTree.Picture? {
    if case .bitmap(let picture)? = textResources.glyphContents[place.key] { return picture }
    guard textResources.glyphContents[place.key] == nil else { return nil }
    textResources.glyphContents[place.key] = .some(nil)
    guard let decode = draft.options.decodeImage else {
      noteGlyph("pictures are not decoded")
      return nil
    }
    do throws(CodecError) {
      let picture = try draft.decoded(bitmap.bytes, by: decode)
      textResources.glyphContents[place.key] = .bitmap(picture)
      return picture
    } catch {
      try draft.rethrowLimits(error)
      noteGlyph("the picture of a glyph cannot be decoded: \(error.reason)")
      return nil
    }
  }

  private mutating func drawing(of glyph: GlyphDocument, _ place: ClusterGlyph) throws(CodecError) -> SVGDocument? {
    if case .document(let document)? = textResources.glyphContents[place.key] { return document }
    guard textResources.glyphContents[place.key] == nil else { return nil }
    textResources.glyphContents[place.key] = .some(nil)
    guard !draft.isNested else {
      noteGlyph("a document in a nested document is not drawn")
      return nil
    }
    do throws(CodecError) {
      var nested = draft.options
      // A glyph's document loads no resources, and text in it has no fonts.
      nested.loadResource = nil
      nested.fonts = FontProvider()
      let document = try draft.nested(glyph.bytes, options: nested, elementID: "glyph\(glyph.glyph.rawValue)")
      textResources.glyphContents[place.key] = .document(document)
      return document
    } catch {
      try draft.rethrowLimits(error)
      noteGlyph("the document of a glyph cannot be read: \(error.reason)")
      return nil
    }
  }

  private mutating func noteGlyph(_ reason: String) {
    draft.document.note(ImageDiagnostic(.damage, reason))
  }

  // MARK: Paint operations

  /// The maximum nesting depth of layers that are masked by another layer; deeper ones are not masked.
  private static let maximumCutDepth = 16

  /// Appends the nodes of operations, in the glyph's space. Clips and layers become groups, all of which are closed at
  /// the end.
  private mutating func append(
    _ operations: ArraySlice<GlyphPainting.Operation>, cutDepth: Int = 0
  ) throws(CodecError) {
    var open: [Int32] = []
    var clips: [Rect] = []
    var index = operations.startIndex
    while index < operations.endIndex {
      switch operations[index] {
      case .fill(let path, let paint): try append(path, paint)
      case .fillAll(let paint):
        if let area = clips.last { try append(Path(area), paint) }
      case .pushClip(let path):
        clips.append(path.controlBounds ?? Rect(x: 0, y: 0, width: 0, height: 0))
        var group = RenderTree.Group()
        draft.tree.clips.append(RenderTree.ClipResource(units: .userSpace, transform: .identity))
        group.clip = Int32(draft.tree.clips.count - 1)
        textResources.pendingGlyphs.append(.clip(Int32(draft.tree.clips.count - 1), path))
        open.append(try draft.openGroup(group))
      case .popClip:
        if !clips.isEmpty { clips.removeLast() }
        if let node = open.popLast() { draft.closeGroup(node) }
      case .pushLayer(let mode):
        let layer = GlyphLayer(operations, openedAt: index)
        if let cut = layer.cut, cutDepth < Self.maximumCutDepth {
          // One layer is visible only within the shape of the other: a mask.
          var group = RenderTree.Group()
          group.mask = appendMask(operations[cut.shape])
          let node = try draft.openGroup(group)
          try append(operations[cut.content], cutDepth: cutDepth + 1)
          draft.closeGroup(node)
          index = layer.end
        } else {
          var group = RenderTree.Group()
          group.isIsolated = true
          group.blending.mode = blendMode(mode)
          open.append(try draft.openGroup(group))
        }
      case .popLayer: if let node = open.popLast() { draft.closeGroup(node) }
      }
      index += 1
    }
    for node in open.reversed() { draft.closeGroup(node) }
  }

  private mutating func appendMask(_ operations: ArraySlice<GlyphPainting.Operation>) -> RenderTree.Index {
    let everything = Rect(x: -1e5, y: -1e5, width: 2e5, height: 2e5)
    draft.tree.masks.append(
      RenderTree.MaskResource(rect: everything, units: .userSpace, contentUnits: .userSpace, source: .alpha))
    let index = Int32(draft.tree.masks.count - 1)
    textResources.pendingGlyphs.append(.mask(index, operations))
    return index
  }

  private func blendMode(_ mode: GlyphCompositeMode) -> BlendMode {
    switch mode {
    case .screen: .screen
    case .overlay: .overlay
    case .darken: .darken
    case .lighten: .lighten
    case .colorDodge: .colorDodge
    case .colorBurn: .colorBurn
    case .hardLight: .hardLight
    case .softLight: .softLight
    case .difference: .difference
    case .exclusion: .exclusion
    case .multiply: .multiply
    case .hue: .hue
    case .saturation: .saturation
    case .color: .color
    case .luminosity: .luminosity
    default: .normal
    }
  }

  private mutating func append(_ path: Path, _ paint: GlyphPaint) throws(CodecError) {
    var source: RenderTree.PaintSource?
    switch paint {
    case .solid(let color): source = .color(color)
    case .linear(let gradient):
      source = appendGradient(.linear(gradient.start, gradient.end), gradient.ramp, gradient.transform)
    case .radial(let gradient):
      source = appendGradient(
        .radial(
          center: gradient.center, radius: gradient.radius, focus: gradient.focus, focusRadius: gradient.focusRadius),
        gradient.ramp, gradient.transform)
    case .sweep(let gradient):
      noteGlyph("a sweep gradient is one colour")
      source = gradient.ramp.stops.last.map { .color($0.color) }
    }
    draft.account.segmentCount += path.verbs.count
    guard draft.account.segmentCount < draft.account.limits.maximumPathSegmentCount else {
      throw draft.error("more than \(draft.account.limits.maximumPathSegmentCount) path segments")
    }
    try draft.append(
      RenderTree.Shape(
        path: path, transform: .identity,
        fill: source.map { RenderTree.ShapePaint(source: $0, opacity: 1, context: nil) }, fillRule: .nonZero,
        stroke: nil, strokeStyle: StrokeStyle(), isStrokeFirst: false, isAntialiased: true, context: nil, bounds: nil))
  }

  private mutating func appendGradient(
    _ geometry: RenderTree.GradientResource.Geometry, _ ramp: GradientRamp, _ transform: AffineTransform
  ) -> RenderTree.PaintSource {
    draft.tree.gradients.append(
      RenderTree.GradientResource(geometry: geometry, ramp: ramp, units: .userSpace, transform: transform))
    return .gradient(Int32(draft.tree.gradients.count - 1))
  }

  /// Appends the nodes of glyphs' clips and masks.
  mutating func buildPendingGlyphs() throws(CodecError) {
    var next = 0
    while next < textResources.pendingGlyphs.count {
      let start = Int32(draft.tree.nodes.count)
      switch textResources.pendingGlyphs[next] {
      case .clip(let index, let path):
        try append(path, .solid(.black))
        draft.tree.clips[Int(index)].content = start..<Int32(draft.tree.nodes.count)
      case .mask(let index, let operations):
        try append(operations)
        draft.tree.masks[Int(index)].content = start..<Int32(draft.tree.nodes.count)
      }
      next += 1
    }
    textResources.pendingGlyphs = []
  }
}

/// A layer among paint operations, and whether it is masked by another one.
private struct GlyphLayer {
  /// The index of the operation that ends the layer.
  var end: Int
  /// The operations of the content, and those of the shape that masks it.
  var cut: (content: Range<Int>, shape: Range<Int>)?

  init(_ operations: ArraySlice<GlyphPainting.Operation>, openedAt start: Int) {
    var depth = 0
    var inner: (mode: GlyphCompositeMode, start: Int, end: Int)?
    end = operations.endIndex - 1
    var index = start
    while index < operations.endIndex {
      switch operations[index] {
      case .pushLayer(let mode):
        depth += 1
        if depth == 2, mode == .sourceIn || mode == .destinationIn { inner = (mode, index, index) }
      case .popLayer:
        depth -= 1
        if depth == 1, inner?.end == inner?.start { inner?.end = index }
      default: break
      }
      if depth == 0 {
        end = index
        break
      }
      index += 1
    }
    guard let inner, inner.end > inner.start else { return }
    let source = inner.start + 1..<inner.end
    let backdrop = start + 1..<inner.start
    cut = inner.mode == .sourceIn ? (source, backdrop) : (backdrop, source)
  }
}

extension ClusterGlyph {
  struct Key: Hashable {
    var face: TextFonts.FaceIndex
    var glyph: GlyphID
  }

  /// The identity of the glyph, regardless of its position.
  var key: Key { Key(face: face, glyph: glyph) }
}
