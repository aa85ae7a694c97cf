// A grid of pictures in one image.

internal import ImageCoding

/// A grid of pictures, from left to right and from top to bottom.
///
/// ```swift
/// var sheet = try ContactSheet(count: files.count, tile: PixelSize(width: 160, height: 120))
/// for file in files { try sheet.add(file.thumbnail(width: 160, height: 120).bitmap) }
/// try sheet.bitmap.write(toFile: "sheet.png")
/// ```
public struct ContactSheet: Sendable {
  private let tile: PixelSize
  private let columns: Int
  private let gap: Int
  private let capacity: Int
  private var count = 0
  /// The sheet with the pictures added so far, as RGBA with straight alpha.
  public private(set) var bitmap: Bitmap

  /// Creates an empty sheet.
  ///
  /// - Parameters:
  ///   - count: the maximum number of pictures.
  ///   - tile: the size in pixels of the space for each picture.
  ///   - columns: the number of pictures per row; `nil` for about the number of rows.
  ///   - gap: the gap between pictures in pixels.
  ///   - background: the colour of gaps and of the space around smaller pictures; transparent by default.
  ///   - limits: limit the size of the sheet.
  /// - Throws: `CodecError.Kind.invalidArgument` if a number is not positive or the gap is negative,
  ///   `CodecError.Kind.limitExceeded` if the sheet is too large.
  public init(
    count: Int, tile: PixelSize, columns: Int? = nil, gap: Int = 4, background: RGBA8 = .clear,
    limits: DecodingLimits = .default
  ) throws(CodecError) {
    var budget = ResourceBudget(limits)
    try self.init(count: count, tile: tile, columns: columns, gap: gap, background: background, budget: &budget)
  }

  /// Creates an empty sheet, which a budget holds afterwards.
  package init(
    count: Int, tile: PixelSize, columns: Int?, gap: Int, background: RGBA8 = .clear, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard count > 0, tile.width > 0, tile.height > 0, columns ?? 1 > 0, gap >= 0 else {
      throw CodecError(.invalidArgument, "a sheet needs positive numbers of pictures, columns and pixels")
    }
    self.tile = tile
    self.gap = gap
    capacity = count
    self.columns = min(columns ?? Int(Double(count).squareRoot().rounded(.up)), count)
    let rows = (count - 1) / self.columns + 1
    let width = try Self.extent(of: self.columns, side: tile.width, gap: gap)
    let height = try Self.extent(of: rows, side: tile.height, gap: gap)
    try budget.allocatePixels(width: width, height: height, bytesPerPixel: 4)
    bitmap = try Bitmap(width: width, height: height, format: .rgba8, limits: budget.limits)
    if background != .clear {
      try bitmap.fill(
        with: [background.red, background.green, background.blue, background.alpha], budget: &budget)
    }
  }

  /// Returns the length in pixels of `count` tiles with gaps between them.
  private static func extent(of count: Int, side: Int, gap: Int) throws(CodecError) -> Int {
    let (step, stepOverflow) = side.addingReportingOverflow(gap)
    let (total, totalOverflow) = step.multipliedReportingOverflow(by: count)
    guard !stepOverflow, !totalOverflow else {
      throw CodecError(.limitExceeded, "the sheet exceeds the address space", limit: .pixelCount)
    }
    return total - gap
  }

  /// Adds a picture at the next position, in the middle of its tile. Larger ones are scaled to fit.
  ///
  /// - Throws: `CodecError.Kind.invalidArgument` if the sheet is full; the errors of the limits.
  public mutating func add(_ picture: Bitmap, limits: DecodingLimits = .default) throws(CodecError) {
    var budget = ResourceBudget(limits)
    try add(picture, budget: &budget)
  }

  /// Adds a picture as a part of a call.
  package mutating func add(_ picture: Bitmap, budget: inout ResourceBudget) throws(CodecError) {
    guard count < capacity else { throw CodecError(.invalidArgument, "the sheet has room for \(capacity) pictures") }
    let heldByteCount = budget.heldByteCount
    defer { budget.settle(heldByteCount: heldByteCount) }
    let request = Thumbnail(width: tile.width, height: tile.height)
    let options = DecodingOptions(limits: budget.limits)
    let small = try picture.thumbnail(request, options: options, budget: &budget)
    let x = count % columns * (tile.width + gap) + (tile.width - small.width) / 2
    let y = count / columns * (tile.height + gap) + (tile.height - small.height) / 2
    try bitmap.draw(small, x: x, y: y, budget: &budget)
    count += 1
  }
}
