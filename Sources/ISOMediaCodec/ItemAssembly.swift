// From coded items to one picture: JPEG-coded images, grids of them, identity; then alpha, crop and turn
// (ISO/IEC 23008-12, 6.6.2 and annex H).

internal import ImageCore

/// Decodes the items that make up the primary image.
struct ItemAssembly {
  let container: HEIFContainer
  let jpegDecoder: (any ImageFormatDecoder)?
  let options: DecodingOptions

  /// The primary image, turned and cropped, with its alpha.
  func picture(_ bytes: Span<UInt8>) throws(DecodeError) -> (Bitmap, [ImageDiagnostic]) {
    var diagnostics: [ImageDiagnostic] = []
    var picture = try assembled(container.primaryItem, bytes, &diagnostics)
    if let alpha = container.alphaItem, alpha.coding == "jpeg" {
      let plane = try coded(alpha, format: .gray8, bytes, &diagnostics)
      if plane.pixelSize == picture.pixelSize {
        picture = picture.converted(to: .rgba8).replacingAlpha(by: plane)
      } else {
        diagnostics.append(ImageDiagnostic(.damage, "the alpha plane has another size than the image"))
      }
    }
    picture = try shown(picture, of: container.primaryItem)
    if let format = options.pixelFormat { picture = picture.converted(to: format) }
    return (picture, diagnostics)
  }

  /// One JPEG-coded item on its own, turned and cropped, as thumbnails are.
  func thumbnail(_ item: HEIFItem, _ bytes: Span<UInt8>) throws(DecodeError) -> Bitmap {
    var diagnostics: [ImageDiagnostic] = []
    return try shown(try coded(item, format: options.pixelFormat, bytes, &diagnostics), of: item)
  }

  private func assembled(
    _ item: HEIFItem, _ bytes: Span<UInt8>, _ diagnostics: inout [ImageDiagnostic]
  ) throws(DecodeError) -> Bitmap {
    switch item.coding {
    case "jpeg": return try coded(item, format: nil, bytes, &diagnostics)
    case "grid": return try tiles(of: item, bytes, &diagnostics)
    case "iden":
      guard let id = item.tileIDs.first else { throw error(.malformed, "a derived image names no source") }
      let source = try HEIFItem(id, in: container.table, bytes, limits: options.limits)
      return try shown(try coded(source, format: nil, bytes, &diagnostics), of: source)
    default: throw unsupported(item.coding)
    }
  }

  private func tiles(
    of item: HEIFItem, _ bytes: Span<UInt8>, _ diagnostics: inout [ImageDiagnostic]
  ) throws(DecodeError) -> Bitmap {
    guard let grid = container.grid, grid.rows * grid.columns == item.tileIDs.count else {
      throw error(.malformed, "a grid does not have as many tiles as it states")
    }
    var canvas = Bitmap()
    var tileSize = PixelSize(width: 0, height: 0)
    for (index, id) in item.tileIDs.enumerated() {
      try options.checkCancellation(format: container.type)
      let tileItem = try HEIFItem(id, in: container.table, bytes, limits: options.limits)
      let tile = try coded(tileItem, format: .rgb8, bytes, &diagnostics)
      if index == 0 {
        // Tiles that lie outside of the picture would be decoded for nothing.
        guard tile.width * grid.columns >= grid.size.width, tile.width * (grid.columns - 1) < grid.size.width,
          tile.height * grid.rows >= grid.size.height, tile.height * (grid.rows - 1) < grid.size.height
        else { throw error(.malformed, "the tiles of a grid do not cover it") }
        tileSize = tile.pixelSize
        canvas = try Bitmap(
          width: grid.size.width, height: grid.size.height, format: .rgb8, limits: options.limits)
      }
      guard tile.pixelSize == tileSize else { throw error(.malformed, "the tiles of a grid differ in size") }
      canvas.paste(tile, x: index % grid.columns * tile.width, y: index / grid.columns * tile.height)
    }
    return canvas
  }

  /// The pixels of an item as they are coded.
  private func coded(
    _ item: HEIFItem, format: PixelFormat?, _ bytes: Span<UInt8>, _ diagnostics: inout [ImageDiagnostic]
  ) throws(DecodeError) -> Bitmap {
    guard item.coding == "jpeg", let jpegDecoder else { throw unsupported(item.coding) }
    guard var stream = container.data(of: item.id, in: bytes, limit: options.limits.maximumByteCount) else {
      throw DecodeError(
        .truncated, "the data of item \(item.id) is not in the file", format: container.type, byteOffset: bytes.count,
        neededByteCount: container.neededByteCount(for: item.id))
    }
    stream.insert(contentsOf: prefix(of: item, bytes), at: 0)
    var options = options
    options.pixelFormat = format
    // What the stream's own EXIF says of turns does not count.
    options.orientation = .report
    let image = try jpegDecoder.decode(stream.span, options: options)
    diagnostics += image.diagnostics
    var bitmap = image.bitmap
    bitmap.orientation = .up
    return bitmap
  }

  /// Tables that several items share stand in a property before their data (annex H.2.2).
  private func prefix(of item: HEIFItem, _ bytes: Span<UInt8>) -> [UInt8] {
    for index in container.table.associations[item.id] ?? [] {
      guard index >= 1, index <= container.table.properties.count else { continue }
      let property = container.table.properties[index - 1]
      if property.type == "jpgC" { return Array(copying: bytes.extracting(property.payload)) }
    }
    return []
  }

  private func shown(_ bitmap: Bitmap, of item: HEIFItem) throws(DecodeError) -> Bitmap {
    var result = bitmap
    if let region = item.cleanAperture, region.fits(in: bitmap.pixelSize) { result = try bitmap.cropped(to: region) }
    result.orientation = item.orientation
    return result.orientedUp()
  }

  private func unsupported(_ coding: String) -> DecodeError {
    error(.unsupported, "images coded as '\(coding)' are identified but not decoded")
  }

  private func error(_ kind: DecodeError.Kind, _ reason: String) -> DecodeError {
    DecodeError(kind, reason, format: container.type)
  }
}

extension Bitmap {
  /// Copies a picture of the same format into this one; what reaches over an edge is left out.
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

  /// The picture with the samples of a gray plane of the same size as its alpha. For `rgba8`.
  fileprivate func replacingAlpha(by plane: Bitmap) -> Bitmap {
    var result = self
    for y in 0..<height {
      let alpha = plane.row(y)
      var target = result.mutableRow(y)
      for x in 0..<width { target[x * 4 + 3] = alpha[x] }
    }
    return result
  }

  fileprivate func cropped(to region: PixelRegion) throws(DecodeError) -> Bitmap {
    var pixels: [UInt8] = []
    let rowByteCount = region.width * format.bytesPerPixel
    pixels.reserveCapacity(rowByteCount * region.height)
    for y in region.y..<region.y + region.height {
      let start = region.x * format.bytesPerPixel
      pixels += Array(copying: row(y).extracting(start..<start + rowByteCount))
    }
    return try Bitmap(width: region.width, height: region.height, format: format, pixels: pixels)
  }
}
