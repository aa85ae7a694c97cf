// One picture, a still image or a frame: the chunk of its pixels, optionally preceded by that of its alpha plane.

internal import ImageCoding
internal import PixelPlanes

/// Decodes the chunks of one picture into a region of a bitmap as their bytes arrive.
struct FrameDecoder {
  /// The region of the bitmap that receives the picture.
  let region: PixelRegion
  private var alpha: AlphaDecoder?
  private var parallelAlpha: ParallelAlpha?
  private var lossless: LosslessDecoder?
  private var lossy: LossyDecoder?
  private var colors: ColorRows?
  /// The number of rows, from the top of the picture, that are final.
  private(set) var completedRowCount = 0

  init(region: PixelRegion) {
    self.region = region
  }

  /// Whether there is an alpha plane.
  var hasAlphaPlane: Bool { alpha != nil }
  /// Whether the alpha plane is complete, if there is one.
  var isAlphaComplete: Bool { alpha?.isComplete ?? true }
  /// Whether all rows are complete.
  var isComplete: Bool { completedRowCount == region.height }

  /// The reason why the picture cannot be decoded any further.
  var damage: BitstreamDamage? { lossless?.damage ?? lossy?.damage }
  /// The reason why the alpha plane cannot be decoded any further.
  var alphaDamage: BitstreamDamage? { alpha?.damage }

  /// The file offset of the first byte that is still needed.
  var byteOffset: Int? { lossless?.byteOffset ?? lossy?.byteOffset ?? alpha?.byteOffset }

  mutating func beginAlpha(header: UInt8, offset: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    alpha = try AlphaDecoder(header: header, width: region.width, height: region.height, offset: offset, &budget)
  }

  mutating func beginLossless(offset: Int) {
    lossless = LosslessDecoder(width: region.width, height: region.height, offset: offset)
  }

  mutating func beginLossy(
    _ payload: Range<Int>, format: PixelFormat, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    lossy = try LossyDecoder(width: region.width, height: region.height, payload: payload, &budget)
    let keepsAlpha = hasAlphaPlane && parallelAlpha == nil
    colors = try ColorRows(width: region.width, format: format, keepsAlpha: keepsAlpha, &budget)
  }

  // MARK: Stages

  /// Decodes alpha into the alpha samples of the bitmap, which is RGBA.
  mutating func advanceAlpha(
    _ window: Span<UInt8>, offset: Int, isFinal: Bool, into bitmap: inout Bitmap, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    let region = region
    try alpha?.advance(window, offset: offset, isFinal: isFinal, &budget) { y, samples in
      bitmap.storeAlpha(samples, y: y, region)
    }
    guard alpha?.damage != nil else { return }
    // Rows missing from the plane become opaque.
    bitmap.makeOpaque(rows: (alpha?.completedRowCount ?? 0)..<region.height, region)
  }

  /// Starts to decode alpha on another thread. ``advancePixels(_:offset:isFinal:into:to:parallelism:_:)`` waits for it.
  ///
  /// - Parameter payload: the whole payload of the chunk.
  mutating func startAlpha(
    _ payload: Span<UInt8>, offset: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard let alpha else { return }
    parallelAlpha = try ParallelAlpha(alpha, payload: payload, offset: offset, region: region, &budget)
  }

  private mutating func storeParallelAlpha(into bitmap: inout Bitmap, _ budget: inout ResourceBudget) throws(CodecError)
  {
    guard let plane = try parallelAlpha.take()?.plane(&budget) else { return }
    plane.store(into: &bitmap, region)
    alpha = plane.decoder
  }

  /// Decodes pixels.
  ///
  /// - Parameters:
  ///   - delivery: the destination of rows if the bitmap is a window.
  ///   - parallelism: the number of threads to use if the window contains the rest of the chunk.
  mutating func advancePixels(
    _ window: Span<UInt8>, offset: Int, isFinal: Bool, into bitmap: inout Bitmap, to delivery: inout RowDelivery?,
    parallelism: Int = 1, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    if isFinal, delivery == nil, parallelAlpha == nil || parallelism > 2,
      ParallelReconstruction.isWorthwhile(for: region, parallelism)
    {
      try advanceLossyInParallel(window, offset: offset, into: &bitmap, &budget)
    }
    let region = region
    let bytesPerPixel = bitmap.format.bytesPerPixel
    let columns = region.x * bytesPerPixel..<(region.x + region.width) * bytesPerPixel
    if lossless != nil {
      let order: FourByteOrder = bitmap.format == .bgra8 ? .bgra : .rgba
      try lossless?.advance(window, offset: offset, isFinal: isFinal, &budget) {
        (y, pixels, budget) throws(CodecError) in
        var row = bitmap.mutableRow(region.y + y)
        var part = row._mutatingExtracting(columns)
        storePixels(pixels, order, into: &part)
        try delivery?.deliver(&bitmap, fullWindowAt: y, budget: &budget)
      }
      completedRowCount = lossless?.emittedRowCount ?? 0
    } else if var colors {
      self.colors = nil
      try lossy?.advance(window, offset: offset, isFinal: isFinal, &budget) { (y, rows, budget) throws(CodecError) in
        colors.store(rows, y: y, into: &bitmap, region)
        try delivery?.deliver(&bitmap, fullWindowAt: y, budget: &budget)
      }
      self.colors = colors
      completedRowCount = lossy?.emittedRowCount ?? 0
    }
    try storeParallelAlpha(into: &bitmap, &budget)
  }

  private mutating func advanceLossyInParallel(
    _ window: Span<UInt8>, offset: Int, into bitmap: inout Bitmap, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    guard lossy != nil, let colors = colors.take() else { return }
    var target = PictureTarget(bitmap: bitmap, colors: colors, region: region)
    bitmap = Bitmap()
    defer {
      bitmap = target.bitmap
      self.colors = target.colors
    }
    try lossy?.decodeInParallel(window, offset: offset, into: &target, &budget)
  }
}
