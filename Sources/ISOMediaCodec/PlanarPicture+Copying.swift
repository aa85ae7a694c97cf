// Copying parts of planes: tiles to a canvas, and windows out of a picture.

internal import ImageCoding
internal import PixelPlanes

extension PlanarPicture {
  /// Copies a tile of the same coding into this picture, which is a window of a canvas. The position of the tile on the
  /// canvas is a multiple of the chroma subsampling, or odd after tiles of odd size, whose chroma is rounded up. Samples
  /// outside the window are dropped.
  mutating func paste(_ tile: PlanarPicture, _ origin: (x: Int, y: Int), _ window: PixelRegion) {
    for component in Component.allCases {
      guard let source = tile.plane(component) else { continue }
      let isChroma = component == .cb || component == .cr
      let format = chromaFormat
      let x = isChroma ? format.chromaWidth(origin.x) - format.chromaWidth(window.x) : origin.x - window.x
      let y = isChroma ? format.chromaHeight(origin.y) - format.chromaHeight(window.y) : origin.y - window.y
      withMutablePlane(component) { $0.paste(source, x: x, y: y) }
    }
  }

  /// Reduces the picture to a window whose left and top edges are even.
  ///
  /// - Throws: ``CodecError/Kind/malformed`` unless the window is inside the picture.
  mutating func crop(to window: PixelRegion, budget: inout ResourceBudget) throws(CodecError) {
    guard window.fits(in: PixelSize(width: width, height: height)) else {
      throw CodecError(.malformed, "a coded picture is smaller than its image", format: budget.format)
    }
    if window.width == width, window.height == height { return }
    var part = try PlanarPicture(
      width: window.width, height: window.height, bitDepth: bitDepth, chromaFormat: chromaFormat, coding: coding,
      budget: &budget)
    part.paste(self, (0, 0), window)
    part.colorSpace = colorSpace
    budget.release(rawPlanesByteCount)
    self = part
  }
}

extension SamplePlane {
  /// Copies a plane of the same depth into this one. Samples beyond an edge are dropped.
  fileprivate mutating func paste(_ source: SamplePlane, x: Int, y: Int) {
    let (left, right) = (max(0, -x), min(source.width, width - x))
    let (top, bottom) = (max(0, -y), min(source.height, height - y))
    guard left < right, top < bottom else { return }
    let columns = left..<right
    for row in top..<bottom {
      if isWide {
        let samples = source.wideRow(row).extracting(columns)
        var target = mutableWideRow(y + row)
        let first = x + columns.lowerBound
        for index in samples.indices { target[first &+ index] = samples[index] }
      } else {
        let samples = source.narrowRow(row).extracting(columns)
        var target = mutableNarrowRow(y + row)
        let first = x + columns.lowerBound
        for index in samples.indices { target[first &+ index] = samples[index] }
      }
    }
  }
}
