// Everything about a frame except its pixels.

internal import ImageCoding

/// A frame's fields and the location of its parts in the file.
struct FrameHeader: Hashable, Sendable {
  let descriptor: ImageDescriptor
  let control: GraphicControl
  let minimumCodeSize: Int
  /// The file offsets of the local colour table; empty if there is none.
  let localColorRange: Range<Int>
  /// The file offset of the first sub-block's size byte.
  let dataOffset: Int

  var width: Int { descriptor.region.width }
  var height: Int { descriptor.region.height }

  /// Whether codes of this size can be decoded. The specification requires 2…8. Some writers use 1 for two colours, and
  /// decoders accept any size that leaves room for the clear code in twelve bits.
  var hasValidCodeSize: Bool { (1...11).contains(minimumCodeSize) }

  /// The part of the frame inside the canvas.
  func visibleRegion(on canvas: PixelSize) -> PixelRegion {
    let region = descriptor.region
    let width = max(0, min(region.x + region.width, canvas.width) - region.x)
    let height = max(0, min(region.y + region.height, canvas.height) - region.y)
    if width == 0 || height == 0 { return PixelRegion(x: 0, y: 0, width: 0, height: 0) }
    return PixelRegion(x: region.x, y: region.y, width: width, height: height)
  }

  /// Whether the complete frame hides the whole canvas.
  func covers(_ canvas: PixelSize) -> Bool {
    control.transparentIndex == nil
      && visibleRegion(on: canvas) == PixelRegion(x: 0, y: 0, width: canvas.width, height: canvas.height)
  }

  /// Delay, region and disposal, as the animation engine expects them.
  func info(on canvas: PixelSize) -> AnimationFrameInfo {
    AnimationFrameInfo(
      region: visibleRegion(on: canvas), storedDelay: .milliseconds(control.delay * 10), disposal: control.disposal,
      blend: .over, isOpaque: control.transparentIndex == nil)
  }
}
