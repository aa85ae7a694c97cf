// Inverse cosine transforms in one dimension (ISO/IEC 18181-1, I.9.2).

internal import ImageCoding

/// The transform x[i] = X[0] + √2 · Σ X[k] · cos(π · k · (2i + 1) / 2n) of 4 to 256 vectors, whose lanes are independent.
///
/// A transform of even and one of odd coefficients, of half the length each, are combined.
enum CosineTransform {
  /// The factors 1 / (2 · cos(π · (2i + 1) / 2n)) of the odd half of transforms of length n, from index n / 2 on.
  static let oddFactors: [Float] = {
    var factors: [Float] = [0]
    for shift in 1...8 {
      let length = 1 << shift
      for index in 0..<length / 2 {
        let angle = Double.pi * Double(2 * index + 1) / Double(2 * length)
        factors.append(Float(1 / (2 * ElementaryFunctions.cosine(angle))))
      }
    }
    return factors
  }()

  private static let squareRoot2: Float = 1.4142135623730951

  /// Four vectors.
  struct Four<Vector: SIMD> where Vector.Scalar == Float {
    var a, b, c, d: Vector
  }

  /// Eight vectors.
  struct Eight<Vector: SIMD> where Vector.Scalar == Float {
    var a, b, c, d, e, f, g, h: Vector
  }

  @inline(__always)
  static func inverse<Vector>(_ x: Four<Vector>) -> Four<Vector> {
    let (even0, even1) = (x.a + x.c, x.a - x.c)
    let (first, second) = (x.b * squareRoot2, x.b + x.d)
    let odd0 = (first + second) * 0.541196100146197
    let odd1 = (first - second) * 1.3065629648763764
    return Four(a: even0 + odd0, b: even1 + odd1, c: even1 - odd1, d: even0 - odd0)
  }

  @inline(__always)
  static func inverse<Vector>(_ x: Eight<Vector>) -> Eight<Vector> {
    let even = inverse(Four(a: x.a, b: x.c, c: x.e, d: x.g))
    let odd = inverse(Four(a: x.b * squareRoot2, b: x.b + x.d, c: x.d + x.f, d: x.f + x.h))
    let (a, b) = (odd.a * 0.5097955791041592, odd.b * 0.6013448869350453)
    let (c, d) = (odd.c * 0.8999762231364156, odd.d * 2.5629154477415055)
    return Eight(
      a: even.a + a, b: even.b + b, c: even.c + c, d: even.d + d, e: even.d - d, f: even.c - c, g: even.b - b,
      h: even.a - a)
  }

  /// The even and the odd half of a transform of 16 vectors: the coefficients of even frequencies, and the sums of
  /// neighbouring odd ones, of which the first one is alone.
  @inline(__always)
  static func inverse<Vector>(even: Eight<Vector>, odd: Eight<Vector>) -> (
    first: Eight<Vector>, reversed: Eight<Vector>
  ) {
    let low = inverse(even)
    let sums = inverse(
      Eight(
        a: odd.a * squareRoot2, b: odd.a + odd.b, c: odd.b + odd.c, d: odd.c + odd.d, e: odd.d + odd.e,
        f: odd.e + odd.f, g: odd.f + odd.g, h: odd.g + odd.h))
    let (a, b) = (sums.a * 0.5024192861881557, sums.b * 0.5224986149396889)
    let (c, d) = (sums.c * 0.5669440348163577, sums.d * 0.6468217833599901)
    let (e, f) = (sums.e * 0.7881546234512502, sums.f * 1.0606776859903475)
    let (g, h) = (sums.g * 1.7224470982383342, sums.h * 5.101148618689155)
    return (
      Eight(
        a: low.a + a, b: low.b + b, c: low.c + c, d: low.d + d, e: low.e + e, f: low.f + f, g: low.g + g,
        h: low.h + h),
      Eight(
        a: low.a - a, b: low.b - b, c: low.c - c, d: low.d - d, e: low.e - e, f: low.f - f, g: low.g - g,
        h: low.h - h)
    )
  }

  /// Transforms `length` vectors from an index on, a power of 2 of at least 16, in place.
  ///
  /// - Parameters:
  ///   - scratch: vectors at the same indices, which are overwritten.
  ///   - factors: ``oddFactors``.
  static func inverse(
    _ line: inout MutableSpan<FloatVector>, _ scratch: inout MutableSpan<FloatVector>, at start: Int, length: Int,
    _ factors: Span<Float>
  ) {
    guard length > 16 else {
      let result = inverse(even: eight(line, at: start), odd: eight(line, at: start &+ 1))
      let (low, high) = (result.first, result.reversed)
      (line[start], line[start &+ 1], line[start &+ 2], line[start &+ 3]) = (low.a, low.b, low.c, low.d)
      (line[start &+ 4], line[start &+ 5], line[start &+ 6], line[start &+ 7]) = (low.e, low.f, low.g, low.h)
      (line[start &+ 8], line[start &+ 9], line[start &+ 10], line[start &+ 11]) = (high.h, high.g, high.f, high.e)
      (line[start &+ 12], line[start &+ 13], line[start &+ 14], line[start &+ 15]) = (high.d, high.c, high.b, high.a)
      return
    }
    let half = length &>> 1
    var previous = line[start &+ 1]
    scratch[start] = line[start]
    scratch[start &+ half] = previous * squareRoot2
    for index in 1..<half {
      let odd = line[start &+ 2 &* index &+ 1]
      scratch[start &+ index] = line[start &+ 2 &* index]
      scratch[start &+ half &+ index] = odd + previous
      previous = odd
    }
    // At most four levels, since the greatest length is 256.
    inverse(&scratch, &line, at: start, length: half, factors)
    inverse(&scratch, &line, at: start &+ half, length: half, factors)
    for index in 0..<half {
      let even = scratch[start &+ index]
      let odd = scratch[start &+ half &+ index] * factors[half &+ index]
      line[start &+ index] = even + odd
      line[start &+ length &- 1 &- index] = even - odd
    }
  }

  /// Every second vector from an index on.
  @inline(__always)
  private static func eight(_ line: borrowing MutableSpan<FloatVector>, at start: Int) -> Eight<FloatVector> {
    Eight(
      a: line[start], b: line[start &+ 2], c: line[start &+ 4], d: line[start &+ 6], e: line[start &+ 8],
      f: line[start &+ 10], g: line[start &+ 12], h: line[start &+ 14])
  }
}
