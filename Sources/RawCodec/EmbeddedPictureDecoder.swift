// The pixels of embedded pictures: JPEG streams by the decoder that was passed, others row by row.

internal import ImageCoding

/// Decodes embedded pictures.
struct EmbeddedPictureDecoder {
  let jpegDecoder: AnyImageFormatDecoder

  /// Decodes a picture as stored. Its orientation is that of the raw file, which the caller sets.
  func decode(
    _ picture: EmbeddedPicture, _ bytes: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let data = bytes.extracting(picture.range)
    switch picture.coding {
    case .jpeg: try decodeJPEG(data, into: &bitmap, &context)
    case .rgb8: try decodeRows(picture, data, .rgb8, isBigEndian: false, into: &bitmap, &context)
    case .rgb16(let isBigEndian):
      try decodeRows(picture, data, .rgb16, isBigEndian: isBigEndian, into: &bitmap, &context)
    }
  }

  private func decodeJPEG(
    _ data: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    var options = context.options
    options.orientation = .report
    options.region = nil
    options.imageIndex = nil
    // The budget allows work by the number of pixels, unless the picture is nested.
    let details = try jpegDecoder.decode(data, into: &bitmap, options: options, budget: &context.budget)
    context.note(details.diagnostics.map { ImageDiagnostic($0.severity, $0.reason, frame: $0.frame) })
  }

  private func decodeRows(
    _ picture: EmbeddedPicture, _ data: Span<UInt8>, _ format: PixelFormat, isBigEndian: Bool,
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    var output = try RowOutput(
      format, size: picture.size, byteOffset: picture.range.lowerBound, into: &bitmap, &context)
    let rowByteCount = picture.size.width * format.bytesPerPixel
    for y in 0..<picture.size.height {
      try context.budget.chargeWork(rowByteCount)
      let stored = data.extracting(y * rowByteCount..<(y + 1) * rowByteCount)
      try output.write(into: &bitmap, &context) { row in
        guard format == .rgb16 else {
          for index in 0..<rowByteCount { row[index] = stored[index] }
          return
        }
        for index in stride(from: 0, to: rowByteCount, by: 2) {
          let (first, second) = (UInt16(stored[index]), UInt16(stored[index + 1]))
          storeNativeUInt16(isBigEndian ? first << 8 | second : second << 8 | first, into: &row, at: index)
        }
      }
    }
  }
}
