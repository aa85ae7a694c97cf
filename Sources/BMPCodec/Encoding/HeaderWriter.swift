// The file header and the information header of version 3 (40 bytes), 4 (108) or 5 (124).

internal import ImageCoding

/// Writes the headers of a file.
struct HeaderWriter {
  /// The embedded ICC profile; empty if there is none.
  let profile: [UInt8]
  private let size: PixelSize
  private let depth: Int
  private let hasAlpha: Bool
  private let isSRGB: Bool
  private let density: (x: UInt32, y: UInt32)

  init(_ bitmap: Bitmap, metadata: ImageMetadata?, depth: Int, hasAlpha: Bool) {
    size = bitmap.pixelSize
    self.depth = depth
    self.hasAlpha = hasAlpha
    let space = metadata?.colorSpace(for: bitmap.colorSpace) ?? bitmap.colorSpace
    profile = space.iccProfile ?? []
    isSRGB = profile.isEmpty && space.isMarkedAsSRGB
    density = Self.pixelsPerMeter(metadata?.density)
  }

  private static func pixelsPerMeter(_ density: ImageMetadata.PixelDensity?) -> (UInt32, UInt32) {
    guard let density, density.unit != .aspectRatio else { return (0, 0) }
    let factor = density.unit == .perInch ? 1 / 0.0254 : 1
    func rounded(_ value: Double) -> UInt32 {
      let count = (value * factor).rounded()
      return count > 0 && count <= 0x7FFF_FFFF ? UInt32(count) : 0
    }
    return (rounded(density.x), rounded(density.y))
  }

  private var headerByteCount: Int { !profile.isEmpty ? 124 : hasAlpha || isSRGB ? 108 : 40 }
  /// The bytes of both headers.
  var byteCount: Int { 14 + headerByteCount }

  /// Writes both headers.
  func write(to writer: inout ByteWriter, paletteCount: Int, pixelByteCount: Int) {
    let pixelOffset = byteCount + paletteCount * 4
    writer.append([0x42, 0x4D])
    writer.append(UInt32(truncatingIfNeeded: pixelOffset + pixelByteCount + profile.count))
    writer.append(UInt32(0))
    writer.append(UInt32(truncatingIfNeeded: pixelOffset))
    writer.append(UInt32(headerByteCount))
    writer.append(UInt32(truncatingIfNeeded: size.width))
    writer.append(UInt32(truncatingIfNeeded: size.height))
    writer.append(UInt16(1))
    writer.append(UInt16(depth))
    writer.append(UInt32(hasAlpha ? 3 : 0))
    writer.append(UInt32(truncatingIfNeeded: pixelByteCount))
    writer.append(density.x)
    writer.append(density.y)
    writer.append(UInt32(paletteCount))
    writer.append(UInt32(0))
    guard headerByteCount > 40 else { return }
    for mask: UInt32 in hasAlpha ? [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000] : [0, 0, 0, 0] { writer.append(mask) }
    // "MBED" or "sRGB". Without either, the colour space is that of Windows, which is sRGB.
    writer.append(UInt32(!profile.isEmpty ? 0x4D42_4544 : isSRGB ? 0x7352_4742 : 0x5769_6E20))
    writer.append([UInt8](repeating: 0, count: 48))
    guard headerByteCount > 108 else { return }
    // The intent for images: perceptual.
    writer.append(UInt32(4))
    writer.append(UInt32(truncatingIfNeeded: pixelOffset + pixelByteCount - 14))
    writer.append(UInt32(truncatingIfNeeded: profile.count))
    writer.append(UInt32(0))
  }
}
