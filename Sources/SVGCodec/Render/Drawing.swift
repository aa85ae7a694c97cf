// One drawing of a document: on a single canvas, or in bands of rows on the canvases of several threads.

internal import ImageCore
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
    let bandCount = min(parallelism, size.height / Self.minimumRowCount)
    budget.allowWork(forPixelCount: bounds.pixelCount)
    guard bandCount > 1 else { return try draw(rows: 0..<size.height, ReducedPictures(), budget: &budget) }
    let held = budget.heldByteCount
    let pictures = try ReducedPictures(document.tree, transform: transform, canvas: bounds, budget: &budget)
    let pictureByteCount = budget.heldByteCount - held
    let bitmap: Bitmap
    if let joined = try drawBands(bandCount, pictures, budget: &budget) {
      bitmap = joined
    } else {
      // A band has less memory available than the whole drawing.
      bitmap = try draw(rows: 0..<size.height, pictures, budget: &budget)
    }
    budget.release(pictureByteCount)
    return bitmap
  }

  /// Draws a range of rows and charges their pixels.
  ///
  /// - Parameter memory: is used for the pixels if it has their size.
  private func draw(
    rows: Range<Int>, _ pictures: ReducedPictures, memory: consuming [UInt8] = [], budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap {
    let limits = document.limits
    let (lineCount, overflow) = limits.maximumLineCount.addingReportingOverflow(2 * document.tree.segmentCount)
    let resources = RasterBudget(
      resources: budget, segmentCount: overflow ? .max : lineCount, layerDepth: limits.maximumLayerDepth)
    let held = budget.heldByteCount
    let canvas = try Canvas(rows: rows, of: bounds, budget: resources, memory: memory)
    var renderer = TreeRenderer(document.tree, canvas: consume canvas, limits: limits, pictures: pictures)
    do throws(CodecError) {
      try renderer.draw(background: background, transform: transform)
    } catch {
      budget = renderer.canvas.budget.resources
      throw error
    }
    budget = renderer.canvas.budget.resources
    budget.settle(heldByteCount: held + rows.count * size.width * 4)
    return try renderer.finish()
  }

  // MARK: Bands

  private struct Progress: Sendable {
    var nextBand = 0
    var bitmap: Bitmap
    /// The resources used by the finished bands.
    var lanes: [ResourceBudget] = []
    var failure: CodecError?

    mutating func takeBand(of count: Int) -> Int? {
      guard nextBand < count, failure == nil else { return nil }
      nextBand += 1
      return nextBand - 1
    }
  }

  /// Draws bands of rows in parallel and joins them; `nil` if a band exceeds its share of memory.
  private func drawBands(
    _ count: Int, _ pictures: ReducedPictures, budget: inout ResourceBudget
  ) throws(CodecError) -> Bitmap? {
    // More bands than threads, since the complexity of drawings is seldom evenly distributed.
    // All bands but the last have the same height, so that the memory of one serves for the next.
    let rowCount = max(Self.minimumRowCount, (size.height + count * 2 - 1) / (count * 2))
    let bandCount = (size.height + rowCount - 1) / rowCount
    let held = budget.heldByteCount
    let byteCount = try budget.allocatePixels(width: size.width, height: size.height, bytesPerPixel: 4)
    // Every row is drawn, or nothing is returned.
    var bitmap = try Bitmap(
      width: size.width, height: size.height, format: PixelFormat.rgba8.premultiplied,
      pixels: makeArbitraryBytes(byteCount))
    let progress = Mutex(Progress(bitmap: bitmap))
    // With a second reference, the first write would copy all pixels.
    bitmap = Bitmap()
    var lane = budget.lane()
    // The memory reserved for the other threads.
    let reserved = lane.availableByteCount / count * (count - 1)
    try lane.allocate(reserved)
    let start = lane
    ParallelRows.perform(count: count, parallelism: count) { _ in
      var memory: [UInt8] = []
      while let band = progress.withLock({ $0.takeBand(of: bandCount) }) {
        let rows = rowCount * band..<min(rowCount * (band + 1), size.height)
        var lane = start
        do throws(CodecError) {
          // A second reference would make the first write copy the memory.
          var spare: [UInt8] = []
          swap(&spare, &memory)
          var picture = try draw(rows: rows, pictures, memory: consume spare, budget: &lane)
          lane.settle(heldByteCount: held + byteCount)
          progress.withLock {
            $0.bitmap.copyRows(of: picture, toRow: rows.lowerBound)
            $0.lanes.append(lane)
          }
          memory = picture.takeStorage()
        } catch {
          progress.withLock { $0.failure = $0.failure ?? error }
        }
      }
    }
    let (failure, lanes) = progress.withLock { progress in
      swap(&progress.bitmap, &bitmap)
      return (progress.failure, progress.lanes)
    }
    if let failure {
      guard failure.kind == .limitExceeded else { throw failure }
      budget.settle(heldByteCount: held)
      return nil
    }
    // The total cost of bands depends on their number. If it exceeds the budget, drawing in one piece decides.
    var joined = budget
    guard (try? joined.join(lanes)) != nil else {
      budget.settle(heldByteCount: held)
      return nil
    }
    budget = joined
    return bitmap
  }
}
