// Copies of planes with mirrored samples around them, for filters.

internal import ImageCoding

/// Planes with room for reads beyond the edges, also of whole vectors.
struct PaddedPlanes: Sendable {
  let height: Int
  /// The distance between rows.
  let stride: Int
  /// The samples of one plane after the other.
  private(set) var samples: [Float]

  /// The number of samples before the first one of a row, and of rows before the first one and after the last one.
  static let left = 8
  static let top = 3
  /// The number of mirrored samples after the last one of a row.
  private static let right = 8
  /// The room for vectors that exceed a row.
  private static let slack = 24

  init(_ frame: RenderedFrame, count: Int) {
    height = frame.height
    stride = Self.stride(frame.width)
    samples = [Float](repeating: 0, count: stride * (height + 2 * Self.top) * count)
    for plane in 0..<count {
      let source = frame.planes[plane]
      for y in -Self.top..<height + Self.top {
        let from = mirrored(y, height) * frame.width
        copyRow(source.span, from, frame.width, to: index(plane, y))
      }
    }
  }

  private mutating func copyRow(_ source: Span<Float>, _ from: Int, _ width: Int, to start: Int) {
    var target = samples.mutableSpan
    let input = source.extracting(from..<from + width)
    var output = target._mutatingExtracting(start..<start + width)
    for x in 0..<width { output[x] = input[x] }
    for x in 1...Self.left { target[start - x] = input[mirrored(-x, width)] }
    for x in width..<width + Self.right { target[start + x] = input[mirrored(x, width)] }
  }

  /// The index of the first sample of a row.
  @inline(__always)
  func index(_ plane: Int, _ y: Int) -> Int {
    ((height &+ 2 &* Self.top) &* plane &+ y &+ Self.top) &* stride &+ Self.left
  }

  private static func stride(_ width: Int) -> Int { (width + 7) & ~7 + left + slack }

  /// The memory of the planes of a size.
  static func byteCount(_ size: PixelSize, count: Int) -> Int {
    let (rowByteCount, overflow) = stride(size.width).multipliedReportingOverflow(by: 4 * count)
    let (total, isHuge) = rowByteCount.multipliedReportingOverflow(by: size.height + 2 * top)
    return overflow || isHuge ? .max : total
  }

  /// The memory of rows of a width.
  static func byteCount(rowsOfWidth width: Int, count: Int) -> Int { stride(width) * 4 * count }
}
