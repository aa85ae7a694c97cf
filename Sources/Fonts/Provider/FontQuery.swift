// A request for a font face.

internal import ImageCore

/// The properties of the desired face.
package struct FontQuery: Hashable, Sendable {
  /// A family by name, or a CSS generic family.
  package enum Family: Hashable, Sendable {
    case named(String)
    case serif
    case sansSerif
    case cursive
    case fantasy
    case monospace
    /// The family of text that specifies none.
    case standard

    /// Whether the style names the family, rather than a generic one.
    package var isNamed: Bool {
      if case .named = self { return true }
      return false
    }
  }

  /// The families, in order of preference.
  package var families: [Family]
  /// The weight, 1…1000; 400 is regular.
  package var weight: Int
  /// The slope of the face: upright, italic or oblique.
  package var style: FontStyle
  /// The width as a percentage of the normal width.
  package var stretch: Double

  /// Creates a query; by default for a regular upright face of normal width.
  package init(families: [Family], weight: Int = 400, style: FontStyle = .normal, stretch: Double = 100) {
    self.families = families
    self.weight = weight
    self.style = style
    self.stretch = stretch
  }
}

extension FontQuery {
  /// Returns the axis values of a variable font that match the query best.
  package func variations(for face: FontFace) -> [(tag: Tag, value: Double)] {
    var result: [(tag: Tag, value: Double)] = []
    for axis in face.axes {
      switch axis.tag {
      case "wght": result.append((axis.tag, Double(weight)))
      case "wdth": result.append((axis.tag, stretch))
      case "ital": result.append((axis.tag, style == .italic ? 1 : 0))
      // The angle that CSS defines for oblique faces, counter-clockwise.
      case "slnt": result.append((axis.tag, style == .normal ? 0 : -14))
      default: break
      }
    }
    return result
  }
}
