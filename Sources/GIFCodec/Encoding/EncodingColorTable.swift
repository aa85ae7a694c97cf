// The colour table to write, and the index of each pixel in it.

/// A colour table to be written.
struct EncodingColorTable {
  /// Opaque pixels, as in ``OpaquePicture``.
  let colors: [UInt32]
  /// The index of pixels that are not drawn; it follows the colours.
  let transparentIndex: Int?
  /// The index of every pixel value if the table is exact; `nil` if colours were reduced.
  private let exactIndices: [UInt32: UInt8]?

  /// Creates the best table for the pixels of some frames: all their colours if they fit, otherwise a selection.
  ///
  /// - Parameter reservesTransparency: whether there is a transparent index even if these frames draw every pixel.
  init(for drawings: [FrameDrawing], options: GIFEncoder.Options, reservesTransparency: Bool = false) {
    if let exact = EncodingColorTable(
      exactFor: drawings, options: options, reservesTransparency: reservesTransparency)
    {
      self = exact
      return
    }
    let needsTransparency = reservesTransparency || drawings.contains(where: \.hasGaps)
    var histogram = ColorHistogram()
    for drawing in drawings { histogram.add(drawing.pixels) }
    let chosen = histogram.quantized(to: options.maximumColorCount - (needsTransparency ? 1 : 0))
    colors = Array(Set(chosen)).sorted()
    transparentIndex = needsTransparency ? colors.count : nil
    exactIndices = nil
  }

  /// Creates a table of all colours; `nil` if they do not fit.
  init?(exactFor drawings: [FrameDrawing], options: GIFEncoder.Options, reservesTransparency: Bool = false) {
    let needsTransparency = reservesTransparency || drawings.contains(where: \.hasGaps)
    let room = options.maximumColorCount - (needsTransparency ? 1 : 0)
    var used: Set<UInt32> = []
    var last: UInt32 = 0
    for drawing in drawings {
      for pixel in drawing.pixels where pixel != last && pixel != 0 {
        last = pixel
        if used.insert(pixel).inserted, used.count > room { return nil }
      }
    }
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

  /// Returns the indices of a frame's pixels.
  func indices(of drawing: FrameDrawing, dithering: GIFEncoder.Options.Dithering) -> [UInt8] {
    let gap = UInt8(truncatingIfNeeded: transparentIndex ?? 0)
    if let exactIndices {
      var last: (pixel: UInt32, index: UInt8) = (0, gap)
      return drawing.pixels.map { pixel in
        if pixel != last.pixel { last = (pixel, pixel == 0 ? gap : exactIndices[pixel] ?? 0) }
        return last.index
      }
    }
    var matcher = ColorMatcher(colors)
    if dithering == .none { return drawing.pixels.map { $0 == 0 ? gap : matcher.index(of: $0) } }
    return ErrorDiffusion(width: drawing.region.width).indices(
      of: drawing.pixels, gap: gap, colors: colors, matcher: &matcher)
  }
}
