// Pixels in GIF's terms, opaque or fully transparent, read row by row, so that whole pictures need not be held in them.

internal import ImageCoding

/// Rows of pixels that can be read more than once.
protocol PixelRows {
  var size: PixelSize { get }
  /// Reads a row: red in the low byte of a pixel, then green, blue and 255; 0 for a pixel that is not drawn.
  mutating func read(_ y: Int, into row: inout [UInt32])
}

/// The pixels of a bitmap, which is upright.
struct BitmapRows: PixelRows {
  private let bitmap: Bitmap
  private let alphaThreshold: UInt8
  private var converter: PixelRowConverter
  private var samples: [UInt8]

  /// The bytes of buffers for a column.
  static let bytesPerColumn = 4
  /// The work of reading a pixel.
  static let workPerPixel = 6

  init(_ bitmap: Bitmap, alphaThreshold: UInt8) {
    self.bitmap = bitmap
    self.alphaThreshold = alphaThreshold
    converter = PixelRowConverter(from: bitmap.format, to: .rgba8)
    samples = [UInt8](repeating: 0, count: bitmap.width * 4)
  }

  var size: PixelSize { bitmap.pixelSize }

  mutating func read(_ y: Int, into row: inout [UInt32]) {
    let bitmap = bitmap
    // Moved out of the property while in use, so that nothing is copied.
    var samples = samples
    self.samples = []
    defer { self.samples = samples }
    var converted = samples.mutableSpan
    converter.convert(bitmap.row(y), into: &converted)
    let source = samples.span
    var pixels = row.mutableSpan
    for x in 0..<bitmap.width {
      let at = x &* 4
      let color = UInt32(source[at]) | UInt32(source[at &+ 1]) << 8 | UInt32(source[at &+ 2]) << 16
      pixels[x] = source[at &+ 3] >= alphaThreshold ? color | 0xFF00_0000 : 0
    }
  }
}

extension FrameDrawing: PixelRows {
  var size: PixelSize { PixelSize(width: region.width, height: region.height) }

  func read(_ y: Int, into row: inout [UInt32]) {
    let start = y * region.width
    for x in 0..<region.width { row[x] = pixels[start + x] }
  }
}
