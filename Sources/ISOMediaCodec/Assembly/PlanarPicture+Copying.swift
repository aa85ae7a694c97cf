// Copying parts of pictures: tiles to a canvas, and windows out of planes.

internal import ImageCoding
internal import PixelPlanes

extension PlanarPicture: TilePicture {
  var byteCount: Int { rawPlanesByteCount }

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

  /// Returns a window of the picture whose left and top edges are even. Its memory is charged in addition to that of the
  /// picture.
  ///
  /// - Throws: `CodecError.Kind.malformed` unless the window is inside the picture.
  func cropped(to window: PixelRegion, budget: inout ResourceBudget) throws(CodecError) -> PlanarPicture {
    guard window.fits(in: PixelSize(width: width, height: height)) else {
      throw CodecError(.malformed, "a coded picture is smaller than its image", format: budget.format)
    }
    var part = try PlanarPicture(
      width: window.width, height: window.height, bitDepth: bitDepth, chromaFormat: chromaFormat, coding: coding,
      budget: &budget)
    if let alpha {
      try part.setAlpha(
        SamplePlane(width: window.width, height: window.height, bitDepth: alpha.bitDepth, budget: &budget))
    }
    part.paste(self, (0, 0), window)
    part.colorSpace = colorSpace
    part.isPremultiplied = isPremultiplied
    return part
  }

  /// Reduces the picture to a window whose left and top edges are even.
  ///
  /// - Throws: `CodecError.Kind.malformed` unless the window is inside the picture.
  mutating func crop(to window: PixelRegion, budget: inout ResourceBudget) throws(CodecError) {
    if window.width == width, window.height == height { return }
    let part = try cropped(to: window, budget: &budget)
    budget.release(rawPlanesByteCount)
    self = part
  }
}

extension SamplePlane {
  /// Copies a plane of the same depth into this one. Samples beyond an edge are dropped.
  fileprivate mutating func paste(_ source: SamplePlane, x: Int, y: Int) {
    let canvas = PixelSize(width: width, height: height)
    let size = PixelSize(width: source.width, height: source.height)
    guard let (region, left, _) = canvas.visibleRegion(of: size, at: (x, y)) else { return }
    let columns = region.x..<region.x + region.width
    for row in region.y..<region.y + region.height {
      if isWide {
        let samples = source.wideRow(row).extracting(columns)
        var target = mutableWideRow(y + row)
        for index in samples.indices { target[left &+ index] = samples[index] }
      } else {
        let samples = source.narrowRow(row).extracting(columns)
        var target = mutableNarrowRow(y + row)
        for index in samples.indices { target[left &+ index] = samples[index] }
      }
    }
  }
}

extension Bitmap: TilePicture {
  mutating func paste(_ tile: Bitmap, _ origin: (x: Int, y: Int), _ window: PixelRegion) {
    let offset = (x: origin.x - window.x, y: origin.y - window.y)
    guard let (region, x, y) = pixelSize.visibleRegion(of: tile.pixelSize, at: offset) else { return }
    replacePixels(atX: x, y: y, with: region, of: tile)
  }
}

extension PixelSize {
  /// Returns the region of a picture that is visible on a canvas of this size, and its position there; `nil` if no part
  /// is.
  func visibleRegion(
    of picture: PixelSize, at offset: (x: Int, y: Int)
  ) -> (region: PixelRegion, x: Int, y: Int)? {
    let (left, top) = (max(0, -offset.x), max(0, -offset.y))
    let (right, bottom) = (min(picture.width, width - offset.x), min(picture.height, height - offset.y))
    guard left < right, top < bottom else { return nil }
    let region = PixelRegion(x: left, y: top, width: right - left, height: bottom - top)
    return (region, offset.x + left, offset.y + top)
  }
}
