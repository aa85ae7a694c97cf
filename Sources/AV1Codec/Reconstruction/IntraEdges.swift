// The neighbours of a block from which it is predicted (section 7.11.2.1), and their filters (sections 7.11.2.7 to
// 7.11.2.12).

/// The availability of a transform block's neighbours.
struct IntraNeighbours {
  let hasLeft: Bool
  let hasAbove: Bool
  let hasAboveRight: Bool
  let hasBelowLeft: Bool
}

/// One row or column of neighbours, the corner at index −1.
struct IntraEdge {
  /// 16 samples before the first one, 128 and their upsampling after it.
  private(set) var samples = [UInt16](repeating: 0, count: EdgeSamples.count)

  static let origin = EdgeSamples.origin

  @inline(__always)
  subscript(index: Int) -> UInt16 {
    get { samples[index &+ Self.origin] }
    set { samples[index &+ Self.origin] = newValue }
  }

  /// Sets the samples of a range to one value.
  @inline(__always)
  mutating func fill(_ range: Range<Int>, _ value: UInt16) {
    var span = samples.mutableSpan
    for index in range { span[index &+ Self.origin] = value }
  }

  /// Repeats a sample after its index.
  @inline(__always)
  mutating func extend(from last: Int, count: Int) {
    let value = self[last]
    fill(last &+ 1..<min(last &+ 1 &+ count, EdgeSamples.count &- Self.origin), value)
  }

  /// Copies samples of a row, and repeats the last one.
  @inline(__always)
  mutating func copyRow(_ source: Span<UInt16>, at first: Int, available: Int, count: Int) {
    var span = samples.mutableSpan
    let copied = min(available, count)
    copySamples(source, from: first, to: &span, at: Self.origin, count: copied)
    if copied < count { fill(copied..<count, source[first &+ copied &- 1]) }
  }

  /// Copies samples of a column, and repeats the last one.
  @inline(__always)
  mutating func copyColumn(_ source: Span<UInt16>, at first: Int, stride: Int, available: Int, count: Int) {
    var span = samples.mutableSpan
    let copied = min(available, count)
    gatherSamples(source, from: first, stride: stride, to: &span, at: Self.origin, count: copied)
    if copied < count { fill(copied..<count, source[first &+ (copied &- 1) &* stride]) }
  }

  /// Smooths all samples but the corner (section 7.11.2.12).
  ///
  /// - Parameter count: of samples with the corner.
  mutating func filter(count: Int, strength: Int) {
    guard strength > 0 else { return }
    let (outer, inner, center) = strength == 1 ? (0, 4, 8) : strength == 2 ? (0, 5, 6) : (2, 4, 4)
    var old = InlineArray<160, Int32>(repeating: 0)
    // Two copies of the first and of the last sample follow the edge's ends.
    for index in -2..<count + 2 { old[index &+ 2] = Int32(self[min(max(index, 0), count &- 1) &- 1]) }
    for index in 1..<count {
      let far = (old[index] &+ old[index &+ 4]) &* Int32(outer)
      let near = (old[index &+ 1] &+ old[index &+ 3]) &* Int32(inner)
      let sum = far &+ near &+ old[index &+ 2] &* Int32(center)
      self[index &- 1] = UInt16(truncatingIfNeeded: (sum &+ 8) &>> 4)
    }
  }

  /// Doubles the number of samples (section 7.11.2.11): those between them get odd indices.
  ///
  /// - Parameter count: of samples without the corner, at most 16.
  mutating func upsample(count: Int, maximum: Int) {
    var old = InlineArray<32, Int>(repeating: 0)
    for index in 0..<count + 3 { old[index] = Int(self[min(max(index &- 2, -1), count &- 1)]) }
    self[-2] = UInt16(truncatingIfNeeded: old[0])
    for index in 0..<count {
      let sum = 9 &* (old[index &+ 1] &+ old[index &+ 2]) &- old[index] &- old[index &+ 3]
      self[2 &* index &- 1] = UInt16(truncatingIfNeeded: min(max((sum &+ 8) &>> 4, 0), maximum))
      self[2 &* index] = UInt16(truncatingIfNeeded: old[index &+ 2])
    }
  }

  /// The strength of the filter of an edge (section 7.11.2.9).
  ///
  /// - Parameters:
  ///   - size: columns and rows of the block together.
  ///   - angle: degrees between the direction and the perpendicular of the edge.
  static func filterStrength(size: Int, isSmooth: Bool, angle: Int) -> Int {
    let d = abs(angle)
    if isSmooth {
      if size <= 8 { return d >= 64 ? 2 : d >= 40 ? 1 : 0 }
      if size <= 16 { return d >= 48 ? 2 : d >= 20 ? 1 : 0 }
      return size > 24 || d >= 4 ? 3 : 0
    }
    if size <= 8 { return d >= 56 ? 1 : 0 }
    if size <= 16 { return d >= 40 ? 1 : 0 }
    if size <= 24 { return d >= 32 ? 3 : d >= 16 ? 2 : d >= 8 ? 1 : 0 }
    if size <= 32 { return d >= 32 ? 3 : d >= 4 ? 2 : 1 }
    return 3
  }

  /// Whether an edge is upsampled (section 7.11.2.10).
  static func isUpsampled(size: Int, isSmooth: Bool, angle: Int) -> Bool {
    let d = abs(angle)
    return d > 0 && d < 40 && size <= (isSmooth ? 8 : 16)
  }
}
