// The coverage of a part of the canvas, for clips and masks.

package import ImageCore

/// A rectangle of 8-bit coverage. The outside is not covered.
package struct Mask: Hashable, Sendable {
  /// The property of a layer that becomes coverage.
  package enum Source: Hashable, Sendable {
    /// Alpha.
    case alpha
    /// The luminance of the premultiplied sRGB samples: 0.2125 R + 0.7154 G + 0.0721 B.
    case luminance
    /// The luminance after conversion to linear light, as `color-interpolation: linearRGB` requires.
    case linearLuminance
  }

  /// The area of the mask.
  package let bounds: PixelRect
  /// One byte per pixel, without row padding.
  package var coverage: [UInt8]

  /// Creates a mask of uniform coverage. The caller ensures that the size is within its budget.
  package init(bounds: PixelRect, coverage: UInt8 = 0) {
    self.bounds = bounds
    self.coverage = [UInt8](repeating: coverage, count: bounds.pixelCount)
  }

  /// Derives coverage from a layer's pixels.
  package init(_ layer: Layer, source: Source, _ interruption: Interruption = Interruption()) throws(CodecError) {
    self.init(bounds: layer.bounds)
    let words = pixelWords(of: layer.pixels.span)
    let linear = source == .linearLuminance ? Mask.linearLevels : []
    let width = bounds.width
    for row in 0..<bounds.height {
      try interruption.check(row: row, width: width)
      let columns = row &* width..<(row &+ 1) &* width
      switch source {
      case .alpha:
        for index in columns { coverage[index] = UInt8(truncatingIfNeeded: words[index] &>> 24) }
      case .luminance:
        for index in columns { coverage[index] = Mask.luminance(words[index]) }
      case .linearLuminance:
        for index in columns { coverage[index] = Mask.linearLuminance(words[index], linear) }
      }
    }
  }

  /// The coverage of one pixel. Slow.
  package subscript(x: Int, y: Int) -> UInt8 {
    guard x >= bounds.minX, x < bounds.maxX, y >= bounds.minY, y < bounds.maxY else { return 0 }
    return coverage[(y - bounds.minY) * bounds.width + x - bounds.minX]
  }

  /// Returns the product of both coverages, over the intersection of their bounds.
  package func intersection(
    _ other: Mask, _ interruption: Interruption = Interruption()
  ) throws(CodecError) -> Mask {
    var result = Mask(bounds: bounds.intersection(other.bounds))
    let common = result.bounds
    for y in common.minY..<common.maxY {
      try interruption.check(row: y - common.minY, width: common.width)
      let columns = result.row(y, in: common)
      let first = coverage.span.extracting(row(y, in: common))
      let second = other.coverage.span.extracting(other.row(y, in: common))
      var target = result.coverage.mutableSpan
      var row = target._mutatingExtracting(columns)
      for index in row.indices { row[index] = product8(UInt32(first[index]), UInt32(second[index])) }
    }
    return result
  }

  /// Combines this with another coverage as if the two were independent: a + b - a·b. Coverage outside the bounds is
  /// discarded.
  package mutating func formUnion(
    _ other: Mask, _ interruption: Interruption = Interruption()
  ) throws(CodecError) {
    let common = bounds.intersection(other.bounds)
    for y in common.minY..<common.maxY {
      try interruption.check(row: y - common.minY, width: common.width)
      let columns = row(y, in: common)
      let added = other.coverage.span.extracting(other.row(y, in: common))
      var target = coverage.mutableSpan
      var row = target._mutatingExtracting(columns)
      for index in row.indices {
        row[index] = 255 &- product8(255 &- UInt32(row[index]), 255 &- UInt32(added[index]))
      }
    }
  }

  /// Inverts the coverage within the bounds.
  package mutating func invert() {
    for index in coverage.indices { coverage[index] = 255 &- coverage[index] }
  }

  /// The columns of `rect` as a range within a row.
  private func row(_ y: Int, in rect: PixelRect) -> Range<Int> {
    let start = (y - bounds.minY) * bounds.width - bounds.minX
    return start + rect.minX..<start + rect.maxX
  }

  /// The weights 0.2125, 0.7154 and 0.0721, in units of 2^-16.
  private static func luminance(_ word: UInt32) -> UInt8 {
    let sum = (word & 255) &* 13926 &+ ((word &>> 8) & 255) &* 46885 &+ ((word &>> 16) & 255) &* 4725
    return UInt8(truncatingIfNeeded: (sum &+ 0x8000) &>> 16)
  }

  private static func linearLuminance(_ word: UInt32, _ linear: [Float]) -> UInt8 {
    let alpha = word &>> 24
    if alpha == 0 { return 0 }
    func level(_ sample: UInt32) -> Float {
      linear[Int(PixelArithmetic.unpremultiply(sample & 255, alpha, maximum: 255))]
    }
    let sum = level(word) * 0.2125 + level(word &>> 8) * 0.7154 + level(word &>> 16) * 0.0721
    return UInt8(min(sum * Float(alpha) + 0.5, 255))
  }

  /// The inverse of the sRGB transfer function, for 8-bit samples.
  private static let linearLevels: [Float] = (0...255).map { Float(SRGBTransfer.linear(Double($0) / 255)) }
}

/// Whether all coverage is full.
@inline(__always)
func isFull(_ coverage: Span<UInt8>) -> Bool {
  // Without an exit, so that the loop is vectorised.
  var common: UInt8 = 255
  for index in coverage.indices { common &= coverage[index] }
  return common == 255
}

/// The area in which drawing has an effect.
package struct Clip: Hashable, Sendable {
  /// Nothing is drawn outside this rectangle.
  package var bounds: PixelRect
  /// The coverage within the bounds; `nil` for full coverage.
  package var mask: Mask?

  /// Creates a clip to whole pixels, or to a mask within them.
  package init(bounds: PixelRect, mask: Mask? = nil) {
    self.bounds = bounds
    self.mask = mask
  }

  /// Creates a clip to a mask.
  package init(_ mask: Mask) {
    self.init(bounds: mask.bounds, mask: mask)
  }

  /// Returns the intersection of both clips.
  package func intersection(
    _ other: Clip, _ interruption: Interruption = Interruption()
  ) throws(CodecError) -> Clip {
    let common = bounds.intersection(other.bounds)
    switch (mask, other.mask) {
    case (let mask?, let otherMask?):
      return Clip(bounds: common, mask: try mask.intersection(otherMask, interruption))
    case (let mask, let otherMask): return Clip(bounds: common, mask: mask ?? otherMask)
    }
  }
}
