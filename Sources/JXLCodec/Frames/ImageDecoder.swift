// The pixels of the still image: the first picture of an animation.

internal import ImageCoding

/// Decodes the first picture.
struct ImageDecoder {
  private let headers: JXLHeaders

  init(_ headers: JXLHeaders) {
    self.headers = headers
  }

  func decode(
    _ codestream: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let size = headers.image.size
    try context.checkSize(width: size.width, height: size.height, format: .gray8, byteOffset: 0)
    context.budget.allowWork(forPixelCount: size.width * size.height)
    var frames = FrameSequence(headers)
    frames.toleratesDamage = !context.isStrict
    let picture = try frames.nextPicture(
      codestream, parallelism: context.options.parallelism, budget: &context.budget)
    if let damage = frames.damage {
      let offset = damage.byteOffset.map(headers.codestream.fileOffset)
      try context.tolerate(CodecError(damage.kind, damage.reason, byteOffset: offset), as: .damage)
    }
    let output = PictureOutput(headers.image)
    var rows = try RowOutput(
      output.natural, size: size, colorSpace: headers.colorSpace, byteOffset: 0, into: &bitmap, &context)
    for y in 0..<size.height {
      try context.budget.chargeWork(count: size.width, unitsEach: output.unitsPerPixel)
      try rows.write(into: &bitmap, &context) { pixels in output.write(picture, row: y, into: &pixels) }
    }
    bitmap.orientation = headers.image.orientation
  }
}
