// Coverage of clip paths and masks (CSS Masking 1).

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics

extension TreeRenderer {
  /// The work units for a clip or a mask, in addition to its pixels.
  private static let workPerCoverage = 1_500

  /// Returns the coverage of a clip path.
  ///
  /// - Parameters:
  ///   - transform: the transform from the user space of the clipped element to pixels.
  ///   - bounds: the bounding box of that element.
  mutating func coverage(
    ofClip index: RenderTree.Index, _ transform: AffineTransform, _ bounds: Rect?, strokeBounds: Rect? = nil,
    _ region: PixelRect
  ) throws(CodecError) -> Mask {
    let clip = tree.clips[Int(index)]
    if let shape = clip.shape {
      try canvas.budget.resources.chargeWork(Self.workPerCoverage)
      let path = shape.path(bounds, strokeBounds: strokeBounds ?? bounds)
      guard !path.isEmpty else { return Mask(bounds: .empty) }
      return try canvas.makeMask(
        path, transform: transform, fill: Fill(rule: shape.shape?.fillRule ?? .nonZero), bounds: region)
    }
    guard let box = box(clip.units, bounds) else { return Mask(bounds: .empty) }
    try enterResource()
    try canvas.budget.resources.chargeWork(Self.workPerCoverage)
    defer { resourceDepth -= 1 }
    var mask = try coverage(of: clip.content, transform * clip.transform * box, region)
    if let own = clip.clip, !mask.bounds.isEmpty {
      try canvas.budget.reserveMask(mask.bounds)
      let area = mask.bounds
      mask = try intersect(mask, try coverage(ofClip: own, transform, bounds, area))
      canvas.budget.releaseMask(area)
    }
    return mask
  }

  /// Returns the coverage of the union of the shapes among some nodes.
  private mutating func coverage(
    of range: Range<RenderTree.Index>, _ transform: AffineTransform, _ region: PixelRect
  ) throws(CodecError) -> Mask {
    struct Open {
      var end: Int
      var transform: AffineTransform
      var clip: Mask?
    }
    var open: [Open] = []
    var transform = transform
    var clip: Mask?
    var masks: [Mask] = []
    var index = Int(range.lowerBound)
    while index < Int(range.upperBound) {
      while let last = open.last, last.end <= index {
        open.removeLast()
        transform = last.transform
        clip = last.clip
      }
      try visit()
      switch tree.nodes[index] {
      case .group(let group, let end):
        let group = tree.groups[Int(group)]
        open.append(Open(end: Int(end), transform: transform, clip: clip))
        transform = transform * group.transform
        if let rect = group.clipRect {
          let mask = try canvas.makeMask(Path(rect), transform: transform, bounds: region)
          clip = try intersect(clip, mask)
        }
        if let own = group.clip {
          // Clips may be nested to the same depth as resources, and each holds its intermediate coverage.
          let held = masks.reduce(clip?.coverage.count ?? 0) { $0 + $1.coverage.count }
          try canvas.budget.resources.allocate(held)
          let mask = try coverage(ofClip: own, transform, group.bounds, region)
          canvas.budget.resources.release(held)
          clip = try intersect(clip, mask)
        }
      case .shape(let shape):
        let shape = tree.shapes[Int(shape)]
        let full = transform * shape.transform
        guard full.isFinite else { break }
        let fill = Fill(rule: shape.fillRule, isAntialiased: shape.isAntialiased)
        let mask = try canvas.makeMask(shape.path, transform: full, fill: fill, bounds: region)
        masks.append(try intersect(clip, mask))
        // Masks are joined one at a time, so that at most two are held.
        if masks.count == 2 { masks = [try union(masks[0], masks[1])] }
      case .image: break
      }
      index += 1
    }
    return masks.first ?? Mask(bounds: .empty)
  }

  private mutating func union(_ first: Mask, _ second: Mask) throws(CodecError) -> Mask {
    if first.bounds.isEmpty { return second }
    let bounds = first.bounds.union(second.bounds)
    try canvas.budget.spendPixelsInParts(bounds.pixelCount &* 4)
    let interruption = self.interruption
    var result = first
    if bounds != first.bounds {
      result = Mask(bounds: bounds)
      try result.formUnion(first, interruption)
    }
    try result.formUnion(second, interruption)
    return result
  }

  /// Returns the intersection of two coverages; the second if there is no first one.
  private mutating func intersect(_ first: Mask?, _ second: Mask) throws(CodecError) -> Mask {
    guard let first else { return second }
    try canvas.budget.spendPixelsInParts(first.bounds.intersection(second.bounds).pixelCount &* 2)
    return try first.intersection(second, interruption)
  }

  /// Returns the intersection of two clips.
  mutating func intersect(_ first: Clip, _ second: Clip) throws(CodecError) -> Clip {
    if first.mask != nil, second.mask != nil {
      try canvas.budget.spendPixelsInParts(first.bounds.intersection(second.bounds).pixelCount &* 2)
    }
    return try first.intersection(second, interruption)
  }

  /// Returns the coverage of a mask. The parameters are those of `coverage(ofClip:…)`.
  ///
  /// - Parameter source: what is used instead of what the mask states; `nil` for that.
  mutating func coverage(
    ofMask index: RenderTree.Index, _ transform: AffineTransform, _ bounds: Rect?, strokeBounds: Rect? = nil,
    _ region: PixelRect, source: Mask.Source? = nil
  ) throws(CodecError) -> Mask {
    let mask = tree.masks[Int(index)]
    guard mask.layers.isEmpty else {
      return try coverage(
        of: mask.layers, transform, Boxes(bounds: bounds, strokeBounds: strokeBounds ?? bounds), region)
    }
    guard let box = box(mask.units, bounds), let contentBox = self.box(mask.contentUnits, bounds) else {
      return Mask(bounds: .empty)
    }
    try enterResource(levels: Self.levelsOfLayers)
    try canvas.budget.resources.chargeWork(Self.workPerCoverage)
    defer { resourceDepth -= Self.levelsOfLayers }
    let area = try clip(to: box.apply(mask.rect), transform, region)
    guard !area.bounds.isEmpty else { return Mask(bounds: .empty) }
    try pushLayer(area.bounds)
    try draw(mask.content, transform: transform * contentBox, clip: Clip(bounds: area.bounds))
    var result = try coverage(of: try popLayer(), source ?? mask.source)
    if let edge = area.mask { result = try intersect(result, edge) }
    if let own = mask.mask {
      let area = result.bounds
      try canvas.budget.reserveMask(area)
      result = try intersect(result, try coverage(ofMask: own, transform, bounds, strokeBounds: strokeBounds, area))
      canvas.budget.releaseMask(area)
    }
    return result
  }
}
