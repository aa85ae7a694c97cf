// From coded items to one picture: conversion of planes, images coded as JPEG or JPEG 2000, grids, identity derivations
// and overlays; then alpha, crop and orientation (ISO/IEC 23008-12, 6.6.2 and annex H).

internal import ImageCoding
internal import PixelPlanes

/// Decodes the items of which the primary image is composed.
struct ItemAssembly {
  let container: HEIFContainer
  let jpegDecoder: AnyImageFormatDecoder?
  let jpeg2000Decoder: AnyImageFormatDecoder?
  let planes: PlanarAssembly

  /// The work units for decoding an item, in addition to its bytes and pixels.
  private static let workPerItem = 20_000

  /// Returns the primary image, or the selected region of it, with its alpha, crop and orientation applied.
  func picture(_ bytes: Span<UInt8>, _ context: inout DecodingContext) throws(CodecError) -> Bitmap {
    let (item, alpha) = (container.primaryItem, container.alphaItem)
    if let region = context.options.region, canDecodeWindow(of: item, alpha: alpha) {
      let part = try ItemWindow(region, of: item, format: container.type)
      let picture = try assembled(item, alpha: alpha, window: part.window, bytes, &context)
      return try shown(consume picture, region: part.region, orientation: item.orientation, &context)
    }
    var picture = try shown(assembled(item, alpha: alpha, bytes, &context), of: item, &context)
    try context.options.crop(&picture, budget: &context.budget)
    return picture
  }

  /// Returns whether only a part of an item can be decoded.
  private func canDecodeWindow(of item: HEIFItem, alpha: HEIFItem?) -> Bool {
    if planes.canDecode(item) { return alpha.map(planes.canDecode) ?? true }
    return item.coding == "grid" && alpha == nil
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
    _ item: HEIFItem, alpha: HEIFItem?, window: PixelRegion? = nil, _ bytes: Span<UInt8>,
    _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    if planes.canDecode(item) { return try pixels(of: item, alpha: alpha, window: window, bytes, &context) }
    var picture = try assembledFromPixels(item, window: window, bytes, &context)
    if let alpha { try attach(alpha, to: &picture, bytes, &context) }
    return picture
  }

  // MARK: Items with planes

  private func pixels(
    of item: HEIFItem, alpha: HEIFItem?, window: PixelRegion? = nil, _ bytes: Span<UInt8>,
    _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    let picture = try planarPicture(of: item, alpha: alpha, window: window, bytes, &context)
    var bitmap = try pixels(of: picture, &context)
    let planesByteCount = picture.rawPlanesByteCount
    _ = consume picture
    context.budget.release(planesByteCount)
    if let alpha, !planes.canDecode(alpha) { try attach(alpha, to: &bitmap, bytes, &context) }
    return bitmap
  }

  /// Returns the planes of an item, with those of its alpha item if it has planes. They remain charged.
  func planarPicture(
    of item: HEIFItem, alpha: HEIFItem?, window: PixelRegion? = nil, _ bytes: Span<UInt8>,
    _ context: inout DecodingContext
  ) throws(CodecError) -> PlanarPicture {
    var picture = try planes.picture(of: item, window: window, bytes, &context)
    guard let alpha, planes.canDecode(alpha) else { return picture }
    let hasWindow = alpha.codedSize == item.codedSize
    let plane = try planes.alphaPlane(of: alpha, window: hasWindow ? window : nil, bytes, &context)
    if plane.width == picture.width, plane.height == picture.height {
      try picture.setAlpha(plane)
      picture.isPremultiplied = container.table.references.contains {
        $0.type == "prem" && $0.from == item.id && $0.to.contains(alpha.id)
      }
    } else {
      context.note(.damage, "the alpha plane has another size than the image", byteOffset: nil)
    }
    return picture
  }

  /// Converts planes to pixels.
  func pixels(of picture: PlanarPicture, _ context: inout DecodingContext) throws(CodecError) -> Bitmap {
    var bitmap = try picture.bitmap(parallelism: context.options.parallelism, budget: &context.budget)
    if picture.bitDepth > 8, picture.bitDepth < 16 { bitmap.significantBits = picture.bitDepth }
    return bitmap
  }

  // MARK: Items with pixels

  /// Replaces the alpha of a picture by the samples of an item.
  private func attach(
    _ alpha: HEIFItem, to picture: inout Bitmap, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) {
    guard alpha.coding == "jpeg" || alpha.coding == "j2k1" || planes.canDecode(alpha) else { return }
    let plane = try alphaPixels(of: alpha, bytes, &context)
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

  /// Returns the samples of an alpha item as gray pixels. They are charged to the budget; the caller must credit them.
  private func alphaPixels(
    of alpha: HEIFItem, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    guard planes.canDecode(alpha) else { return try coded(alpha, format: .gray8, bytes, &context) }
    let picture = try PlanarPicture(
      chromaFormat: .monochrome, coding: PlanarPicture.Coding(range: .full),
      luma: planes.alphaPlane(of: alpha, bytes, &context))
    let bitmap = try picture.bitmap(format: .gray8, budget: &context.budget)
    context.budget.release(picture.rawPlanesByteCount)
    return bitmap
  }

  private func assembledFromPixels(
    _ item: HEIFItem, window: PixelRegion?, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    switch item.coding {
    case "jpeg", "j2k1": return try coded(item, format: nil, bytes, &context)
    case "grid": return try grid(of: item, window: window, bytes, &context)
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
      guard source.coding == "jpeg" || source.coding == "j2k1" else { throw planes.unsupported(source.coding) }
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
    try container.checkSize(layout.size, of: item, &context)
    var canvas = Bitmap()
    try canvas.reset(
      width: layout.size.width, height: layout.size.height, format: .rgba16, budget: &context.budget)
    context.budget.allowWork(forPixelCount: layout.size.width * layout.size.height)
    try canvas.fill(with: layout.pixel, budget: &context.budget)
    for (id, offset) in zip(item.tileIDs, layout.offsets) {
      let picture = try converted(source(id, bytes, &context), to: .rgba16, &context)
      if let (region, x, y) = layout.size.visibleRegion(of: picture.pixelSize, at: offset) {
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

  /// Returns the pixels of an item as coded. They are charged to the budget; the caller must credit them.
  private func coded(
    _ item: HEIFItem, format: PixelFormat?, _ bytes: Span<UInt8>, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
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
    let (decoder, data) = try codedData(of: item.id, bytes, &context.budget)
    details = try decoder.decode(data.span(in: bytes), into: &bitmap, options: options, budget: &context.budget)
    context.budget.settle(heldByteCount: heldByteCount + bitmap.byteCount)
    for diagnostic in details.diagnostics {
      context.note(diagnostic.severity, diagnostic.reason, byteOffset: nil)
    }
    try container.checkSize(bitmap.pixelSize, of: item, &context)
    bitmap.orientation = .up
    return bitmap
  }

  /// Returns the data of an item coded as JPEG or JPEG 2000, and its decoder. Tables that several JPEG items share are in a
  /// property that precedes their data (annex H.2.2).
  private func codedData(
    of id: UInt32, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> (AnyImageFormatDecoder, ItemData) {
    let coding = container.table.items[id]?.type.description ?? ""
    try budget.chargeWork(Self.workPerItem)
    let properties = container.table.properties(of: id)
    try budget.chargeWork(count: properties.count, unitsEach: 10)
    if coding == "j2k1", let jpeg2000Decoder {
      let header = properties.first { $0.type == "j2kH" && $0.payload.upperBound <= bytes.count }?.payload ?? 0..<0
      let data = try container.codedData(of: id, in: bytes, budget: &budget)
      let file = try JP2Wrapping.file(header: bytes.extracting(header), data.span(in: bytes), budget: &budget)
      budget.release(data.chargedByteCount)
      return (jpeg2000Decoder, ItemData(joined: file))
    }
    guard coding == "jpeg", let jpegDecoder else { throw planes.unsupported(coding) }
    let prefix = properties.first { $0.type == "jpgC" }?.payload ?? 0..<0
    return (jpegDecoder, try container.codedData(of: id, prefix: prefix, in: bytes, budget: &budget))
  }

  private func shown(
    _ bitmap: consuming Bitmap, of item: HEIFItem, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    try shown(consume bitmap, region: item.cleanAperture, orientation: item.orientation, &context)
  }

  /// Crops and turns a picture. It is consumed, so that it is gone when its memory is credited.
  func shown(
    _ bitmap: consuming Bitmap, region: PixelRegion?, orientation: ImageOrientation, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    var result = consume bitmap
    if let region, region.fits(in: result.pixelSize) {
      try result.reduce(to: region, budget: &context.budget)
    }
    result.orientation = orientation
    try result.applyOrientation(.apply, budget: &context.budget)
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

// MARK: Tiles with pixels

extension ItemAssembly: TileDecoder {
  /// Only a decode with the budget of the picture reliably tells the size of a tile.
  var decodesInParallel: Bool { false }

  func decoder(of id: UInt32, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget) throws(CodecError) {}

  func description(
    of id: UInt32, _ decoder: Void, _ bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> CodedPictureDescription {
    let (decoder, data) = try codedData(of: id, bytes, &budget)
    defer { budget.release(data.chargedByteCount) }
    let options = InfoOptions(limits: budget.limits)
    let size = try decoder.info(data.span(in: bytes), options: options, budget: &budget).size
    return CodedPictureDescription(
      width: size.width, height: size.height, bitDepth: 8, chromaFormat: .yuv444, coding: .jfif)
  }

  func canvas(
    _ size: PixelSize, like tile: CodedPictureDescription, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    // Not from the pool: the pixels of tiles that are left out stay zero.
    try budget.allocatePixels(width: size.width, height: size.height, bytesPerPixel: PixelFormat.rgb8.bytesPerPixel)
    return try Bitmap(width: size.width, height: size.height, format: .rgb8, limits: budget.limits)
  }

  func tile(
    _ item: HEIFItem, _ decoder: Void, like first: CodedPictureDescription, _ bytes: Span<UInt8>,
    _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? {
    let picture = try coded(item, format: .rgb8, bytes, &context)
    return picture.pixelSize == first.size ? picture : nil
  }
}

extension Bitmap {
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
