// Thumbnails in application segments. CIPA DC-008 section 4.5.5, ITU-T T.871 sections 10.1 and 10.2.

internal import ImageCoding
internal import MetadataFormats

/// A thumbnail embedded in the headers of a JPEG file.
package struct JPEGThumbnail: Hashable, Sendable {
  /// The coding of the bytes.
  package enum Coding: Hashable, Sendable {
    /// A complete JPEG file, from EXIF.
    case exifJPEG
    /// A complete JPEG file, from a JFXX segment.
    case jfxxJPEG
    /// 256 RGB colours of three bytes each, followed by one index per pixel.
    case palette(width: Int, height: Int)
    /// Three bytes per pixel: red, green, blue.
    case rgb(width: Int, height: Int)
  }

  /// The coding of the bytes.
  package let coding: Coding
  /// The location of the bytes in the file.
  package let byteRange: Range<Int>
}

extension JPEGDecoder {
  /// Finds the thumbnails in the segments before the first scan, in file order.
  ///
  /// Reads headers only. Segments that are damaged or not entirely in `bytes` are ignored.
  package func embeddedThumbnails(in bytes: Span<UInt8>) -> [JPEGThumbnail] {
    var search = JPEGThumbnailSearch()
    var thumbnails: [JPEGThumbnail] = []
    while let thumbnail = search.next(bytes) { thumbnails.append(thumbnail) }
    return thumbnails
  }
}

/// Finds thumbnails in a file that arrives incrementally. Each segment is read once.
package struct JPEGThumbnailSearch: Sendable {
  private var position = 0
  /// The orientation found in EXIF so far.
  package private(set) var orientation = ImageOrientation.up
  /// Whether no more thumbnails can follow: the first scan has begun, or the file is not a JPEG.
  package private(set) var isFinished = false

  package init() {}

  /// Returns the next thumbnail; `nil` if there is none in the input so far.
  ///
  /// - Parameter bytes: the file from its start, including at least the bytes of earlier calls.
  package mutating func next(_ bytes: Span<UInt8>) -> JPEGThumbnail? {
    if position == 0 {
      switch JPEGDecoder().probe(bytes) {
      case .yes: position = 2
      case .needs: return nil
      case .no: isFinished = true
      }
    }
    guard !isFinished else { return nil }
    var segments = SegmentReader(position: position)
    defer { position = segments.position }
    while let (marker, content) = segments.nextSegment(bytes) {
      if marker == .startOfScan || marker == .endOfImage {
        isFinished = true
        return nil
      }
      let segment = bytes.extracting(content)
      switch SegmentContent(segment, of: marker) {
      case .exif:
        if let found = exifThumbnail(segment, at: content.lowerBound) { return found }
      case .jfif:
        if let found = jfifThumbnail(segment, at: content.lowerBound) { return found }
      case .jfifExtension:
        if let found = extensionThumbnail(segment, at: content.lowerBound) { return found }
      default: break
      }
    }
    return nil
  }

  private mutating func exifThumbnail(_ segment: Span<UInt8>, at offset: Int) -> JPEGThumbnail? {
    let start = SegmentContent.exif.nameByteCount
    let block = segment.extracting(start..<segment.count)
    orientation = ImageOrientation(exif: block) ?? orientation
    guard let range = exifThumbnailRange(block) else { return nil }
    let blockOffset = offset + start
    return JPEGThumbnail(
      coding: .exifJPEG, byteRange: blockOffset + range.lowerBound..<blockOffset + range.upperBound)
  }
}

private func jfifThumbnail(_ segment: Span<UInt8>, at offset: Int) -> JPEGThumbnail? {
  guard segment.count >= 14 else { return nil }
  let (width, height) = (Int(segment[12]), Int(segment[13]))
  return thumbnail(.rgb(width: width, height: height), width * height * 3, in: segment, from: 14, at: offset)
}

private func extensionThumbnail(_ segment: Span<UInt8>, at offset: Int) -> JPEGThumbnail? {
  guard segment.count > 8 else { return nil }
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
