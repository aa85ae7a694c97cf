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
    let parallelism = context.options.parallelism
    var picture = try frames.nextPicture(codestream, parallelism: parallelism, budget: &context.budget)
    let output = PictureOutput(headers.image)
    var rows = try RowOutput(
      output.natural, size: size, colorSpace: headers.colorSpace, byteOffset: 0, into: &bitmap, &context)
    for y in 0..<size.height {
      try output.prepare(
        &picture, row: y, width: size.width, codestream, parallelism: parallelism, budget: &context.budget)
      try rows.write(into: &bitmap, &context) { pixels in output.write(picture, row: y, into: &pixels) }
    }
    if let damage = frames.damage ?? picture.damage {
      let offset = damage.byteOffset.map(headers.codestream.fileOffset)
      try context.tolerate(CodecError(damage.kind, damage.reason, byteOffset: offset), as: .damage)
    }
    bitmap.orientation = headers.image.orientation
  }
}
