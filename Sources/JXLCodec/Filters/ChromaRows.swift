// Enlargement of reduced channels row by row (ISO/IEC 18181-1, G.4.3 and L.3).

internal import ImageCoding

/// The reduction of a plane of a frame.
struct PlaneReduction: Sendable {
  /// The binary logarithms of the factors. Planes of a single column or row are not reduced.
  let right: Int
  let down: Int
  /// The size of the plane.
  private let width: Int
  private let height: Int

  init(_ size: PixelSize, right: Int, down: Int) {
    (width, height) = ((size.width - 1) >> right + 1, (size.height - 1) >> down + 1)
    (self.right, self.down) = (width == size.width ? 0 : right, height == size.height ? 0 : down)
  }

  var isReduced: Bool { right > 0 || down > 0 }

  /// The columns of the plane from which those of the frame are calculated, which start at an even one.
  func columns(_ range: Range<Int>) -> Range<Int> {
    guard right > 0 else { return range }
    return max(0, range.lowerBound >> 1 - 1)..<min(width, (range.upperBound + 1) >> 1 + 1)
  }

  /// The row of the plane that is nearest to one of the frame, and the next one on the other side.
  func rows(_ y: Int) -> (near: Int, far: Int) {
    guard down > 0 else { return (y, y) }
    return (y >> 1, y & 1 == 0 ? max(y >> 1 - 1, 0) : min(y >> 1 + 1, height - 1))
  }
}

/// Doubles the columns and rows of a part of a row, as ``ChromaUpsampling`` does for planes.
struct ChromaRows: Sendable {
  /// A row of the plane, with one sample on each side.
  private var reduced: [Float]
  /// The nearest row of the plane with all columns, and the next one.
  private var near: [Float]
  private var far: [Float]

  /// - Parameter width: the greatest number of columns; 0 if no plane is reduced.
  init(width: Int) {
    near = [Float](repeating: 0, count: width == 0 ? 0 : width + 24)
    (reduced, far) = (near, near)
  }

  static func byteCount(width: Int) -> Int { width == 0 ? 0 : 12 * (width + 24) }

  /// Calculates a part of a row of the frame.
  ///
  /// - Parameters:
  ///   - start: the index in the output of the first column of the frame.
  ///   - copy: copies columns of a row of the plane to a span, from an index on.
  mutating func enlarge(
    row y: Int, columns: Range<Int>, _ reduction: PlaneReduction, into output: inout MutableSpan<Float>, at start: Int,
    _ copy: (_ row: Int, _ columns: Range<Int>, _ target: inout MutableSpan<Float>, _ index: Int) -> Void
  ) {
    let rows = reduction.rows(y)
    // Moved out while in use, so that nothing is copied.
    var (near, far) = (near, far)
    (self.near, self.far) = ([], [])
    defer { (self.near, self.far) = (near, far) }
    widen(rows.near, columns, reduction, into: &near, copy)
    let count = columns.count
    guard reduction.down > 0 else {
      copySamples(near.span, from: 0, to: &output, at: start + columns.lowerBound, count: count)
      return
    }
    widen(rows.far, columns, reduction, into: &far, copy)
    let (nearSamples, farSamples) = (near.span, far.span)
    var target = output._mutatingExtracting(start + columns.lowerBound..<start + columns.upperBound)
    var x = 0
    while x &+ 8 <= count {
      storeVector(loadVector(nearSamples, at: x) * 0.75 + loadVector(farSamples, at: x) * 0.25, into: &target, at: x)
      x &+= 8
    }
    for x in x..<max(x, count) { target[x] = 0.75 * nearSamples[x] + 0.25 * farSamples[x] }
  }

  /// Doubles the columns of a row.
  private mutating func widen(
    _ row: Int, _ columns: Range<Int>, _ reduction: PlaneReduction, into wide: inout [Float],
    _ copy: (_ row: Int, _ columns: Range<Int>, _ target: inout MutableSpan<Float>, _ index: Int) -> Void
  ) {
    var output = wide.mutableSpan
    guard reduction.right > 0 else { return copy(row, columns, &output, 0) }
    let part = reduction.columns(columns)
    // The sample of the column 0 of the part is at the index 1, or at 0 if there is one before it.
    let first = columns.lowerBound >> 1
    let offset = 1 - first
    var samples = reduced.mutableSpan
    copy(row, part, &samples, part.lowerBound + offset)
    // The edges are repeated.
    if part.lowerBound == first { samples[0] = samples[1] }
    let end = part.upperBound + offset
    samples[end] = samples[end - 1]
    let pairCount = (columns.upperBound + 1) >> 1 - first
    for pair in 0..<pairCount {
      let (before, sample, after) = (samples[pair], samples[pair &+ 1], samples[pair &+ 2])
      output[2 &* pair] = 0.75 * sample + 0.25 * before
      output[2 &* pair &+ 1] = 0.75 * sample + 0.25 * after
    }
  }
}
