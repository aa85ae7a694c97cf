// Planning of an element's filters before it is drawn: the pixels that each primitive has to compute, from the visible
// ones backwards, and thereby the required part of the element. Only pixels that contribute to the result are computed,
// regardless of the size of filter regions.

internal import VectorGraphics

/// The areas of one use of a list of filters.
struct FilterPlan: Sendable {
  /// One filter of the list.
  struct Stage: Sendable {
    var filter: RenderTree.Index
    var space: FilterSpace
    /// For each primitive, the pixels that it may change.
    var subregions: [PixelRect]
    /// For each primitive, the tile that feTile repeats.
    var tiles: [PixelRect]
    /// For each primitive, the pixels of its result that are required.
    var areas: [PixelRect]
    /// The required pixels of the filter's source.
    var source: PixelRect
  }

  private(set) var stages: [Stage] = []
  /// The transform from the user space of the element to pixels; has no rotation or skew.
  let toPixels: AffineTransform
  /// The transform from these pixels to those of the canvas: the remaining rotation or skew about the origin.
  let toCanvas: AffineTransform
  /// The required pixels of the element.
  private(set) var source: PixelRect
  /// The region of the last filter.
  var region: PixelRect { stages.last?.space.region ?? source }

  /// Returns `nil` if an element cannot be drawn for lack of a bounding box, or is not visible.
  ///
  /// - Parameters:
  ///   - transform: the transform from the element's user space to pixels of the canvas.
  ///   - wanted: the pixels of the canvas that are required.
  init?(
    _ filters: [RenderTree.Index], of tree: RenderTree, transform: AffineTransform, bounds: Rect?, wanted: PixelRect
  ) {
    // As in resvg, filters are applied along the axes of user space, at the scale of the canvas.
    let scaleX = (transform.a * transform.a + transform.b * transform.b).squareRoot()
    let scaleY = (transform.c * transform.c + transform.d * transform.d).squareRoot()
    let isUpright = transform.b == 0 && transform.c == 0 && transform.a > 0 && transform.d > 0
    toCanvas =
      isUpright
      ? .identity
      : AffineTransform(transform.a / scaleX, transform.b / scaleX, transform.c / scaleY, transform.d / scaleY, 0, 0)
    guard let inverse = toCanvas.inverted else { return nil }
    let mapped = inverse * transform
    toPixels = AffineTransform(scaleX, 0, 0, scaleY, mapped.e, mapped.f)
    guard toPixels.isFinite, toPixels.inverted != nil else { return nil }
    source = isUpright ? wanted : PixelRect(covering: inverse.apply(wanted.rect).expanded(by: 1))
    for index in filters.reversed() {
      let filter = tree.filters[Int(index)]
      guard let region = filter.region(bounds: bounds) else {
        if filter.isOptional { continue }
        return nil
      }
      let stage = Stage(index, filter, region, toPixels, bounds, wanted: source)
      source = stage.source
      stages.append(stage)
    }
    stages.reverse()
  }
}

extension FilterPlan.Stage {
  init(
    _ index: RenderTree.Index, _ filter: RenderTree.FilterResource, _ region: FilterRegion,
    _ toPixels: AffineTransform, _ bounds: Rect?, wanted: PixelRect
  ) {
    self.filter = index
    let isBox = filter.primitiveUnits == .boundingBox
    let unit = isBox ? Point(x: bounds?.width ?? 0, y: bounds?.height ?? 0) : Point(x: 1, y: 1)
    let pixels = Self.pixels(of: region, toPixels)
    space = FilterSpace(
      region: pixels, toPixels: toPixels, unit: unit,
      origin: isBox ? Point(x: bounds?.x ?? 0, y: bounds?.y ?? 0) : .zero)
    var user = Rect(x: 0, y: 0, width: 0, height: 0)
    if case .rect(let rect) = region { user = rect }
    subregions = filter.primitives.map { primitive in
      Self.subregion(primitive.subregion, in: user, pixels, isBox ? bounds : nil, toPixels)
    }
    tiles = subregions
    for (index, primitive) in filter.primitives.enumerated() {
      guard primitive.effect.keepsTile, primitive.subregion == FilterSubregion(),
        case .result(let earlier) = primitive.effect.inputs.first
      else { continue }
      tiles[index] = tiles[earlier]
    }
    areas = Array(repeating: .empty, count: filter.primitives.count)
    source = .empty
    propagate(filter, wanted)
  }

  /// Computes areas from the last primitive to the first.
  private mutating func propagate(_ filter: RenderTree.FilterResource, _ wanted: PixelRect) {
    guard let last = areas.indices.last else { return }
    areas[last] = wanted
    for index in areas.indices.reversed() {
      let effect = filter.primitives[index].effect
      areas[index] = areas[index].intersection(subregions[index]).intersection(space.region)
      if areas[index].isEmpty { continue }
      for (position, input) in effect.inputs.enumerated() {
        switch input {
        case .sourceGraphic, .sourceAlpha:
          let area = effect.source(
            of: areas[index], input: FilterSource(index: position, tile: space.region), in: space)
          source = source.union(area.intersection(space.region))
        case .result(let earlier):
          let area = effect.source(
            of: areas[index], input: FilterSource(index: position, tile: tiles[earlier]), in: space)
          areas[earlier] = areas[earlier].union(area)
        }
      }
    }
  }

  /// Returns a rectangle in pixels as in resvg: from the pixel that contains its corner, with its size rounded up.
  private static func pixels(of rect: Rect, _ toPixels: AffineTransform) -> PixelRect {
    let device = toPixels.apply(rect)
    guard device.isFinite else { return PixelRect(covering: device) }
    let corner = PixelRect(
      covering: Rect(
        x: (device.x + 1e-4).rounded(.down), y: (device.y + 1e-4).rounded(.down),
        width: max(1, (device.width - 1e-4).rounded(.up)), height: max(1, (device.height - 1e-4).rounded(.up))))
    return corner
  }

  private static func pixels(of region: FilterRegion, _ toPixels: AffineTransform) -> PixelRect {
    switch region {
    case .rect(let rect): return pixels(of: rect, toPixels)
    case .unlimited:
      return PixelRect(minX: -(1 << 30), minY: -(1 << 30), maxX: 1 << 30, maxY: 1 << 30)
    }
  }

  private static func subregion(
    _ subregion: FilterSubregion, in region: Rect, _ pixels: PixelRect, _ box: Rect?, _ toPixels: AffineTransform
  ) -> PixelRect {
    if subregion == FilterSubregion() { return pixels }
    guard !subregion.isEmpty else { return .empty }
    var rect = region
    func place(_ value: Double, _ start: Double?, _ size: Double?) -> Double { value * (size ?? 1) + (start ?? 0) }
    if let x = subregion.x { rect.x = place(x, box?.x, box?.width) }
    if let y = subregion.y { rect.y = place(y, box?.y, box?.height) }
    if let width = subregion.width { rect.width = place(width, nil, box?.width) }
    if let height = subregion.height { rect.height = place(height, nil, box?.height) }
    return Self.pixels(of: rect, toPixels)
  }
}
