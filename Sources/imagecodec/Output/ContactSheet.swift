// A grid of images of one size on a transparent background.

package import ImageCodecs

/// A grid of images.
package struct ContactSheet {
  private let tile: PixelSize
  private let columns: Int
  private let gap: Int
  private var count = 0
  /// The sheet with the images added so far.
  package private(set) var bitmap: Bitmap

  /// Creates an empty sheet.
  ///
  /// - Parameters:
  ///   - frameCount: the number of images.
  ///   - canvas: the size of the images in pixels.
  ///   - size: the maximum length of an image's longer side on the sheet, in pixels. Smaller images are not scaled.
  ///   - columns: the number of images per row; `nil` for about the number of rows.
  ///   - gap: the gap between images in pixels.
  ///   - budget: charged for the sheet.
  package init(
    frameCount: Int, canvas: PixelSize, size: Int, columns: Int?, gap: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    let longest = max(canvas.width, canvas.height, 1)
    let scaled = { (side: Int) in
      longest <= size ? side : max(1, Int((Double(side) * Double(size) / Double(longest)).rounded()))
    }
    tile = PixelSize(width: scaled(canvas.width), height: scaled(canvas.height))
    var columnCount = columns ?? 1
    if columns == nil { while columnCount * columnCount < frameCount { columnCount += 1 } }
    self.columns = max(1, min(columnCount, frameCount))
    self.gap = gap
    let rows = max(1, (frameCount + self.columns - 1) / self.columns)
    let width = try Self.extent(of: self.columns, side: tile.width, gap: gap)
    let height = try Self.extent(of: rows, side: tile.height, gap: gap)
    try budget.allocatePixels(width: width, height: height, bytesPerPixel: 4)
    bitmap = try Bitmap(width: width, height: height, format: .rgba8, limits: budget.limits)
  }

  /// Returns the length in pixels of `count` images with gaps between them.
  private static func extent(of count: Int, side: Int, gap: Int) throws(CodecError) -> Int {
    let (step, stepOverflow) = side.addingReportingOverflow(gap)
    let (total, totalOverflow) = step.multipliedReportingOverflow(by: count)
    guard gap >= 0, !stepOverflow, !totalOverflow else {
      throw CodecError(.invalidArgument, "a gap of \(gap) pixels makes the sheet too large")
    }
    return total - gap
  }

  /// The work of converting and averaging a pixel of an image.
  private static let workPerPixel = 8

  /// Adds an image at the next position, and charges the work.
  package mutating func add(_ picture: Bitmap, budget: inout ResourceBudget) throws(CodecError) {
    for _ in 0..<picture.height { try budget.chargeWork(count: picture.width, unitsEach: Self.workPerPixel) }
    let heldByteCount = budget.heldByteCount
    defer { budget.settle(heldByteCount: heldByteCount) }
    try budget.allocatePixels(width: picture.width, height: picture.height, bytesPerPixel: 4)
    let x = count % columns * (tile.width + gap)
    let y = count / columns * (tile.height + gap)
    let small = try picture.converted(to: .rgba8).downscaled(to: tile)
    guard y + small.height <= bitmap.height else { return }
    bitmap.replacePixels(atX: x, y: y, with: small)
    count += 1
  }
}
