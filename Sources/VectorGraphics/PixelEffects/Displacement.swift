// Displaces pixels by the samples of another layer (Filter Effects 1, section 9.11; independent of SVG).

package import ImageCore

/// A channel of a pixel.
package enum ColorChannel: UInt32, Hashable, Sendable {
  case red, green, blue, alpha
}

/// Displaces each pixel by up to half of a scale in each direction.
package struct Displacement: Hashable, Sendable {
  /// The distance in pixels between the displacements for the smallest and the largest sample.
  package let scaleX: Double
  package let scaleY: Double
  package let channelX: ColorChannel
  package let channelY: ColorChannel

  package init(scaleX: Double, scaleY: Double, channelX: ColorChannel, channelY: ColorChannel) {
    // A displacement wider than any canvas yields transparency anyway.
    func bounded(_ value: Double) -> Double { min(max(-0x1p22, value), 0x1p22) }
    self.scaleX = bounded(scaleX)
    self.scaleY = bounded(scaleY)
    self.channelX = channelX
    self.channelY = channelY
  }

  /// The pixels on which those of an area depend.
  package func source(of area: PixelRect) -> PixelRect {
    area.expanded(x: Int(abs(scaleX) / 2) + 1, y: Int(abs(scaleY) / 2) + 1)
  }

  /// Returns the displaced pixels of an area; the straight samples of `map` specify the displacement.
  package func apply(
    to layer: Layer, map: Layer, area: PixelRect, interruption: Interruption = Interruption()
  ) throws(CodecError) -> Layer {
    guard !area.isEmpty else { return Layer(bounds: .empty) }
    var result = map.extracting(area)
    let factors = StraightColor.factors
    let (shiftX, shiftY) = (channelX.rawValue * 8, channelY.rawValue * 8)
    let (scaleX, scaleY) = (Float(self.scaleX), Float(self.scaleY))
    let bounds = layer.bounds
    try result.updateNumberedRows(interruption) { row, y in
      let scales = factors.span
      let words = pixelWords(of: layer.pixels.span)
      for index in row.indices {
        let sample = StraightColor.word(row[index], scales)
        let moveX = (Float((sample &>> shiftX) & 255) * (1 / 255) - 0.5) * scaleX
        let moveY = (Float((sample &>> shiftY) & 255) * (1 / 255) - 0.5) * scaleY
        // Displacements are below 2^21, so the lowest bits of the sum are the integer.
        let fromX = area.minX &+ index &+ Int(nearestInt32(Double(moveX))) &- bounds.minX
        let fromY = y &+ Int(nearestInt32(Double(moveY))) &- bounds.minY
        let isInside = fromX >= 0 && fromX < bounds.width && fromY >= 0 && fromY < bounds.height
        row[index] = isInside ? words[fromY &* bounds.width &+ fromX] : 0
      }
    }
    return result
  }
}
