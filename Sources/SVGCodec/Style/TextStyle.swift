// Computed values of the text properties (SVG 2, chapter 11; CSS Fonts 4; CSS Writing Modes 3).

internal import TextShaping

/// The text properties that are inherited.
struct TextStyle: Sendable {
  enum Slant: Hashable, Sendable {
    case normal
    case italic
    case oblique
  }

  enum Anchor: Hashable, Sendable {
    case start
    case middle
    case end
  }

  /// A value of `dominant-baseline` or `alignment-baseline`.
  enum Baseline: Hashable, Sendable {
    case auto
    case alphabetic
    case ideographic
    case hanging
    case mathematical
    case central
    case middle
    case beforeEdge
    case afterEdge
  }

  enum BaselineShift: Hashable, Sendable {
    case lowered
    case raised
    /// An upward shift in user units.
    case distance(Double)
  }

  /// The orientation of characters in vertical lines.
  enum Orientation: Hashable, Sendable {
    case mixed
    case upright
    case sideways
  }

  enum BidiControl: Hashable, Sendable {
    case normal
    case embed
    case isolate
    case override
    case isolateOverride
    case plaintext
  }

  struct DecorationLines: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let underline = DecorationLines(rawValue: 1)
    static let overline = DecorationLines(rawValue: 2)
    static let lineThrough = DecorationLines(rawValue: 4)
  }

  /// The properties that select a font; equal values select the same font.
  struct Font: Hashable, Sendable {
    /// The list of families; `nil` if it was never declared.
    var families: [FontQuery.Family]?
    var weight = 400.0
    var slant = Slant.normal
    /// The width as a percentage of normal.
    var stretch = 100.0
    var variations: [FontSettings.Variation] = []
    var hasOpticalSizing = true
  }

  /// The properties that affect the shaping of text.
  struct Shaping: Hashable, Sendable {
    var usesSmallCaps = false
    var hasKerning = true
    var features: [FontFeature] = []
  }

  var font = Font()
  var shaping = Shaping()
  var letterSpacing = Length.zero
  var wordSpacing = Length.zero
  var anchor = Anchor.start
  var dominantBaseline = Baseline.auto
  var isVertical = false
  var orientation = Orientation.mixed
  var isRightToLeft = false
  var isCrisp = false
  /// Whether spaces and line ends are preserved; if `nil`, `xml:space` decides.
  var preservesSpace: Bool?
  /// The decoration lines that this element and its ancestors declare.
  var propagatedLines: DecorationLines = []
}

/// The text properties that are not inherited.
struct OwnTextStyle: Sendable {
  var alignmentBaseline = TextStyle.Baseline.auto
  var baselineShift: TextStyle.BaselineShift?
  var lines: TextStyle.DecorationLines = []
  var bidi = TextStyle.BidiControl.normal
}
