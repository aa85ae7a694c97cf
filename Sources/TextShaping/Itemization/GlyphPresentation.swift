// Whether a cluster is drawn as an emoji or as text (CSS Fonts 4, section 5.3; Unicode Technical Standard 51, section
// 2).

internal import Fonts

/// The presentation of a grapheme cluster, text or emoji, which a face must support in addition to having its glyphs.
enum GlyphPresentation: Hashable {
  /// Text, for which fonts without colours are preferred where the style names no font.
  case text
  /// Text that would be an emoji without the selector U+FE0E.
  case explicitText
  /// Characters that are emoji by default. A named font without colours is what the author wants.
  case emoji
  /// An emoji because of the selector U+FE0F.
  case explicitEmoji
  /// A variant of the first character with a selector.
  case variant(Unicode.Scalar)

  init(_ cluster: some Collection<Unicode.Scalar>) {
    self = .text
    guard let first = cluster.first else { return }
    let value = GraphemeClass(first)
    let second = cluster.dropFirst().first ?? "\0"
    switch second.value {
    case 0xFE0E where Self.isPictograph(first, value): self = .explicitText
    case 0xFE0F where Self.isPictograph(first, value): self = .explicitEmoji
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF: self = .variant(second)
    // A skin tone.
    case 0x1F3FB...0x1F3FF where value == .pictograph || value == .emoji: self = .emoji
    default:
      let isAlone = (0x1F3FB...0x1F3FF).contains(first.value)
      if value == .emoji || value == .regionalIndicator || isAlone { self = .emoji }
    }
  }

  /// Whether the character can be an emoji. Digits and two signs are the first characters of keycaps.
  private static func isPictograph(_ scalar: Unicode.Scalar, _ value: GraphemeClass) -> Bool {
    switch scalar {
    case "0"..."9", "#", "*": true
    default: value == .pictograph || value == .emoji
    }
  }

  /// Whether fonts with colours are preferred where the style names no font that suits.
  var prefersColors: Bool { self == .emoji || self == .explicitEmoji }

  /// Returns whether a face of the style's families that has the characters also has the requested presentation.
  ///
  /// - Parameter isNamed: whether the style names the family, rather than a generic one.
  func suits(_ face: FontFace, isNamed: Bool, first: Unicode.Scalar) -> Bool {
    switch self {
    case .text: true
    case .explicitText: !face.isColored
    case .emoji: isNamed || face.isColored
    case .explicitEmoji: face.isColored || face.hasGlyph(for: first, variationSelector: "\u{FE0F}")
    case .variant(let selector): face.hasGlyph(for: first, variationSelector: selector)
    }
  }
}
