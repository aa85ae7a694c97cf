// Glyphs in colours of their own, in the forms that fonts have for them.

package import VectorGraphics

/// What a font has in place of a plain outline.
package enum ColorGlyph: Sendable {
  /// Shapes with colours and gradients (`COLR`).
  case painting(GlyphPainting)
  /// An encoded picture (`sbix`, `CBDT`).
  case bitmap(GlyphBitmap)
  /// An SVG document that holds the glyph (`SVG `).
  case document(GlyphDocument)
}

/// A glyph as a list of operations, in font units with y upwards.
package struct GlyphPainting: Hashable, Sendable {
  /// One step of painting. Clips and layers are nested properly.
  package enum Operation: Hashable, Sendable {
    /// Fill a shape (nonzero rule) within all clips.
    case fill(Path, GlyphPaint)
    /// Fill everything within all clips.
    case fillAll(GlyphPaint)
    /// Paint only inside of a shape until the matching ``popClip``.
    case pushClip(Path)
    /// Undo the last clip.
    case popClip
    /// Paint on a transparent layer until the matching ``popLayer``, which lays it over what is below.
    case pushLayer(GlyphCompositeMode)
    /// Lay the last layer over what is below.
    case popLayer
  }

  /// The steps in order.
  package var operations: [Operation]
  /// The box that the font clips the glyph to, where it has one.
  package var clipBox: Rect?
}

/// What a shape is filled with.
package enum GlyphPaint: Hashable, Sendable {
  /// One colour.
  case solid(Color)
  /// A gradient along a line, with its transform to the glyph's space.
  case linear(LinearGradient)
  /// A gradient between two circles, with its transform to the glyph's space.
  case radial(RadialGradient)
  /// A gradient around a point.
  case sweep(SweepGradient)
}

/// A gradient around a point, counter-clockwise from the positive x axis where y points upwards.
package struct SweepGradient: Hashable, Sendable {
  /// The colours.
  package var ramp: GradientRamp
  /// The point that the colours turn around.
  package var center: Point
  /// The angle of the first stop's place 0, in radians.
  package var startAngle: Double
  /// The angle of place 1, in radians.
  package var endAngle: Double
  /// From the gradient's space to the glyph's.
  package var transform: AffineTransform
}

/// How a layer is laid over what is below it (`COLR`, composite modes); raw values are those of the table.
package enum GlyphCompositeMode: UInt8, Hashable, Sendable, CaseIterable {
  case clear = 0
  case source, destination, sourceOver, destinationOver, sourceIn, destinationIn, sourceOut, destinationOut
  case sourceAtop, destinationAtop, xor, plus
  case screen, overlay, darken, lighten, colorDodge, colorBurn, hardLight, softLight, difference, exclusion, multiply
  case hue, saturation, color, luminosity
}

/// An encoded picture of a glyph.
package struct GlyphBitmap: Hashable, Sendable {
  /// How the picture is encoded.
  package enum Encoding: Hashable, Sendable {
    case png
    case jpeg
    case tiff
  }

  /// The encoding of ``bytes``.
  package var encoding: Encoding
  /// The file.
  package var bytes: [UInt8]
  /// Where the picture's left edge stands, in its pixels to the right of the glyph's origin.
  package var x: Int
  /// Where the picture's bottom edge stands, in its pixels above the baseline.
  package var y: Int
  /// The picture's size in pixels as the font states it; 0 where it does not.
  package var width: Int
  package var height: Int
  /// The pixels of one em in this picture.
  package var pixelsPerEm: Int
}

/// An SVG document with a glyph.
package struct GlyphDocument: Hashable, Sendable {
  /// The document, possibly compressed by gzip.
  package var bytes: [UInt8]
  /// The glyph whose element, `glyph` and its number, is to be drawn. Font units, y downwards, origin on the baseline.
  package var glyph: GlyphID
  /// Whether the document holds this glyph only.
  package var isSingle: Bool
}
