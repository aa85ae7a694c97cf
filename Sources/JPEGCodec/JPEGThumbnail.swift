// Thumbnails inside of application segments: located, not decoded. CIPA DC-008 section 4.5.5, ITU-T T.871 sections 10.1
// and 10.2.

internal import ImageCore
internal import MetadataFormats

/// A thumbnail that a JPEG file carries in its headers.
public struct JPEGThumbnail: Hashable, Sendable {
  /// How its bytes are to be read.
  public enum Coding: Hashable, Sendable {
    /// A JPEG file of its own, from EXIF.
    case exifJPEG
    /// A JPEG file of its own, from a JFXX segment.
    case jfxxJPEG
    /// 256 RGB colours of three bytes, then an index a pixel.
    case palette(width: Int, height: Int)
    /// Three bytes a pixel: red, green, blue.
    case rgb(width: Int, height: Int)
  }

  /// How its bytes are to be read.
  public let coding: Coding
  /// Where its bytes lie in the file.
  public let byteRange: Range<Int>
}

extension JPEGDecoder {
  /// The thumbnails in the segments before the first scan, in file order.
  ///
  /// Looks at headers only. Segments that are damaged or that `bytes` does not hold wholly have none.
  public func embeddedThumbnails(in bytes: Span<UInt8>) -> [JPEGThumbnail] {
    guard probe(bytes) == .yes(Self.type) else { return [] }
    var thumbnails: [JPEGThumbnail] = []
    var segments = SegmentReader(position: 2)
    while case .segment(let marker, let content) = segments.next(bytes) {
      switch marker {
      case .startOfScan, .endOfImage:
        return thumbnails
      case .application0:
        if let found = jfifThumbnail(bytes.extracting(content), at: content.lowerBound) { thumbnails.append(found) }
      case .application1:
        if let found = exifThumbnail(bytes.extracting(content), at: content.lowerBound) { thumbnails.append(found) }
      default: break
      }
    }
    return thumbnails
  }
}

private func exifThumbnail(_ segment: Span<UInt8>, at offset: Int) -> JPEGThumbnail? {
  guard starts(segment, "Exif\0"), segment.count > 6,
    let range = exifThumbnailRange(segment.extracting(6..<segment.count))
  else { return nil }
  let start = offset + 6
  return JPEGThumbnail(coding: .exifJPEG, byteRange: start + range.lowerBound..<start + range.upperBound)
}

private func jfifThumbnail(_ segment: Span<UInt8>, at offset: Int) -> JPEGThumbnail? {
  if starts(segment, "JFIF\0"), segment.count >= 14 {
    let (width, height) = (Int(segment[12]), Int(segment[13]))
    return thumbnail(.rgb(width: width, height: height), width * height * 3, in: segment, from: 14, at: offset)
  }
  guard starts(segment, "JFXX\0"), segment.count > 8 else { return nil }
  let (width, height) = (Int(segment[6]), Int(segment[7]))
  switch segment[5] {
  case 0x10: return thumbnail(.jfxxJPEG, segment.count - 6, in: segment, from: 6, at: offset)
  case 0x11:
    let coding = JPEGThumbnail.Coding.palette(width: width, height: height)
    return thumbnail(coding, 768 + width * height, in: segment, from: 8, at: offset)
  case 0x13: return thumbnail(.rgb(width: width, height: height), width * height * 3, in: segment, from: 8, at: offset)
  default: return nil
  }
}

private func thumbnail(
  _ coding: JPEGThumbnail.Coding, _ byteCount: Int, in segment: Span<UInt8>, from start: Int, at offset: Int
) -> JPEGThumbnail? {
  guard byteCount > 0, byteCount != 768, start + byteCount <= segment.count else { return nil }
  return JPEGThumbnail(coding: coding, byteRange: offset + start..<offset + start + byteCount)
}
