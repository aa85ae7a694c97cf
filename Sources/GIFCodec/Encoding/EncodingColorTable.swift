// The colours that are written, and which of them a pixel gets.

/// A colour table to be written.
struct EncodingColorTable {
  /// Opaque pixels as in ``OpaquePicture``.
  let colors: [UInt32]
  /// The index of pixels that are not drawn; stands behind the colours.
  let transparentIndex: Int?
  /// Indices of all pixels, where the table holds each of them; `nil` where colours were reduced.
  private let exactIndices: [UInt32: UInt8]?

  /// The best table for the pixels of some frames: all colours where they fit, else a choice.
  init(for drawings: [FrameDrawing], options: GIFEncoder.Options) {
    if let exact = EncodingColorTable(exactFor: drawings, options: options) {
      self = exact
      return
    }
    let needsTransparency = drawings.contains(where: \.hasGaps)
    var histogram = ColorHistogram()
    for drawing in drawings { histogram.add(drawing.pixels) }
    let chosen = histogram.quantized(to: options.maximumColorCount - (needsTransparency ? 1 : 0))
    colors = Array(Set(chosen)).sorted()
    transparentIndex = needsTransparency ? colors.count : nil
    exactIndices = nil
  }

  /// The table of all colours; `nil` when they do not fit.
  init?(exactFor drawings: [FrameDrawing], options: GIFEncoder.Options) {
    let needsTransparency = drawings.contains(where: \.hasGaps)
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

  /// Bits of an index, 1…8.
  var bitCount: Int {
    let count = colors.count + (transparentIndex == nil ? 0 : 1)
    var bits = 1
    while 1 << bits < count { bits += 1 }
    return bits
  }

  /// The indices of a frame's pixels.
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
