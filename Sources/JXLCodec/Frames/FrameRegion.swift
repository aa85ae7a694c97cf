// The groups of a frame that a region of the image needs.

internal import ImageCoding

/// A region of a frame, with the samples around it that filters and the enlargement of colours read.
struct FrameRegion: Sendable {
  /// The columns and rows of groups.
  let groupColumns: Range<Int>
  let groupRows: Range<Int>

  /// More than the filters and the enlargement of colours reach together.
  static let margin = 16

  /// - Parameter region: a region of the frame's samples.
  init(_ region: PixelRegion, _ layout: FrameLayout) {
    groupColumns = Self.groups(region.x, region.width, layout.size.width, layout.groupShift)
    groupRows = Self.groups(region.y, region.height, layout.size.height, layout.groupShift)
  }

  private static func groups(_ start: Int, _ count: Int, _ length: Int, _ shift: Int) -> Range<Int> {
    let first = max(0, start - margin)
    let end = min(length, start + count + margin)
    return first >> shift..<(end - 1) >> shift + 1
  }

  /// The region with the samples around it, within the frame.
  static func extended(_ region: PixelRegion, _ size: PixelSize) -> PixelRegion {
    let (left, top) = (max(0, region.x - margin), max(0, region.y - margin))
    return PixelRegion(
      x: left, y: top, width: min(size.width, region.x + region.width + margin) - left,
      height: min(size.height, region.y + region.height + margin) - top)
  }

  /// The numbers of the groups, in order.
  func groups(_ layout: FrameLayout) -> [Int] {
    groupRows.flatMap { row in groupColumns.map { row * layout.groupColumns + $0 } }
  }
}

/// The part of the channels of a squeezed frame that a region needs.
///
/// A pair of samples depends on the next average and on the sample before the pair, which depends on those before it. So
/// all samples on the left and above are needed. Of the averages of each level, two more are on the right and below.
struct SqueezedRegion: Sendable {
  /// The last column and row of the frame.
  private let right: Int
  private let bottom: Int

  /// - Parameter region: a region of the frame's samples.
  init(_ region: PixelRegion, _ layout: FrameLayout) {
    let extended = FrameRegion.extended(region, layout.size)
    (right, bottom) = (extended.x + extended.width - 1, extended.y + extended.height - 1)
  }

  /// Whether a rectangle of a reduced channel is needed.
  func needs(_ rectangle: PixelRegion, of channel: ModularChannel) -> Bool {
    rectangle.x <= right >> channel.horizontalShift + 2 && rectangle.y <= bottom >> channel.verticalShift + 2
  }
}
