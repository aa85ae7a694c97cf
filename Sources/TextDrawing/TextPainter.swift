// Paints laid-out text: glyph outlines in the style's colour, and colour glyphs in theirs.

internal import Fonts
internal import ImageCore
internal import VectorGraphics

/// Text at its position on a bitmap.
struct TextPainter {
  /// The work units of reading and transforming a glyph's outline.
  private static let workPerGlyph = 3_000

  private struct GlyphKey: Hashable {
    var face: Int32
    var glyph: GlyphID
  }

  /// The drawing of a glyph: an outline, paint operations, a picture, or nothing.
  private enum Drawing {
    case outline(Path)
    case painting(GlyphPainting)
    /// A picture, and its transform to font units.
    case picture(Layer, AffineTransform)
    case nothing
  }

  private let block: TextBlock
  /// The transform from the text's space, whose origin is the start of the first baseline, to pixels.
  private let transform: AffineTransform
  /// The left ends of the lines.
  private let starts: [Double]

  init(_ block: TextBlock, _ frame: TextFrame) throws(CodecError) {
    let numbers = [frame.x, frame.y, frame.width, frame.height, frame.rotation]
    guard numbers.allSatisfy({ $0.isFinite }) else {
      throw CodecError(.invalidArgument, "a number of the text's frame is not finite")
    }
    self.block = block
    let spare = frame.height - block.height
    let top: Double =
      switch frame.verticalAlignment {
      case .top: 0
      case .middle: spare / 2
      case .bottom: spare
      }
    starts = block.lines.map { line in
      let spare = frame.width - line.width
      return switch frame.horizontalAlignment {
      case .left: 0
      case .center: spare / 2
      case .right: spare
      case .start: line.isRightToLeft ? spare : 0
      }
    }
    let center = Point(x: frame.x + frame.width / 2, y: frame.y + frame.height / 2)
    transform =
      .translation(x: center.x, y: center.y) * .rotation(frame.rotation * .pi / 180)
      * .translation(x: frame.x - center.x, y: frame.y + top + block.ascent - center.y)
  }

  /// The pixels that the text may cover: those of its lines, with room for glyphs beyond them.
  var bounds: PixelRect {
    guard !block.lines.isEmpty else { return .empty }
    let margin = 2 * block.style.size
    let left = (starts.min() ?? 0) - margin
    let right = zip(starts, block.lines).map { $0 + $1.width }.max() ?? 0
    let area = Rect(
      x: left, y: -block.ascent - margin, width: right + margin - left, height: block.height + 2 * margin)
    return PixelRect(covering: transform.apply(area))
  }

  /// Returns the pixels of an area.
  func paint(
    _ area: PixelRect, budget: inout ResourceBudget, decodeImage: TextPictureDecoder?
  ) throws(CodecError) -> Layer {
    var canvas = Canvas(uncharged: area, budget: RasterBudget(resources: budget))
    let outcome = Result { () throws(CodecError) in
      try canvas.chargeFirstLayer()
      try paintLines(on: &canvas, decodeImage)
      return try canvas.popLayer()
    }
    budget = canvas.takeBudget().takeResources()
    return try outcome.get()
  }

  private func paintLines(on canvas: inout Canvas, _ decodeImage: TextPictureDecoder?) throws(CodecError) {
    let color = block.style.color
    let paint = Color(
      red8: color.red, green8: color.green, blue8: color.blue, alpha: Double(color.alpha) / 255)
    var drawings: [GlyphKey: Drawing] = [:]
    for (index, line) in block.lines.enumerated() {
      var text = Path()
      for glyph in line.glyphs {
        try canvas.budget.spendPixels(Self.workPerGlyph)
        let scale = block.style.size / max(block.faces[Int(glyph.face)].unitsPerEm, 1)
        let place =
          AffineTransform.translation(x: starts[index] + glyph.x, y: Double(index) * block.lineHeight + glyph.y)
          * .scale(x: scale, y: -scale)
        let key = GlyphKey(face: glyph.face, glyph: glyph.glyph)
        if drawings[key] == nil {
          drawings[key] = try drawing(of: key, paint, &canvas.budget.resources, decodeImage)
        }
        switch drawings[key] ?? .nothing {
        case .outline(let path):
          try canvas.budget.spendPixels(path.points.count)
          try canvas.budget.resources.allocate(path.byteCount)
          text.append(path, transform: place)
        case .painting(let painting):
          try paintColors(painting, transform * place * block.faces[Int(glyph.face)].slant, &canvas)
        case .picture(let layer, let toGlyph):
          var picture = ImagePaint(layer, transform: .identity)
          let toCanvas = transform * place * block.faces[Int(glyph.face)].slant * toGlyph
          try picture.reduce(for: toCanvas, budget: &canvas.budget.resources)
          try canvas.fill(
            Path(layer.bounds.rect), transform: toCanvas, paint: .image(picture),
            compositing: Compositing(opacity: paint.alpha))
        case .nothing: break
        }
      }
      try canvas.fill(text, transform: transform, paint: .color(paint))
      canvas.budget.resources.release(text.byteCount)
    }
  }

  private func drawing(
    of key: GlyphKey, _ foreground: Color, _ budget: inout ResourceBudget, _ decodeImage: TextPictureDecoder?
  ) throws(CodecError) -> Drawing {
    let face = block.faces[Int(key.face)]
    switch try face.colorGlyph(of: key.glyph, foreground: foreground, budget: &budget) {
    case .painting(let painting): return .painting(painting)
    case .bitmap(let bitmap):
      guard let decodeImage, let layer = try picture(of: bitmap, &budget, decodeImage) else { return .nothing }
      let scale = face.unitsPerEm / Double(max(bitmap.pixelsPerEm, 1))
      let toGlyph =
        AffineTransform.scale(x: scale, y: scale)
        * AffineTransform(1, 0, 0, -1, Double(bitmap.x), Double(bitmap.y + layer.bounds.height))
      return .picture(layer, toGlyph)
    case .document, nil:
      guard let outline = try face.validOutline(of: key.glyph, budget: &budget) else { return .nothing }
      try budget.allocate(outline.byteCount)
      return .outline(outline)
    }
  }

  /// Decodes the picture of a glyph; `nil` if it is damaged. Exceeded limits are errors.
  private func picture(
    of bitmap: GlyphBitmap, _ budget: inout ResourceBudget, _ decode: TextPictureDecoder
  ) throws(CodecError) -> Layer? {
    do throws(CodecError) {
      try budget.descend()
      defer { budget.ascend() }
      return try Layer(decode(bitmap.bytes, &budget))
    } catch {
      if error.kind == .limitExceeded || error.isInterruption { throw error }
      return nil
    }
  }

  /// A layer of a colour glyph that is being painted.
  private struct OpenLayer {
    var mode: GlyphCompositeMode
    /// The number of clips around the layer that apply to what is below it.
    var outerClipStart: Int
  }

  /// Paints the shapes and layers of a colour glyph.
  private func paintColors(
    _ painting: GlyphPainting, _ transform: AffineTransform, _ canvas: inout Canvas
  ) throws(CodecError) {
    let bounds = painting.bounds.map { PixelRect(covering: transform.apply($0).expanded(by: 1)) } ?? .empty
    var clips = painting.clipBox.map { [Path($0)] } ?? []
    var layers: [OpenLayer] = []
    /// The first clip within the innermost layer.
    var clipStart = 0
    for operation in painting.operations {
      switch operation {
      case .fill(let path, let paint): try fill(path, paint, transform, within: clips[clipStart...], &canvas)
      case .fillAll(let paint):
        // Fills without a shape cover the innermost clip.
        if let area = clips.last { try fill(area, paint, transform, within: clips[clipStart...].dropLast(), &canvas) }
      case .pushClip(let path): clips.append(path)
      case .popClip: if !clips.isEmpty { clips.removeLast() }
      case .pushLayer(let mode):
        layers.append(OpenLayer(mode: mode, outerClipStart: clipStart))
        clipStart = clips.count
        try canvas.pushLayer(bounds: bounds.intersection(canvas.bounds))
      case .popLayer:
        guard let open = layers.popLast() else { continue }
        clipStart = open.outerClipStart
        let layer = try canvas.popLayer()
        var compositing = open.mode.compositing
        compositing.clip = try clip(clips[clipStart...], transform, &canvas)
        try canvas.draw(layer, compositing: compositing)
      }
    }
  }

  private func fill(
    _ path: Path, _ glyphPaint: GlyphPaint, _ transform: AffineTransform, within clips: some Collection<Path>,
    _ canvas: inout Canvas
  ) throws(CodecError) {
    let paint: Paint =
      switch glyphPaint {
      case .solid(let color): .color(color)
      case .linear(let gradient): .linearGradient(gradient)
      case .radial(let gradient): .radialGradient(gradient)
      case .sweep(let gradient): .sweepGradient(gradient)
      }
    let clip = try clip(clips, transform, &canvas)
    try canvas.fill(path, transform: transform, paint: paint, compositing: Compositing(clip: clip))
  }

  /// Returns the intersection of some shapes; `nil` if there are none.
  private func clip(
    _ shapes: some Collection<Path>, _ transform: AffineTransform, _ canvas: inout Canvas
  ) throws(CodecError) -> Clip? {
    var clip: Clip?
    for shape in shapes {
      let mask = Clip(try canvas.makeMask(shape, transform: transform, bounds: canvas.bounds))
      clip = try clip?.intersection(mask, canvas.budget.resources.interruption) ?? mask
    }
    return clip
  }
}
