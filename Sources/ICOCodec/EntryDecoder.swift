// One picture of an icon: a PNG file, or a bitmap without file header followed by its AND mask.

internal import BMPCodec
internal import ImageCoding

/// Decodes one entry.
struct EntryDecoder {
  let entry: IconContainer.Entry
  let pngDecoder: AnyImageFormatDecoder?

  /// Decodes the entry to the requested pixel format. Returns whether all of its pixels were decoded.
  func decode(
    _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    let start = entry.range.lowerBound
    guard start < bytes.count else {
      throw error(.truncated, "the file ends before the picture", at: bytes.count)
    }
    // Stated lengths are often wrong, and the picture's own headers tell where it ends.
    let end = context.isStrict ? entry.range.upperBound : bytes.count
    guard end <= bytes.count else {
      throw error(.truncated, "the picture extends beyond the end of the file", at: start)
    }
    if entry.statedSize != entry.size {
      try context.tolerate(
        error(.malformed, "the picture has another size than the directory states", at: start), as: .warning)
    }
    let picture = bytes.extracting(start..<end)
    return entry.isPNG
      ? try decodePNG(picture, into: &bitmap, &context) : try decodeBitmap(picture, into: &bitmap, &context)
  }

  private func decodePNG(
    _ picture: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    guard let pngDecoder else {
      throw error(.unsupported, "there is no decoder for entries (PNG)", at: entry.range.lowerBound)
    }
    _ = try context.limits.checkedByteCount(
      width: entry.size.width, height: entry.size.height, bytesPerPixel: 1, format: context.format,
      byteOffset: entry.range.lowerBound)
    context.budget.allowWork(forPixelCount: entry.size.width * entry.size.height)
    let embedded = EmbeddedPictures(jpegDecoder: nil, pngDecoder: pngDecoder)
    return try embedded.decode(picture, with: pngDecoder, into: &bitmap, &context).isComplete
  }

  // MARK: Bitmaps

  private func decodeBitmap(
    _ picture: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> Bool {
    var core = BMPCore(.icon, embedded: EmbeddedPictures(jpegDecoder: nil, pngDecoder: nil))
    var options = context.options
    options.pixelFormat = .rgba8
    options.region = nil
    options.imageIndex = nil
    let (isComplete, diagnostics) = try DecodingContext.spending(
      &context.budget, options, format: core.format
    ) { (context) throws(CodecError) in
      try core.advance(InputWindow(picture), into: &bitmap, &context)
      let details = try core.finish(into: &bitmap, &context)
      return (details.isComplete, context.allDiagnostics)
    }
    for diagnostic in diagnostics {
      context.note(
        diagnostic.severity, diagnostic.reason, byteOffset: diagnostic.byteOffset.map { $0 + entry.range.lowerBound })
    }
    bitmap.colorSpace = .unspecified
    try context.budget.chargeWorkInParts(count: bitmap.width * bitmap.height, unitsEach: 2)
    let hasAlpha = core.bitsPerPixel == 32 ? try bitmap.hasVisiblePixels(context.budget.interruption) : false
    if !hasAlpha {
      try applyMask(picture, at: core.pixelEnd, isTopDown: core.isTopDown, to: &bitmap, &context)
    }
    return isComplete
  }

  /// Replaces alpha by that of the mask: one bit per pixel, set if the pixel is transparent.
  ///
  /// - Parameter maskOffset: the position of the mask, whose rows are stored like those of the picture.
  private func applyMask(
    _ picture: Span<UInt8>, at maskOffset: Int, isTopDown: Bool, to bitmap: inout Bitmap,
    _ context: inout DecodingContext
  ) throws(CodecError) {
    let (width, height) = (bitmap.width, bitmap.height)
    let rowByteCount = (width + 31) / 32 * 4
    let available = max(0, picture.count - min(picture.count, maskOffset)) / rowByteCount
    if available < height {
      try context.tolerate(
        error(.truncated, "the mask ends in row \(available) of \(height)", at: entry.range.lowerBound + picture.count),
        as: .warning)
    }
    for row in 0..<height {
      try context.budget.chargeWork(count: width, unitsEach: 2)
      var pixels = bitmap.mutableRow(isTopDown ? row : height - 1 - row)
      let start = maskOffset + row * rowByteCount
      for x in 0..<width {
        let isTransparent = row < available && picture[start &+ x &>> 3] & (0x80 >> UInt8(x & 7)) != 0
        pixels[x &* 4 &+ 3] = isTransparent ? 0 : 255
      }
    }
  }

  private func error(_ kind: CodecError.Kind, _ reason: String, at byteOffset: Int) -> CodecError {
    CodecError(kind, reason, format: IconDecoder.icon, byteOffset: byteOffset)
  }
}

extension Bitmap {
  /// Whether the alpha of any pixel of an `rgba8` bitmap is not zero.
  fileprivate func hasVisiblePixels(_ interruption: Interruption) throws(CodecError) -> Bool {
    for y in 0..<height {
      try interruption.check(row: y, width: width)
      let row = row(y)
      for x in 0..<width where row[x &* 4 &+ 3] != 0 { return true }
    }
    return false
  }
}
