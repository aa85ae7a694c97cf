// From coded items to one picture: JPEG-coded images, grids of them, identity; then alpha, crop and turn
// (ISO/IEC 23008-12, 6.6.2 and annex H).

internal import ImageCore

/// Decodes the items that make up the primary image.
struct ItemAssembly {
  let container: HEIFContainer
  let jpegDecoder: (any ImageFormatDecoder)?

  /// Units of work that decoding an item costs in addition to its bytes and its pixels.
  private static let workPerItem = 20_000

  /// The primary image, turned and cropped, with its alpha.
  func picture(_ bytes: Span<UInt8>, _ context: inout DecodingContext) throws(CodecError) -> Bitmap {
    var picture = try assembled(container.primaryItem, bytes, &context)
    if let alpha = container.alphaItem, alpha.coding == "jpeg" {
      let plane = try coded(alpha, format: .gray8, bytes, &context)
      if plane.pixelSize == picture.pixelSize {
        picture = try converted(picture, to: .rgba8, &context)
        picture.replaceAlpha(by: plane)
      } else {
        context.note(.damage, "the alpha plane has another size than the image", byteOffset: nil)
      }
      context.budget.release(plane.byteCount)
    }
    picture = try shown(picture, of: container.primaryItem, &context)
    if let format = context.options.pixelFormat { picture = try converted(picture, to: format, &context) }
    return picture
  }

  /// One JPEG-coded item on its own, turned and cropped, as thumbnails are.
  func thumbnail(
    _ item: HEIFItem, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    try shown(try coded(item, format: context.options.pixelFormat, bytes, &context), of: item, &context)
  }

  private func assembled(
    _ item: HEIFItem, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    switch item.coding {
    case "jpeg": return try coded(item, format: nil, bytes, &context)
    case "grid": return try tiles(of: item, bytes, &context)
    case "iden":
      guard let id = item.tileIDs.first else { throw error(.malformed, "a derived image names no source") }
      let source = try HEIFItem(id, in: container.table, bytes, budget: &context.budget)
      return try shown(try coded(source, format: nil, bytes, &context), of: source, &context)
    default: throw unsupported(item.coding)
    }
  }

  /// Decodes each distinct tile once and copies it to all of its places.
  private func tiles(
    of item: HEIFItem, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    guard let grid = container.grid, grid.rows * grid.columns == item.tileIDs.count else {
      throw error(.malformed, "a grid does not have as many tiles as it states")
    }
    var canvas = Bitmap()
    var tileSize = PixelSize(width: 0, height: 0)
    for (id, places) in distinct(item.tileIDs) {
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
      try context.budget.chargeWork(count: places.count, unitsEach: tile.byteCount)
      for place in places {
        canvas.paste(tile, x: place % grid.columns * tile.width, y: place / grid.columns * tile.height)
      }
      context.budget.release(tile.byteCount)
    }
    return canvas
  }

  /// The items of a list in the order of their first place, each with all of its places.
  private func distinct(_ ids: [UInt32]) -> [(id: UInt32, places: [Int])] {
    var result: [(id: UInt32, places: [Int])] = []
    var indices: [UInt32: Int] = [:]
    for (place, id) in ids.enumerated() {
      if let index = indices[id] {
        result[index].places.append(place)
      } else {
        indices[id] = result.count
        result.append((id, [place]))
      }
    }
    return result
  }

  private func emptyCanvas(_ size: PixelSize, _ context: inout DecodingContext) throws(CodecError) -> Bitmap {
    var canvas = Bitmap()
    try canvas.reset(width: size.width, height: size.height, format: .rgb8, budget: &context.budget)
    context.budget.allowWork(forPixelCount: size.width * size.height)
    return canvas
  }

  /// The pixels of an item as they are coded. They are charged; whoever drops them releases them.
  private func coded(
    _ item: HEIFItem, format: PixelFormat?, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    guard item.coding == "jpeg", let jpegDecoder else { throw unsupported(item.coding) }
    guard let (extents, byteCount) = try container.extents(of: item.id, in: bytes, budget: &context.budget) else {
      throw CodecError(
        .truncated, "the data of item \(item.id) is not in the file", format: container.type, byteOffset: bytes.count,
        neededByteCount: container.neededByteCount(for: item.id))
    }
    // Bytes that are skipped cost time too.
    try context.budget.chargeWork(byteCount)
    try context.budget.chargeWork(Self.workPerItem)
    let prefix = try prefixRange(of: item, &context)
    var options = context.options
    options.pixelFormat = format
    // What the stream's own EXIF says of turns does not count.
    options.orientation = .report
    options.targetSize = nil
    let heldByteCount = context.budget.heldByteCount
    var bitmap = Bitmap()
    let details: DecodingDetails
    try context.budget.descend()
    defer { context.budget.ascend() }
    if prefix.isEmpty, let extent = extents.first, extents.count == 1 {
      details = try jpegDecoder.decode(
        bytes.extracting(extent), into: &bitmap, options: options, budget: &context.budget)
    } else {
      try context.budget.allocate(prefix.count + byteCount)
      var stream = Array(copying: bytes.extracting(prefix))
      stream.reserveCapacity(prefix.count + byteCount)
      for extent in extents { stream.append(copying: bytes.extracting(extent)) }
      details = try jpegDecoder.decode(stream.span, into: &bitmap, options: options, budget: &context.budget)
    }
    context.budget.settle(heldByteCount: heldByteCount + bitmap.byteCount)
    for diagnostic in details.diagnostics {
      context.note(diagnostic.severity, diagnostic.reason, byteOffset: nil)
    }
    bitmap.orientation = .up
    return bitmap
  }

  /// Tables that several items share are in a property that precedes their data (annex H.2.2).
  private func prefixRange(of item: HEIFItem, _ context: inout DecodingContext) throws(CodecError) -> Range<Int> {
    let indices = container.table.associations[item.id] ?? []
    try context.budget.chargeWork(count: indices.count, unitsEach: 10)
    for index in indices where index >= 1 && index <= container.table.properties.count {
      let property = container.table.properties[index - 1]
      if property.type == "jpgC" { return property.payload }
    }
    return 0..<0
  }

  private func shown(
    _ bitmap: Bitmap, of item: HEIFItem, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    var result = bitmap
    if let region = item.cleanAperture, region.fits(in: bitmap.pixelSize) {
      try context.budget.allocatePixels(
        width: region.width, height: region.height, bytesPerPixel: bitmap.format.bytesPerPixel)
      result = try bitmap.copy(of: region)
      context.budget.release(bitmap.byteCount)
    }
    result.orientation = item.orientation
    try result.handleOrientation(.apply, budget: &context.budget)
    return result
  }

  private func converted(
    _ bitmap: Bitmap, to format: PixelFormat, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    if bitmap.format == format { return bitmap }
    try context.budget.allocatePixels(
      width: bitmap.width, height: bitmap.height, bytesPerPixel: format.bytesPerPixel)
    try context.budget.chargeWork(count: bitmap.width * bitmap.height, unitsEach: 4)
    context.budget.release(bitmap.byteCount)
    return bitmap.converted(to: format)
  }

  private func unsupported(_ coding: String) -> CodecError {
    error(.unsupported, "images coded as '\(coding)' are identified but not decoded")
  }

  private func error(_ kind: CodecError.Kind, _ reason: String) -> CodecError {
    CodecError(kind, reason, format: container.type)
  }
}

extension HEIFContainer.Grid {
  /// Whether tiles of a size cover the picture, and each of them covers a part of it: a tile outside of the picture
  /// would be decoded for nothing.
  fileprivate func isCovered(byTilesOf tile: PixelSize) -> Bool {
    func isCovered(_ count: Int, _ side: Int, _ whole: Int) -> Bool {
      let (covered, overflow) = count.multipliedReportingOverflow(by: side)
      return side > 0 && !overflow && covered >= whole && covered - side < whole
    }
    return isCovered(columns, tile.width, size.width) && isCovered(rows, tile.height, size.height)
  }
}

extension Bitmap {
  /// Copies a picture of the same format into this one; what is beyond an edge is left out.
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

  /// Takes the samples of a gray plane of the same size as the alpha of `rgba8`.
  fileprivate mutating func replaceAlpha(by plane: Bitmap) {
    let columnCount = width
    for y in 0..<height {
      let alpha = plane.row(y)
      var target = mutableRow(y)
      for x in 0..<columnCount { target[x * 4 + 3] = alpha[x] }
    }
  }
}
