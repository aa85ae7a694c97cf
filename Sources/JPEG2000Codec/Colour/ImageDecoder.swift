// From tiles to pixels.

internal import ImageCoding

/// Decodes an image whose headers have been read.
struct ImageDecoder {
  private let headers: JPEG2000Headers

  init(_ headers: JPEG2000Headers) {
    self.headers = headers
  }

  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let channels = headers.channels
    if let name = channels.unsupported { throw .jpeg2000(.unsupported, "\(name) are not supported") }
    let codestream = headers.codestream
    let full = ImageGeometry(codestream.size, discarded: 0)
    try context.budget.checkSourceSize(width: full.size.width, height: full.size.height)
    let window = try window(full, context.options)
    if context.options.targetSize == nil || context.options.region != nil {
      let natural = context.options.pixelFormat ?? channels.natural
      let (width, height) = (context.options.region?.width, context.options.region?.height)
      try context.checkSize(
        width: width ?? full.size.width, height: height ?? full.size.height, format: natural, byteOffset: 0)
    }
    context.budget.allowWork(forPixelCount: full.size.width * full.size.height)
    let options = context.options
    let decoder = ComponentDecoder(
      codestream, isComplete: headers.isComplete, selected: channels.components, window: window)
    let (planes, discarded) = try decoder.decode(bytes, &context) { maximum in
      options.region == nil ? discardedCount(options.targetSize, maximum) : 0
    }
    let geometry = ImageGeometry(codestream.size, discarded: discarded)
    let output = try PixelOutput(
      channels, headers.file.palette, planes, geometry, region: options.region, budget: &context.budget)
    try output.write(into: &bitmap, &context)
  }

  /// The part of the reference grid that is decoded.
  private func window(_ full: ImageGeometry, _ options: DecodingOptions) throws(CodecError) -> GridArea {
    guard let region = options.region else { return headers.codestream.size.image }
    guard region.fits(in: full.size) else {
      throw .jpeg2000(
        .invalidArgument, "the region exceeds the image of \(full.size.width) × \(full.size.height) pixels")
    }
    let (x, y) = (full.area.x0 + Int64(region.x), full.area.y0 + Int64(region.y))
    return GridArea(
      x0: x * full.dx, y0: y * full.dy, x1: (x + Int64(region.width) - 1) * full.dx + 1,
      y1: (y + Int64(region.height) - 1) * full.dy + 1)
  }

  /// The number of resolutions above the smallest one that is at least as large as the target.
  private func discardedCount(_ target: PixelSize?, _ maximum: Int) -> Int {
    guard let target else { return 0 }
    var count = 0
    while count < maximum {
      let size = ImageGeometry(headers.codestream.size, discarded: count + 1).size
      guard size.width >= max(1, target.width), size.height >= max(1, target.height) else { break }
      count += 1
    }
    return count
  }
}
