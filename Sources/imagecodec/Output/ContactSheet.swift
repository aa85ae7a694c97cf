// A grid of pictures of one size on a transparent ground.

package import ImageCodecs

/// Pictures side by side.
package struct ContactSheet {
  private let tile: PixelSize
  private let columns: Int
  private let gap: Int
  private var count = 0
  /// The sheet as far as it is filled.
  package private(set) var bitmap: Bitmap

  /// An empty sheet.
  ///
  /// - Parameters:
  ///   - canvas: the size of the pictures.
  ///   - size: the longest side of a picture on the sheet; smaller ones stay as they are.
  ///   - columns: pictures in a row; `nil` for a sheet about as high as it is wide in pictures.
  package init(
    frameCount: Int, canvas: PixelSize, size: Int, columns: Int?, gap: Int, limits: DecodingLimits
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
    bitmap = try Bitmap(
      width: try Self.extent(of: self.columns, side: tile.width, gap: gap),
      height: try Self.extent(of: rows, side: tile.height, gap: gap), format: .rgba8, limits: limits)
  }

  /// Pixels that `count` pictures take with gaps between them.
  private static func extent(of count: Int, side: Int, gap: Int) throws(CodecError) -> Int {
    let (step, stepOverflow) = side.addingReportingOverflow(gap)
    let (total, totalOverflow) = step.multipliedReportingOverflow(by: count)
    guard gap >= 0, !stepOverflow, !totalOverflow else {
      throw CodecError(.invalidArgument, "a gap of \(gap) pixels makes the sheet too large")
    }
    return total - gap
  }

  /// Puts a picture in the next place.
  package mutating func add(_ picture: Bitmap) throws(CodecError) {
    let x = count % columns * (tile.width + gap)
    let y = count / columns * (tile.height + gap)
    let small = try picture.converted(to: .rgba8).downscaled(to: tile)
    guard y + small.height <= bitmap.height else { return }
    bitmap.replacePixels(atX: x, y: y, with: small)
    count += 1
  }
}
