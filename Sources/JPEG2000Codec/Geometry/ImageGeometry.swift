// The pixels of the image: which samples of the components belong to them.

internal import ImageCoding

/// The image at a resolution. Its pixels are the samples of the component with the most; those of others are repeated.
struct ImageGeometry: Sendable {
  /// The number of resolutions above this one.
  let discarded: Int
  /// The image in pixels.
  let area: GridArea
  /// The distance of pixels on the reference grid of the resolution.
  let dx: Int64
  let dy: Int64

  init(_ size: CodestreamSize, discarded: Int) {
    self.discarded = discarded
    dx = size.components.reduce(255) { min($0, $1.dx) }
    dy = size.components.reduce(255) { min($0, $1.dy) }
    area = size.image.divided(x: dx, y: dy).reduced(by: discarded)
  }

  /// The size of the image, which may be empty.
  var size: PixelSize { PixelSize(width: Int(clamping: area.width), height: Int(clamping: area.height)) }
}
