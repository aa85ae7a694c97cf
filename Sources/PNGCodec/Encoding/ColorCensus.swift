// Analyses the colours of an image to determine the fewest samples and bits that can represent them.

internal import ImageCoding

/// Collects the colours of bitmaps, at most 256.
struct ColorCensus {
  /// Whether every pixel is opaque.
  private(set) var isOpaque = true
  /// Whether every pixel has equal red, green and blue.
  private(set) var isGray = true
  /// Whether every 16-bit sample is 257 times an 8-bit value.
  private(set) var fitsEightBits = true
  /// The distinct colours in order of appearance; `nil` if there are more than 256 or they do not fit 8 bits.
  private(set) var colors: [UInt32]? = []
  /// A hash table with open addressing: 0 marks a free slot, any other value is an index into `colors` plus 1.
  private var slots = [UInt16](repeating: 0, count: 1024)
  private var lastColor: UInt32?
  /// Whether the colours of fully transparent pixels count as zero.
  private let clearsInvisibleColors: Bool

  init(clearsInvisibleColors: Bool) {
    self.clearsInvisibleColors = clearsInvisibleColors
  }

  /// The work of counting a pixel.
  private static let workPerPixel = 4

  /// Adds all pixels of a bitmap.
  mutating func count(_ bitmap: Bitmap, _ budget: inout ResourceBudget) throws(CodecError) {
    let isWide = bitmap.format.sampleType != .uint8
    let format: PixelFormat = isWide ? .rgba16 : .rgba8
    var converter = PixelRowConverter(from: bitmap.format, to: format)
    let rowByteCount = try budget.allocate(count: bitmap.width, bytesEach: format.bytesPerPixel)
    defer { budget.release(rowByteCount) }
    var row = [UInt8](repeating: 0, count: rowByteCount)
    for y in 0..<bitmap.height {
      try budget.chargeWork(count: bitmap.width, unitsEach: Self.workPerPixel)
      var output = row.mutableSpan
      converter.convert(bitmap.row(y), into: &output)
      if isWide { countRow16(row.span) } else { countRow8(row.span) }
      if !isOpaque, !isGray, colors == nil, !isWide || !fitsEightBits { return }
    }
  }

  private mutating func countRow8(_ row: Span<UInt8>) {
    var index = 0
    while index < row.count {
      if clearsInvisibleColors, row[index + 3] == 0 {
        count(red: 0, green: 0, blue: 0, alpha: 0)
        index += 4
        continue
      }
      count(red: row[index], green: row[index + 1], blue: row[index + 2], alpha: row[index + 3])
      index += 4
    }
  }

  private mutating func countRow16(_ row: Span<UInt8>) {
    var index = 0
    while index < row.count {
      if clearsInvisibleColors, nativeUInt16(row, at: index + 6) == 0 {
        count(red: 0, green: 0, blue: 0, alpha: 0)
        index += 8
        continue
      }
      for sample in 0..<4 where row[index + sample * 2] != row[index + sample * 2 + 1] { fitsEightBits = false }
      let red = nativeUInt16(row, at: index)
      if red != nativeUInt16(row, at: index + 2) || red != nativeUInt16(row, at: index + 4) { isGray = false }
      if nativeUInt16(row, at: index + 6) != 65535 { isOpaque = false }
      if fitsEightBits {
        count(red: row[index], green: row[index + 2], blue: row[index + 4], alpha: row[index + 6])
      } else {
        colors = nil
      }
      index += 8
    }
  }

  private mutating func count(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
    let color = UInt32(red) << 24 | UInt32(green) << 16 | UInt32(blue) << 8 | UInt32(alpha)
    if color == lastColor { return }
    lastColor = color
    if alpha != 255 { isOpaque = false }
    if red != green || red != blue { isGray = false }
    insert(color)
  }

  private mutating func insert(_ color: UInt32) {
    guard let known = colors else { return }
    // Fibonacci hashing: 2³² divided by the golden ratio.
    var slot = Int((color &* 0x9E37_79B9) >> 22)
    while slots[slot] != 0 {
      if known[Int(slots[slot]) - 1] == color { return }
      slot = (slot + 1) & 1023
    }
    guard known.count < 256 else {
      colors = nil
      return
    }
    slots[slot] = UInt16(known.count + 1)
    colors?.append(color)
  }
}
