// The two wavelets, as lifting steps on rows of samples (ITU-T T.800, annex F).

/// A wavelet whose inverse consists of lifting steps.
package protocol Wavelet: SendableMetatype {
  associatedtype Sample: BitwiseCopyable, Sendable
  static var zero: Sample { get }
  /// The number of lifting steps. Those with even numbers change low frequencies, the others high ones, by their two
  /// neighbours, so that this is also the number of samples at each side that a sample depends on.
  static var stepCount: Int { get }
  /// Carries out a step on samples with the same position as their neighbours.
  static func lift(
    _ step: Int, _ target: inout MutableSpan<Sample>, _ first: Span<Sample>, _ second: Span<Sample>)
  /// The value of a frequency before the first step.
  static func scale(_ sample: Sample, isHigh: Bool) -> Sample
  /// Inverts the decomposition of a line of one sample that is a high frequency.
  static func halve(_ sample: Sample) -> Sample
  /// Converts the coefficients of a code-block, in units of half a quantisation step.
  static func dequantize(_ source: Span<Int32>, stepSize: Float, into target: inout MutableSpan<Sample>)
  /// Converts samples to unsigned integers.
  static func round(_ source: Span<Sample>, _ range: SampleRange, into target: inout MutableSpan<UInt16>)
  /// Inverts the component transform of three rows, and converts them to unsigned integers.
  static func roundTransformed(
    _ source: (Span<Sample>, Span<Sample>, Span<Sample>), _ ranges: (SampleRange, SampleRange, SampleRange),
    _ first: inout MutableSpan<UInt16>, _ second: inout MutableSpan<UInt16>, _ third: inout MutableSpan<UInt16>)
}

/// The reversible wavelet: 5 and 3 taps.
package enum ReversibleWavelet: Wavelet {
  package static var zero: Int32 { 0 }
  package static var stepCount: Int { 2 }

  package static func lift(
    _ step: Int, _ target: inout MutableSpan<Int32>, _ first: Span<Int32>, _ second: Span<Int32>
  ) {
    let (first, second) = (first.extracting(0..<target.count), second.extracting(0..<target.count))
    if step == 0 {
      for index in target.indices {
        target[index] = target[index] &- ((first[index] &+ second[index] &+ 2) &>> 2)
      }
    } else {
      for index in target.indices { target[index] = target[index] &+ ((first[index] &+ second[index]) &>> 1) }
    }
  }

  @inline(__always)
  package static func scale(_ sample: Int32, isHigh: Bool) -> Int32 { sample }

  package static func halve(_ sample: Int32) -> Int32 { sample >> 1 }

  package static func dequantize(_ source: Span<Int32>, stepSize: Float, into target: inout MutableSpan<Int32>) {
    // Half a step is discarded: completely decoded integers are exact.
    for index in target.indices { target[index] = source[index] / 2 }
  }
}

/// The irreversible wavelet: 9 and 7 taps.
package enum IrreversibleWavelet: Wavelet {
  package static var zero: Float { 0 }
  package static var stepCount: Int { 4 }

  package static func lift(
    _ step: Int, _ target: inout MutableSpan<Float>, _ first: Span<Float>, _ second: Span<Float>
  ) {
    let factor: Float =
      switch step {
      case 0: 0.443506852043971
      case 1: 0.882911075530934
      case 2: -0.052980118572961
      default: -1.586134342059924
      }
    let (first, second) = (first.extracting(0..<target.count), second.extracting(0..<target.count))
    for index in target.indices { target[index] -= factor * (first[index] + second[index]) }
  }

  @inline(__always)
  package static func scale(_ sample: Float, isHigh: Bool) -> Float {
    let scale: Float = 1.230174104914001
    return sample * (isHigh ? 1 / scale : scale)
  }

  package static func halve(_ sample: Float) -> Float { sample * 0.5 }

  package static func dequantize(_ source: Span<Int32>, stepSize: Float, into target: inout MutableSpan<Float>) {
    let scale = stepSize * 0.5
    for index in target.indices { target[index] = Float(source[index]) * scale }
  }
}
