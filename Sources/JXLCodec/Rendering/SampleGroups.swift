// The decoded colours of a frame, as the filters read them.

internal import ImageCoding

/// The planes of the colours, whole or in square groups, of which some may be absent.
struct SampleGroups: Sendable {
  let width: Int
  let height: Int
  /// The binary logarithm of the size of groups.
  private let shift: Int
  private let columns: Int
  /// The planes of each group, row by row; empty for those that are absent.
  private var groups: [[SamplePlane]]

  /// Groups that are all absent.
  init(_ layout: FrameLayout) {
    (width, height) = (layout.size.width, layout.size.height)
    (shift, columns) = (layout.groupShift, layout.groupColumns)
    groups = [[SamplePlane]](repeating: [], count: layout.groupCount)
  }

  /// Whole planes of the size of a frame.
  init(_ size: PixelSize, _ planes: [SamplePlane]) {
    (width, height) = (size.width, size.height)
    (shift, columns, groups) = (PixelSize.maximumJXLDimension.trailingZeroBitCount, 1, [planes])
  }

  /// The memory of the list of groups.
  static func listByteCount(_ layout: FrameLayout) -> Int { layout.groupCount * 8 }

  /// Stores the planes of a group, or removes them if the list is empty.
  mutating func set(_ planes: [SamplePlane], at group: Int) { groups[group] = planes }

  /// Removes the planes of a group.
  mutating func take(group: Int) -> [SamplePlane] {
    let planes = groups[group]
    groups[group] = []
    return planes
  }

  /// Copies a row of a tile to a window, with the samples on both sides. All groups in reach must be present.
  func copy(row y: Int, into window: inout FilterWindow) {
    let columns = window.frameColumns
    for plane in 0..<window.planeCount {
      let start = window.index(plane, y) - window.left
      var output = window.samples.mutableSpan
      var x = columns.lowerBound
      while x < columns.upperBound {
        let (column, top) = ((x >> shift) << shift, (y >> shift) << shift)
        let end = min(columns.upperBound, column + 1 << shift)
        let group = groups[(y >> shift) * self.columns + x >> shift]
        if plane < group.count {
          group[plane].copy(row: y - top, columns: x - column..<end - column, into: &output, at: start + x)
        }
        x = end
      }
    }
    window.mirrorSides(row: y)
  }
}
