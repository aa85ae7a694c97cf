// Draws a frame's palette indices on the canvas, applying interlacing, clipping and transparency.

internal import ImageCoding

/// Draws one frame.
struct FrameCompositor {
  let header: FrameHeader
  let colors: ColorTable

  /// Draws the decoded indices on an RGBA canvas. Pixels that have no index yet, are transparent, or are outside the
  /// canvas remain unchanged.
  ///
  /// - Parameters:
  ///   - indices: a prefix of the frame's indices in stored order.
  ///   - fillsGaps: whether missing rows of an interlaced frame repeat the row above, for previews.
  func draw(_ indices: Span<UInt8>, onto canvas: inout Bitmap, fillsGaps: Bool = false) {
    precondition(canvas.format == .rgba8, "the canvas is not RGBA")
    let region = header.visibleRegion(on: canvas.pixelSize)
    guard region.width > 0, region.height > 0, !indices.isEmpty else { return }
    let bytesPerRow = canvas.bytesPerRow
    let left = region.x * 4
    var pixels = canvas.mutablePixels
    let interlacing = Interlacing(height: header.height, isInterlaced: header.descriptor.isInterlaced)
    for (number, pass) in interlacing.passes.enumerated() {
      // Until the next pass arrives, repeat each row of this one over the rows that are still missing below it.
      let repetitions = fillsGaps && header.descriptor.isInterlaced ? 8 >> number : 1
      for passRow in 0..<pass.rowCount {
        let start = (pass.start + passRow) * header.width
        guard start < indices.count else { return }
        let count = min(region.width, indices.count - start)
        let top = pass.firstRow + passRow * pass.step
        for y in top..<max(top, min(top + repetitions, region.height)) {
          let row = (region.y + y) * bytesPerRow + left
          var target = pixels._mutatingExtracting(row..<row + count * 4)
          drawIndices(
            indices.extracting(start..<start + count), colors: colors.pixels.span,
            transparentIndex: header.control.transparentIndex, onto: &target)
        }
      }
    }
  }
}
