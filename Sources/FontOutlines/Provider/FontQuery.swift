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
