// Computed values of the text properties (SVG 2, chapter 11; CSS Fonts 4; CSS Writing Modes 3).

package import Fonts
package import VectorGraphics

/// The text properties that are inherited.
@usableFromInline
package struct TextStyle: Sendable {
  enum Slant: Hashable, Sendable {
    case normal
    case italic
    case oblique
  }

  package enum Anchor: Hashable, Sendable {
    case start
    case middle
    case end
  }

  /// A value of `dominant-baseline` or `alignment-baseline`.
  package enum Baseline: Hashable, Sendable {
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

  package enum BaselineShift: Hashable, Sendable {
    case lowered
    case raised
    /// An upward shift in user units.
    case distance(Double)
  }

  /// The orientation of characters in vertical lines.
  package enum Orientation: Hashable, Sendable {
    case mixed
    case upright
    case sideways
  }

  package enum BidiControl: Hashable, Sendable {
    case normal
    case embed
    case isolate
    case override
    case isolateOverride
    case plaintext
  }

  package struct DecorationLines: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    package static let underline = DecorationLines(rawValue: 1)
    package static let overline = DecorationLines(rawValue: 2)
    package static let lineThrough = DecorationLines(rawValue: 4)
  }

  package enum DecorationStyle: Hashable, Sendable {
    case solid
    case double
    case dotted
    case dashed
    case wavy
  }

  /// The place of underlines, and whether they are interrupted.
  package struct DecorationPlacement: Hashable, Sendable {
    package enum Position: Hashable, Sendable {
      case auto
      /// Below descenders.
      case under
    }

    package enum InkSkipping: Hashable, Sendable {
      case auto
      case none
      case all
    }

    package var position = Position.auto
    /// In vertical text, whether underlines are on the right; `nil` for the side that is usual for the script.
    package var isOnRight: Bool?
    /// The distance of underlines from their usual place; `nil` for that of the font.
    package var offset: Length?
    package var skipping = InkSkipping.auto
  }

  /// The properties that select a font; equal values select the same font.
  package struct Font: Hashable, Sendable {
    /// The list of families; `nil` if it was never declared.
    package var families: [FontQuery.Family]?
    var weight = 400.0
    var slant = Slant.normal
    /// The width as a percentage of normal.
    var stretch = 100.0
    var variations: [FontSettings.Variation] = []
    package var hasOpticalSizing = true
    // Few elements adjust their fonts, and styles are copied often: what they declare is stored indirectly.
    private var adjustmentStorage: [FontAdjustments] = []

    package var adjustments: FontAdjustments {
      get { adjustmentStorage.first ?? .initial }
      set { adjustmentStorage = newValue == .initial ? [] : [newValue] }
    }
  }

  /// The properties that affect the shaping of text.
  package struct Shaping: Hashable, Sendable {
    package var variants = FontVariants()
    package var hasKerning = true
    package var features: [FontFeature] = []
    /// Whether small capitals, and letters in subscripts and superscripts, may be synthesised.
    package var synthesizesCapitals = true
    package var synthesizesPositions = true
  }

  package var font = Font()
  package var shaping = Shaping()
  package var letterSpacing = Length.zero
  package var wordSpacing = Length.zero
  package var anchor = Anchor.start
  package var dominantBaseline = Baseline.auto
  package var isVertical = false
  package var orientation = Orientation.mixed
  package var isRightToLeft = false
  package var isCrisp = false
  /// Whether lines of vertical text follow each other from left to right.
  package var stacksRightwards = false
  package var transform = TextTransform()
  package var lines = LineStyle()
  package var shadows: [TextShadow] = []
  /// The styles of the element and its ancestors that declare decoration lines, outermost first: the lines are painted as
  /// the text of these elements.
  package var decorators: [ComputedStyle] = []
  /// The maximum number of elements whose decoration lines apply to the same text; those of further ones are left out.
  package static let maximumDecoratorCount = 8
  package var decoration = DecorationPlacement()
  // Few texts have marks, and styles are copied often: what is declared is stored indirectly.
  private var emphasisStorage: [TextEmphasis] = []

  package var emphasis: TextEmphasis {
    get { emphasisStorage.first ?? .initial }
    set { emphasisStorage = newValue == .initial ? [] : [newValue] }
  }
}

/// The text properties that are not inherited.
package struct OwnTextStyle: Sendable {
  package var alignmentBaseline = TextStyle.Baseline.auto
  package var baselineShift: TextStyle.BaselineShift?
  package var lines: TextStyle.DecorationLines = []
  package var lineStyle = TextStyle.DecorationStyle.solid
  /// The colour of decoration lines; if `nil`, they are painted as the element's text.
  package var lineColor: Color?
  /// The thickness of decoration lines; if `nil`, that of the font.
  package var lineThickness: Length?
  package var bidi = TextStyle.BidiControl.normal
  /// The length of lines, at which text wraps; `nil` if it does not wrap.
  package var inlineSize: Length?
  package var overflow = TextOverflow.clip
}
