// The properties `font-variant-*` and the font features that they select (CSS Fonts 4, section 6).

package import Fonts
package import ImageCoding

/// The variants of glyphs to be used.
package struct FontVariants: Hashable, Sendable {
  package enum Caps: Hashable, Sendable {
    case normal
    case small
    case allSmall
    case petite
    case allPetite
    case unicase
    case titling
  }

  package enum Position: Hashable, Sendable {
    case normal
    case lowered
    case raised
  }

  package var caps = Caps.normal
  package var position = Position.normal
  var ligatures: [FontFeature] = []
  var numeric: [FontFeature] = []
  var alternates: [FontFeature] = []
  var eastAsian: [FontFeature] = []

  /// The features except those of ``caps`` and ``position``, which can be synthesised.
  package var features: [FontFeature] { ligatures + numeric + alternates + eastAsian }
}

extension FontVariants.Caps {
  /// The features for the capitals; the first alternative that a font has is used.
  package var alternatives: [[FourCharacterCode]] {
    switch self {
    case .normal: []
    case .small: [["smcp"]]
    case .allSmall: [["c2sc", "smcp"]]
    case .petite: [["pcap"], ["smcp"]]
    case .allPetite: [["c2pc", "pcap"], ["c2sc", "smcp"]]
    case .unicase: [["unic"]]
    case .titling: [["titl"]]
    }
  }

  /// Whether lower-case and upper-case letters are replaced by small capitals if the font has none.
  package var synthesis: (lower: Bool, upper: Bool) {
    switch self {
    case .small, .petite: (true, false)
    case .allSmall, .allPetite: (true, true)
    case .unicase: (false, true)
    case .normal, .titling: (false, false)
    }
  }
}

extension FontVariants.Position {
  /// The feature for the position.
  package var feature: FourCharacterCode? {
    switch self {
    case .normal: nil
    case .lowered: "subs"
    case .raised: "sups"
    }
  }
}
