// The composition of a frame with the frames below it (ISO/IEC 18181-1, F.4).

internal import ImageCoding

/// Places a frame on the canvas: every row of the canvas is that of the source slots, combined with the frame.
struct CompositionStage: RowStage {
  private let header: FrameHeader
  private let colorCount: Int
  private let associations: [Bool]
  private let frame: RenderedFrame
  private let slots: ReferenceSlots
  private let hasAlpha: Bool

  init(_ frame: RenderedFrame, _ header: FrameHeader, _ image: ImageHeader, _ slots: ReferenceSlots) {
    (self.frame, self.header, self.slots) = (frame, header, slots)
    colorCount = frame.planes.count - image.extraChannels.count
    associations = image.extraChannels.map { $0.kind == .alpha(isAssociated: true) }
    hasAlpha = !image.extraChannels.isEmpty && image.alphaIndex != nil
  }

  let unitsPerSample = 4

  private func blending(_ plane: Int) -> Blending {
    plane < colorCount ? header.blending : header.extraBlending[plane - colorCount]
  }

  func process(row y: Int, of canvas: inout RenderedFrame) {
    let frameRow = y - header.y0
    let columns = max(0, header.x0)..<max(max(0, header.x0), min(canvas.width, header.x0 + frame.width))
    for plane in canvas.planes.indices {
      let blending = blending(plane)
      let source = slots.frame(blending.source)
      canvas.withRow(plane, y) { row in
        for x in 0..<row.count { row[x] = source?.planes[plane][y &* row.count &+ x] ?? 0 }
      }
      guard frameRow >= 0, frameRow < frame.height, !columns.isEmpty else { continue }
      combine(plane, blending, y, frameRow, columns, source, &canvas)
    }
  }

  private func combine(
    _ plane: Int, _ blending: Blending, _ y: Int, _ frameRow: Int, _ columns: Range<Int>, _ source: RenderedFrame?,
    _ canvas: inout RenderedFrame
  ) {
    let framePlane = frame.planes[plane]
    let samples = framePlane.span
    let start = frameRow * frame.width - header.x0
    let alphaPlane = colorCount + blending.alphaChannel
    let usesAlpha = blending.mode.usesAlpha && hasAlpha
    let frameAlphas = usesAlpha ? frame.planes[alphaPlane] : []
    let sourceAlphas = usesAlpha ? source?.planes[alphaPlane] ?? [] : []
    let (alphas, baseAlphas) = (frameAlphas.span, sourceAlphas.span)
    let isAssociated = usesAlpha && associations[blending.alphaChannel]
    canvas.withRow(plane, y) { row in
      for x in columns {
        let (value, base) = (samples[start &+ x], row[x])
        switch blending.mode {
        case .replace: row[x] = value
        case .add: row[x] = base + value
        case .multiply: row[x] = base * BlendingArithmetic.clamped(value, blending.clamps)
        case .blend, .alphaWeightedAdd:
          guard usesAlpha else {
            row[x] = blending.mode == .blend ? value : base + value
            continue
          }
          let opacity = BlendingArithmetic.Opacity(
            above: BlendingArithmetic.clamped(alphas[start &+ x], blending.clamps),
            below: baseAlphas.isEmpty ? 0 : baseAlphas[y &* row.count &+ x], isAssociated: isAssociated)
          if blending.mode == .alphaWeightedAdd {
            row[x] = plane == alphaPlane ? base : base + value * opacity.above
          } else {
            row[x] = plane == alphaPlane ? opacity.result : opacity.blend(value, base)
          }
        }
      }
    }
  }
}
