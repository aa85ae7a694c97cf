// The metadata chunks of an extended file: ICCP before the image data, EXIF and XMP after it (RFC 9649, sections
// 2.7.1.4 and 2.7.1.5).

internal import ImageCoding

/// Returns the metadata of a file, without the chunks that are beyond the end of the input.
func webPMetadata(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> ImageMetadata {
  var reader = ByteReader(bytes, format: WebPDecoder.type)
  try reader.seek(to: 12)
  guard FourCharacterCode(bytes, at: 12) == "VP8X" else { return ImageMetadata() }
  var metadata = ImageMetadata()
  // The size in the RIFF header is not used as a bound: some tools append metadata without updating it, and readers
  // accept that.
  var chunks = ChunkReader(bytes, in: 12..<bytes.count)
  while let chunk = (try? chunks.next()) ?? nil {
    try budget.chargeWork(WebPContainer.workPerChunk)
    guard chunk.payload.upperBound <= bytes.count else { continue }
    let payload = bytes.extracting(chunk.payload)
    switch chunk.type {
    case "ICCP" where metadata.colorSpace.iccProfile == nil && budget.admitMetadata(payload.count):
      metadata.colorSpace.iccProfile = Array(copying: payload)
    case "EXIF" where metadata.exif == nil && budget.admitMetadata(payload.count):
      metadata.exif = exifBlockRemovingPrefix(payload)
    case "XMP " where metadata.xmp == nil && budget.admitMetadata(payload.count):
      metadata.xmp = Array(copying: payload)
    default: continue
    }
  }
  return metadata
}

/// Returns the block without the six-byte prefix that JPEG requires and that some writers retain.
func exifBlockRemovingPrefix(_ payload: Span<UInt8>) -> [UInt8] {
  if payload.count > 6, FourCharacterCode(payload, at: 0) == "Exif", payload[4] == 0 {
    return Array(copying: payload.extracting(6..<payload.count))
  }
  return Array(copying: payload)
}
