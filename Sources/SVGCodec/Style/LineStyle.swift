// Computed values of the properties that divide text into lines (CSS Text 4; SVG 2, section 11.7).

internal import TextShaping

/// The treatment of white space, and where lines break.
struct LineStyle: Hashable, Sendable {
  /// The values of `white-space-collapse`.
  enum WhiteSpace: Hashable, Sendable {
    case collapse
    case preserve
    case preserveBreaks
    /// Spaces are preserved, and line ends and tabs are spaces.
    case preserveSpaces
    case breakSpaces
  }

  enum Hyphens: Hashable, Sendable {
    case none
    case manual
  }

  /// The values of `line-height`.
  enum Height: Hashable, Sendable {
    /// That of the font.
    case normal
    case factor(Double)
    case length(Length)
  }

  /// A number of spaces or a length.
  enum TabSize: Hashable, Sendable {
    case spaces(Double)
    case length(Length)
  }

  /// The treatment of white space; if `nil`, `xml:space` decides.
  var whiteSpace: WhiteSpace?
  /// Whether lines break where the text allows it, if they have a length.
  var wraps = true
  var height = Height.normal
  var indent = Length.zero
  var tabSize = TabSize.spaces(8)
  var hyphens = Hyphens.manual
  /// Whether a word that is longer than the line is divided.
  var breaksLongWords = false
  /// `line-break: anywhere`.
  var breaksAnywhere = false
  var tailoring = LineBreakTailoring()
}

/// The values of `text-overflow`: what is drawn in place of text that exceeds a line.
enum TextOverflow: Hashable, Sendable {
  case clip
  case ellipsis
  case string(String)
}
