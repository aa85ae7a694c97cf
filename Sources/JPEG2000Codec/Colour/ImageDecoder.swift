// From tiles to pixels.

internal import ImageCoding

/// Decodes an image whose headers have been read.
struct ImageDecoder {
  private let headers: JPEG2000Headers
  /// The orientation of the stored pixels.
  private let orientation: ImageOrientation

  init(_ headers: JPEG2000Headers, orientation: ImageOrientation) {
    (self.headers, self.orientation) = (headers, orientation)
  }

  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let channels = headers.channels
    if let name = channels.unsupported { throw .jpeg2000(.unsupported, "\(name) are not supported") }
    let codestream = headers.codestream
    let full = ImageGeometry(codestream.size, discarded: 0)
    try context.budget.checkSourceSize(width: full.size.width, height: full.size.height)
    let region = try context.options.storedRegion(
      of: full.size, orientation: orientation, format: JPEG2000Decoder.type)
    let isWhole = context.options.region == nil
    let window = isWhole ? codestream.size.image : window(full, region)
    if context.options.targetSize == nil || !isWhole {
      let natural = context.options.pixelFormat ?? channels.natural
      try context.checkSize(width: region.width, height: region.height, format: natural, byteOffset: 0)
    }
    context.budget.allowWork(forPixelCount: full.size.width * full.size.height)
    let target = isWhole ? context.options.targetSize : nil
    let decoder = ComponentDecoder(
      codestream, isComplete: headers.isComplete, selected: channels.components, window: window)
    let (planes, discarded) = try decoder.decode(bytes, &context) { maximum in
      discardedCount(orientation.swapsAxes ? target?.transposed : target, maximum)
    }
    let geometry = ImageGeometry(codestream.size, discarded: discarded)
    let output = try PixelOutput(
      channels, headers.file.palette, planes, geometry, region: isWhole ? nil : region, budget: &context.budget)
    try output.write(into: &bitmap, &context)
    bitmap.orientation = orientation
  }

  /// The part of the reference grid that a region of the stored pixels covers.
  private func window(_ full: ImageGeometry, _ region: PixelRegion) -> GridArea {
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
