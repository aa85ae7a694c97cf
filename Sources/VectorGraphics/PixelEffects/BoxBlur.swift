// Blurs by averaging boxes of pixels with running sums, at a cost that does not depend on the width. Five successive
// boxes approximate a Gaussian closely (P. Kovesi, "Fast Almost-Gaussian Filtering", 2010).

/// A sequence of box blurs along one axis.
struct BoxBlur: Hashable {
  private static let passCount = 5
  /// Wider boxes only darken pixels further, beyond the size of any canvas.
  private static let maximumStandardDeviation = 100_000.0

  /// The widths of the boxes in pixels, odd numbers.
  let widths: [Int]

  /// Chooses boxes whose variances, (w² - 1) / 12 each, add up to the variance of the Gaussian, as closely as two
  /// consecutive odd widths allow.
  init(standardDeviation: Double) {
    let variance = min(standardDeviation, Self.maximumStandardDeviation)
    let sum = 12 * variance * variance
    let count = Double(Self.passCount)
    var low = Int((sum / count + 1).squareRoot())
    if low % 2 == 0 { low -= 1 }
    let width = Double(low)
    let lowCount = ((count * (width * width + 4 * width + 3) - sum) / (4 * width + 4)).rounded()
    widths = (0..<Self.passCount).map { Double($0) < lowCount ? low : low + 2 }
  }

  /// The distance in pixels to which a pixel has an effect.
  var reach: Int { widths.reduce(0) { $0 + $1 / 2 } }

  /// Blurs a strip along its lines; the outside is transparent.
  func apply(to strip: inout PixelStrip) {
    let zeros = [UInt8](repeating: 0, count: strip.stride)
    var narrow = [UInt16](repeating: 0, count: strip.stride)
    var wide: [Int32] = []
    var (samples, scratch) = strip.takeSamples()
    for width in widths where width > 1 {
      if width <= Self.maximumNarrowWidth {
        blurNarrow(samples.span, &scratch, zeros.span, &narrow, length: strip.length, width: width)
      } else {
        if wide.isEmpty { wide = [Int32](repeating: 0, count: strip.stride) }
        blurWide(samples.span, &scratch, zeros.span, &wide, length: strip.length, width: width)
      }
      swap(&samples, &scratch)
    }
    strip.giveBack(samples, scratch)
  }

  /// The widest box whose sums of samples fit 16 bits, including half of the width for rounding.
  private static let maximumNarrowWidth = 255

  /// Division is a multiplication by 2^16 / width, of which the upper half is kept. For narrow boxes the factor is
  /// rounded up, which makes quotients exact (or, from width 16, off by at most an eighth of a step). For wider ones it
  /// is rounded to nearest, which keeps quotients below 256. Uniform samples are preserved.
  private func blurNarrow(
    _ source: Span<UInt8>, _ target: inout [UInt8], _ zeros: Span<UInt8>, _ sums: inout [UInt16], length: Int,
    width: Int
  ) {
    let stride = zeros.count
    let radius = width / 2
    let factor = UInt16((65536 + (width < 32 ? width - 1 : width / 2)) / width)
    let half = UInt16(truncatingIfNeeded: radius)
    var totals = sums.mutableSpan
    for index in totals.indices { totals[index] = half }
    for place in 0..<min(radius, length) { add(row(source, place, stride), to: &totals) }
    var output = target.mutableSpan
    for place in 0..<length {
      let incoming = place &+ radius < length ? row(source, place &+ radius, stride) : zeros
      let outgoing = place >= radius ? row(source, place &- radius, stride) : zeros
      var means = output._mutatingExtracting(place &* stride..<place &* stride &+ stride)
      step(&totals, &means, incoming, outgoing, factor)
    }
  }

  private func add(_ samples: Span<UInt8>, to totals: inout MutableSpan<UInt16>) {
    precondition(samples.count == totals.count)
    for index in totals.indices { totals[index] &+= UInt16(samples[index]) }
  }

  private func step(
    _ totals: inout MutableSpan<UInt16>, _ means: inout MutableSpan<UInt8>, _ incoming: Span<UInt8>,
    _ outgoing: Span<UInt8>, _ factor: UInt16
  ) {
    let count = totals.count
    precondition(means.count == count && incoming.count == count && outgoing.count == count)
    for index in 0..<count {
      let total = totals[index] &+ UInt16(incoming[index])
      means[index] = UInt8(truncatingIfNeeded: (UInt32(total) &* UInt32(factor)) &>> 16)
      totals[index] = total &- UInt16(outgoing[index])
    }
  }

  private func blurWide(
    _ source: Span<UInt8>, _ target: inout [UInt8], _ zeros: Span<UInt8>, _ sums: inout [Int32], length: Int,
    width: Int
  ) {
    let stride = zeros.count
    let radius = width / 2
    let factor = 1 / Float(width)
    var totals = sums.mutableSpan
    for index in totals.indices { totals[index] = 0 }
    for place in 0..<min(radius, length) {
      let samples = row(source, place, stride)
      for index in totals.indices { totals[index] &+= Int32(samples[index]) }
    }
    var output = target.mutableSpan
    for place in 0..<length {
      let incoming = place &+ radius < length ? row(source, place &+ radius, stride) : zeros
      let outgoing = place >= radius ? row(source, place &- radius, stride) : zeros
      var means = output._mutatingExtracting(place &* stride..<place &* stride &+ stride)
      let count = totals.count
      precondition(means.count == count && incoming.count == count && outgoing.count == count)
      for index in 0..<count {
        let total = totals[index] &+ Int32(incoming[index])
        means[index] = roundedSample(Float(total) * factor)
        totals[index] = total &- Int32(outgoing[index])
      }
    }
  }

  @inline(__always)
  @_lifetime(copy samples)
  private func row(_ samples: Span<UInt8>, _ place: Int, _ stride: Int) -> Span<UInt8> {
    samples.extracting(place &* stride..<place &* stride &+ stride)
  }
}

/// Rounds a number in 0…255 to nearest: adding 3 · 2^22 puts the integer into the lowest bits.
@inline(__always)
func roundedSample(_ value: Float) -> UInt8 {
  UInt8(truncatingIfNeeded: (value + 12_582_912).bitPattern)
}
