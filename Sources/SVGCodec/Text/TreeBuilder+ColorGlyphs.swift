// Colour glyphs: paint operations become shapes, bitmaps are decoded by the caller's decoder, SVG glyphs are nested
// documents.

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics

extension TreeBuilder {
  /// The shape of a clip in a glyph, whose nodes follow those of the document.
  struct PendingGlyphClip {
    var clip: RenderTree.Index
    var path: Path
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
      try append(painting)
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

  /// The maximum nesting depth of the layers of a glyph; deeper ones are painted onto the layer around them.
  private static let maximumLayerDepth = 24

  /// Appends the nodes of a painting, in the glyph's space. Clips and layers become groups, all of which are closed at
  /// the end.
  private mutating func append(_ painting: GlyphPainting) throws(CodecError) {
    var open: [Int32] = []
    var layerDepth = 0
    // Fills without a shape cover the innermost clip.
    var areas = painting.clipBox.map { [$0] } ?? []
    for operation in painting.operations {
      switch operation {
      case .fill(let path, let paint): try append(path, paint)
      case .fillAll(let paint):
        if let area = areas.last { try append(Path(area), paint) }
      case .pushClip(let path):
        areas.append(path.controlBounds ?? Rect(x: 0, y: 0, width: 0, height: 0))
        var group = RenderTree.Group()
        draft.tree.clips.append(RenderTree.ClipResource(units: .userSpace, transform: .identity))
        let clip = Int32(draft.tree.clips.count - 1)
        group.clip = clip
        textResources.pendingGlyphClips.append(PendingGlyphClip(clip: clip, path: path))
        open.append(try draft.openGroup(group))
      case .popClip:
        if !areas.isEmpty { areas.removeLast() }
        if let node = open.popLast() { draft.closeGroup(node) }
      case .pushLayer(let mode):
        layerDepth += 1
        guard layerDepth <= Self.maximumLayerDepth else {
          noteGlyph("the layers of a glyph are nested too deeply")
          open.append(-1)
          continue
        }
        var group = RenderTree.Group()
        group.isIsolated = true
        let compositing = mode.compositing
        group.blending.mode = compositing.blendMode
        if compositing.compositeOperator != .over { group.compositeOperator = compositing.compositeOperator }
        open.append(try draft.openGroup(group))
      case .popLayer:
        layerDepth -= 1
        if let node = open.popLast() { draft.closeGroup(node) }
      }
    }
    for node in open.reversed() { draft.closeGroup(node) }
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
      source = appendGradient(
        .sweep(center: gradient.center, startAngle: gradient.startAngle, endAngle: gradient.endAngle), gradient.ramp,
        gradient.transform)
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

  /// Appends the nodes of glyphs' clips.
  mutating func buildPendingGlyphClips() throws(CodecError) {
    for pending in textResources.pendingGlyphClips {
      let start = Int32(draft.tree.nodes.count)
      try append(pending.path, .solid(.black))
      draft.tree.clips[Int(pending.clip)].content = start..<Int32(draft.tree.nodes.count)
    }
    textResources.pendingGlyphClips = []
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
