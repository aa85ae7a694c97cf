// Pixels as the encoders take them: one word for each, with straight alpha.

internal import ImageCoding

/// The pixels of a picture.
struct EncodablePicture: Sendable {
  let size: PixelSize
  /// Alpha, red, green and blue from the most to the least significant byte, row by row.
  var pixels: [UInt32]
  /// Whether some pixel is not opaque.
  var hasAlpha: Bool

  /// The number of bytes of a pixel.
  static let bytesPerPixel = 4

  init(size: PixelSize, pixels: [UInt32]) {
    self.size = size
    self.pixels = pixels
    var common: UInt32 = 0xFF00_0000
    for pixel in pixels { common &= pixel }
    hasAlpha = common != 0xFF00_0000
  }

  /// Converts all pixels of a bitmap and charges their memory.
  init(_ bitmap: Bitmap, _ budget: inout ResourceBudget) throws(CodecError) {
    var rows = try PictureRows(bitmap.format, size: bitmap.pixelSize, &budget)
    for y in 0..<bitmap.height {
      try budget.chargeWork(count: bitmap.width, unitsEach: PictureRows.workPerPixel)
      rows.append(bitmap.row(y))
    }
    self = rows.takePicture()
    budget.release(bitmap.width * 4)
  }

  /// Sets pixels that are fully transparent to zero.
  mutating func clearInvisiblePixels() {
    guard hasAlpha else { return }
    var span = pixels.mutableSpan
    for index in span.indices where span[index] < 0x0100_0000 { span[index] = 0 }
  }

  /// Returns a part of the picture.
  func part(_ region: PixelRegion) -> EncodablePicture {
    var part: [UInt32] = []
    part.reserveCapacity(region.width * region.height)
    for y in region.y..<region.y + region.height {
      part.append(contentsOf: pixels[y * size.width + region.x..<y * size.width + region.x + region.width])
    }
    return EncodablePicture(size: PixelSize(width: region.width, height: region.height), pixels: part)
  }
}

/// Converts rows of any pixel format.
struct PictureRows: Sendable {
  private let size: PixelSize
  private var converter: PixelRowConverter
  private var staging: [UInt8]
  private var pixels: [UInt32] = []
  private(set) var rowCount = 0

  /// The work of converting a pixel.
  static let workPerPixel = 5

  init(_ format: PixelFormat, size: PixelSize, _ budget: inout ResourceBudget) throws(CodecError) {
    self.size = size
    converter = PixelRowConverter(from: format, to: .rgba8)
    try budget.allocatePixels(
      width: size.width, height: size.height, bytesPerPixel: EncodablePicture.bytesPerPixel)
    try budget.allocate(size.width * 4)
    staging = [UInt8](repeating: 0, count: size.width * 4)
    pixels.reserveCapacity(size.width * size.height)
  }

  mutating func append(_ row: Span<UInt8>) {
    var staging = staging
    self.staging = []
    var staged = staging.mutableSpan
    converter.convert(row, into: &staged)
    let samples = staging.span
    let width = size.width
    pixels.append(addingCapacity: width) { output in
      var index = 0
      while index < width * 4 {
        let red = UInt32(samples[index]) &<< 16
        let green = UInt32(samples[index &+ 1]) &<< 8
        output.append(UInt32(samples[index &+ 3]) &<< 24 | red | green | UInt32(samples[index &+ 2]))
        index &+= 4
      }
    }
    self.staging = staging
    rowCount += 1
  }

  mutating func takePicture() -> EncodablePicture {
    var taken: [UInt32] = []
    swap(&taken, &pixels)
    return EncodablePicture(size: size, pixels: taken)
  }
}
