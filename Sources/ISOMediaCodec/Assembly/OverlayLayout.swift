// The arrangement of an overlay's sources (ISO/IEC 23008-12, 6.6.2.2).

internal import ImageCoding

/// The canvas of an overlay and the positions of its sources.
struct OverlayLayout {
  let size: PixelSize
  /// The samples of a pixel in the format `rgba16`.
  let pixel: [UInt8]
  /// The position of each source's top left corner, which may be outside the canvas.
  let offsets: [(x: Int, y: Int)]

  /// - Throws: `CodecError.Kind.malformed` if the canvas is empty or the data ends early.
  init(_ data: Span<UInt8>, sourceCount: Int) throws(CodecError) {
    var reader = ByteReader(data, format: ISOMediaDecoder.heif)
    do throws(CodecError) {
      try reader.skip(1)
      let byteCount = try reader.readUInt8() & 1 == 1 ? 4 : 2
      var pixel = [UInt8](repeating: 0, count: PixelFormat.rgba16.bytesPerPixel)
      for offset in stride(from: 0, to: pixel.count, by: 2) {
        var samples = pixel.mutableSpan
        storeNativeUInt16(try reader.readUInt16BigEndian(), into: &samples, at: offset)
      }
      self.pixel = pixel
      let width = try reader.readInteger(byteCount: byteCount, isBigEndian: true)
      let height = try reader.readInteger(byteCount: byteCount, isBigEndian: true)
      size = PixelSize(width: Int(clamping: width), height: Int(clamping: height))
      var offsets: [(x: Int, y: Int)] = []
      for _ in 0..<sourceCount {
        let x = Self.signed(try reader.readInteger(byteCount: byteCount, isBigEndian: true), byteCount)
        let y = Self.signed(try reader.readInteger(byteCount: byteCount, isBigEndian: true), byteCount)
        offsets.append((x, y))
      }
      self.offsets = offsets
    } catch {
      throw CodecError(.malformed, "the layout of an overlay is cut off", format: ISOMediaDecoder.heif)
    }
    guard size.width > 0, size.height > 0 else {
      throw CodecError(.malformed, "an overlay is empty", format: ISOMediaDecoder.heif)
    }
  }

  private static func signed(_ value: UInt64, _ byteCount: Int) -> Int {
    byteCount == 2
      ? Int(Int16(truncatingIfNeeded: value)) : Int(Int32(truncatingIfNeeded: value))
  }
}

extension Bitmap {
  /// Whether every pixel of a bitmap in the format `rgba16` is opaque.
  func isOpaque(_ interruption: Interruption) throws(CodecError) -> Bool {
    for y in 0..<height {
      try interruption.check(row: y, width: width)
      let row = row16(y)
      for x in 0..<width where row[x &* 4 &+ 3] != 65535 { return false }
    }
    return true
  }

  /// Composites a region of a picture over this one.
  mutating func compose(
    _ region: PixelRegion, of picture: Bitmap, atX x: Int, y: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    for line in 0..<region.height {
      try budget.chargeWork(count: region.width, unitsEach: 8)
      let row = PixelRegion(x: region.x, y: region.y + line, width: region.width, height: 1)
      draw(row, of: picture, atX: x, y: y + line)
    }
  }
}
