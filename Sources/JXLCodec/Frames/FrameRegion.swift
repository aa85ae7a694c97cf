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

  /// The numbers of the groups, in order.
  func groups(_ layout: FrameLayout) -> [Int] {
    groupRows.flatMap { row in groupColumns.map { row * layout.groupColumns + $0 } }
  }
}
