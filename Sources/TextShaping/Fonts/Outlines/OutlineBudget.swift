// The limits on drawing one glyph: a font of a few bytes can require billions of points.

internal import ImageCore

/// The budget of one glyph's outline.
struct OutlineBudget {
  /// The maximum nesting depth of components, and of subroutines beyond the ten levels that Type 2 charstrings allow.
  static let maximumDepth = 32
  /// The number of components that can still be placed.
  private var components = 1 << 12
  /// The number of points that can still be added.
  private var points = 1 << 18

  /// Charges one component.
  mutating func spendComponent() throws(CodecError) {
    components -= 1
    guard components >= 0 else { throw OutlineBudget.exceeded }
  }

  /// Charges points.
  mutating func spendPoints(_ count: Int) throws(CodecError) {
    points -= min(count, 1 << 20)
    guard points >= 0 else { throw OutlineBudget.exceeded }
  }

  static let exceeded = CodecError(.limitExceeded, "a glyph has too many components or points", format: .font)
}
