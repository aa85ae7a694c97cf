// The index of each pixel in a colour table.

internal import ImageCoding

/// Looks up the pixels of a picture, from its first row to its last.
struct PixelIndexing {
  private let exactIndices: [UInt32: UInt8]?
  private var last: (pixel: UInt32, index: UInt8)
  private var matcher: ColorMatcher?
  private var diffusion: ErrorDiffusion?
  private let gap: UInt8
  private let colors: [UInt32]

  /// Charges the buffers.
  init(
    _ table: EncodingColorTable, width: Int, dithering: GIFEncoder.Options.Dithering, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    gap = UInt8(truncatingIfNeeded: table.transparentIndex ?? 0)
    last = (0, gap)
    colors = table.colors
    exactIndices = table.exactIndices
    guard exactIndices == nil else { return }
    matcher = try ColorMatcher(colors, &budget)
    if dithering == .floydSteinberg { diffusion = try ErrorDiffusion(width: width, &budget) }
  }

  /// Appends the indices of the next row, and charges the comparisons with all colours, which are rare.
  mutating func append(
    _ row: Span<UInt32>, to indices: inout [UInt8], _ budget: inout ResourceBudget
  ) throws(CodecError) {
    if let exactIndices {
      var last = last
      for x in row.indices {
        let pixel = row[x]
        if pixel != last.pixel { last = (pixel, pixel == 0 ? gap : exactIndices[pixel] ?? 0) }
        indices.append(last.index)
      }
      self.last = last
      return
    }
    // Moved out of the properties while in use, so that nothing is copied.
    guard var matcher = matcher.take() else { return }
    if var diffusion = diffusion.take() {
      diffusion.append(row, to: &indices, gap: gap, colors: colors.span, matcher: &matcher)
      self.diffusion = diffusion
    } else {
      for x in row.indices { indices.append(row[x] == 0 ? gap : matcher.index(of: row[x])) }
    }
    try budget.chargeWork(count: matcher.takeSearchCount(), unitsEach: colors.count)
    self.matcher = matcher
  }
}
