// One row of pixels from one format to another. The common pairs have loops of their own; all others go through a
// staging row of four samples a pixel: unpack → straight alpha → depth → colour model → alpha → pack.

/// Converts rows between two pixel formats; holds the staging row so that it is allocated once an image.
package struct PixelRowConverter {
  package let source: PixelFormat
  package let target: PixelFormat
  private var staging: [UInt32] = []

  package init(from source: PixelFormat, to target: PixelFormat) {
    self.source = source
    self.target = target
  }

  /// Converts as many pixels as `input` holds.
  ///
  /// `output` has room for them. Every step is rounded to nearest at its own depth: unpremultiplying at the source's,
  /// premultiplying at the target's.
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
    default:
      return false
    }
    return true
  }

  private mutating func convertStaged(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    let pixelCount = input.count / source.bytesPerPixel
    // Taken out while it is borrowed, so that the steps below may still read the formats.
    var samples = staging
    staging = []
    defer { staging = samples }
    if samples.count < pixelCount * 4 { samples = [UInt32](repeating: 0, count: pixelCount * 4) }
    var row = samples.mutableSpan
    unpack(input, from: source, pixelCount: pixelCount, into: &row)
    let sourceMaximum: UInt32 = source.bitsPerSample == 8 ? 255 : 65535
    let targetMaximum: UInt32 = target.bitsPerSample == 8 ? 255 : 65535
    if source.alpha == .premultiplied, target.alpha != .premultiplied || source.bitsPerSample != target.bitsPerSample {
      unpremultiply(&row, pixelCount: pixelCount, maximum: sourceMaximum)
    }
    if source.bitsPerSample != target.bitsPerSample { changeDepth(&row, pixelCount: pixelCount) }
    changeColorModel(&row, pixelCount: pixelCount, maximum: targetMaximum)
    if target.alpha == .premultiplied, source.alpha == .straight || source.bitsPerSample != target.bitsPerSample {
      premultiply(&row, pixelCount: pixelCount, maximum: targetMaximum)
    }
    pack(row, to: target, pixelCount: pixelCount, into: &output)
  }

  private func changeDepth(_ row: inout MutableSpan<UInt32>, pixelCount: Int) {
    let narrows = target.bitsPerSample == 8
    for index in 0..<pixelCount * 4 {
      row[index] = narrows ? PixelArithmetic.narrow(row[index]) : PixelArithmetic.widen(row[index])
    }
  }

  /// Staged pixels are R G B A, or C M Y K for CMYK, or L L L A for gray.
  private func changeColorModel(_ row: inout MutableSpan<UInt32>, pixelCount: Int, maximum: UInt32) {
    let from = source.colorModel
    let to = target.colorModel
    for pixel in 0..<pixelCount {
      let index = pixel * 4
      if from == .cmyk, to != .cmyk {
        let key = maximum - row[index + 3]
        for sample in index..<index + 3 {
          row[sample] = PixelArithmetic.premultiply(maximum - row[sample], key, maximum: maximum)
        }
        row[index + 3] = maximum
      }
      if to == .gray, from != .gray {
        row[index] = PixelArithmetic.luma(row[index], row[index + 1], row[index + 2])
      } else if to == .cmyk, from != .cmyk {
        let brightest = max(row[index], row[index + 1], row[index + 2])
        for sample in index..<index + 3 {
          row[sample] = brightest == 0 ? 0 : ((brightest - row[sample]) * maximum + brightest / 2) / brightest
        }
        row[index + 3] = maximum - brightest
      }
    }
  }
}

private func unpremultiply(_ row: inout MutableSpan<UInt32>, pixelCount: Int, maximum: UInt32) {
  for pixel in 0..<pixelCount {
    let alpha = row[pixel * 4 + 3]
    for sample in pixel * 4..<pixel * 4 + 3 {
      row[sample] = PixelArithmetic.unpremultiply(row[sample], alpha, maximum: maximum)
    }
  }
}

private func premultiply(_ row: inout MutableSpan<UInt32>, pixelCount: Int, maximum: UInt32) {
  for pixel in 0..<pixelCount {
    let alpha = row[pixel * 4 + 3]
    for sample in pixel * 4..<pixel * 4 + 3 {
      row[sample] = PixelArithmetic.premultiply(row[sample], alpha, maximum: maximum)
    }
  }
}

private func unpack(
  _ input: Span<UInt8>, from format: PixelFormat, pixelCount: Int, into row: inout MutableSpan<UInt32>
) {
  let colorCount = format.colorModel.sampleCount
  let isWide = format.bitsPerSample == 16
  let opaque: UInt32 = isWide ? 65535 : 255
  func sample(_ index: Int) -> UInt32 {
    isWide ? UInt32(nativeUInt16(input, at: index * 2)) : UInt32(input[index])
  }
  for pixel in 0..<pixelCount {
    let first = pixel * format.samplesPerPixel
    let index = pixel * 4
    switch format.colorModel {
    case .gray:
      let value = sample(first)
      row[index] = value
      row[index + 1] = value
      row[index + 2] = value
    case .rgb, .cmyk:
      for offset in 0..<colorCount { row[index + offset] = sample(first + offset) }
    case .bgr:
      row[index] = sample(first + 2)
      row[index + 1] = sample(first + 1)
      row[index + 2] = sample(first)
    }
    if format.colorModel != .cmyk { row[index + 3] = format.hasAlpha ? sample(first + colorCount) : opaque }
  }
}

private func pack(
  _ row: borrowing MutableSpan<UInt32>, to format: PixelFormat, pixelCount: Int,
  into output: inout MutableSpan<UInt8>
) {
  let colorCount = format.colorModel.sampleCount
  let isWide = format.bitsPerSample == 16
  func store(_ value: UInt32, _ index: Int, _ output: inout MutableSpan<UInt8>) {
    if isWide {
      storeNativeUInt16(UInt16(truncatingIfNeeded: value), into: &output, at: index * 2)
    } else {
      output[index] = UInt8(truncatingIfNeeded: value)
    }
  }
  for pixel in 0..<pixelCount {
    let first = pixel * format.samplesPerPixel
    let index = pixel * 4
    for offset in 0..<colorCount {
      store(row[index + (format.colorModel == .bgr ? 2 - offset : offset)], first + offset, &output)
    }
    if format.hasAlpha { store(row[index + 3], first + colorCount, &output) }
  }
}
