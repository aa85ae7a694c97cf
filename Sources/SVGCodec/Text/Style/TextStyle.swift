// Computed values of the properties of text (SVG 2, chapter 11; CSS Fonts 4; CSS Writing Modes 3).

/// The properties of text of one element. Lists are kept as runs of the document's text and read when a font is chosen.
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

  /// `dominant-baseline` and `alignment-baseline` alike.
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
    /// Upwards, in user units.
    case distance(Double)
  }

  /// How characters stand in vertical lines.
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

  /// What a font is chosen by; equal values choose equal fonts.
  struct Font: Hashable, Sendable {
    /// The list of families; `nil` where none was ever declared.
    var families: TextSlice?
    var weight = 400.0
    var slant = Slant.normal
    /// Percent of the normal width.
    var stretch = 100.0
    var variations: TextSlice?
    var hasOpticalSizing = true
  }

  /// What a font's glyphs are chosen and placed by.
  struct Shaping: Hashable, Sendable {
    var usesSmallCaps = false
    var hasKerning = true
    var features: TextSlice?
  }

  // Inherited.
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
  /// Whether spaces and line ends are kept; `nil` leaves it to `xml:space`.
  var preservesSpace: Bool?
  /// The lines that this element and those around it declare.
  var propagatedLines: DecorationLines = []

  // Not inherited.
  var alignmentBaseline = Baseline.auto
  var baselineShift: BaselineShift?
  var lines: DecorationLines = []
  var bidi = BidiControl.normal

  /// What children start from.
  func inherited() -> TextStyle {
    var style = self
    style.alignmentBaseline = .auto
    style.baselineShift = nil
    style.lines = []
    style.bidi = .normal
    return style
  }
}
