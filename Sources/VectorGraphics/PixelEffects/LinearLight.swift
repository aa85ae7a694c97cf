// Table-based conversion of 8-bit samples between sRGB and linear light (Filter Effects 1, section 11).

package import ImageCore

/// Tables of the sRGB transfer function and its inverse, rounded to 8 bits.
enum LinearLight {
  /// The linear value of each sRGB sample.
  static let decoded: [UInt8] = (0...255).map { rounded(SRGBTransfer.linear(Double($0) / 255)) }

  /// The sRGB sample of each linear value.
  static let encoded: [UInt8] = (0...255).map { rounded(SRGBTransfer.encoded(Double($0) / 255)) }

  private static func rounded(_ value: Double) -> UInt8 { UInt8(min(max(0, value * 255 + 0.5), 255)) }
}

extension Layer {
  /// Converts the layer's colours from sRGB to linear light.
  package consuming func inLinearLight(
    _ interruption: Interruption = Interruption()
  ) throws(CodecError) -> Layer {
    try mappingColors(through: LinearLight.decoded, interruption)
  }

  /// Converts the layer's colours from linear light to sRGB.
  package consuming func inSRGB(_ interruption: Interruption = Interruption()) throws(CodecError) -> Layer {
    try mappingColors(through: LinearLight.encoded, interruption)
  }

  private consuming func mappingColors(
    through table: [UInt8], _ interruption: Interruption
  ) throws(CodecError) -> Layer {
    var result = self
    let factors = StraightColor.factors
    try result.updateRows(interruption) { words in
      let table = table.span
      let scales = factors.span
      for index in words.indices {
        let word = words[index]
        let alpha = word &>> 24
        if alpha == 0 { continue }
        if alpha == 255 {
          words[index] =
            UInt32(table[Int(word & 255)]) | UInt32(table[Int((word &>> 8) & 255)]) &<< 8
            | UInt32(table[Int((word &>> 16) & 255)]) &<< 16 | 0xFF00_0000
        } else {
          let straight = StraightColor.word(word, scales)
          words[index] = StraightColor.premultiplied(
            UInt32(table[Int(straight & 255)]), UInt32(table[Int((straight &>> 8) & 255)]),
            UInt32(table[Int((straight &>> 16) & 255)]), alpha)
        }
      }
    }
    return result
  }
}
