// The frames of a codestream, composed to an image (ISO/IEC 18181-1, annex F).

internal import ImageCoding

/// Decodes the still image: the first picture of an animation.
struct ImageDecoder {
  private let headers: JXLHeaders

  init(_ headers: JXLHeaders) {
    self.headers = headers
  }

  func decode(
    _ codestream: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let image = headers.image
    let size = image.size
    try context.checkSize(width: size.width, height: size.height, format: .gray8, byteOffset: 0)
    context.budget.allowWork(forPixelCount: size.width * size.height)
    var offset = headers.firstFrameOffset
    if let previewSize = image.previewSize {
      let preview = try FrameDecoder(
        parsing: codestream, at: offset, image: image, canvas: previewSize, budget: &context.budget)
      offset = preview.end
    }
    var frame = try FrameDecoder(
      parsing: codestream, at: offset, image: image, canvas: size, budget: &context.budget)
    try checkDirect(frame)
    try frame.decode(codestream, parallelism: context.options.parallelism, budget: &context.budget)
    let output = SampleOutput(image)
    var rows = try RowOutput(
      output.natural, size: size, colorSpace: headers.colorSpace, byteOffset: 0, into: &bitmap, &context)
    for y in 0..<size.height {
      try context.budget.chargeWork(count: size.width, unitsEach: output.natural.samplesPerPixel)
      try rows.write(into: &bitmap, &context) { pixels in output.write(frame.modular, row: y, into: &pixels) }
    }
    bitmap.orientation = image.orientation
  }

  /// Throws unless the samples of a frame are the pixels of the image.
  private func checkDirect(_ frame: FrameDecoder) throws(CodecError) {
    func unsupported(_ feature: String) -> CodecError {
      CodecError(.unsupported, "\(feature) are not supported", format: JXLDecoder.type)
    }
    let header = frame.header
    if headers.image.isXYB { throw unsupported("XYB images") }
    if header.isYCbCr { throw unsupported("YCbCr frames") }
    if header.kind != .regular && header.kind != .skipProgressive || !header.isPicture {
      throw unsupported("images of several frames")
    }
    if header.size != headers.image.size || header.x0 != 0 || header.y0 != 0 {
      throw unsupported("frames that are smaller or larger than the image")
    }
    if header.blending.mode != .replace || header.extraBlending.contains(where: { $0.mode != .replace }) {
      throw unsupported("blended frames")
    }
    if header.upsampling != 1 || header.extraUpsampling.contains(where: { $0 != 1 }) {
      throw unsupported("upsampled channels")
    }
    if !header.filter.isIdentity { throw unsupported("frames with filters") }
  }
}
