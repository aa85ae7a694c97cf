// Conversion of rows of luma and chroma to rows of pixels with libwebp's upsampling and arithmetic.

internal import ImageCoding
internal import PixelPlanes

/// The samples of one row of pixels. Chroma has half the width, rounded up.
struct PlanarRow: ~Escapable {
  let luma: Span<UInt8>
  /// The chroma rows that cover the row.
  let u: Span<UInt8>
  let v: Span<UInt8>
  /// The adjacent chroma rows: below odd rows, above even ones. At the edges of the picture, the covering rows again.
  let farU: Span<UInt8>
  let farV: Span<UInt8>

  @_lifetime(copy luma, copy u, copy v, copy farU, copy farV)
  init(luma: Span<UInt8>, u: Span<UInt8>, v: Span<UInt8>, farU: Span<UInt8>, farV: Span<UInt8>) {
    self.luma = luma
    self.u = u
    self.v = v
    self.farU = farU
    self.farV = farV
  }
}

/// Converts rows, one at a time.
struct ColorRows {
  private let width: Int
  private let format: PixelFormat
  private let keepsAlpha: Bool
  private var u: [UInt8]
  private var v: [UInt8]
  /// The chroma of the row after an odd one, which is upsampled with it.
  private var nextU: [UInt8]
  private var nextV: [UInt8]
  /// The row of ``nextU`` and ``nextV``.
  private var nextRow = -1
  /// A row of four-byte pixels, used if the target has another pixel size.
  private var pixels: [UInt8] = []

  /// - Parameters:
  ///   - format: `rgba8`, `bgra8` or `rgb8`.
  ///   - keepsAlpha: whether the targets already contain alpha samples, which are preserved.
  init(width: Int, format: PixelFormat, keepsAlpha: Bool, _ budget: inout ResourceBudget) throws(CodecError) {
    self.width = width
    self.format = format
    self.keepsAlpha = keepsAlpha
    try budget.allocate(count: width, bytesEach: 8)
    u = [UInt8](repeating: 0, count: width)
    v = [UInt8](repeating: 0, count: width)
    nextU = [UInt8](repeating: 0, count: width)
    nextV = [UInt8](repeating: 0, count: width)
    if format == .rgb8 { pixels = [UInt8](repeating: 0, count: width * 4) }
  }

  /// Converts a row into a region of a bitmap.
  mutating func store(_ row: borrowing PlanarRow, y: Int, into bitmap: inout Bitmap, _ region: PixelRegion) {
    let bytesPerPixel = bitmap.format.bytesPerPixel
    var bytes = bitmap.mutableRow(region.y + y)
    var part = bytes._mutatingExtracting(region.x * bytesPerPixel..<(region.x + region.width) * bytesPerPixel)
    upsample(row, y: y)
    convert(row, into: &part)
  }

  private mutating func convert(_ row: borrowing PlanarRow, into output: inout MutableSpan<UInt8>) {
    let (width, order) = (width, format == .bgra8 ? FourByteOrder.bgra : .rgba)
    guard format == .rgb8 else {
      return convertLibwebpRow(
        luma: row.luma, u: u.span, v: v.span, pixelCount: width, order: order, keepsAlpha: keepsAlpha, into: &output)
    }
    Self.convert(row.luma, u, v, order, into: &pixels)
    dropFourthBytes(pixels.span, pixelCount: width, into: &output)
  }

  /// Sets the chroma of a row.
  private mutating func upsample(_ row: borrowing PlanarRow, y: Int) {
    if y & 1 == 1 {
      Self.upsample(row.u, row.farU, width: width, into: &u, and: &nextU)
      Self.upsample(row.v, row.farV, width: width, into: &v, and: &nextV)
      nextRow = y + 1
    } else if y == nextRow {
      swap(&u, &nextU)
      swap(&v, &nextV)
    } else {
      Self.upsample(row.u, row.farU, width: width, into: &u)
      Self.upsample(row.v, row.farV, width: width, into: &v)
    }
  }

  private static func upsample(
    _ near: Span<UInt8>, _ far: Span<UInt8>, width: Int, into output: inout [UInt8], and next: inout [UInt8]
  ) {
    var span = output.mutableSpan
    var nextSpan = next.mutableSpan
    upsampleLibwebpRows(near: near, far: far, width: width, into: &span, and: &nextSpan)
  }

  private static func upsample(_ near: Span<UInt8>, _ far: Span<UInt8>, width: Int, into output: inout [UInt8]) {
    var span = output.mutableSpan
    upsampleLibwebpRow(near: near, far: far, width: width, into: &span)
  }

  private static func convert(
    _ luma: Span<UInt8>, _ u: [UInt8], _ v: [UInt8], _ order: FourByteOrder, into pixels: inout [UInt8]
  ) {
    var span = pixels.mutableSpan
    convertLibwebpRow(luma: luma, u: u.span, v: v.span, pixelCount: u.count, order: order, into: &span)
  }
}
