// Glyph clusters during layout.

internal import TextShaping
internal import VectorGraphics

/// A glyph within its cluster.
struct ClusterGlyph {
  var face: TextFonts.FaceIndex
  var glyph: GlyphID
  /// The position relative to the cluster's origin, in font units, with y upwards.
  var x: Double
  var y: Double
}

/// The glyphs of one or more characters that cannot be separated. The baseline of clusters is the x axis, even in
/// vertical text, which is rotated as a whole later.
struct GlyphCluster {
  /// The index of its first character.
  var character: Int
  var glyphs: Range<Int>
  var fontSize: Double
  /// The width of the glyphs on the line, and the distance to the next cluster.
  var width: Double
  var advance: Double
  /// The extent above and below the baseline; `descent` is negative.
  var ascent: Double
  var descent: Double
  /// The transform from the cluster to the line, without `stretch`.
  var transform = AffineTransform.identity
  /// The rotation, within the cluster, of upright characters in vertical text.
  var turn = AffineTransform.identity
  /// The factor by which `textLength` widens the glyphs.
  var stretch = 1.0
  /// Whether a new piece of text decoration starts here.
  var breaksDecoration = false
  var isVisible = true

  /// The transform from the cluster's own space to the line.
  var placement: AffineTransform {
    stretch == 1 ? transform * turn : transform * .scale(x: stretch, y: 1) * turn
  }
}

/// The characters of a `text` element that have glyphs, after `text-transform`.
struct DrawnText {
  /// The size and position of a character's glyphs in comparison with those of its element.
  enum Size: UInt8 {
    case normal
    /// Synthesised small capitals, subscripts and superscripts.
    case smallCapital
    case subscripted
    case superscripted
  }

  var scalars: [Unicode.Scalar] = []
  /// The element of each character.
  var spans: [Int32] = []
  /// The index of each among all characters of the element.
  var sources: [Int32] = []
  /// The list of families of each element; −1 if its text is not drawn.
  var lists: [FaceSelection.ListNumber] = []
  /// The face of each element whose metrics are those of its text; −1 if it is not drawn.
  var faces: [TextFonts.FaceIndex] = []
  /// The size of each character; empty if all are normal.
  var sizes: [Size] = []
  /// The features for the capitals and positions of each element, apart from those that are synthesised.
  var features: [[FontFeature]] = []
  /// Whether there are line ends or tabs that are preserved.
  var hasControls = false

  /// Whether a character is the first of those that replace one of the element.
  func isFirst(_ character: Int) -> Bool { character == 0 || sources[character - 1] != sources[character] }

  func size(of character: Int) -> Size { sizes.isEmpty ? .normal : sizes[character] }
}
