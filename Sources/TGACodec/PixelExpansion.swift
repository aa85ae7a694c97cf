// Stored pixels to samples: blue first, indices into the colour map, gray levels.

internal import ImageCoding

/// Expands one stored pixel after another.
struct PixelExpansion: Sendable {
  private let header: TGAHeader
  /// The colours of the map in the decoded format.
  private let colors: [UInt8]
  private let sampleCount: Int

  /// Creates the expansion of an image.
  ///
  /// - Parameter map: the bytes of the colour map, which may be cut off.
  init(_ header: TGAHeader, map: Span<UInt8>) {
    self.header = header
    sampleCount = header.format.samplesPerPixel
    var colors: [UInt8] = []
    if header.model == .palette {
      let step = header.colorByteCount
      for index in 0..<header.colorCount where (index + 1) * step <= map.count {
        var pixel: InlineArray<4, UInt8> = [0, 0, 0, 255]
        var output = pixel.mutableSpan
        Self.expandColor(
          map, index * step, byteCount: step, sampleCount: header.format.samplesPerPixel, into: &output, 0)
        for sample in 0..<header.format.samplesPerPixel { colors.append(pixel[sample]) }
      }
    }
    self.colors = colors
  }

  /// Expands a pixel. Returns `false` if its index has no colour.
  @inline(__always)
  func expand(_ bytes: Span<UInt8>, _ start: Int, into row: inout MutableSpan<UInt8>, x: Int) -> Bool {
    let target = x &* sampleCount
    switch header.model {
    case .gray:
      row[target] = bytes[start]
      if sampleCount == 2 { row[target &+ 1] = bytes[start &+ 1] }
    case .color:
      Self.expandColor(bytes, start, byteCount: header.pixelByteCount, sampleCount: sampleCount, into: &row, target)
    case .palette:
      let stored = header.bitsPerPixel == 8 ? Int(bytes[start]) : Int(bytes[start]) | Int(bytes[start &+ 1]) &<< 8
      let color = (stored &- header.firstColorIndex) &* sampleCount
      guard color >= 0, color < colors.count else {
        for sample in 0..<sampleCount { row[target &+ sample] = 0 }
        return false
      }
      for sample in 0..<sampleCount { row[target &+ sample] = colors[color &+ sample] }
    }
    return true
  }

  @inline(__always)
  private static func expandColor(
    _ bytes: Span<UInt8>, _ start: Int, byteCount: Int, sampleCount: Int, into row: inout MutableSpan<UInt8>,
    _ target: Int
  ) {
    if byteCount == 2 {
      // Five bits each of red, green and blue, and an attribute bit, which is ignored as in most viewers.
      let pixel = UInt32(bytes[start]) | UInt32(bytes[start &+ 1]) &<< 8
      row[target] = scaled(pixel &>> 10)
      row[target &+ 1] = scaled(pixel &>> 5)
      row[target &+ 2] = scaled(pixel)
    } else {
      row[target] = bytes[start &+ 2]
      row[target &+ 1] = bytes[start &+ 1]
      row[target &+ 2] = bytes[start]
      if sampleCount == 4 { row[target &+ 3] = bytes[start &+ 3] }
    }
  }

  @inline(__always)
  private static func scaled(_ value: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: ((value & 31) &* 255 &+ 15) / 31) }
}
