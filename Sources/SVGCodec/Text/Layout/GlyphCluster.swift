// Glyphs that belong together, on their way to a place.

internal import FontOutlines
internal import VectorGraphics

/// A glyph within its cluster.
struct ClusterGlyph {
  var face: TextFonts.FaceIndex
  var glyph: GlyphID
  /// From the origin of the cluster, in font units, y upwards.
  var x: Double
  var y: Double
}

/// The glyphs of one or more characters that cannot be taken apart. The line that clusters stand on runs along the x axis,
/// also where text is vertical: it is turned as a whole later.
struct GlyphCluster {
  /// The first of its characters.
  var character: Int
  var glyphs: Range<Int>
  var fontSize: Double
  /// How much of the line the glyphs take, and how far the next cluster is.
  var width: Double
  var advance: Double
  /// The box above and below the baseline; `descent` is negative.
  var ascent: Double
  var descent: Double
  /// From the cluster to the line, `stretch` apart.
  var transform = AffineTransform.identity
  /// Turns characters of vertical text upright, within the cluster.
  var turn = AffineTransform.identity
  /// By how much `textLength` widens the glyphs.
  var stretch = 1.0
  /// Whether a line of decoration starts anew here.
  var breaksDecoration = false
  var isVisible = true

  /// From the cluster's own space to the line.
  var placement: AffineTransform {
    stretch == 1 ? transform * turn : transform * .scale(x: stretch, y: 1) * turn
  }
}

/// The characters of a `text` element that have glyphs.
struct DrawnText {
  var scalars: [Unicode.Scalar] = []
  /// The element of each.
  var spans: [Int32] = []
  /// The index of each among all characters.
  var sources: [Int32] = []
  /// The face of each element; -1 where there is none.
  var faces: [TextFonts.FaceIndex] = []
}
