// @font-face rules: the descriptors of a face of the document (CSS Fonts 4, section 4; CSS Fonts 5).

package import Fonts

/// A face that a style sheet defines.
package struct FontFaceRule: Sendable {
  /// A place from which the font may come.
  package enum Source: Sendable {
    /// A URL, as a range of the document's text.
    case url(Range<Int>)
    /// A URL whose text contained escapes.
    case unescapedURL([UInt8])
    /// The full name or PostScript name of an installed face.
    case local(String)
  }

  /// The family, in lower case.
  package var family = ""
  /// The sources in order of preference; those in unsupported formats are left out.
  package var sources: [Source] = []
  package var weights = 400.0...400.0
  /// The widths as percentages of normal.
  package var stretches = 100.0...100.0
  package var style = FontStyle.normal
  /// The characters for which the face is used; all if empty.
  package var characters: [ClosedRange<UInt32>] = []
  /// The factor of the font size.
  package var sizeAdjustment = 1.0
  /// The ascent and the descent as fractions of the font size, if they replace those of the font.
  package var ascent: Double?
  package var descent: Double?
  /// The line gap as a fraction of the font size, if it replaces that of the font.
  package var lineGap: Double?
  /// The position in the document, for diagnostics.
  package var byteOffset: Int

  init(byteOffset: Int) {
    self.byteOffset = byteOffset
  }
}
