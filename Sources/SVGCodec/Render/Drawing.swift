// One drawing of a document: all of it on one canvas, or rows of it on canvases of several threads.

internal import Dispatch
internal import Synchronization
internal import VectorGraphics

/// What is drawn, and how large.
struct Drawing: Sendable {
  /// Bands of fewer rows cost more than they save: what crosses their borders is prepared for each of them.
  private static let minimumRowCount = 128

  let document: SVGDocument
  let size: PixelSize
  /// From CSS pixels to the bitmap.
  let transform: AffineTransform
  let background: RGBA8?
  let antialiasing: SVGDocument.Antialiasing
  let shouldCancel: (@Sendable () -> Bool)?

  private var bounds: PixelRect { PixelRect(minX: 0, minY: 0, maxX: size.width, maxY: size.height) }

  /// Draws on at most `parallelism` threads.
  func draw(parallelism: Int) throws(DecodeError) -> Bitmap {
    // Sampled edges are rounded by where the canvas begins.
    let bandCount = antialiasing == .samples ? 1 : min(parallelism, size.height / Self.minimumRowCount)
    return bandCount > 1 ? try drawBands(bandCount) : try draw(rows: 0..<size.height)
  }

  /// Draws some rows.
  private func draw(rows: Range<Int>) throws(DecodeError) -> Bitmap {
    var canvas = try Canvas(rows: rows, of: bounds, budget: budget)
    canvas.samplesCoverage = antialiasing == .samples
    var renderer = TreeRenderer(
      document.tree, canvas: consume canvas, limits: document.limits, shouldCancel: shouldCancel)
    try renderer.draw(background: background, transform: transform)
    return try renderer.finish()
  }

  private var budget: RasterBudget {
    let limits = document.limits
    return RasterBudget(
      segmentCount: limits.maximumLineCount + 2 * document.tree.segmentCount,
      pixelWork: max(limits.maximumPixelWork, bounds.pixelCount * 512),
      layerPixels: max(bounds.pixelCount, limits.decoding.maximumByteCount / 4),
      layerDepth: limits.maximumLayerDepth + 1)
  }

  // MARK: Bands

  private struct Progress: Sendable {
    var nextBand = 0
    var bitmap: Bitmap
    var failure: DecodeError?

    mutating func takeBand(of count: Int) -> Int? {
      guard nextBand < count, failure == nil else { return nil }
      nextBand += 1
      return nextBand - 1
    }
  }

  /// Draws bands of rows at the same time, and puts them together.
  private func drawBands(_ count: Int) throws(DecodeError) -> Bitmap {
    // More bands than threads: drawings are seldom as busy at the top as at the bottom.
    let bandCount = min(count * 2, size.height / Self.minimumRowCount)
    var bitmap = Bitmap()
    try bitmap.reset(
      width: size.width, height: size.height, format: PixelFormat.rgba8.premultiplied, limits: .unlimited)
    let progress = Mutex(Progress(bitmap: bitmap))
    // A second owner would make the first write copy all pixels.
    bitmap = Bitmap()
    DispatchQueue.concurrentPerform(iterations: count) { _ in
      while let band = progress.withLock({ $0.takeBand(of: bandCount) }) {
        let rows = size.height * band / bandCount..<size.height * (band + 1) / bandCount
        do throws(DecodeError) {
          let picture = try draw(rows: rows)
          progress.withLock { $0.bitmap.copyRows(of: picture, toRow: rows.lowerBound) }
        } catch {
          progress.withLock { $0.failure = $0.failure ?? error }
        }
      }
    }
    let failure = progress.withLock { progress in
      swap(&progress.bitmap, &bitmap)
      return progress.failure
    }
    if let failure { throw failure }
    return bitmap
  }
}
