// The combination of patches with a frame (ISO/IEC 18181-1, K.3.2).

internal import ImageCoding

/// Applies the patches of a frame, in the order in which they are listed.
struct PatchStage {
  private let dictionary: PatchDictionary
  private let slots: ReferenceSlots
  private let associations: [Bool]

  init(_ dictionary: PatchDictionary, _ image: ImageHeader, _ slots: ReferenceSlots) {
    (self.dictionary, self.slots) = (dictionary, slots)
    associations = image.extraChannels.map { $0.kind == .alpha(isAssociated: true) }
  }

  func run(on frame: inout RenderedFrame, budget: inout ResourceBudget) throws(CodecError) {
    for placement in dictionary.placements {
      let source = dictionary.sources[placement.source]
      guard let patch = slots.patchSource(source.slot), patch.planes.count == frame.planes.count else { continue }
      // Patches of VarDCT frames may exceed the frame up to the end of its last blocks.
      for y in 0..<max(0, min(source.region.height, frame.height - placement.y)) where placement.x < frame.width {
        try budget.chargeWork(count: source.region.width + 20, unitsEach: 4 * frame.planes.count)
        apply(placement, source, row: y, patch, to: &frame)
      }
    }
  }

  private func apply(
    _ placement: PatchDictionary.Placement, _ source: PatchDictionary.Source, row y: Int, _ patch: RenderedFrame,
    to frame: inout RenderedFrame
  ) {
    let width = min(source.region.width, frame.width - placement.x)
    let colorCount = frame.planes.count - associations.count
    let patchStart = (source.region.y + y) * patch.width + source.region.x
    let start = (placement.y + y) * frame.width + placement.x
    let blends = dictionary.blends[placement.firstBlend...].prefix(1 + associations.count)
    // The opacities below, before any of them changes.
    let needsAlpha = blends.contains { $0.mode.usesAlpha }
    let opacities = needsAlpha ? frame.planes[colorCount...].map { Array($0[start..<start + width]) } : []
    for plane in frame.planes.indices {
      let blend = dictionary.blends[placement.firstBlend + max(0, plane - colorCount + 1)]
      guard blend.mode != .none else { continue }
      let alphaPlane = colorCount + blend.alphaChannel
      let usesAlpha = blend.mode.usesAlpha && blend.alphaChannel < associations.count
      let (patchPlane, alphas) = (patch.planes[plane], usesAlpha ? patch.planes[alphaPlane] : [])
      let baseAlphas = usesAlpha ? opacities[blend.alphaChannel] : []
      let samples = patchPlane.span.extracting(patchStart..<patchStart + width)
      let below = baseAlphas.span
      let above = alphas.span
      let isAssociated = usesAlpha && associations[blend.alphaChannel]
      var target = frame.planes[plane].mutableSpan
      for x in 0..<width {
        let (value, base) = (samples[x], target[start &+ x])
        let alpha = usesAlpha ? above[patchStart &+ x] : 1
        let baseAlpha = usesAlpha ? below[x] : 1
        target[start &+ x] = Self.combine(
          blend, value, alpha, base, baseAlpha, isAssociated, isAlpha: usesAlpha && plane == alphaPlane)
      }
    }
  }

  @inline(__always)
  private static func combine(
    _ blend: PatchDictionary.Blend, _ value: Float, _ alpha: Float, _ base: Float, _ baseAlpha: Float,
    _ isAssociated: Bool, isAlpha: Bool
  ) -> Float {
    let opacity = BlendingArithmetic.Opacity(
      above: BlendingArithmetic.clamped(alpha, blend.clamps), below: baseAlpha, isAssociated: isAssociated)
    let reversed = BlendingArithmetic.Opacity(
      above: BlendingArithmetic.clamped(baseAlpha, blend.clamps), below: alpha, isAssociated: isAssociated)
    switch blend.mode {
    case .none: return base
    case .replace: return value
    case .add: return base + value
    case .multiply: return base * BlendingArithmetic.clamped(value, blend.clamps)
    case .blendAbove: return isAlpha ? opacity.result : opacity.blend(value, base)
    case .blendBelow: return isAlpha ? reversed.result : reversed.blend(base, value)
    case .alphaWeightedAddAbove: return isAlpha ? base : base + value * opacity.above
    case .alphaWeightedAddBelow: return isAlpha ? value : value + base * reversed.above
    }
  }
}
