// The colour table to write: all colours of some pictures, or a selection.

internal import ImageCoding

/// A colour table to be written.
struct EncodingColorTable {
  /// Opaque pixels, as in ``PixelRows``.
  let colors: [UInt32]
  /// The index of pixels that are not drawn; it follows the colours.
  let transparentIndex: Int?
  /// The index of every pixel value if the table is exact; `nil` if colours were reduced.
  let exactIndices: [UInt32: UInt8]?

  /// The work of looking a pixel's colour up, and of adding it to a histogram.
  static let workPerPixel = (lookup: 4, count: 10)

  /// Creates the best table for the pixels of some pictures: all their colours if they fit, otherwise a selection.
  ///
  /// - Parameters:
  ///   - reservesTransparency: whether there is a transparent index even if these pictures draw every pixel.
  ///   - budget: charged for the work, and for buffers until the table is complete.
  init(
    for pictures: inout [some PixelRows], options: GIFEncoder.Options, reservesTransparency: Bool = false,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    if let exact = try EncodingColorTable(
      exactFor: &pictures, options: options, reservesTransparency: reservesTransparency, &budget)
    {
      self = exact
      return
    }
    let heldByteCount = budget.heldByteCount
    defer { budget.settle(heldByteCount: heldByteCount) }
    var histogram = try ColorHistogram(&budget)
    var needsTransparency = reservesTransparency
    for index in pictures.indices {
      var row = [UInt32](repeating: 0, count: pictures[index].size.width)
      for y in 0..<pictures[index].size.height {
        try budget.chargeWork(count: row.count, unitsEach: BitmapRows.workPerPixel + Self.workPerPixel.count)
        pictures[index].read(y, into: &row)
        if !needsTransparency { needsTransparency = row.contains(0) }
        histogram.add(row.span)
      }
    }
    let chosen = try histogram.quantized(to: options.maximumColorCount - (needsTransparency ? 1 : 0), &budget)
    colors = Array(Set(chosen)).sorted()
    transparentIndex = needsTransparency ? colors.count : nil
    exactIndices = nil
  }

  /// Creates a table of all colours; `nil` if they do not fit.
  init?(
    exactFor pictures: inout [some PixelRows], options: GIFEncoder.Options, reservesTransparency: Bool = false,
    _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var needsTransparency = reservesTransparency
    var used: Set<UInt32> = []
    var last: UInt32 = 0
    for index in pictures.indices {
      var row = [UInt32](repeating: 0, count: pictures[index].size.width)
      for y in 0..<pictures[index].size.height {
        try budget.chargeWork(count: row.count, unitsEach: BitmapRows.workPerPixel + Self.workPerPixel.lookup)
        pictures[index].read(y, into: &row)
        for pixel in row where pixel != last {
          last = pixel
          if pixel == 0 {
            needsTransparency = true
          } else if used.insert(pixel).inserted, used.count > options.maximumColorCount {
            return nil
          }
        }
        // The value before the first pixel counts as no gap.
        if row.first == 0 { needsTransparency = true }
      }
    }
    guard used.count + (needsTransparency ? 1 : 0) <= options.maximumColorCount else { return nil }
    colors = used.isEmpty ? [0xFF00_0000] : used.sorted()
    transparentIndex = needsTransparency ? colors.count : nil
    exactIndices = Dictionary(
      uniqueKeysWithValues: colors.enumerated().map { ($1, UInt8(truncatingIfNeeded: $0)) })
  }

  private init(colors: [UInt32], transparentIndex: Int?) {
    (self.colors, self.transparentIndex, exactIndices) = (colors, transparentIndex, nil)
  }

  /// The same table for pixels of any colour.
  var inexact: EncodingColorTable { EncodingColorTable(colors: colors, transparentIndex: transparentIndex) }

  /// Whether every pixel of a frame is in the table.
  func isExact(for drawing: FrameDrawing) -> Bool {
    guard let exactIndices else { return false }
    var last: UInt32?
    for pixel in drawing.pixels where pixel != last {
      last = pixel
      if pixel == 0 ? transparentIndex == nil : exactIndices[pixel] == nil { return false }
    }
    return true
  }

  /// The number of bits per index, 1…8.
  var bitCount: Int {
    let count = colors.count + (transparentIndex == nil ? 0 : 1)
    var bits = 1
    while 1 << bits < count { bits += 1 }
    return bits
  }
}
