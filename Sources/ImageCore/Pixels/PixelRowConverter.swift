// Converts one row of pixels between formats. Common pairs have dedicated loops; all others go through a staging row of
// five samples per pixel.

/// Converts rows between two pixel formats. Holds the staging row, which is therefore allocated once per image.
package struct PixelRowConverter {
  package let source: PixelFormat
  package let target: PixelFormat
  private var integers: [UInt32] = []
  private var floats: [Float] = []

  package init(from source: PixelFormat, to target: PixelFormat) {
    self.source = source
    self.target = target
  }

  /// Converts all pixels of `input`.
  ///
  /// `output` must have room for them. Between integer formats every step rounds to nearest at its own depth:
  /// unpremultiplication at the source's, premultiplication at the target's. If either format is floating-point, all
  /// steps are, and only the result is rounded.
  package mutating func convert(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    if source == target {
      copyBytes(input, into: &output)
    } else if !convertCommonPair(input, into: &output) {
      convertStaged(input, into: &output)
    }
  }

  private func convertCommonPair(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Bool {
    switch (source, target) {
    case (.rgb8, .rgba8), (.rgb8, PixelFormat.rgba8.premultiplied):
      appendOpaqueAlpha(input, into: &output)
    case (.rgba8, .rgb8):
      dropAlpha(input, into: &output)
    case (.gray8, .rgba8), (.gray8, PixelFormat.rgba8.premultiplied), (.gray8, .bgra8):
      spreadGray(input, into: &output)
    case (.rgba8, .bgra8), (.bgra8, .rgba8):
      exchangeRedAndBlue(input, into: &output)
    case (.rgba8, PixelFormat.rgba8.premultiplied):
      premultiply(input, into: &output)
    case (PixelFormat.rgba8.premultiplied, .rgba8):
      divideByAlpha(input, into: &output)
    default:
      return false
    }
    return true
  }

  private mutating func convertStaged(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    let steps = PixelConversionSteps(from: source, to: target)
    let sampleCount = input.count / source.bytesPerPixel * PixelConversionSteps.samplesPerPixel
    if steps.isFloatingPoint {
      if floats.count < sampleCount { floats = [Float](repeating: 0, count: sampleCount) }
      var row = floats.mutableSpan
      var part = row._mutatingExtracting(0..<sampleCount)
      steps.convert(input, through: &part, into: &output)
    } else {
      if integers.count < sampleCount { integers = [UInt32](repeating: 0, count: sampleCount) }
      var row = integers.mutableSpan
      var part = row._mutatingExtracting(0..<sampleCount)
      steps.convert(input, through: &part, into: &output)
    }
  }
}
