// Layers of one colour, and layers whose alpha alone counts.

private import ImageCore

extension Layer {
  /// A layer with one pixel everywhere. The caller keeps the size within its budget.
  package init(bounds: PixelRect, filledWith pixel: UInt32) {
    self.init(bounds: bounds)
    withPixelWords(&pixels) { words in
      for index in words.indices { words[index] = pixel }
    }
  }

  /// A colour in the shape of the layer: each pixel's alpha times the colour.
  package consuming func filled(with color: Color) -> Layer {
    var result = self
    let word = color.premultiplied
    withPixelWords(&result.pixels) { words in
      for index in words.indices { words[index] = PixelWord.scaled(word, by: words[index] &>> 24) }
    }
    return result
  }

  /// The same pixels, moved.
  package consuming func movedBy(x: Int, y: Int) -> Layer {
    moved(toX: bounds.minX + x, y: bounds.minY + y)
  }
}
