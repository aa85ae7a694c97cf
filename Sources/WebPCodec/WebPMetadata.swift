// The metadata chunks of an extended file: ICCP before the image data, EXIF and XMP after it
// (RFC 9649, sections 2.7.1.4 and 2.7.1.5).

internal import ImageCore

/// What a file carries in addition to its pixels; what the input does not reach is left out.
func webPMetadata(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> ImageMetadata {
  var reader = ByteReader(bytes, format: WebPDecoder.type)
  try reader.seek(to: 12)
  guard FourCharacterCode(bytes, at: 12) == "VP8X" else { return ImageMetadata() }
  var metadata = ImageMetadata()
  // The size in the RIFF header is no bound: tools that append metadata forget it, and readers do not care.
  var chunks = ChunkWalk(bytes, in: 12..<bytes.count)
  while let chunk = (try? chunks.next()) ?? nil {
    try budget.chargeWork(WebPContainer.workPerChunk)
    guard chunk.payload.upperBound <= bytes.count else { continue }
    let payload = bytes.extracting(chunk.payload)
    switch chunk.type {
    case "ICCP" where metadata.iccProfile == nil && budget.admitMetadata(payload.count):
      metadata.iccProfile = Array(copying: payload)
    case "EXIF" where metadata.exif == nil && budget.admitMetadata(payload.count):
      metadata.exif = exifBlock(payload)
    case "XMP " where metadata.xmp == nil && budget.admitMetadata(payload.count):
      metadata.xmp = Array(copying: payload)
    default: continue
    }
  }
  return metadata
}

/// The block without the six bytes that precede it in JPEG and that some writers leave in place.
private func exifBlock(_ payload: Span<UInt8>) -> [UInt8] {
  if payload.count > 6, FourCharacterCode(payload, at: 0) == "Exif", payload[4] == 0 {
    return Array(copying: payload.extracting(6..<payload.count))
  }
  return Array(copying: payload)
}
