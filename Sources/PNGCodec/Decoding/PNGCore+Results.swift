// Results: a preview of the partial image, and the finished image.

internal import ImageCoding

extension PNGCore {
  mutating func makePreview(
    of bitmap: Bitmap, from input: InputWindow, _ context: inout DecodingContext
  ) throws(CodecError) -> Bitmap? {
    guard case .rows(let decoder) = imageData, decoder.hasPixels, let description else { return nil }
    var preview = bitmap
    if description.header.isInterlaced, !decoder.isImageComplete {
      preview = PassPreview(
        completedPassCount: decoder.completedPassCount, rowsOfNextPass: decoder.passRowCount
      ).fill(bitmap)
    }
    tag(&preview, description)
    return preview
  }

  mutating func finish(
    into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) -> DecodingDetails {
    if stage != .ended { try endEarly(&context) }
    guard let description, let imageData else { throw error(.malformed, "there is no image data") }
    guard imageData.hasPixels else { throw damage ?? error(.truncated, "there is no complete row") }
    if imageData.sawUnknownIndex {
      try context.tolerate(error(.malformed, "a pixel's index has no entry in PLTE"), as: .damage)
    }
    if !imageData.isImageComplete, !description.header.isInterlaced {
      bitmap.zeroPixels(rows: imageData.completedRowCount..<description.header.height)
    }
    tag(&bitmap, description)
    return DecodingDetails(
      info: description.info, metadata: description.metadata, isComplete: imageData.isImageComplete)
  }

  /// Treats the end of the input as the end of the file.
  private mutating func endEarly(_ context: inout DecodingContext) throws(CodecError) {
    let error = error(.truncated, "the file ends before IEND", at: chunks.byteOffset)
    guard let imageData else { throw error }
    try context.tolerate(error, as: imageData.isImageComplete ? .warning : .damage)
    if damage == nil, !imageData.isImageComplete { imageDataState = .damaged(error) }
    stage = .ended
  }

  private func tag(_ image: inout Bitmap, _ description: ImageDescription) {
    image.colorSpace = description.colorSpace(in: image.format)
    image.orientation = description.info.orientation
  }
}
