// Computed values of the text properties (SVG 2, chapter 11; CSS Fonts 4; CSS Writing Modes 3).

internal import VectorGraphics

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

  enum DecorationStyle: Hashable, Sendable {
    case solid
    case double
    case dotted
    case dashed
    case wavy
  }

  /// The place of underlines, and whether they are interrupted.
  struct DecorationPlacement: Hashable, Sendable {
    enum Position: Hashable, Sendable {
      case auto
      /// Below descenders.
      case under
    }

    enum InkSkipping: Hashable, Sendable {
      case auto
      case none
      case all
    }

    var position = Position.auto
    /// In vertical text, whether underlines are on the right; `nil` for the side that is usual for the script.
    var isOnRight: Bool?
    /// The distance of underlines from their usual place; `nil` for that of the font.
    var offset: Length?
    var skipping = InkSkipping.auto
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
    // Few elements adjust their fonts, and styles are copied often: what they declare is stored indirectly.
    private var adjustmentStorage: [FontAdjustments] = []

    var adjustments: FontAdjustments {
      get { adjustmentStorage.first ?? .initial }
      set { adjustmentStorage = newValue == .initial ? [] : [newValue] }
    }
  }

  /// The properties that affect the shaping of text.
  struct Shaping: Hashable, Sendable {
    var variants = FontVariants()
    var hasKerning = true
    var features: [FontFeature] = []
    /// Whether small capitals, and letters in subscripts and superscripts, may be synthesised.
    var synthesizesCapitals = true
    var synthesizesPositions = true
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
  /// Whether lines of vertical text follow each other from left to right.
  var stacksRightwards = false
  var transform = TextTransform()
  var lines = LineStyle()
  var shadows: [TextShadow] = []
  /// The styles of the element and its ancestors that declare decoration lines, outermost first: the lines are painted as
  /// the text of these elements.
  var decorators: [ComputedStyle] = []
  /// The maximum number of elements whose decoration lines apply to the same text; those of further ones are left out.
  static let maximumDecoratorCount = 8
  var decoration = DecorationPlacement()
  // Few texts have marks, and styles are copied often: what is declared is stored indirectly.
  private var emphasisStorage: [TextEmphasis] = []

  var emphasis: TextEmphasis {
    get { emphasisStorage.first ?? .initial }
    set { emphasisStorage = newValue == .initial ? [] : [newValue] }
  }
}

/// The text properties that are not inherited.
struct OwnTextStyle: Sendable {
  var alignmentBaseline = TextStyle.Baseline.auto
  var baselineShift: TextStyle.BaselineShift?
  var lines: TextStyle.DecorationLines = []
  var lineStyle = TextStyle.DecorationStyle.solid
  /// The colour of decoration lines; if `nil`, they are painted as the element's text.
  var lineColor: Color?
  /// The thickness of decoration lines; if `nil`, that of the font.
  var lineThickness: Length?
  var bidi = TextStyle.BidiControl.normal
  /// The length of lines, at which text wraps; `nil` if it does not wrap.
  var inlineSize: Length?
  var overflow = TextOverflow.clip
}
