// How pixels are stored: colour type, depth and palette, chosen from the bitmap's format and colours (PNG section
// 12.1).

internal import ImageCoding

/// The layout of the samples that the encoder writes.
struct EncodingLayout {
  let colorType: ImageHeader.ColorType
  let bitDepth: Int
  /// The palette's entries as RGBA, translucent ones first.
  let palette: [UInt32]

  /// The layout of pixels whose colours are not reduced.
  init(unreduced format: PixelFormat) {
    let isGray = format.colorModel == .gray
    self.init(
      Self.directType(isGray: isGray, hasAlpha: format.hasAlpha), bitDepth: format.sampleType == .uint8 ? 8 : 16)
  }

  /// Chooses the layout for one image or for all frames of an animation. Charges the work of counting colours.
  init(for bitmaps: [Bitmap], options: PNGEncoder.Options, _ budget: inout ResourceBudget) throws(CodecError) {
    let isWide = bitmaps.contains { $0.format.sampleType != .uint8 }
    let hasAlpha = bitmaps.contains { $0.format.hasAlpha }
    let isGray = bitmaps.allSatisfy { $0.format.colorModel == .gray }
    guard options.reducesColors else {
      self.init(Self.directType(isGray: isGray, hasAlpha: hasAlpha), bitDepth: isWide ? 16 : 8)
      return
    }
    var census = ColorCensus(clearsInvisibleColors: options.clearsInvisibleColors)
    for bitmap in bitmaps { try census.count(bitmap, &budget) }
    let depth = isWide && !census.fitsEightBits ? 16 : 8
    let type = Self.directType(isGray: census.isGray, hasAlpha: !census.isOpaque)
    let grayDepth = type == .gray ? census.colors.flatMap(Self.grayDepth) ?? depth : depth
    let direct = EncodingLayout(type, bitDepth: grayDepth)
    if let colors = census.colors, !colors.isEmpty {
      let indexed = EncodingLayout(palette: colors)
      let pixelCount = bitmaps.reduce(0) { $0 + Double($1.width) * Double($1.height) }
      self = indexed.byteCount(pixelCount: pixelCount) < direct.byteCount(pixelCount: pixelCount) ? indexed : direct
    } else {
      self = direct
    }
  }

  private init(_ colorType: ImageHeader.ColorType, bitDepth: Int) {
    self.colorType = colorType
    self.bitDepth = bitDepth
    palette = []
  }

  private init(palette colors: [UInt32]) {
    colorType = .palette
    bitDepth = colors.count <= 2 ? 1 : colors.count <= 4 ? 2 : colors.count <= 16 ? 4 : 8
    palette = colors.filter { $0 & 255 != 255 } + colors.filter { $0 & 255 == 255 }
  }

  private static func directType(isGray: Bool, hasAlpha: Bool) -> ImageHeader.ColorType {
    switch (isGray, hasAlpha) {
    case (true, false): .gray
    case (true, true): .grayAlpha
    case (false, false): .rgb
    case (false, true): .rgba
    }
  }

  /// The fewest bits that represent these gray values exactly: multiples of 255, 85 or 17 fit in 1, 2 or 4.
  private static func grayDepth(_ colors: [UInt32]) -> Int {
    let values = colors.map { Int($0 >> 24) }
    for (depth, step) in [(1, 255), (2, 85), (4, 17)] where values.allSatisfy({ $0 % step == 0 }) { return depth }
    return 8
  }

  /// The size of all frames in this layout before compression, in floating point: their bits may be more than an
  /// integer of 32 bits can count.
  private func byteCount(pixelCount: Double) -> Double {
    let transparentCount = palette.count { $0 & 255 != 255 }
    let tables = palette.isEmpty ? 0 : 12 + palette.count * 3 + (transparentCount > 0 ? 12 + transparentCount : 0)
    return Double(tables) + pixelCount * Double(bitDepth * colorType.sampleCount) / 8
  }

  /// The format of the rows passed to the packer; palette indices are derived from RGBA.
  var rowFormat: PixelFormat {
    let isWide = bitDepth == 16
    return switch colorType {
    case .gray: isWide ? .gray16 : .gray8
    case .grayAlpha: isWide ? .grayAlpha16 : .grayAlpha8
    case .rgb: isWide ? .rgb16 : .rgb8
    case .rgba: isWide ? .rgba16 : .rgba8
    case .palette: .rgba8
    }
  }

  /// The header of an image in this layout.
  func header(size: PixelSize, isInterlaced: Bool) -> ImageHeader {
    ImageHeader(
      width: size.width, height: size.height, bitDepth: bitDepth, colorType: colorType, isInterlaced: isInterlaced)
  }

  /// The data of IHDR.
  func headerBytes(size: PixelSize, isInterlaced: Bool) -> [UInt8] {
    var writer = ByteWriter(.bigEndian)
    writer.append(UInt32(truncatingIfNeeded: size.width))
    writer.append(UInt32(truncatingIfNeeded: size.height))
    writer.append([UInt8(bitDepth), colorType.rawValue, 0, 0, isInterlaced ? 1 : 0])
    return writer.bytes
  }
}
