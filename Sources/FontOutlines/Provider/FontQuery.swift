// What text asks a provider for.

internal import ImageCore

/// The face that text would like to have.
package struct FontQuery: Hashable, Sendable {
  /// A family by name, or one of CSS' generic ones.
  package enum Family: Hashable, Sendable {
    case named(String)
    case serif
    case sansSerif
    case cursive
    case fantasy
    case monospace
  }

  /// The families in order of preference.
  package var families: [Family]
  /// 1…1000; 400 is regular.
  package var weight: Int
  /// How the face is to lean.
  package var style: FontStyle
  /// The width in percent of the normal one.
  package var stretch: Double

  /// Creates a query.
  package init(families: [Family], weight: Int = 400, style: FontStyle = .normal, stretch: Double = 100) {
    self.families = families
    self.weight = weight
    self.style = style
    self.stretch = stretch
  }
}

extension FontQuery {
  /// The values of a variable font's axes that come nearest to what is asked for.
  package func variations(for face: FontFace) -> [(tag: Tag, value: Double)] {
    var result: [(tag: Tag, value: Double)] = []
    for axis in face.axes {
      switch axis.tag {
      case "wght": result.append((axis.tag, Double(weight)))
      case "wdth": result.append((axis.tag, stretch))
      case "ital": result.append((axis.tag, style == .italic ? 1 : 0))
      // The angle that CSS gives to oblique faces, counter-clockwise.
      case "slnt": result.append((axis.tag, style == .normal ? 0 : -14))
      default: break
      }
    }
    return result
  }
}
