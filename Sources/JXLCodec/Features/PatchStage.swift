// The combination of patches with a frame (ISO/IEC 18181-1, K.3.2).

internal import ImageCoding

/// Applies the patches of a frame, in the order in which they are listed.
struct PatchStage: Sendable {
  private let dictionary: PatchDictionary
  private let slots: ReferenceSlots
  private let associations: [Bool]

  init(_ dictionary: PatchDictionary, _ image: ImageHeader, _ slots: ReferenceSlots) {
    (self.dictionary, self.slots) = (dictionary, slots)
    associations = image.extraChannels.map { $0.kind == .alpha(isAssociated: true) }
  }

  /// The number of patches.
  var placementCount: Int { dictionary.placements.count }

  /// Returns the numbers of the patches that change any of some rows.
  func placements(inRows rows: Range<Int>, budget: inout ResourceBudget) throws(CodecError) -> [Int] {
    try budget.chargeWorkInParts(count: dictionary.placements.count, unitsEach: 2)
    let numbers = dictionary.placements.indices.filter { index in
      let placement = dictionary.placements[index]
      let height = dictionary.sources[placement.source].region.height
      return placement.y < rows.upperBound && placement.y + height > rows.lowerBound
    }
    return numbers
  }

  /// Applies all patches to a whole frame.
  func run(on frame: inout RenderedFrame, budget: inout ResourceBudget) throws(CodecError) {
    try run(Array(dictionary.placements.indices), on: &frame, x: 0, y: 0, budget: &budget)
  }

  /// Applies patches to a part of a frame, whose place is given.
  func run(
    _ placements: [Int], on part: inout RenderedFrame, x: Int, y: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWorkInParts(count: placements.count, unitsEach: 4)
    for index in placements {
      let placement = dictionary.placements[index]
      let source = dictionary.sources[placement.source]
      guard let patch = slots.patchSource(source.slot), patch.planes.count == part.planes.count else { continue }
      // Patches of VarDCT frames may exceed the frame up to the end of its last blocks.
      func overlap(_ place: Int, _ length: Int, _ start: Int, _ count: Int) -> Range<Int> {
        let first = max(place, start)
        return first..<max(first, min(place + length, start + count))
      }
      let columns = overlap(placement.x, source.region.width, x, part.width)
      guard !columns.isEmpty else { continue }
      for row in overlap(placement.y, source.region.height, y, part.height) {
        try budget.chargeWork(count: columns.count + 20, unitsEach: 4 * part.planes.count)
        let patchRow = source.region.y + row - placement.y
        apply(
          placement, patch, from: patchRow * patch.width + source.region.x + columns.lowerBound - placement.x,
          to: &part, at: (row - y) * part.width + columns.lowerBound - x, columns.count)
      }
    }
  }

  /// Applies a part of a row of a patch.
  private func apply(
    _ placement: PatchDictionary.Placement, _ patch: RenderedFrame, from patchStart: Int,
    to frame: inout RenderedFrame, at start: Int, _ width: Int
  ) {
    let colorCount = frame.planes.count - associations.count
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
