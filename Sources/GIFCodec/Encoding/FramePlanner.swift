// Determines what a frame must draw to turn one picture into the next: the smallest rectangle that contains all
// changes, and the pixels inside it that can stay transparent.

internal import ImageCoding

/// The drawing of a frame: a region of the canvas, its pixels, and the disposal.
struct FrameDrawing: Hashable, Sendable {
  let canvas: PixelSize
  let region: PixelRegion
  let disposal: AnimationFrameInfo.Disposal
  /// The pixels of the region, as in ``OpaquePicture``; 0 where nothing is drawn.
  let pixels: [UInt32]

  /// Whether some pixels are not drawn.
  var hasGaps: Bool { pixels.contains(0) }
  /// The position of the region on the canvas.
  var origin: (x: Int, y: Int) { (region.x, region.y) }
  /// The bytes of the pixels.
  var byteCount: Int { pixels.count * 4 }
}

/// Tracks what a viewer shows, frame by frame.
struct FramePlanner {
  /// The canvas that the next frame is drawn on.
  private var shown: [UInt32] = []

  /// The work of comparing a pixel of the canvas with the frame before and with the next one.
  private static let workPerPixel = 4
  /// The work of drawing a pixel of the region that changes.
  private static let workPerDrawnPixel = 8

  /// The first frame fills the canvas. Charges its pixels, and as all frames do, the comparison of the whole canvas.
  mutating func firstFrame(
    _ picture: OpaquePicture, next: OpaquePicture?, _ budget: inout ResourceBudget
  ) throws(CodecError) -> FrameDrawing {
    // The canvas, which shares the memory of a picture from the next frame on unless a region is cleared.
    try budget.allocate(picture.byteCount)
    try charge(picture, &budget)
    shown = [UInt32](repeating: 0, count: picture.pixels.count)
    let whole = PixelRegion(x: 0, y: 0, width: picture.size.width, height: picture.size.height)
    return try draw(picture, in: whole, next: next, &budget)
  }

  private func charge(_ picture: OpaquePicture, _ budget: inout ResourceBudget) throws(CodecError) {
    try budget.chargeWorkInParts(count: picture.size.width * picture.size.height, unitsEach: Self.workPerPixel)
  }

  /// Plans any frame but the first.
  mutating func frame(
    _ picture: OpaquePicture, next: OpaquePicture?, _ budget: inout ResourceBudget
  ) throws(CodecError) -> FrameDrawing {
    try charge(picture, &budget)
    let before = shown
    var bounds = Bounds()
    let interruption = budget.interruption
    try bounds.add(size: picture.size, interruption) { before[$0] != picture.pixels[$0] }
    // Pixels can be erased only by disposing of the whole region of the previous frame, so that region must include
    // them.
    if let next {
      try bounds.add(size: picture.size, interruption) { picture.pixels[$0] != 0 && next.pixels[$0] == 0 }
    }
    return try draw(picture, in: bounds.region, next: next, &budget)
  }

  private mutating func draw(
    _ picture: OpaquePicture, in region: PixelRegion, next: OpaquePicture?, _ budget: inout ResourceBudget
  ) throws(CodecError) -> FrameDrawing {
    try budget.allocatePixels(width: region.width, height: region.height, bytesPerPixel: 4)
    try budget.chargeWorkInParts(count: region.width * region.height, unitsEach: Self.workPerDrawnPixel)
    var pixels: [UInt32] = []
    pixels.reserveCapacity(region.width * region.height)
    let interruption = budget.interruption
    for y in region.y..<region.y + region.height {
      try interruption.check(row: y - region.y, width: region.width)
      let start = y * picture.size.width + region.x
      for index in start..<start + region.width {
        pixels.append(shown[index] == picture.pixels[index] ? 0 : picture.pixels[index])
      }
    }
    shown = picture.pixels
    let needsClearing = next.map { next in
      picture.pixels.indices.contains { picture.pixels[$0] != 0 && next.pixels[$0] == 0 }
    }
    if needsClearing == true { clear(region, width: picture.size.width) }
    return FrameDrawing(
      canvas: picture.size, region: region, disposal: needsClearing == true ? .clear : .keep, pixels: pixels)
  }

  private mutating func clear(_ region: PixelRegion, width: Int) {
    for y in region.y..<region.y + region.height {
      for x in region.x..<region.x + region.width { shown[y * width + x] = 0 }
    }
  }
}

/// The smallest rectangle around a set of pixels.
private struct Bounds {
  private var left = Int.max
  private var right = -1
  private var top = Int.max
  private var bottom = -1

  mutating func add(
    size: PixelSize, _ interruption: Interruption, where isIncluded: (Int) -> Bool
  ) throws(CodecError) {
    for y in 0..<size.height {
      try interruption.check(row: y, width: size.width)
      for x in 0..<size.width where isIncluded(y * size.width + x) {
        left = min(left, x)
        right = max(right, x)
        top = min(top, y)
        bottom = y > bottom ? y : bottom
      }
    }
  }

  /// A single pixel if the set is empty, because an image cannot be empty.
  var region: PixelRegion {
    if right < 0 { return PixelRegion(x: 0, y: 0, width: 1, height: 1) }
    return PixelRegion(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }
}
