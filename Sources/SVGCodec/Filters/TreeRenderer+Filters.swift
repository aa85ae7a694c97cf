// Drawing of groups with filters: a plan before they are drawn, its execution on the drawn pixels, and a layer as the
// result. Results are charged to the layer budget while a later primitive needs them, and work is charged before it is
// done.

internal import ImageCoding
internal import VectorGraphics

extension TreeRenderer {
  private static let pixelsBetweenChecks = 1 << 18
  /// The work units for planning and executing a primitive or one of its inputs, regardless of the area.
  private static let workPerFilterStep = 1_600

  // MARK: Groups

  /// Prepares for the children of a group with filters, of which only the part that the filters need is drawn.
  mutating func enterFiltered(
    _ group: RenderTree.Group, _ transform: AffineTransform, _ compositing: Compositing, _ wanted: PixelRect
  ) throws(CodecError) -> Entered? {
    for filter in group.filters {
      try canvas.budget.resources.chargeWork(
        count: tree.filters[Int(filter)].stepCount, unitsEach: Self.workPerFilterStep)
    }
    guard
      let plan = FilterPlan(group.filters, of: tree, transform: transform, bounds: group.bounds, wanted: wanted)
    else { return nil }
    var source = PixelRect.empty
    if let bounds = group.strokeBounds {
      source = plan.source.intersection(PixelRect(covering: plan.toPixels.apply(bounds).expanded(by: 1)))
    }
    var clip = Clip(bounds: source)
    if let rect = group.clipRect { clip = try intersect(clip, self.clip(to: rect, plan.toPixels, source)) }
    guard !clip.bounds.isEmpty else {
      try draw(Layer(bounds: .empty), plan, compositing)
      return nil
    }
    try pushLayer(source)
    try canvas.budget.resources.chargeWork(count: contexts.count, unitsEach: Self.workPerContext)
    return Entered(
      transform: plan.toPixels, clip: clip, compositing: compositing, plan: plan, spaces: turnSpaces(for: plan))
  }

  /// Converts the spaces of outer elements to the pixels of a rotated layer. Returns their previous values; `nil` if
  /// there is no rotation.
  private mutating func turnSpaces(for plan: FilterPlan) -> OuterSpaces? {
    guard plan.toCanvas != .identity, let inverse = plan.toCanvas.inverted else { return nil }
    let spaces = OuterSpaces(document: documentTransform, contexts: contexts)
    documentTransform = inverse * documentTransform
    contexts = contexts.map { context in
      context.map { ContextSpace(transform: inverse * $0.transform, bounds: $0.bounds) }
    }
    return spaces
  }

  /// Draws the result of filters on a layer.
  mutating func draw(
    _ source: Layer, _ plan: FilterPlan, _ compositing: Compositing
  ) throws(CodecError) {
    // The source has left the canvas and its budget, but is held while the filters run.
    let sourceByteCount = try hold(source.bounds)
    defer { canvas.budget.resources.release(sourceByteCount) }
    let layer = try run(plan, on: source)
    guard !layer.bounds.isEmpty else { return }
    if plan.toCanvas == .identity {
      try canvas.draw(layer, compositing: compositing)
      return
    }
    // Where the edges of the region are the edges of the filled area, its outermost pixels extend beyond them. Other
    // edges of the layer are those of the visible area, or transparent.
    let shown = layer.bounds.expanded(x: 1, y: 1)
    let edge = plan.region.contains(shown) ? shown : plan.region
    try reserving(shown) { renderer throws(CodecError) in
      let wide = layer.extended(to: shown, region: plan.region, edgeMode: .duplicate)
      let paint = ImagePaint(wide, transform: .identity, sampling: .bilinear, extend: .transparent)
      try renderer.canvas.fill(
        Path(edge.rect), transform: plan.toCanvas, paint: .image(paint), compositing: compositing)
    }
  }

  // MARK: Runs

  /// Applies the filters of a plan to the pixels of an element.
  private mutating func run(_ plan: FilterPlan, on source: Layer) throws(CodecError) -> Layer {
    var layer = source
    for stage in plan.stages {
      let result = try run(stage, on: layer)
      layer = result.isLinear ? try result.layer.inSRGB(interruption) : result.layer
    }
    return layer
  }

  private mutating func run(_ stage: FilterPlan.Stage, on source: Layer) throws(CodecError) -> FilterImage {
    let filter = tree.filters[Int(stage.filter)]
    let lastUses = lastUses(filter)
    var results: [FilterImage?] = Array(repeating: nil, count: filter.primitives.count)
    var cropped = source
    var croppedByteCount = 0
    if !stage.space.region.contains(source.bounds) {
      let area = source.bounds.intersection(stage.space.region)
      croppedByteCount = try hold(area)
      cropped = source.extracting(area)
    }
    defer { canvas.budget.resources.release(croppedByteCount) }
    for (index, primitive) in filter.primitives.enumerated() {
      try canvas.budget.resources.checkpoint()
      let area = stage.areas[index]
      var result = FilterImage(Layer(bounds: .empty), isLinear: false)
      if !area.isEmpty {
        var heldByteCount = try hold(area)
        let inputs = try self.inputs(of: primitive, cropped, stage.space.region, results, &heldByteCount)
        let step = FilterStep(
          area: area, inputs: inputs, subregion: stage.subregions[index], space: stage.space,
          isLinear: primitive.usesLinearLight)
        try spendFilterWork(primitive.effect.cost(in: stage.space), on: area)
        result = try primitive.effect.draw(step, &self)
        canvas.budget.resources.release(heldByteCount)
        if !area.contains(result.layer.bounds) {
          result.layer = result.layer.extracting(area.intersection(result.layer.bounds))
        }
      }
      result.tile = stage.tiles[index]
      // The work of writing these pixels is part of the effect's.
      _ = try hold(result.layer.bounds)
      results[index] = result
      for input in primitive.effect.inputs {
        if case .result(let earlier) = input, lastUses[earlier] == index { release(&results[earlier]) }
      }
      if lastUses[index] < 0, index + 1 < filter.primitives.count { release(&results[index]) }
    }
    let last = results.last.flatMap { $0 } ?? FilterImage(Layer(bounds: .empty), isLinear: false)
    for index in results.indices { release(&results[index]) }
    return last
  }

  /// Charges the memory of pixels that are about to be computed, and returns its byte count.
  mutating func hold(_ area: PixelRect) throws(CodecError) -> Int {
    try canvas.budget.resources.allocate(count: area.pixelCount, bytesEach: 4)
  }

  /// Releases the pixels of a result and credits their memory.
  private mutating func release(_ result: inout FilterImage?) {
    guard let image = result else { return }
    canvas.budget.releaseLayer(image.layer.bounds)
    result = nil
  }

  /// Charges the work of a filter, which has checkpoints while it is done; `cost` is in units per pixel.
  mutating func spendFilterWork(_ cost: Int, on area: PixelRect) throws(CodecError) {
    try canvas.budget.resources.chargeWorkInParts(count: area.pixelCount, unitsEach: max(cost, 1))
  }

  /// Calls a closure while the memory of some pixels is reserved in the layer budget.
  mutating func reserving<Result>(
    _ area: PixelRect, _ body: (inout TreeRenderer) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    try canvas.budget.reserveLayer(area)
    defer { canvas.budget.releaseLayer(area) }
    return try body(&self)
  }

  /// Returns the last primitive that needs each primitive's result; −1 if none does.
  private func lastUses(_ filter: RenderTree.FilterResource) -> [Int] {
    var uses = Array(repeating: -1, count: filter.primitives.count)
    for (index, primitive) in filter.primitives.enumerated() {
      for input in primitive.effect.inputs {
        if case .result(let earlier) = input { uses[earlier] = index }
      }
    }
    return uses
  }

  /// Returns the input pixels of a primitive. Adds the bytes of those that are created for it to `heldByteCount`.
  private mutating func inputs(
    of primitive: FilterPrimitive, _ source: Layer, _ region: PixelRect, _ results: [FilterImage?],
    _ heldByteCount: inout Int
  ) throws(CodecError) -> [FilterImage] {
    var images: [FilterImage] = []
    for input in primitive.effect.inputs {
      var image: FilterImage
      switch input {
      case .sourceGraphic: image = FilterImage(source, isLinear: false)
      case .sourceAlpha:
        heldByteCount += try hold(source.bounds)
        image = FilterImage(source.filled(with: .black), isLinear: false)
      case .result(let index): image = results[index] ?? FilterImage(Layer(bounds: .empty), isLinear: false)
      }
      if case .result = input {} else { image.tile = region }
      if !primitive.effect.takesAnyColors, image.isLinear != primitive.usesLinearLight {
        heldByteCount += try hold(image.layer.bounds)
        try spendFilterWork(4, on: image.layer.bounds)
        image.layer =
          primitive.usesLinearLight
          ? try image.layer.inLinearLight(interruption) : try image.layer.inSRGB(interruption)
        image.isLinear = primitive.usesLinearLight
      }
      images.append(image)
    }
    return images
  }

  /// Composites layers in order.
  mutating func compose(
    _ layers: [(Layer, Compositing)], area: PixelRect
  ) throws(CodecError) -> Layer {
    try canvas.pushLayer(bounds: area)
    // Done in bands, so that cancellation is checked frequently.
    let height = max(1, Self.pixelsBetweenChecks / max(area.width, 1))
    for (layer, var compositing) in layers {
      for y in stride(from: area.minY, to: area.maxY, by: height) {
        try canvas.budget.resources.checkpoint()
        let band = PixelRect(minX: area.minX, minY: y, maxX: area.maxX, maxY: min(y + height, area.maxY))
        compositing.clip = Clip(bounds: band)
        try canvas.draw(layer, compositing: compositing)
      }
    }
    return try canvas.popLayer()
  }
}
