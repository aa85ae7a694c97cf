// Metadata blocks as extracted from files, and files whose metadata is rewritten.

import ImageCodecs
import ImageCoding
import MetadataFormats

/// Parses an EXIF block and all its values, and sets its orientation.
func fuzzEXIF(_ bytes: [UInt8]) {
  _ = ImageOrientation(exif: bytes.span)
  _ = exifThumbnailRange(bytes.span)
  _ = exifBlockRemovingThumbnail(bytes)
  let turned = exifBlock(bytes, settingOrientation: .left)
  // A damaged block is returned unchanged.
  precondition(turned == bytes || ImageOrientation(exif: turned.span) == .left, "the orientation is not written")
  guard let metadata = try? EXIFMetadata(bytes) else { return }
  for entry in metadata.entries { _ = metadata.value(of: entry) }
  _ = metadata.thumbnail
}

/// Parses the header of a colour profile.
func fuzzProfile(_ bytes: [UInt8]) {
  _ = try? ICCProfileHeader(parsing: bytes.span)
}

/// Parses IPTC records, and finds them in Photoshop's blocks.
func fuzzIPTC(_ bytes: [UInt8]) {
  _ = iptcRecords(inImageResources: bytes.span)
  guard let records = try? IPTCRecords(bytes) else { return }
  for number in UInt8.min...UInt8.max { _ = records.texts(number) }
}

/// Parses an XMP packet.
func fuzzXMP(_ bytes: [UInt8]) {
  guard let packet = try? XMPPacket(bytes) else { return }
  for property in ["dc:title", "exif:DateTimeOriginal", "xmp:CreatorTool"] { _ = packet.value(of: property) }
}

/// Strips a JPEG or PNG. The pixels must be preserved.
func fuzzRewriters(_ bytes: [UInt8]) {
  let options = DecodingOptions(orientation: .report, tolerance: .strict, limits: .fuzzing(bytes))
  guard let stripped = try? ImageFile(bytes).stripped(), let before = decoded(bytes, options) else { return }
  guard let after = decoded(stripped, options) else { preconditionFailure("the stripped file cannot be decoded") }
  precondition(before.packedPixels == after.packedPixels, "stripping changes the pixels")
}

private func decoded(_ bytes: [UInt8], _ options: DecodingOptions) -> Bitmap? {
  try? ImageFormatRegistry.shared.decoder(for: bytes.span).decode(bytes.span, options: options).bitmap
}
