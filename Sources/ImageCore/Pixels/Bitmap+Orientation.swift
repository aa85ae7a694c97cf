// Applies orientation to stored pixels.

extension Bitmap {
  /// Returns the image rotated and mirrored as ``orientation`` specifies, with the orientation `.up`.
  public func orientedUp() -> Bitmap {
    if orientation == .up { return self }
    return (try? turnedUp { (_) throws(CodecError) in }) ?? self
  }

  /// - Parameter willWriteRows: called with the number of pixels before each band of rows.
  private func turnedUp(willWriteRows: (Int) throws(CodecError) -> Void) throws(CodecError) -> Bitmap {
    let size = orientation.swapsAxes ? pixelSize.transposed : pixelSize
    var result = Bitmap()
    try result.reset(width: size.width, height: size.height, format: format, limits: .unlimited)
    result.copyTags(from: self)
    result.orientation = .up
    if isEmpty { return result }
    let walk = PixelWalk(toTurnUp: self)
    // Blocks of the copy have 32 rows; bands of wide images have fewer, so that cancellation is noticed in time.
    let bandHeight = max(min(32, (1 << 18) / max(size.width, 1)), 1)
    for top in stride(from: 0, to: size.height, by: bandHeight) {
      let bottom = min(top + bandHeight, size.height)
      try willWriteRows(size.width * (bottom - top))
      var band = walk
      band.start += top * walk.rowStep
      let bytesPerRow = result.bytesPerRow
      var rows = result.mutablePixels._consumingExtracting(top * bytesPerRow..<bottom * bytesPerRow)
      copyPixels(
        pixels, band, bytesPerPixel: format.bytesPerPixel, columns: size.width, rows: bottom - top, into: &rows,
        bytesPerRow: bytesPerRow)
    }
    return result
  }

  /// The work units for copying a pixel to its upright position.
  private static let workPerTurnedPixel = 2

  /// Returns ``orientedUp()``, and the number of bytes that are charged for it: it needs a second bitmap unless this one is
  /// upright. The work is charged band by band.
  package func orientedUp(
    budget: inout ResourceBudget
  ) throws(CodecError) -> (bitmap: Bitmap, chargedByteCount: Int) {
    guard orientation != .up else { return (self, 0) }
    try budget.allocate(byteCount)
    try budget.requireWork(count: width * height, unitsEach: Self.workPerTurnedPixel)
    let turned = try turnedUp { (pixelCount) throws(CodecError) in
      try budget.chargeWork(count: pixelCount, unitsEach: Self.workPerTurnedPixel)
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

extension PixelWalk {
  /// The positions of the pixels of a bitmap in the order of the upright image.
  fileprivate init(toTurnUp bitmap: Bitmap) {
    let column = bitmap.format.bytesPerPixel
    let row = bitmap.bytesPerRow
    let right = max(bitmap.width - 1, 0) * column
    let bottom = max(bitmap.height - 1, 0) * row
    let (start, columnStep, rowStep) =
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
    self.init(start: start, columnStep: columnStep, rowStep: rowStep)
  }
}
