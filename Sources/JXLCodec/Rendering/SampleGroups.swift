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
  /// The binary logarithms of the factors by which the planes are reduced; empty if none is.
  private let reductions: [PlaneReduction]

  /// Groups of the colours of a frame that are all absent.
  init(_ layout: FrameLayout, _ grid: BlockGrid) {
    (width, height) = (layout.size.width, layout.size.height)
    (shift, columns) = (layout.groupShift, layout.groupColumns)
    groups = [[SamplePlane]](repeating: [], count: layout.groupCount)
    reductions =
      (0..<3).map {
        PlaneReduction(layout.size, right: grid.horizontalShifts[$0], down: grid.verticalShifts[$0])
      }
  }

  /// Groups of planes of a size that are all absent.
  init(_ size: PixelSize, groupShift: Int) {
    (width, height, shift) = (size.width, size.height, groupShift)
    columns = (width - 1) >> shift + 1
    groups = [[SamplePlane]](repeating: [], count: columns * ((height - 1) >> shift + 1))
    reductions = []
  }

  /// Whole planes of the size of a frame.
  init(_ size: PixelSize, _ planes: [SamplePlane]) {
    (width, height) = (size.width, size.height)
    (shift, columns, groups) = (PixelSize.maximumJXLDimension.trailingZeroBitCount, 1, [planes])
    reductions = []
  }

  /// The memory of the list of groups.
  static func listByteCount(groupCount: Int) -> Int { groupCount * 8 }

  /// Stores the planes of a group, or removes them if the list is empty.
  mutating func set(_ planes: [SamplePlane], at group: Int) { groups[group] = planes }

  /// Removes the planes of a group.
  mutating func take(group: Int) -> [SamplePlane] {
    let planes = groups[group]
    groups[group] = []
    return planes
  }

  /// Copies a row of a tile to a window, with the samples on both sides. All groups in reach must be present.
  ///
  /// - Parameter rows: the memory for planes that are reduced.
  func copy(row y: Int, into window: inout FilterWindow, _ rows: inout ChromaRows) {
    let columns = window.frameColumns
    for plane in 0..<window.planeCount {
      let start = window.index(plane, y) - window.left
      var output = window.samples.mutableSpan
      guard plane < reductions.count, reductions[plane].isReduced else {
        copy(plane, y, columns, into: &output, at: start + columns.lowerBound)
        continue
      }
      let reduction = reductions[plane]
      rows.enlarge(row: y, columns: columns, reduction, into: &output, at: start) {
        copy(plane, $0, $1, reduction, into: &$2, at: $3)
      }
    }
    window.mirrorSides(row: y)
  }

  /// Copies a part of a row of a plane.
  private func copy(
    _ plane: Int, _ y: Int, _ range: Range<Int>, _ reduction: PlaneReduction? = nil,
    into output: inout MutableSpan<Float>, at start: Int
  ) {
    let (widthShift, heightShift) = (shift - (reduction?.right ?? 0), shift - (reduction?.down ?? 0))
    var x = range.lowerBound
    while x < range.upperBound {
      let (column, top) = ((x >> widthShift) << widthShift, (y >> heightShift) << heightShift)
      let end = min(range.upperBound, column + 1 << widthShift)
      let group = groups[(y >> heightShift) * columns + x >> widthShift]
      if plane < group.count {
        group[plane].copy(
          row: y - top, columns: x - column..<end - column, into: &output, at: start + x - range.lowerBound)
      }
      x = end
    }
  }

  /// Whether any plane is reduced.
  var isReduced: Bool { reductions.contains { $0.isReduced } }

  /// The number of rows after a row that are needed for it, as planes are enlarged.
  var reach: Int { reductions.contains { $0.down > 0 } ? 1 : 0 }
}
