// The colours of an image, if they fit into a palette, and whether any pixel is transparent.

internal import ImageCoding

/// Counts the colours of an image.
struct ColorCensus {
  /// The distinct colours in order of first occurrence, at most 256.
  private(set) var colors: [RGBA8] = []
  /// The index of each colour, by its red, green and blue.
  private(set) var indices: [UInt32: UInt8] = [:]
  /// Whether ``colors`` contains all colours.
  private(set) var isComplete = true
  /// Whether any pixel is not opaque.
  private(set) var hasTransparency = false

  private static let workPerPixel = 20

  mutating func count(_ bitmap: Bitmap, budget: inout ResourceBudget) throws(CodecError) {
    var converter = PixelRowConverter(from: bitmap.format, to: .rgba8)
    try budget.allocate(count: bitmap.width, bytesEach: 24)
    defer { budget.release(bitmap.width * 24) }
    var row = [UInt8](repeating: 0, count: bitmap.width * 4)
    for y in 0..<bitmap.height where isComplete || (!hasTransparency && bitmap.format.hasAlpha) {
      try budget.chargeWork(count: bitmap.width, unitsEach: Self.workPerPixel)
      var span = row.mutableSpan
      converter.convert(bitmap.row(y), into: &span)
      count(row.span, width: bitmap.width)
    }
  }

  private mutating func count(_ row: Span<UInt8>, width: Int) {
    var last: UInt32?
    for x in 0..<width {
      if row[x * 4 + 3] != 255 { hasTransparency = true }
      let color = RGBA8(red: row[x * 4], green: row[x * 4 + 1], blue: row[x * 4 + 2], alpha: 255)
      let key = Self.key(color.red, color.green, color.blue)
      guard isComplete, key != last else { continue }
      last = key
      guard indices[key] == nil else { continue }
      guard colors.count < 256 else {
        isComplete = false
        continue
      }
      indices[key] = UInt8(colors.count)
      colors.append(color)
    }
  }

  /// The key of a colour in ``indices``.
  static func key(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt32 {
    UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16
  }
}
