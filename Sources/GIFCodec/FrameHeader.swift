// Everything about a frame but its pixels.

internal import ImageCore

/// A frame and where its parts stand in the file.
struct FrameHeader: Hashable, Sendable {
  let descriptor: ImageDescriptor
  let control: GraphicControl
  let minimumCodeSize: Int
  /// The bytes of the local colour table, as offsets in the file; empty when there is none.
  let localColorRange: Range<Int>
  /// The offset of the first sub-block's size.
  let dataOffset: Int

  var width: Int { descriptor.region.width }
  var height: Int { descriptor.region.height }

  /// Whether codes of this size can be read. The specification wants 2…8; there are writers that say 1 for two colours,
  /// and readers take what leaves room for the clear code in twelve bits.
  var hasValidCodeSize: Bool { (1...11).contains(minimumCodeSize) }

  /// The part of the frame that lies on the canvas.
  func visibleRegion(on canvas: PixelSize) -> PixelRegion {
    let region = descriptor.region
    let width = max(0, min(region.x + region.width, canvas.width) - region.x)
    let height = max(0, min(region.y + region.height, canvas.height) - region.y)
    if width == 0 || height == 0 { return PixelRegion(x: 0, y: 0, width: 0, height: 0) }
    return PixelRegion(x: region.x, y: region.y, width: width, height: height)
  }

  /// Whether the frame hides all of the canvas when it is complete.
  func covers(_ canvas: PixelSize) -> Bool {
    control.transparentIndex == nil
      && visibleRegion(on: canvas) == PixelRegion(x: 0, y: 0, width: canvas.width, height: canvas.height)
  }

  /// Delay, region and disposal for the animation engine.
  func info(on canvas: PixelSize) -> AnimationFrameInfo {
    AnimationFrameInfo(
      region: visibleRegion(on: canvas), storedDelay: .milliseconds(control.delay * 10), disposal: control.disposal,
      blend: .over, isOpaque: control.transparentIndex == nil)
  }
}
