// The neighbouring samples from which a macroblock is predicted (RFC 6386, section 12.2).

/// The last row of the macroblocks above, before the loop filter.
struct RowAbove {
  /// The memory of a column of macroblocks.
  static let bytesPerColumn = 32

  /// Sixteen samples per macroblock, plus sixteen at the right.
  var luma: [UInt8]
  /// Eight samples per macroblock.
  var u: [UInt8]
  var v: [UInt8]

  init(macroblockColumns: Int) {
    luma = [UInt8](repeating: 127, count: macroblockColumns * 16 + 16)
    u = [UInt8](repeating: 127, count: macroblockColumns * 8)
    v = [UInt8](repeating: 127, count: macroblockColumns * 8)
  }

  /// Extends luma beyond the right edge of the picture by repeating its last sample.
  mutating func extendRight() {
    let end = luma.count - 16
    for index in end..<end + 4 { luma[index] = luma[end - 1] }
  }

  /// Sets the neighbouring samples of a macroblock.
  ///
  /// - Parameters:
  ///   - samples: a buffer in the layout of ``MacroblockLayout`` that contains the macroblock to the left.
  ///   - corner: the sample above and to the left of the first macroblock of a row.
  func setBorders(of buffer: inout [UInt8], column: Int, corner: UInt8) {
    var samples = buffer.mutableSpan
    if column == 0 {
      setOuterColumn(&samples, corner: corner)
    } else {
      copyLastColumns(&samples)
    }
    let stride = MacroblockLayout.stride
    copySixteen(luma.span, from: column * 16, to: &samples, at: MacroblockLayout.luma - stride)
    copyEight(luma.span, from: column * 16 + 12, to: &samples, at: MacroblockLayout.luma - stride + 12)
    copyEight(u.span, from: column * 8, to: &samples, at: MacroblockLayout.u - stride)
    copyEight(v.span, from: column * 8, to: &samples, at: MacroblockLayout.v - stride)
  }

  /// Stores the last row of a macroblock for the macroblocks below.
  mutating func keepLastRow(of samples: [UInt8], column: Int) {
    let stride = MacroblockLayout.stride
    var lumaRow = luma.mutableSpan
    copySixteen(samples.span, from: MacroblockLayout.luma + 15 * stride, to: &lumaRow, at: column * 16)
    var uRow = u.mutableSpan
    copyEight(samples.span, from: MacroblockLayout.u + 7 * stride, to: &uRow, at: column * 8)
    var vRow = v.mutableSpan
    copyEight(samples.span, from: MacroblockLayout.v + 7 * stride, to: &vRow, at: column * 8)
  }
}

/// Sets the samples to the left of the first macroblock of a row.
private func setOuterColumn(_ samples: inout MutableSpan<UInt8>, corner: UInt8) {
  for (start, rowCount) in [(MacroblockLayout.luma, 16), (MacroblockLayout.u, 8), (MacroblockLayout.v, 8)] {
    samples[start - 1 - MacroblockLayout.stride] = corner
    for y in 0..<rowCount { samples[start - 1 + y * MacroblockLayout.stride] = 129 }
  }
}

/// Copies the last column of the macroblock, and of the row above it, to the column at its left.
private func copyLastColumns(_ samples: inout MutableSpan<UInt8>) {
  var index = MacroblockLayout.luma - MacroblockLayout.stride
  for _ in 0..<17 {
    samples[index &- 1] = samples[index &+ 15]
    index &+= MacroblockLayout.stride
  }
  index = MacroblockLayout.u - MacroblockLayout.stride
  for _ in 0..<9 {
    samples[index &- 1] = samples[index &+ 7]
    samples[index &+ 15] = samples[index &+ 23]
    index &+= MacroblockLayout.stride
  }
}
