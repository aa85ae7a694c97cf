// JPEG: the frame header, and the EXIF orientation before it.

internal import ImageCore
internal import MetadataFormats

/// Measures JPEG files.
struct JPEGHeaderProbe: HeaderProbe {
  let types: [AssetType] = [.jpeg]

  func info(_ bytes: Span<UInt8>, options: InfoOptions) throws(DecodeError) -> ImageInfo {
    var segments = JPEGSegments(bytes)
    var orientation = ImageOrientation.up
    var adobeTransform: UInt8?
    while let segment = segments.next() {
      let payload = bytes.extracting(segment.payload)
      if segment.isFrameHeader {
        var info = try readFrameHeader(payload, at: segment, adobeTransform: adobeTransform)
        info.orientation = orientation
        return info
      }
      if segment.marker == 0xE1, let exif = exifBlock(payload) {
        orientation = ImageOrientation(exif: exif) ?? orientation
      }
      if segment.marker == 0xEE, payload.count >= 12, FourCharacterCode(payload, at: 0) == "Adob" {
        adobeTransform = payload[11]
      }
    }
    throw DecodeError(.truncated, "no frame header (SOF)", format: .jpeg, byteOffset: bytes.count)
  }

  /// T.81, B.2.2.
  private func readFrameHeader(
    _ payload: Span<UInt8>, at segment: JPEGSegments.Segment, adobeTransform: UInt8?
  ) throws(DecodeError) -> ImageInfo {
    var reader = ByteReader(payload, baseOffset: segment.payload.lowerBound, format: .jpeg)
    let precision = try reader.readUInt8()
    let height = try reader.readUInt16BigEndian()
    let width = try reader.readUInt16BigEndian()
    let componentCount = try reader.readUInt8()
    guard width > 0 else { throw reader.error(.malformed, "the frame header states no width") }
    let colorModel: ImageInfo.ColorModel? =
      switch componentCount {
      case 1: .gray
      case 3: adobeTransform == 0 ? .rgb : .yCbCr
      case 4: adobeTransform == 2 ? .ycck : .cmyk
      default: nil
      }
    return ImageInfo(
      type: .jpeg, width: Int(width), height: Int(height), bitDepth: Int(precision), colorModel: colorModel,
      isProgressive: segment.isProgressiveFrameHeader, coding: coding(of: segment.marker))
  }

  private func coding(of marker: UInt8) -> String {
    let process = ["baseline", "extended sequential", "progressive", "lossless"][Int(marker & 3)]
    return marker >= 0xC8 ? process + ", arithmetic" : process
  }
}

/// The TIFF structure of an APP1 segment that holds EXIF.
@_lifetime(copy payload)
func exifBlock(_ payload: Span<UInt8>) -> Span<UInt8>? {
  guard payload.count > 6, FourCharacterCode(payload, at: 0) == "Exif", payload[4] == 0 else { return nil }
  return payload.extracting(6..<payload.count)
}
