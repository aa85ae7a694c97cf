// The limits on drawing one glyph, and the charges for it: a font of a few bytes can require billions of points.

internal import ImageCore

/// The reason why a glyph has no outline.
enum GlyphFailure: Error {
  /// The data of the glyph is invalid, or the glyph has too many parts. The text is drawn without it.
  case glyph(CodecError)
  /// The budget is spent, the deadline has passed or the caller has cancelled.
  case budget(CodecError)

  /// The error, in either case.
  var error: CodecError {
    switch self {
    case .glyph(let error), .budget(let error): error
    }
  }

  static func malformed(_ reason: String, byteOffset: Int? = nil) -> GlyphFailure {
    .glyph(CodecError(.malformed, reason, format: .font, byteOffset: byteOffset))
  }

  static func exceeded(_ reason: String) -> GlyphFailure {
    .glyph(CodecError(.limitExceeded, reason, format: .font))
  }
}

extension ResourceBudget {
  /// Charges work for a glyph.
  mutating func chargeGlyphWork(_ units: Int) throws(GlyphFailure) {
    do throws(CodecError) { try chargeWork(units) } catch { throw .budget(error) }
  }
}

/// The limits of one glyph's outline.
struct OutlineBudget {
  /// The maximum nesting depth of components, and of subroutines beyond the ten levels that Type 2 charstrings allow.
  static let maximumDepth = 32
  /// The work units for locating and placing a component, and for a point of an outline.
  private static let workPerComponent = 160
  private static let workPerPoint = 20
  /// The number of components that can still be placed.
  private var components = 1 << 12
  /// The number of points that can still be added.
  private var points = 1 << 18

  /// Charges one component.
  mutating func spendComponent(_ budget: inout ResourceBudget) throws(GlyphFailure) {
    components -= 1
    guard components >= 0 else { throw OutlineBudget.exceeded }
    try budget.chargeGlyphWork(Self.workPerComponent)
  }

  /// Charges points.
  mutating func spendPoints(_ count: Int, _ budget: inout ResourceBudget) throws(GlyphFailure) {
    points -= min(count, 1 << 20)
    guard points >= 0 else { throw OutlineBudget.exceeded }
    try budget.chargeGlyphWork(count * Self.workPerPoint)
  }

  static let exceeded = GlyphFailure.exceeded("a glyph has too many components or points")
}
