// Colour glyphs, in each of the representations that fonts use.

package import VectorGraphics

/// The representation of a glyph that replaces its plain outline.
package enum ColorGlyph: Sendable {
  /// Shapes with colours and gradients (`COLR`).
  case painting(GlyphPainting)
  /// An encoded bitmap (`sbix`, `CBDT`).
  case bitmap(GlyphBitmap)
  /// An SVG document that contains the glyph (`SVG `).
  case document(GlyphDocument)
}

/// A colour glyph as a list of operations, in font units, y upwards.
package struct GlyphPainting: Hashable, Sendable {
  /// One painting operation. Clips and layers are properly nested.
  package enum Operation: Hashable, Sendable {
    /// Fill a shape (nonzero rule) within the current clip.
    case fill(Path, GlyphPaint)
    /// Fill the whole area of the current clip.
    case fillAll(GlyphPaint)
    /// Clip to a shape until the matching ``popClip``.
    case pushClip(Path)
    /// Restore the previous clip.
    case popClip
    /// Paint onto a transparent layer until the matching ``popLayer``, which composites it onto the backdrop.
    case pushLayer(GlyphCompositeMode)
    /// Composite the last layer onto the backdrop.
    case popLayer
  }

  /// The operations, in order.
  package var operations: [Operation]
  /// The box to which the font clips the glyph, if it specifies one.
  package var clipBox: Rect?

  /// The box that contains everything that is painted; `nil` if nothing is.
  package var bounds: Rect? {
    if let clipBox { return clipBox }
    var bounds: Rect?
    for operation in operations {
      switch operation {
      case .fill(let path, _), .pushClip(let path):
        guard let box = path.controlBounds else { continue }
        bounds = bounds.map { $0.union(box) } ?? box
      case .fillAll, .popClip, .pushLayer, .popLayer: break
      }
    }
    return bounds
  }
}

/// The paint that fills a shape.
package enum GlyphPaint: Hashable, Sendable {
  /// A single colour.
  case solid(Color)
  /// A linear gradient, with its transform to the glyph's space.
  case linear(LinearGradient)
  /// A radial gradient between two circles, with its transform to the glyph's space.
  case radial(RadialGradient)
  /// A sweep (conic) gradient around a point.
  case sweep(SweepGradient)
}

/// The composite mode of a layer (`COLR`). The raw values are those of the table.
package enum GlyphCompositeMode: UInt8, Hashable, Sendable, CaseIterable {
  case clear = 0
  case source, destination, sourceOver, destinationOver, sourceIn, destinationIn, sourceOut, destinationOut
  case sourceAtop, destinationAtop, xor, plus
  case screen, overlay, darken, lighten, colorDodge, colorBurn, hardLight, softLight, difference, exclusion, multiply
  case hue, saturation, color, luminosity

  /// The compositing of a layer with this mode with the one below.
  package var compositing: Compositing {
    switch self {
    case .clear: Compositing(compositeOperator: .clear)
    case .source: Compositing(compositeOperator: .source)
    case .destination: Compositing(compositeOperator: .destination)
    case .sourceOver: Compositing()
    case .destinationOver: Compositing(compositeOperator: .destinationOver)
    case .sourceIn: Compositing(compositeOperator: .sourceIn)
    case .destinationIn: Compositing(compositeOperator: .destinationIn)
    case .sourceOut: Compositing(compositeOperator: .out)
    case .destinationOut: Compositing(compositeOperator: .destinationOut)
    case .sourceAtop: Compositing(compositeOperator: .atop)
    case .destinationAtop: Compositing(compositeOperator: .destinationAtop)
    case .xor: Compositing(compositeOperator: .xor)
    case .plus: Compositing(compositeOperator: .lighter)
    case .screen: Compositing(blendMode: .screen)
    case .overlay: Compositing(blendMode: .overlay)
    case .darken: Compositing(blendMode: .darken)
    case .lighten: Compositing(blendMode: .lighten)
    case .colorDodge: Compositing(blendMode: .colorDodge)
    case .colorBurn: Compositing(blendMode: .colorBurn)
    case .hardLight: Compositing(blendMode: .hardLight)
    case .softLight: Compositing(blendMode: .softLight)
    case .difference: Compositing(blendMode: .difference)
    case .exclusion: Compositing(blendMode: .exclusion)
    case .multiply: Compositing(blendMode: .multiply)
    case .hue: Compositing(blendMode: .hue)
    case .saturation: Compositing(blendMode: .saturation)
    case .color: Compositing(blendMode: .color)
    case .luminosity: Compositing(blendMode: .luminosity)
    }
  }
}

/// An encoded bitmap of a glyph.
package struct GlyphBitmap: Sendable {
  /// The format in which the bitmap is encoded.
  package enum Encoding: Hashable, Sendable {
    case png
    case jpeg
    case tiff
  }

  /// The format of ``bytes``.
  package var encoding: Encoding
  /// The encoded file, which shares the memory of the font.
  let content: TableBytes
  /// The left edge of the bitmap, in its pixels to the right of the glyph's origin.
  package var x: Int
  /// The bottom edge of the bitmap, in its pixels above the baseline.
  package var y: Int
  /// The bitmap's size in pixels according to the font; 0 if not specified.
  package var width: Int
  package var height: Int
  /// The number of bitmap pixels per em.
  package var pixelsPerEm: Int

  /// A copy of the encoded file.
  package var bytes: [UInt8] { content.bytes(at: 0, count: content.count) }
  /// The size of the encoded file in bytes.
  package var byteCount: Int { content.count }
}

/// An SVG document that contains a glyph.
package struct GlyphDocument: Sendable {
  /// The document, possibly gzip-compressed, which shares the memory of the font.
  let content: TableBytes
  /// The glyph to draw, which is the element whose ID is `glyph` followed by this number. Coordinates are in font
  /// units, y downwards, with the origin on the baseline.
  package var glyph: GlyphID
  /// Whether the document contains no other glyph.
  package var isSingle: Bool

  /// A copy of the document.
  package var bytes: [UInt8] { content.bytes(at: 0, count: content.count) }
  /// The size of the document in bytes.
  package var byteCount: Int { content.count }
}
