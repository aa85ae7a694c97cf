// Sample adaptive offset (section 8.7.3), and the way of samples into the result.

internal import VectorLanes

/// A rectangle of samples.
package struct SampleArea {
  /// The index of the first sample and the distance of rows.
  package var index: Int
  package var stride: Int
  package var width: Int
  package var height: Int

  package init(index: Int, stride: Int, width: Int, height: Int) {
    (self.index, self.stride, self.width, self.height) = (index, stride, width, height)
  }

  /// Whether it is in a number of samples, with a margin at each side.
  package func isInside(_ count: Int, margin: Int = 0) -> Bool {
    width > 0 && height > 0 && width <= 1 << 17 && height <= 1 << 17 && stride >= width && stride < 1 << 24
      && margin >= 0 && index >= margin && index <= count &- (height &- 1) &* stride &- width &- margin
  }
}

/// Adds offsets to samples by their values.
///
/// - Parameters:
///   - target: rows 64 samples apart, 64 at most.
///   - firstBand: the first of four bands of 32.
package func addBandOffsets(
  _ samples: Span<UInt16>, _ area: SampleArea, to target: inout MutableSpan<UInt16>, firstBand: Int,
  offsets: SIMD4<Int16>, bitDepth: Int
) {
  precondition(
    area.isInside(samples.count) && area.width <= 64 && area.height <= 64 && target.count >= 64 * 64
      && bitDepth >= 8 && bitDepth <= 16, "the samples are present")
  var table = InlineArray<32, Int32>(repeating: 0)
  for index in 0..<4 { table[(firstBand &+ index) & 31] = Int32(offsets[index]) }
  let shift = UInt16(truncatingIfNeeded: bitDepth &- 5)
  let maximumValue = Int32(1) &<< Int32(truncatingIfNeeded: bitDepth) &- 1
  for y in 0..<area.height {
    let source = samples.extracting(unchecked: area.index &+ y &* area.stride, area.width)
    for x in 0..<area.width {
      let value = Int32(source[x]) &+ table[Int(source[x] &>> shift) & 31]
      target[y &* 64 &+ x] = UInt16(truncatingIfNeeded: min(max(value, 0), maximumValue))
    }
  }
}

extension Span where Element == UInt16 {
  /// A row of samples.
  @inline(__always)
  @_lifetime(copy self)
  fileprivate func extracting(unchecked start: Int, _ count: Int) -> Span<UInt16> {
    extracting(start..<start &+ count)
  }
}

/// Adds offsets to samples by comparing each with two neighbours at opposite sides.
///
/// - Parameters:
///   - target: rows 64 samples apart, 64 at most; written to the next multiple of eight columns.
///   - distance: of a sample and the second neighbour.
package func addEdgeOffsets(
  _ samples: Span<UInt16>, _ area: SampleArea, to target: inout MutableSpan<UInt16>, distance: Int,
  offsets: SIMD4<Int16>, bitDepth: Int
) {
  precondition(
    area.isInside(samples.count, margin: abs(distance) &+ 8) && area.width <= 64 && area.height <= 64
      && target.count >= 64 * 64 && bitDepth >= 8 && bitDepth <= 14, "the samples are present")
  let maximumValue = Int16x8(repeating: 1 &<< Int16(truncatingIfNeeded: bitDepth) &- 1)
  let (one, two) = (Int16x8(repeating: 1), Int16x8(repeating: 2))
  let (o0, o1) = (Int16x8(repeating: offsets[0]), Int16x8(repeating: offsets[1]))
  let (o2, o3) = (Int16x8(repeating: offsets[2]), Int16x8(repeating: offsets[3]))
  // SAFETY: the margin covers both neighbours and the columns up to the next multiple of eight.
  unsafe samples.withUnsafeBufferPointer { samples in
    unsafe target.withUnsafeMutableBufferPointer { target in
      guard let samples = samples.baseAddress, let target = target.baseAddress else { return }
      for y in 0..<area.height {
        let source = unsafe UnsafeRawPointer(samples + area.index + y &* area.stride)
        let row = unsafe UnsafeMutableRawPointer(target + y &* 64)
        var x = 0
        while x < 2 &* area.width {
          let value = unsafe source.loadUnaligned(fromByteOffset: x, as: Int16x8.self)
          let first = unsafe source.loadUnaligned(fromByteOffset: x &- 2 &* distance, as: Int16x8.self)
          let second = unsafe source.loadUnaligned(fromByteOffset: x &+ 2 &* distance, as: Int16x8.self)
          // −2…2: less than both, less than one, …, greater than both. Masks are −1.
          let sum =
            isGreater(first, value) &- isGreater(value, first) &+ isGreater(second, value) &- isGreater(value, second)
          let low = isEqual(sum, Int16x8() &- two) & o0 | isEqual(sum, Int16x8() &- one) & o1
          let high = isEqual(sum, one) & o2 | isEqual(sum, two) & o3
          let result = minimum(maximum(value &+ (low | high), Int16x8()), maximumValue)
          unsafe row.storeBytes(of: result, toByteOffset: x, as: Int16x8.self)
          x &+= 16
        }
      }
    }
  }
}

/// Copies samples of 8 bits to a plane of bytes.
package func narrowSamples(
  _ samples: Span<UInt16>, _ area: SampleArea, to target: inout MutableSpan<UInt8>, at index: Int, stride: Int
) {
  let targetArea = SampleArea(index: index, stride: stride, width: area.width, height: area.height)
  precondition(area.isInside(samples.count) && targetArea.isInside(target.count), "the samples are present")
  // SAFETY: rows are in both by the precondition; vectors end within the width.
  unsafe samples.withUnsafeBufferPointer { samples in
    unsafe target.withUnsafeMutableBufferPointer { target in
      guard let samples = samples.baseAddress, let target = target.baseAddress else { return }
      for y in 0..<area.height {
        let source = unsafe samples + area.index + y &* area.stride
        let row = unsafe target + index + y &* stride
        var x = 0
        while x &+ 16 <= area.width {
          let first = unsafe UnsafeRawPointer(source + x).loadUnaligned(as: Int16x8.self)
          let second = unsafe UnsafeRawPointer(source + x).loadUnaligned(fromByteOffset: 16, as: Int16x8.self)
          unsafe UnsafeMutableRawPointer(row + x).storeBytes(
            of: packUnsignedSaturating(first, second), as: SIMD16<UInt8>.self)
          x &+= 16
        }
        while x < area.width {
          unsafe row[x] = UInt8(truncatingIfNeeded: source[x])
          x &+= 1
        }
      }
    }
  }
}

/// Copies samples to a plane of words.
package func copySamples(
  _ samples: Span<UInt16>, _ area: SampleArea, to target: inout MutableSpan<UInt16>, at index: Int, stride: Int
) {
  let targetArea = SampleArea(index: index, stride: stride, width: area.width, height: area.height)
  precondition(area.isInside(samples.count) && targetArea.isInside(target.count), "the samples are present")
  // SAFETY: rows are in both by the precondition.
  unsafe samples.withUnsafeBufferPointer { samples in
    unsafe target.withUnsafeMutableBufferPointer { target in
      guard let samples = samples.baseAddress, let target = target.baseAddress else { return }
      for y in 0..<area.height {
        unsafe (target + index + y &* stride).update(from: samples + area.index + y &* area.stride, count: area.width)
      }
    }
  }
}
