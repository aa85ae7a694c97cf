// The limits of values of light.

extension Float {
  /// The value limited to 0…`maximum`; 0 for NaN, which arithmetic on numbers of a file can end in.
  @inline(__always)
  func limited(to maximum: Float) -> Float {
    let positive = self > 0 ? self : 0
    return positive < maximum ? positive : maximum
  }
}
