// Blocks of metadata as they come out of files, and files whose metadata is written anew.

import ImageCodecs
import ImageCore
import MetadataFormats

/// Reads an EXIF block, every value of it, and writes its orientation.
func fuzzEXIF(_ bytes: [UInt8]) {
  _ = ImageOrientation(exif: bytes.span)
  _ = exifThumbnailRange(bytes.span)
  _ = exifBlockRemovingThumbnail(bytes)
  let turned = exifBlock(bytes, settingOrientation: .left)
  // A damaged block comes back as it is.
  precondition(turned == bytes || ImageOrientation(exif: turned.span) == .left, "the orientation was not written")
  guard let metadata = try? EXIFMetadata(bytes) else { return }
  for entry in metadata.entries { _ = metadata.value(of: entry) }
  _ = metadata.thumbnail
}

/// Reads the header of a colour profile.
func fuzzProfile(_ bytes: [UInt8]) {
  _ = try? ICCProfileHeader(parsing: bytes.span)
}

/// Reads IPTC records, and finds them in Photoshop's blocks.
func fuzzIPTC(_ bytes: [UInt8]) {
  _ = iptcRecords(inImageResources: bytes.span)
  guard let records = try? IPTCRecords(bytes) else { return }
  for number in UInt8.min...UInt8.max { _ = records.texts(number) }
}

/// Reads an XMP packet.
func fuzzXMP(_ bytes: [UInt8]) {
  guard let packet = try? XMPPacket(bytes) else { return }
  for property in ["dc:title", "exif:DateTimeOriginal", "xmp:CreatorTool"] { _ = packet.value(of: property) }
}

/// Strips a JPEG or PNG: what is written must show the same pixels.
func fuzzRewriters(_ bytes: [UInt8]) {
  let limits = DecodingLimits(maximumPixelCount: 1 << 18, maximumByteCount: 4 << 20)
  let options = DecodingOptions(orientation: .report, tolerance: .strict, limits: limits)
  guard let stripped = try? ImageMetadata.stripped(from: bytes), let before = decoded(bytes, options) else { return }
  guard let after = decoded(stripped, options) else { preconditionFailure("a stripped file does not decode") }
  precondition(before.packedPixels == after.packedPixels, "a stripped file shows something else")
}

private func decoded(_ bytes: [UInt8], _ options: DecodingOptions) -> Bitmap? {
  try? ImageFormatRegistry.shared.decoder(for: bytes.span).decode(bytes.span, options: options).bitmap
}
