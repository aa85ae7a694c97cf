// What drawing one glyph may cost: a font of a few bytes can ask for billions of points.

internal import ImageCore

/// The budget of one glyph's outline.
struct OutlineBudget {
  /// The deepest nesting of components, and of subroutines above the ten that Type 2 charstrings allow.
  static let maximumDepth = 32
  /// The components that may still be placed.
  private var components = 1 << 12
  /// The points that may still be added.
  private var points = 1 << 18

  /// Pays for a component.
  mutating func spendComponent() throws(DecodeError) {
    components -= 1
    guard components >= 0 else { throw OutlineBudget.exceeded }
  }

  /// Pays for points.
  mutating func spendPoints(_ count: Int) throws(DecodeError) {
    points -= min(count, 1 << 20)
    guard points >= 0 else { throw OutlineBudget.exceeded }
  }

  static let exceeded = DecodeError(.limitExceeded, "a glyph has too many components or points", format: .font)
}
