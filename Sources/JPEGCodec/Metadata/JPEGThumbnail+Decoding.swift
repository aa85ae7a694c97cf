// Decodes thumbnails that are stored uncompressed (ITU-T T.871, 10.1, 10.3 and 10.4), and locates those that are JPEG
// files.

internal import ImageCoding

extension JPEGThumbnail {
  /// The range of a thumbnail that is a complete JPEG file; `nil` if it is stored as pixels.
  package var streamRange: Range<Int>? {
    switch coding {
    case .exifJPEG, .jfxxJPEG: byteRange
    case .palette, .rgb: nil
    }
  }

  /// Returns the pixels of an uncompressed thumbnail as `rgb8`; `nil` if it is a JPEG file.
  ///
  /// - Parameter file: the file in which the thumbnail was found.
  /// - Throws: any error of `budget`; `CodecError.Kind.truncated` if `file` ends before the thumbnail does.
  package func storedPixels(
    in file: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap? {
    var reader = ByteReader(file, format: JPEGDecoder.type)
    try reader.seek(to: byteRange.lowerBound)
    let bytes = try reader.read(byteRange.count)
    switch coding {
    case .exifJPEG, .jfxxJPEG: return nil
    case .rgb(let width, let height):
      try budget.allocatePixels(width: width, height: height, bytesPerPixel: 3)
      return try Bitmap(width: width, height: height, format: .rgb8, pixels: Array(copying: bytes))
    case .palette(let width, let height):
      try budget.allocatePixels(width: width, height: height, bytesPerPixel: 3)
      let pixels = [UInt8](capacity: width * height * 3) { output in
        for index in 768..<bytes.count {
          let color = Int(bytes[index]) * 3
          for sample in color..<color + 3 { output.append(bytes[sample]) }
        }
      }
      return try Bitmap(width: width, height: height, format: .rgb8, pixels: pixels)
    }
  }
}

extension JPEGDecoder {
  /// Whether the frame header declares a progressive image; `nil` if it has not arrived yet.
  package func isProgressive(_ prefix: Span<UInt8>) -> Bool? {
    guard case .yes = probe(prefix) else { return nil }
    var segments = SegmentReader(position: 2)
    while let (marker, _) = segments.nextSegment(prefix), marker != .startOfScan {
      // SOF2, SOF6, SOF10 and SOF14.
      if marker.isStartOfFrame { return marker.rawValue & 3 == 2 }
    }
    return nil
  }
}
