// Applies orientation to stored pixels.

extension Bitmap {
  /// Returns the image rotated and mirrored as ``orientation`` specifies, with the orientation `.up`.
  public func orientedUp() -> Bitmap {
    if orientation == .up { return self }
    return (try? turnedUp { (_) throws(CodecError) in }) ?? self
  }

  /// - Parameter willWriteRow: called with the number of columns before each row.
  private func turnedUp(willWriteRow: (Int) throws(CodecError) -> Void) throws(CodecError) -> Bitmap {
    let size = orientation.swapsAxes ? pixelSize.transposed : pixelSize
    var result = Bitmap()
    try result.reset(width: size.width, height: size.height, format: format, limits: .unlimited)
    result.copyTags(from: self)
    result.orientation = .up
    let walk = SourceWalk(of: self)
    let source = pixels
    let bytesPerPixel = format.bytesPerPixel
    for y in 0..<result.height {
      try willWriteRow(result.width)
      var row = result.mutableRow(y)
      var from = walk.start + y * walk.rowStep
      switch bytesPerPixel {
      case 1: copyPixels(source, from: &from, step: walk.columnStep, byteCount: 1, into: &row)
      case 3: copyPixels(source, from: &from, step: walk.columnStep, byteCount: 3, into: &row)
      case 4: copyPixels(source, from: &from, step: walk.columnStep, byteCount: 4, into: &row)
      default: copyPixels(source, from: &from, step: walk.columnStep, byteCount: bytesPerPixel, into: &row)
      }
    }
    return result
  }

  /// The work units for copying a pixel to its upright position.
  private static let workPerTurnedPixel = 2

  /// Returns ``orientedUp()``, and the number of bytes that are charged for it: it needs a second bitmap unless this one is
  /// upright. The work is charged row by row.
  package func orientedUp(
    budget: inout ResourceBudget
  ) throws(CodecError) -> (bitmap: Bitmap, chargedByteCount: Int) {
    guard orientation != .up else { return (self, 0) }
    try budget.allocate(byteCount)
    try budget.requireWork(count: width * height, unitsEach: Self.workPerTurnedPixel)
    let turned = try turnedUp { (columnCount) throws(CodecError) in
      try budget.chargeWork(count: columnCount, unitsEach: Self.workPerTurnedPixel)
    }
    return (turned, byteCount)
  }

  /// Handles the orientation as requested by ``DecodingOptions/orientation``. Rotation needs a second bitmap of the
  /// same size, which is charged to the budget.
  package mutating func applyOrientation(
    _ handling: DecodingOptions.OrientationHandling, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard handling == .apply else { return }
    let (turned, chargedByteCount) = try orientedUp(budget: &budget)
    self = turned
    budget.release(chargedByteCount)
  }
}

/// The byte offset in the source at which the upright image starts, and the byte strides of one column and one row.
private struct SourceWalk {
  var start: Int
  var columnStep: Int
  var rowStep: Int

  init(of bitmap: Bitmap) {
    let column = bitmap.format.bytesPerPixel
    let row = bitmap.bytesPerRow
    let right = max(bitmap.width - 1, 0) * column
    let bottom = max(bitmap.height - 1, 0) * row
    (start, columnStep, rowStep) =
      switch bitmap.orientation {
      case .up: (0, column, row)
      case .upMirrored: (right, -column, row)
      case .down: (right + bottom, -column, -row)
      case .downMirrored: (bottom, column, -row)
      case .leftMirrored: (0, row, column)
      case .right: (bottom, -row, column)
      case .rightMirrored: (right + bottom, -row, -column)
      case .left: (right, row, -column)
      }
  }
}

@inline(__always)
private func copyPixels(
  _ source: Span<UInt8>, from: inout Int, step: Int, byteCount: Int, into row: inout MutableSpan<UInt8>
) {
  var to = 0
  while to < row.count {
    for offset in 0..<byteCount { row[to &+ offset] = source[from &+ offset] }
    to &+= byteCount
    from &+= step
  }
}
