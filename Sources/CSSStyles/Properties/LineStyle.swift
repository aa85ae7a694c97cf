// Computed values of the properties that divide text into lines (CSS Text 4; SVG 2, section 11.7).

/// The treatment of white space, and where lines break.
package struct LineStyle: Hashable, Sendable {
  /// The values of `white-space-collapse`.
  package enum WhiteSpace: Hashable, Sendable {
    case collapse
    case preserve
    case preserveBreaks
    /// Spaces are preserved, and line ends and tabs are spaces.
    case preserveSpaces
    case breakSpaces
  }

  package enum Hyphens: Hashable, Sendable {
    case none
    case manual
  }

  /// The values of `word-break`.
  package enum WordBreak: Hashable, Sendable {
    case normal
    case breakAll
    case keepAll
  }

  /// The values of `line-break`, from the fewest breaks to the most.
  package enum Strictness: Hashable, Sendable {
    case strict
    case normal
    case loose
  }

  /// The values of `line-height`.
  package enum Height: Hashable, Sendable {
    /// That of the font.
    case normal
    case factor(Double)
    case length(Length)
  }

  /// A number of spaces or a length.
  package enum TabSize: Hashable, Sendable {
    case spaces(Double)
    case length(Length)
  }

  /// The treatment of white space; if `nil`, `xml:space` decides.
  package var whiteSpace: WhiteSpace?
  /// Whether lines break where the text allows it, if they have a length.
  package var wraps = true
  package var height = Height.normal
  package var indent = Length.zero
  package var tabSize = TabSize.spaces(8)
  package var hyphens = Hyphens.manual
  /// Whether a word that is longer than the line is divided.
  package var breaksLongWords = false
  /// `line-break: anywhere`.
  package var breaksAnywhere = false
  package var wordBreak = WordBreak.normal
  package var strictness = Strictness.strict
}

/// The values of `text-overflow`: what is drawn in place of text that exceeds a line.
package enum TextOverflow: Hashable, Sendable {
  case clip
  case ellipsis
  case string(String)
}
