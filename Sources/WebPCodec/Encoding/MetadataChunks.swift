// The metadata chunks that a file is written with (RFC 9649, sections 2.7.1.4 and 2.7.1.5).

internal import ImageCoding
internal import MetadataFormats

/// The ICC profile, the EXIF block and the XMP packet of a file.
struct MetadataChunks: Sendable {
  private let profile: [UInt8]?
  private let exif: [UInt8]?
  private let xmp: [UInt8]?

  init(_ metadata: ImageMetadata, colorSpace: ColorSpace, orientation: ImageOrientation) {
    profile = metadata.colorSpace(for: colorSpace).iccProfile(for: .rgb)
    exif = describedEXIF(metadata.exif, orientation: orientation)
    xmp = metadata.xmp
  }

  /// The kinds that are present.
  var features: CanvasFeatures {
    var features: CanvasFeatures = []
    if profile != nil { features.insert(.profile) }
    if exif != nil { features.insert(.exif) }
    if xmp != nil { features.insert(.xmp) }
    return features
  }

  /// The number of bytes of all chunks, headers and padding included.
  var byteCount: Int {
    [profile, exif, xmp].reduce(0) { $0 + ($1.map { $0.count + RIFFChunk.headerByteCount + 1 } ?? 0) }
  }

  /// Appends the profile, which precedes the image.
  func appendProfile(to writer: inout RIFFWriter) {
    if let profile { writer.append("ICCP", profile) }
  }

  /// Appends what follows the image.
  func appendDescription(to writer: inout RIFFWriter) {
    if let exif { writer.append("EXIF", exif) }
    if let xmp { writer.append("XMP ", xmp) }
  }
}

/// Returns the EXIF block to write: a given one with the orientation replaced and without its thumbnail, or one that
/// contains only the orientation; `nil` if there is nothing to write.
func describedEXIF(_ exif: [UInt8]?, orientation: ImageOrientation) -> [UInt8]? {
  if let exif { return exifBlock(exifBlockRemovingThumbnail(exif), settingOrientation: orientation) }
  return orientation == .up ? nil : exifBlock(orientation: orientation)
}
