// The constrained directional enhancement filter (section 7.15).

internal import ImageCoding

/// Filters squares of 8 × 8 luma samples, and their chroma, along the direction of each.
struct DirectionalEnhancement {
  private let parameters: FrameParameters
  private let coefficientShift: Int
  private var window = EnhancementWindow()
  /// The directions of a square of 64 × 64, eight in a row.
  private var directions = InlineArray<64, SquareDirection>(repeating: SquareDirection(direction: 0, variance: 0))

  init(_ parameters: FrameParameters) {
    self.parameters = parameters
    coefficientShift = parameters.bitDepth - 8
  }

  /// Some of the squares of 8 × 8 in a square of 64 × 64.
  private struct SquareGroup {
    let columns: Range<Int>
    let rows: Range<Int>
    let strengths: CDEFParameters.Strengths
  }

  /// Filters rows of squares of 8 × 8, all in one row of squares of 64 × 64, of `source` to `target`, which has a copy
  /// of them.
  mutating func filterRows(
    _ rows: Range<Int>, _ map: borrowing BlockMap, _ source: borrowing SampleBuffer, _ target: inout SampleBuffer
  ) {
    for square in 0..<map.cdefColumns {
      let index = Int(map.cdefIndices[rows.lowerBound / 8 * map.cdefColumns + square])
      guard index >= 0, index < parameters.cdef.strengths.count else { continue }
      let strengths = parameters.cdef.strengths[index]
      guard !strengths.isZero else { continue }
      let columns = square * 8..<min(square * 8 + 8, map.columns / 2)
      let group = SquareGroup(columns: columns, rows: rows, strengths: strengths)
      guard Self.hasSamples(group, map) else { continue }
      if strengths.lumaPrimary > 0 || strengths.chromaPrimary > 0 { findDirections(group, map, source) }
      for plane in 0..<parameters.planeCount { filterPlane(plane, group, map, source, &target) }
    }
  }

  @inline(__always)
  private static func isSkipped(_ x: Int, _ y: Int, _ map: borrowing BlockMap) -> Bool {
    map.isSkipped[y &* (map.columns / 2) &+ x]
  }

  private static func hasSamples(_ group: SquareGroup, _ map: borrowing BlockMap) -> Bool {
    for y in group.rows {
      for x in group.columns where !isSkipped(x, y, map) { return true }
    }
    return false
  }

  private mutating func findDirections(
    _ group: SquareGroup, _ map: borrowing BlockMap, _ source: borrowing SampleBuffer
  ) {
    let samples = source.samples.span
    for y in group.rows {
      for x in group.columns where !Self.isSkipped(x, y, map) {
        directions[(y & 7) &* 8 &+ x & 7] = findDirection(
          samples, at: source.index(0, x: x &* 8, y: y &* 8), stride: source.strides[0],
          shift: Int32(truncatingIfNeeded: coefficientShift))
      }
    }
  }

  /// `Cdef_Uv_Dir` of 4:2:2.
  private static let halvedDirections: UInt64 = 0x6665_4207

  private mutating func filterPlane(
    _ plane: Int, _ group: SquareGroup, _ map: borrowing BlockMap, _ source: borrowing SampleBuffer,
    _ target: inout SampleBuffer
  ) {
    let strengths = group.strengths
    let primary = plane == 0 ? strengths.lumaPrimary : strengths.chromaPrimary
    let secondary = plane == 0 ? strengths.lumaSecondary : strengths.chromaSecondary
    guard primary > 0 || secondary > 0 else { return }
    let (shiftX, shiftY) = parameters.shifts(plane)
    let isHalved = plane > 0 && shiftX != shiftY
    let isNarrow = parameters.bitDepth == 8
    let place = PlanePlace(
      plane: plane, width: 8 &>> shiftX, height: 8 &>> shiftY, columns: group.columns, rows: group.rows,
      planeWidth: parameters.columns &* 4 &>> shiftX, planeHeight: parameters.rows &* 4 &>> shiftY)
    if isNarrow { window.load(place, source) }
    let damping = parameters.cdef.damping &+ coefficientShift &- (plane > 0 ? 1 : 0)
    for y in group.rows {
      for x in group.columns where !Self.isSkipped(x, y, map) {
        var (direction, strength) = (0, primary &<< coefficientShift)
        if primary > 0 {
          let found = directions[(y & 7) &* 8 &+ x & 7]
          direction = isHalved ? Int(Self.halvedDirections &>> UInt64(found.direction &* 4)) & 7 : found.direction
          if plane == 0 { strength = found.adjusted(strength) }
        }
        guard strength > 0 || secondary > 0 else { continue }
        let filter = EnhancementFilter(
          primary: strength, secondary: secondary &<< coefficientShift, direction: direction, damping: damping,
          usesEvenTaps: (strength &>> coefficientShift) & 1 == 0)
        filterSquare(x, y, filter, place, isNarrow: isNarrow, source, &target)
      }
    }
  }

  private mutating func filterSquare(
    _ x: Int, _ y: Int, _ filter: EnhancementFilter, _ place: PlanePlace, isNarrow: Bool,
    _ source: borrowing SampleBuffer, _ target: inout SampleBuffer
  ) {
    let (width, height) = (place.width, place.height)
    let (left, top) = (x &* width, y &* height)
    let (from, fromStride) = (source.index(place.plane, x: left, y: top), source.strides[place.plane])
    let (index, stride) = (target.index(place.plane, x: left, y: top), target.strides[place.plane])
    var samples = target.samples.mutableSpan
    let isInside =
      left >= 2 && top >= 2 && left &+ width &+ 2 <= place.planeWidth && top &+ height &+ 2 <= place.planeHeight
    guard isInside else {
      let edge = EdgeWindow(source.samples.span, at: from, stride: fromStride, x: left, y: top, place)
      enhance(
        edge.samples.span, EdgeWindow.source, filter, width: width, height: height, &samples, at: index,
        stride: stride)
      return
    }
    if isNarrow {
      enhanceBytes(
        window.samples.span, at: place.windowIndex(x: left, y: top), filter, width: width, height: height, &samples,
        at: index, stride: stride)
    } else {
      enhance(
        source.samples.span, EnhancementSource(index: from, stride: fromStride, isPartial: false), filter,
        width: width, height: height, &samples, at: index, stride: stride)
    }
  }
}

extension SquareDirection {
  /// The primary strength of luma, which depends on the variance.
  fileprivate func adjusted(_ strength: Int) -> Int {
    guard variance > 0 else { return 0 }
    let reduced = variance &>> 6
    let log2 = reduced > 0 ? min(Int.bitWidth &- 1 &- reduced.leadingZeroBitCount, 12) : 0
    return (strength &* (4 &+ log2) &+ 8) &>> 4
  }
}

/// Squares of a plane.
private struct PlanePlace {
  let plane: Int
  /// The size of a square in samples.
  let width: Int
  let height: Int
  /// The squares, all in one of 64 × 64 luma samples.
  let columns: Range<Int>
  let rows: Range<Int>
  let planeWidth: Int
  let planeHeight: Int

  /// The index of a sample in ``EnhancementWindow``.
  @inline(__always)
  func windowIndex(x: Int, y: Int) -> Int {
    let (column, row) = (x &- columns.lowerBound &* width, y &- rows.lowerBound &* height)
    return (row &+ EnhancementWindow.border) &* enhancementStride &+ column &+ EnhancementWindow.margin
  }
}

/// The samples of a square of 64 × 64 and of those around it, if they have 8 bits.
private struct EnhancementWindow {
  private(set) var samples = [UInt8](repeating: 0, count: enhancementStride * (64 + 2 * border) + 16)

  /// Rows before and after the square.
  static let border = 2
  /// Columns before and after it.
  static let margin = 16

  /// Loads the samples that are in the plane.
  mutating func load(_ place: PlanePlace, _ source: borrowing SampleBuffer) {
    let (left, top) = (place.columns.lowerBound &* place.width, place.rows.lowerBound &* place.height)
    let columns = max(0, left &- 2)..<min(place.columns.upperBound &* place.width &+ 2, place.planeWidth)
    let rows = max(0, top &- 2)..<min(place.rows.upperBound &* place.height &+ 2, place.planeHeight)
    let input = source.samples.span
    var span = samples.mutableSpan
    for y in rows {
      narrowSamples(
        input, from: source.index(place.plane, x: columns.lowerBound, y: y), to: &span,
        at: place.windowIndex(x: columns.lowerBound, y: y), count: columns.count)
    }
  }
}

/// The samples of a square at an edge of the frame and of two rows and columns around it. Those outside the frame are
/// ``EnhancementFilter/unavailable``.
private struct EdgeWindow {
  /// 16 in a row, from two rows above and two columns to the left of the square on.
  private(set) var samples = InlineArray<208, UInt16>(repeating: EnhancementFilter.unavailable)

  /// The place of the square.
  static var source: EnhancementSource { EnhancementSource(index: 2 * 16 + 2, stride: 16, isPartial: true) }

  init(_ source: Span<UInt16>, at index: Int, stride: Int, x: Int, y: Int, _ place: PlanePlace) {
    let columns = max(-2, 0 &- x)..<min(place.width &+ 2, place.planeWidth &- x)
    let rows = max(-2, 0 &- y)..<min(place.height &+ 2, place.planeHeight &- y)
    var span = samples.mutableSpan
    for row in rows {
      let from = index &+ row &* stride
      let to = (row &+ 2) &* 16 &+ 2
      for column in columns { span[to &+ column] = source[from &+ column] }
    }
  }
}
