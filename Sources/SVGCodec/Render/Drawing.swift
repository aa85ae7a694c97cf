// One drawing of a document: on a single canvas, or in bands of rows on the canvases of several threads.

internal import ImageCoding
internal import Threading
internal import VectorGraphics

/// The document and the size at which it is drawn.
struct Drawing: Sendable {
  /// The minimum number of rows of a band. In smaller bands the overhead dominates, since objects that cross their
  /// borders are prepared for each band.
  private static let minimumRowCount = 128

  let document: SVGDocument
  let size: PixelSize
  /// The transform from CSS pixels to the bitmap.
  let transform: AffineTransform
  let background: RGBA8?

  private var bounds: PixelRect { PixelRect(minX: 0, minY: 0, maxX: size.width, maxY: size.height) }

  /// Draws on at most `parallelism` threads. The pixels stay charged.
  func draw(parallelism: Int, budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    let threadCount = min(parallelism, size.height / Self.minimumRowCount)
    budget.allowWork(forPixelCount: bounds.pixelCount)
    guard threadCount > 1 else { return try drawWhole(ReducedPictures(), budget: &budget) }
    let held = budget.heldByteCount
    let pictures = try ReducedPictures(document.tree, transform: transform, canvas: bounds, budget: &budget)
    let pictureByteCount = budget.heldByteCount - held
    let bitmap: Bitmap
    if let joined = try drawBands(threadCount: threadCount, pictures, budget: &budget) {
      bitmap = joined
    } else {
      // A band has less memory available than the whole drawing.
      bitmap = try drawWhole(pictures, budget: &budget)
    }
    budget.release(pictureByteCount)
    return bitmap
  }

  /// Draws all rows on one canvas and charges their pixels.
  private func drawWhole(
    _ pictures: ReducedPictures, budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    let held = budget.heldByteCount
    var renderer = renderer(on: Canvas(uncharged: bounds, budget: rasterBudget(budget)), pictures)
    let outcome = Result { () throws(CodecError) in
      try renderer.canvas.chargeFirstLayer()
      try renderer.draw(background: background, transform: transform)
      return try renderer.canvas.popLayer()
    }
    budget = renderer.takeBudget()
    let layer = try outcome.get()
    budget.settle(heldByteCount: held + bounds.pixelCount * 4)
    return try layer.makeBitmap()
  }

  private func renderer(on canvas: consuming Canvas, _ pictures: ReducedPictures) -> TreeRenderer {
    TreeRenderer(document.tree, canvas: canvas, limits: document.limits, pictures: pictures)
  }

  private func rasterBudget(_ budget: consuming ResourceBudget) -> RasterBudget {
    let limits = document.limits
    let (lineCount, overflow) = limits.maximumLineCount.addingReportingOverflow(2 * document.tree.segmentCount)
    return RasterBudget(
      resources: budget, segmentCount: overflow ? .max : lineCount, layerDepth: limits.maximumLayerDepth)
  }

  // MARK: Bands

  /// Draws bands of rows in parallel; `nil` if one exceeds its share of memory.
  private func drawBands(
    threadCount: Int, _ pictures: ReducedPictures, budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap? {
    // More bands than threads, since the complexity of drawings is seldom evenly distributed; but not many, since what
    // crosses the borders of bands is prepared for each, above all the surroundings of filtered pixels.
    let bandCount = threadCount * (document.tree.filters.isEmpty ? 3 : 2)
    let rowCount = max(Self.minimumRowCount, (size.height + bandCount - 1) / bandCount)
    let held = budget.heldByteCount
    // Every row is drawn, or nothing is returned.
    var pixels = makeArbitraryBytes(
      try budget.allocatePixels(width: size.width, height: size.height, bytesPerPixel: 4))
    let heldWithPixels = budget.heldByteCount
    // The memory reserved for the other threads.
    let reservedByteCount = budget.availableByteCount / threadCount * (threadCount - 1)
    do throws(CodecError) {
      _ = try withBands(of: &pixels, bandByteCount: rowCount * size.width * 4) { bands in
        Result { () throws(CodecError) in
          try parallelResults(count: bandCount, parallelism: threadCount, &budget) {
            (_, budget) throws(CodecError) in
            guard let band = bands.takeBand() else { return }
            let rows = rowCount * band.index..<min(rowCount * (band.index + 1), size.height)
            let split = budget.split()
            var share = split.share()
            try share.allocate(reservedByteCount)
            let canvas = try Canvas(rows: rows, of: bounds, band: consume band, budget: rasterBudget(share))
            var renderer = renderer(on: consume canvas, pictures)
            try renderer.draw(background: background, transform: transform)
            try renderer.canvas.finishBand()
            share = renderer.takeBudget()
            share.settle(heldByteCount: heldWithPixels)
            try budget.join([split.close(share)])
          }
        }
      }.get()
    } catch {
      // The total cost of bands depends on their number. If it exceeds the budget, drawing in one piece decides.
      guard error.kind == .limitExceeded else { throw error }
      budget.settle(heldByteCount: held)
      return nil
    }
    return try Bitmap(
      width: size.width, height: size.height, format: PixelFormat.rgba8.premultiplied, pixels: pixels)
  }
}
