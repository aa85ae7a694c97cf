// Combines two layers as k1·i1·i2 + k2·i1 + k3·i2 + k4 (Filter Effects 1, section 9.8; independent of SVG).

package import ImageCore

/// The coefficients of an arithmetic combination of premultiplied samples.
package struct ArithmeticCompositing: Hashable, Sendable {
  package var k1: Double
  package var k2: Double
  package var k3: Double
  package var k4: Double

  package init(k1: Double, k2: Double, k3: Double, k4: Double) {
    self.k1 = k1
    self.k2 = k2
    self.k3 = k3
    self.k4 = k4
  }

  /// Returns the combined pixels of an area. Samples are clamped to alpha.
  package func apply(
    _ first: Layer, _ second: Layer, area: PixelRect, interruption: Interruption = Interruption()
  ) throws(CodecError) -> Layer {
    let keepsTransparency = !(k4 * 255 >= 0.5)
    let visible = keepsTransparency ? area.intersection(first.bounds.union(second.bounds)) : area
    guard !visible.isEmpty else { return Layer(bounds: .empty) }
    var result = first.extracting(visible)
    func bounded(_ value: Double) -> Float { Float(min(max(value, -1e6), 1e6)) }
    let (k1, k2, k3, k4) = (bounded(k1), bounded(k2), bounded(k3), bounded(k4))
    let other = second.extracting(visible)
    let width = visible.width
    let top = visible.minY
    try result.updateNumberedRows(interruption) { row, y in
      let words = pixelWords(of: other.pixels.span).extracting((y - top) * width..<(y - top + 1) * width)
      for index in row.indices {
        let i1 = floatPixel(row[index])
        let i2 = floatPixel(words[index])
        row[index] = pixelWord(i1 * i2 * k1 + i1 * k2 + i2 * k3 + k4)
      }
    }
    return result
  }
}
