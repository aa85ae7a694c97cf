// From coded items to one picture: conversion of planes, JPEG-coded images, grids, identity derivations and overlays;
// then alpha, crop and orientation (ISO/IEC 23008-12, 6.6.2 and annex H).

internal import ImageCoding
internal import PixelPlanes

/// Decodes the items of which the primary image is composed.
struct ItemAssembly {
  let container: HEIFContainer
  let jpegDecoder: (any ImageFormatDecoder)?
  let planes: PlanarAssembly

  /// The work units for decoding an item, in addition to its bytes and pixels.
  private static let workPerItem = 20_000

  /// Returns the primary image, or the selected region of it, with its alpha, crop and orientation applied.
  func picture(_ bytes: Span<UInt8>, _ context: inout DecodingContext) throws(CodecError) -> Bitmap {
    let (item, alpha) = (container.primaryItem, container.alphaItem)
    var picture: Bitmap
    if let region = context.options.region, planes.canDecode(item), alpha.map(planes.canDecode) ?? true {
      let part = try ItemWindow(region, of: item, format: container.type)
      picture = try pixels(of: item, alpha: alpha, window: part.window, bytes, &context)
      picture = try shown(consume picture, region: part.region, orientation: item.orientation, &context)
    } else {
      picture = try shown(assembled(item, alpha: alpha, bytes, &context), of: item, &context)
      try context.options.crop(&picture, budget: &context.budget)
    }
    return picture
  }

  /// Returns a single item, such as a thumbnail, with its crop and orientation applied.
  func thumbnail(
    _ item: HEIFItem, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    var picture = try shown(try assembled(item, alpha: nil, bytes, &context), of: item, &context)
    if let format = context.options.pixelFormat { try picture.convert(to: format, budget: &context.budget) }
    return picture
  }

  private func assembled(
    _ item: HEIFItem, alpha: HEIFItem?, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    if planes.canDecode(item) { return try pixels(of: item, alpha: alpha, bytes, &context) }
    var picture = try assembledFromPixels(item, bytes, &context)
    if let alpha { try attach(alpha, to: &picture, bytes, &context) }
    return picture
  }

  // MARK: Items with planes

  private func pixels(
    of item: HEIFItem, alpha: HEIFItem?, window: PixelRegion? = nil, _ bytes: Span<UInt8>,
    _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    var picture = try planes.picture(of: item, window: window, bytes, &context)
    if let alpha, planes.canDecode(alpha) {
      let hasWindow = alpha.codedSize == item.codedSize
      let plane = try planes.picture(of: alpha, window: hasWindow ? window : nil, bytes, &context).luma
      if plane.width == picture.width, plane.height == picture.height {
        try picture.setAlpha(plane)
        picture.isPremultiplied = container.table.references.contains {
          $0.type == "prem" && $0.from == item.id && $0.to.contains(alpha.id)
        }
      } else {
        context.note(.damage, "the alpha plane has another size than the image", byteOffset: nil)
      }
    }
    let depth = picture.bitDepth
    var bitmap = try picture.bitmap(parallelism: context.options.parallelism, budget: &context.budget)
    let planesByteCount = picture.rawPlanesByteCount
    _ = consume picture
    context.budget.release(planesByteCount)
    if depth > 8, depth < 16 { bitmap.significantBits = depth }
    if let alpha, !planes.canDecode(alpha) { try attach(alpha, to: &bitmap, bytes, &context) }
    return bitmap
  }

  // MARK: Items with pixels

  /// Replaces the alpha of a picture by the samples of a JPEG-coded item.
  private func attach(
    _ alpha: HEIFItem, to picture: inout Bitmap, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard alpha.coding == "jpeg" || planes.canDecode(alpha) else { return }
    let plane =
      try planes.canDecode(alpha)
      ? converted(pixels(of: alpha, alpha: nil, bytes, &context), to: .gray8, &context)
      : coded(alpha, format: .gray8, bytes, &context)
    if plane.pixelSize == picture.pixelSize {
      try picture.convert(to: .rgba8, budget: &context.budget)
      picture.replaceAlpha(by: plane)
    } else {
      context.note(.damage, "the alpha plane has another size than the image", byteOffset: nil)
    }
    let byteCount = plane.byteCount
    _ = consume plane
    context.budget.release(byteCount)
  }

  private func assembledFromPixels(
    _ item: HEIFItem, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    switch item.coding {
    case "jpeg": return try coded(item, format: nil, bytes, &context)
    case "grid": return try tiles(of: item, bytes, &context)
    case "iden":
      guard let id = item.tileIDs.first else { throw error(.malformed, "a derived image names no source") }
      return try source(id, bytes, &context)
    case "iovl": return try overlay(item, bytes, &context)
    default: throw planes.unsupported(item.coding)
    }
  }

  /// Returns a source of a derived image, with its crop and orientation applied. Sources must not be derived images,
  /// except for grids.
  private func source(
    _ id: UInt32, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    let source = try HEIFItem(id, in: container.table, bytes, budget: &context.budget)
    let picture: Bitmap
    if planes.canDecode(source) {
      picture = try pixels(of: source, alpha: nil, bytes, &context)
    } else {
      guard source.coding == "jpeg" else { throw planes.unsupported(source.coding) }
      picture = try coded(source, format: nil, bytes, &context)
    }
    return try shown(consume picture, of: source, &context)
  }

  /// Draws the sources of an overlay in order on a canvas of one colour.
  private func overlay(
    _ item: HEIFItem, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    let data = try container.codedData(of: item.id, in: bytes, budget: &context.budget)
    defer { context.budget.release(data.chargedByteCount) }
    let layout = try OverlayLayout(data.span(in: bytes), sourceCount: item.tileIDs.count)
    var canvas = Bitmap()
    try canvas.reset(
      width: layout.size.width, height: layout.size.height, format: .rgba16, budget: &context.budget)
    context.budget.allowWork(forPixelCount: layout.size.width * layout.size.height)
    try canvas.fill(with: layout.color, budget: &context.budget)
    for (id, offset) in zip(item.tileIDs, layout.offsets) {
      let picture = try converted(source(id, bytes, &context), to: .rgba16, &context)
      if let (region, x, y) = layout.visibleRegion(of: picture.pixelSize, at: offset) {
        try canvas.compose(region, of: picture, atX: x, y: y, budget: &context.budget)
      }
      let byteCount = picture.byteCount
      _ = consume picture
      context.budget.release(byteCount)
    }
    let format: PixelFormat = try canvas.isOpaque(context.budget.interruption) ? .rgb8 : .rgba8
    try canvas.convert(to: format, budget: &context.budget)
    return canvas
  }

  /// Decodes each distinct tile once and copies it to all of its positions.
  private func tiles(
    of item: HEIFItem, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    let grid = try container.validGrid(of: item, bytes)
    var canvas = Bitmap()
    var tileSize = PixelSize(width: 0, height: 0)
    for (id, places) in distinctItems(item.tileIDs) {
      let tileItem = try HEIFItem(id, in: container.table, bytes, budget: &context.budget)
      let tile = try coded(tileItem, format: .rgb8, bytes, &context)
      if canvas.isEmpty {
        guard grid.isCovered(byTilesOf: tile.pixelSize) else {
          throw error(.malformed, "the tiles of a grid do not cover it")
        }
        tileSize = tile.pixelSize
        canvas = try emptyCanvas(grid.size, &context)
      }
      guard tile.pixelSize == tileSize else { throw error(.malformed, "the tiles of a grid differ in size") }
      for place in places {
        try context.budget.chargeWork(tile.byteCount)
        canvas.paste(tile, x: place % grid.columns * tile.width, y: place / grid.columns * tile.height)
      }
      let byteCount = tile.byteCount
      _ = consume tile
      context.budget.release(byteCount)
    }
    return canvas
  }

  private func emptyCanvas(_ size: PixelSize, _ context: inout DecodingContext) throws(CodecError) -> Bitmap {
    var canvas = Bitmap()
    try canvas.reset(width: size.width, height: size.height, format: .rgb8, budget: &context.budget)
    context.budget.allowWork(forPixelCount: size.width * size.height)
    return canvas
  }

  /// Returns the pixels of an item as coded. They are charged to the budget; the caller must credit them.
  private func coded(
    _ item: HEIFItem, format: PixelFormat?, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    guard item.coding == "jpeg", let jpegDecoder else { throw planes.unsupported(item.coding) }
    try context.budget.chargeWork(Self.workPerItem)
    let prefix = try prefixRange(of: item, &context)
    var options = context.options
    options.pixelFormat = format
    // The orientation in the stream's own EXIF is ignored.
    options.orientation = .report
    options.targetSize = nil
    options.region = nil
    options.imageIndex = nil
    let heldByteCount = context.budget.heldByteCount
    var bitmap = Bitmap()
    let details: DecodingDetails
    try context.budget.descend()
    defer { context.budget.ascend() }
    let data = try container.codedData(of: item.id, prefix: prefix, in: bytes, budget: &context.budget)
    details = try jpegDecoder.decode(data.span(in: bytes), into: &bitmap, options: options, budget: &context.budget)
    context.budget.settle(heldByteCount: heldByteCount + bitmap.byteCount)
    for diagnostic in details.diagnostics {
      context.note(diagnostic.severity, diagnostic.reason, byteOffset: nil)
    }
    bitmap.orientation = .up
    return bitmap
  }

  /// Tables that several items share are in a property that precedes their data (annex H.2.2).
  private func prefixRange(of item: HEIFItem, _ context: inout DecodingContext) throws(CodecError) -> Range<Int> {
    let properties = container.table.properties(of: item.id)
    try context.budget.chargeWork(count: properties.count, unitsEach: 10)
    if let property = properties.first(where: { $0.type == "jpgC" }) { return property.payload }
    return 0..<0
  }

  private func shown(
    _ bitmap: consuming Bitmap, of item: HEIFItem, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    try shown(consume bitmap, region: item.cleanAperture, orientation: item.orientation, &context)
  }

  /// Crops and turns a picture. It is consumed, so that it is gone when its memory is credited.
  private func shown(
    _ bitmap: consuming Bitmap, region: PixelRegion?, orientation: ImageOrientation, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    var result = consume bitmap
    if let region, region.fits(in: result.pixelSize) {
      let byteCount = result.byteCount
      try context.budget.allocatePixels(
        width: region.width, height: region.height, bytesPerPixel: result.format.bytesPerPixel)
      result = try result.copy(of: region)
      context.budget.release(byteCount)
    }
    result.orientation = orientation
    try result.handleOrientation(.apply, budget: &context.budget)
    return result
  }

  private func converted(
    _ bitmap: consuming Bitmap, to format: PixelFormat, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    var result = consume bitmap
    try result.convert(to: format, budget: &context.budget)
    return result
  }

  private func error(_ kind: CodecError.Kind, _ reason: String) -> CodecError {
    CodecError(kind, reason, format: container.type)
  }
}

extension Bitmap {
  /// Copies a picture of the same format into this one. Pixels beyond an edge are dropped.
  fileprivate mutating func paste(_ tile: Bitmap, x: Int, y: Int) {
    guard tile.format == format, x < width else { return }
    let byteCount = min(tile.width, width - x) * format.bytesPerPixel
    let start = x * format.bytesPerPixel
    for row in 0..<max(0, min(tile.height, height - y)) {
      let source = tile.row(row)
      var target = mutableRow(y + row)
      for index in 0..<byteCount { target[start + index] = source[index] }
    }
  }

  /// Replaces the alpha of an `rgba8` bitmap by a gray plane of the same size.
  fileprivate mutating func replaceAlpha(by plane: Bitmap) {
    let columnCount = width
    for y in 0..<height {
      let alpha = plane.row(y)
      var target = mutableRow(y)
      for x in 0..<columnCount { target[x * 4 + 3] = alpha[x] }
    }
  }
}
