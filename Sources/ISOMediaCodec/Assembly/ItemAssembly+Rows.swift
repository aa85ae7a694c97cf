// The rows of an image for a sink, without a bitmap of all of its pixels.

internal import ImageCoding
internal import PixelPlanes

extension ItemAssembly {
  /// The number of rows that are converted together.
  private static let stripRowCount = 128

  /// Whether the primary image and its alpha are coded as planes, which take less memory than pixels.
  var hasOnlyPlanes: Bool {
    planes.canDecode(container.primaryItem) && container.alphaItem.map(planes.canDecode) ?? true
  }

  /// Decodes the planes of the primary image, and passes it to the sink in strips: each is converted to pixels, cropped
  /// and turned like the whole image.
  func deliverRows(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let item = container.primaryItem
    let picture = try planarPicture(of: item, alpha: container.alphaItem, bytes, &context)
    let codedSize = PixelSize(width: picture.width, height: picture.height)
    let all = PixelRegion(x: 0, y: 0, width: codedSize.width, height: codedSize.height)
    let shown = item.cleanAperture.flatMap { $0.fits(in: codedSize) ? $0 : nil } ?? all
    let shownSize = PixelSize(width: shown.width, height: shown.height)
    let size = item.orientation.swapsAxes ? shownSize.transposed : shownSize
    try context.prepareRows(
      of: &bitmap, size: size, natural: picture.naturalFormat, bandRowCount: Self.stripRowCount,
      colorSpace: container.colorSpace)
    for top in stride(from: 0, to: size.height, by: Self.stripRowCount) {
      let heldByteCount = context.budget.heldByteCount
      let bottom = min(top + Self.stripRowCount, size.height)
      let strip = ItemWindow(
        PixelRegion(x: 0, y: top, width: size.width, height: bottom - top), ofShown: shown,
        orientation: item.orientation, codedSize: codedSize)
      let pixels = try pixels(of: strip, of: picture, orientation: item.orientation, as: bitmap.format, &context)
      let stripByteCount = context.budget.heldByteCount - heldByteCount
      for y in top..<bottom {
        var row = bitmap.mutableRow(y)
        copyBytes(pixels.row(y - top), into: &row)
      }
      try context.deliverRows(of: &bitmap, upTo: bottom)
      _ = consume pixels
      context.budget.release(stripByteCount)
    }
  }

  /// Returns the pixels of a part of a picture, upright.
  private func pixels(
    of strip: ItemWindow, of picture: PlanarPicture, orientation: ImageOrientation, as format: PixelFormat,
    _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap {
    let part = try picture.cropped(to: strip.window, budget: &context.budget)
    var result = try shown(pixels(of: part, &context), region: strip.region, orientation: orientation, &context)
    result.colorSpace = container.colorSpace
    try result.convert(to: format, budget: &context.budget)
    return result
  }
}
