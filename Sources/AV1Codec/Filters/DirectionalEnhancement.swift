// The constrained directional enhancement filter (section 7.15).

internal import ImageCoding

/// Filters squares of 8 × 8 luma samples, and their chroma, along the direction of each.
struct DirectionalEnhancement {
  private let parameters: FrameParameters
  private let coefficientShift: Int

  init(_ parameters: FrameParameters) {
    self.parameters = parameters
    coefficientShift = parameters.bitDepth - 8
  }

  /// Filters a row of squares of 64 × 64 of `source` to `target`, which has a copy of it.
  func filterRow(_ row: Int, _ map: borrowing BlockMap, _ source: borrowing SampleBuffer, _ target: inout SampleBuffer)
  {
    for square in 0..<map.cdefColumns {
      let index = Int(map.cdefIndices[row * map.cdefColumns + square])
      guard index >= 0, index < parameters.cdef.strengths.count else { continue }
      let strengths = parameters.cdef.strengths[index]
      guard !strengths.isZero else { continue }
      for y in row * 8..<min(row * 8 + 8, map.rows / 2) {
        for x in square * 8..<min(square * 8 + 8, map.columns / 2) where !map.isSkipped[y * (map.columns / 2) + x] {
          filterSquare(x, y, strengths, source, &target)
        }
      }
    }
  }

  private func filterSquare(
    _ x: Int, _ y: Int, _ strengths: CDEFParameters.Strengths, _ source: borrowing SampleBuffer,
    _ target: inout SampleBuffer
  ) {
    let found = findDirection(
      source.samples.span, at: source.index(0, x: x * 8, y: y * 8), stride: source.strides[0],
      shift: Int32(coefficientShift))
    var primary = strengths.lumaPrimary << coefficientShift
    let variance = found.variance >> 6 > 0 ? min(Int.bitWidth - 1 - (found.variance >> 6).leadingZeroBitCount, 12) : 0
    let direction = primary == 0 ? 0 : found.direction
    primary = found.variance > 0 ? (primary * (4 + variance) + 8) >> 4 : 0
    filterPlane(
      0, x, y, primary: primary, secondary: strengths.lumaSecondary << coefficientShift, direction,
      damping: parameters.cdef.damping + coefficientShift, source, &target)
    guard parameters.planeCount > 1 else { return }
    let chromaPrimary = strengths.chromaPrimary << coefficientShift
    let chromaDirection =
      chromaPrimary == 0
      ? 0
      : parameters.subsamplingX == parameters.subsamplingY
        ? found.direction : Self.halvedDirections[found.direction & 7]
    for plane in 1...2 {
      filterPlane(
        plane, x, y, primary: chromaPrimary, secondary: strengths.chromaSecondary << coefficientShift,
        chromaDirection, damping: parameters.cdef.damping + coefficientShift - 1, source, &target)
    }
  }

  /// `Cdef_Uv_Dir` of 4:2:2.
  private static let halvedDirections: InlineArray<8, Int> = [7, 0, 2, 4, 5, 6, 6, 6]

  private func filterPlane(
    _ plane: Int, _ x: Int, _ y: Int, primary: Int, secondary: Int, _ direction: Int, damping: Int,
    _ source: borrowing SampleBuffer, _ target: inout SampleBuffer
  ) {
    guard primary > 0 || secondary > 0 else { return }
    let (shiftX, shiftY) = parameters.shifts(plane)
    let (width, height) = (8 >> shiftX, 8 >> shiftY)
    let (planeWidth, planeHeight) = (parameters.columns * 4 >> shiftX, parameters.rows * 4 >> shiftY)
    let (left, top) = (x * width, y * height)
    let filter = EnhancementFilter(
      primary: primary, secondary: secondary, direction: direction, damping: damping,
      usesEvenTaps: (primary >> coefficientShift) & 1 == 0)
    let (from, fromStride) = (source.index(plane, x: left, y: top), source.strides[plane])
    let (index, stride) = (target.index(plane, x: left, y: top), target.strides[plane])
    var samples = target.samples.mutableSpan
    let isInside = left >= 2 && top >= 2 && left + width + 2 <= planeWidth && top + height + 2 <= planeHeight
    guard !isInside else {
      enhance(
        source.samples.span, EnhancementSource(index: from, stride: fromStride, isPartial: false), filter,
        width: width, height: height, &samples, at: index, stride: stride)
      return
    }
    let window = EnhancementWindow(
      source.samples.span, at: from, stride: fromStride, width: width, height: height, x: left, y: top,
      planeWidth: planeWidth, planeHeight: planeHeight)
    enhance(
      window.samples.span, EnhancementWindow.source, filter, width: width, height: height, &samples, at: index,
      stride: stride)
  }
}

/// The samples of a square and of two rows and columns around it. Those outside the frame are ``unavailable``.
private struct EnhancementWindow {
  /// 16 in a row, from two rows above and two columns to the left of the square on.
  private(set) var samples = InlineArray<208, UInt16>(repeating: EnhancementFilter.unavailable)

  /// The place of the square.
  static var source: EnhancementSource { EnhancementSource(index: 2 * 16 + 2, stride: 16, isPartial: true) }

  init(
    _ source: Span<UInt16>, at index: Int, stride: Int, width: Int, height: Int, x: Int, y: Int, planeWidth: Int,
    planeHeight: Int
  ) {
    let columns = max(-2, 0 &- x)..<min(width &+ 2, planeWidth &- x)
    let rows = max(-2, 0 &- y)..<min(height &+ 2, planeHeight &- y)
    var span = samples.mutableSpan
    for row in rows {
      let from = index &+ row &* stride
      let to = (row &+ 2) &* 16 &+ 2
      for column in columns { span[to &+ column] = source[from &+ column] }
    }
  }
}
