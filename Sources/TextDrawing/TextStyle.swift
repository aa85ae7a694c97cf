// How text looks.

public import ImageCore

/// The look of text: its fonts, size and colour.
public struct TextStyle: Hashable, Sendable {
  /// The families, in order of preference; the first one that the font provider has is used. The names `serif`,
  /// `sans-serif`, `cursive`, `fantasy` and `monospace` mean the provider's families of that kind. Characters that
  /// the family lacks are drawn with other fonts of the provider.
  public var families: [String]
  /// The font size in pixels.
  public var size: Double
  /// The weight, 1…1000; 400 is regular, 700 bold. From 600 on, letters are widened if the family has no bold face.
  public var weight: Int
  /// Whether letters are italic, or slanted if the family has no italic face.
  public var isItalic: Bool
  /// The colour, with straight alpha, in the colour space of the bitmap.
  public var color: RGBA8
  /// The opacity of the text as a whole, 0…1.
  public var opacity: Double
  /// The distance between baselines as a multiple of the font size; `nil` for what the font recommends.
  public var lineHeight: Double?
  /// Additional space after each character, in pixels.
  public var letterSpacing: Double
  /// A BCP 47 tag such as `"tr"`; `nil` if the language is unknown.
  public var language: String?

  /// Creates a style.
  public init(
    families: [String] = ["sans-serif"], size: Double = 16, weight: Int = 400, isItalic: Bool = false,
    color: RGBA8 = RGBA8(red: 0, green: 0, blue: 0, alpha: 255), opacity: Double = 1, lineHeight: Double? = nil,
    letterSpacing: Double = 0, language: String? = nil
  ) {
    self.families = families
    self.size = size
    self.weight = weight
    self.isItalic = isItalic
    self.color = color
    self.opacity = opacity
    self.lineHeight = lineHeight
    self.letterSpacing = letterSpacing
    self.language = language
  }
}
