// Layers of a single colour, and layers used only for their alpha.

private import ImageCore

extension Layer {
  /// Creates a layer with the same pixel everywhere. The caller ensures that the size is within its budget.
  package init(bounds: PixelRect, filledWith pixel: UInt32) {
    self.init(bounds: bounds)
    withPixelWords(&pixels) { words in
      for index in words.indices { words[index] = pixel }
    }
  }

  /// Returns the layer filled with a colour: each pixel's alpha times the colour.
  package consuming func filled(with color: Color) -> Layer {
    var result = self
    let word = color.premultiplied
    withPixelWords(&result.pixels) { words in
      for index in words.indices { words[index] = PixelWord.scaled(word, by: words[index] &>> 24) }
    }
    return result
  }

  /// Returns the same pixels, moved by an offset.
  package consuming func movedBy(x: Int, y: Int) -> Layer {
    moved(toX: bounds.minX + x, y: bounds.minY + y)
  }
}
