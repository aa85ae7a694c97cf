// A function applied to each sample individually (Filter Effects 1, section 9.7; independent of SVG), with one table
// per channel.

package import ImageCore

/// Maps each straight 8-bit sample.
package struct TransferTables: Hashable, Sendable {
  /// 256 samples for each of red, green, blue and alpha.
  private let channels: [[UInt8]]

  /// Tabulates four functions from 0…1 to 0…1. Results out of range are clamped; NaN is treated as 0.
  package init(
    red: (Double) -> Double, green: (Double) -> Double, blue: (Double) -> Double, alpha: (Double) -> Double
  ) {
    func table(_ function: (Double) -> Double) -> [UInt8] {
      (0...255).map { sample in
        // `max` comes first because it turns NaN into 0.
        UInt8(min(max(0, function(Double(sample) / 255)), 1) * 255 + 0.5)
      }
    }
    channels = [table(red), table(green), table(blue), table(alpha)]
  }

  /// Returns the mapped pixels of an area.
  package func apply(
    to layer: Layer, area: PixelRect, interruption: Interruption = Interruption()
  ) throws(CodecError) -> Layer {
    let keepsTransparency = channels[3][0] == 0
    let visible = keepsTransparency ? area.intersection(layer.bounds) : area
    guard !visible.isEmpty else { return Layer(bounds: .empty) }
    var result = layer.extracting(visible)
    let factors = StraightColor.factors
    let (red, green, blue, alpha) = (channels[0], channels[1], channels[2], channels[3])
    try result.updateRows(interruption) { row in
      let scales = factors.span
      let (reds, greens, blues, alphas) = (red.span, green.span, blue.span, alpha.span)
      for index in row.indices {
        let word = StraightColor.word(row[index], scales)
        row[index] = StraightColor.premultiplied(
          UInt32(reds[Int(word & 255)]), UInt32(greens[Int((word &>> 8) & 255)]),
          UInt32(blues[Int((word &>> 16) & 255)]), UInt32(alphas[Int(word &>> 24)]))
      }
    }
    return result
  }
}
