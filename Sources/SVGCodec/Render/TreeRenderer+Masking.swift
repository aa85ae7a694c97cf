// Clip paths and masks to coverage (CSS Masking 1).

internal import ImageCore
internal import VectorGraphics

extension TreeRenderer {
  /// What a clip path leaves of some pixels.
  ///
  /// - Parameters:
  ///   - transform: from the user space of the element that is clipped to pixels.
  ///   - bounds: the bounding box of that element.
  mutating func coverage(
    ofClip index: RenderTree.Index, _ transform: AffineTransform, _ bounds: Rect?, _ region: PixelRect
  ) throws(CodecError) -> Mask {
    let clip = tree.clips[Int(index)]
    guard let box = box(clip.units, bounds) else { return Mask(bounds: .empty) }
    try enterResource()
    defer { resourceDepth -= 1 }
    var mask = try coverage(of: clip.content, transform * clip.transform * box, region)
    if let own = clip.clip, !mask.bounds.isEmpty {
      try canvas.budget.reserveMask(mask.bounds)
      let area = mask.bounds
      mask = mask.intersection(try coverage(ofClip: own, transform, bounds, area))
      canvas.budget.releaseMask(area)
    }
    return mask
  }

  /// The union of the shapes among some nodes.
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
          clip = clip?.intersection(mask) ?? mask
        }
        if let own = group.clip {
          let mask = try coverage(ofClip: own, transform, group.bounds, region)
          clip = clip?.intersection(mask) ?? mask
        }
      case .shape(let shape):
        let shape = tree.shapes[Int(shape)]
        let full = transform * shape.transform
        guard full.isFinite else { break }
        let fill = Fill(rule: shape.fillRule, isAntialiased: shape.isAntialiased)
        let mask = try canvas.makeMask(shape.path, transform: full, fill: fill, bounds: region)
        masks.append(clip.map { mask.intersection($0) } ?? mask)
        // One sum at a time, so that no more than two masks are held.
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
    try canvas.budget.spendPixels(bounds.pixelCount)
    var result = first
    if bounds != first.bounds {
      result = Mask(bounds: bounds)
      result.formUnion(first)
    }
    result.formUnion(second)
    return result
  }

  /// What a mask leaves of some pixels; the parameters are those of `coverage(ofClip:…)`.
  mutating func coverage(
    ofMask index: RenderTree.Index, _ transform: AffineTransform, _ bounds: Rect?, _ region: PixelRect
  ) throws(CodecError) -> Mask {
    let mask = tree.masks[Int(index)]
    guard let box = box(mask.units, bounds), let contentBox = self.box(mask.contentUnits, bounds) else {
      return Mask(bounds: .empty)
    }
    try enterResource()
    defer { resourceDepth -= 1 }
    let area = try clip(to: box.apply(mask.rect), transform, region)
    guard !area.bounds.isEmpty else { return Mask(bounds: .empty) }
    try pushLayer(area.bounds)
    try draw(mask.content, transform: transform * contentBox, clip: Clip(bounds: area.bounds))
    let layer = popLayer()
    try canvas.budget.spendPixels(layer.bounds.pixelCount)
    var result = Mask(layer, source: mask.source)
    if let edge = area.mask { result = result.intersection(edge) }
    if let own = mask.mask {
      let area = result.bounds
      try canvas.budget.reserveMask(area)
      result = result.intersection(try coverage(ofMask: own, transform, bounds, area))
      canvas.budget.releaseMask(area)
    }
    return result
  }
}
