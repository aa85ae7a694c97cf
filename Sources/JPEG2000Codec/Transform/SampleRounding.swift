// The conversion of reconstructed samples to unsigned integers, after the component transform if there is one (ITU-T
// T.800, annex G).

/// The values that samples of a depth can have after half their range has been added.
package struct SampleRange: Sendable {
  let offset: Int32
  let maximum: Int32

  /// - Parameter depth: the number of bits per sample, 1…16.
  init(depth: Int) {
    offset = Int32(1) << Int32(depth - 1)
    maximum = Int32(1) << Int32(depth) - 1
  }

  /// Adds half the range and clamps.
  @inline(__always)
  func unsigned(_ sample: Int32) -> UInt16 {
    let value = sample &+ offset
    let positive = value > 0 ? value : 0
    return UInt16(truncatingIfNeeded: positive < maximum ? positive : maximum)
  }

  /// Adds half the range, rounds and clamps.
  @inline(__always)
  func unsigned(_ sample: Float) -> UInt16 {
    let value = sample + Float(offset) + 0.5
    // Comparisons that are false for numbers that are none.
    let positive = value > 0 ? value : 0
    let limit = Float(maximum)
    let clamped = positive < limit ? positive : limit
    // Rounds down without a conversion to integers, which checks their range: adding 2²³ rounds to the nearest integer and
    // moves it to the lowest bits.
    let shifted = clamped + 8_388_608
    let nearest = shifted - 8_388_608
    return UInt16(truncatingIfNeeded: (nearest > clamped ? shifted - 1 : shifted).bitPattern)
  }
}

extension ReversibleWavelet {
  package static func round(_ source: Span<Int32>, _ range: SampleRange, into target: inout MutableSpan<UInt16>) {
    for index in target.indices { target[index] = range.unsigned(source[index]) }
  }

  /// The reversible component transform (RCT).
  package static func roundTransformed(
    _ source: (Span<Int32>, Span<Int32>, Span<Int32>), _ ranges: (SampleRange, SampleRange, SampleRange),
    _ first: inout MutableSpan<UInt16>, _ second: inout MutableSpan<UInt16>, _ third: inout MutableSpan<UInt16>
  ) {
    let columns = 0..<first.count
    let (a, b, c) = (
      source.0.extracting(columns), source.1.extracting(columns), source.2.extracting(columns)
    )
    var second = second._mutatingExtracting(columns)
    var third = third._mutatingExtracting(columns)
    for index in columns {
      let (y, u, v) = (a[index], b[index], c[index])
      let green = y &- ((u &+ v) &>> 2)
      first[index] = ranges.0.unsigned(v &+ green)
      second[index] = ranges.1.unsigned(green)
      third[index] = ranges.2.unsigned(u &+ green)
    }
  }
}

extension IrreversibleWavelet {
  package static func round(_ source: Span<Float>, _ range: SampleRange, into target: inout MutableSpan<UInt16>) {
    for index in target.indices { target[index] = range.unsigned(source[index]) }
  }

  /// The irreversible component transform (ICT).
  package static func roundTransformed(
    _ source: (Span<Float>, Span<Float>, Span<Float>), _ ranges: (SampleRange, SampleRange, SampleRange),
    _ first: inout MutableSpan<UInt16>, _ second: inout MutableSpan<UInt16>, _ third: inout MutableSpan<UInt16>
  ) {
    let columns = 0..<first.count
    let (a, b, c) = (
      source.0.extracting(columns), source.1.extracting(columns), source.2.extracting(columns)
    )
    var second = second._mutatingExtracting(columns)
    var third = third._mutatingExtracting(columns)
    for index in columns {
      let (y, u, v) = (a[index], b[index], c[index])
      first[index] = ranges.0.unsigned(y + 1.402 * v)
      second[index] = ranges.1.unsigned(y - 0.344136 * u - 0.714136 * v)
      third[index] = ranges.2.unsigned(y + 1.772 * u)
    }
  }
}
