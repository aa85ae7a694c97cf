// The units of lengths that refer to the font in use (CSS Values 4, section 6.1.1).

package import Fonts
package import ImageCoding
internal import Threading

/// The values of font-relative units as fractions of the font size.
struct FontUnitMetrics: Hashable, Sendable {
  /// The values that CSS assumes in the absence of a font.
  static let assumed = FontUnitMetrics()

  var ex = 0.5
  var ch = 0.5
  var ic = 1.0
  var cap = 0.7
  /// The advance of an ideograph in vertical text.
  var icHeight = 1.0
  /// The line height `normal`.
  var lineHeight = 1.2

  init() {}

  /// - Parameter budget: charged for variations of advances.
  init(_ face: FontFace, budget: inout ResourceBudget) throws(CodecError) {
    let unit = 1 / max(face.unitsPerEm, 1)
    ex = face.xHeight.flatMap { $0 > 0 ? $0 * unit : nil } ?? 0.5
    if let glyph = face.glyph(for: "0") { ch = try face.advance(of: glyph, budget: &budget) * unit }
    let ideograph: Unicode.Scalar = "\u{6C34}"
    if let glyph = face.glyph(for: ideograph) {
      ic = try face.advance(of: glyph, budget: &budget) * unit
      if face.hasVerticalMetrics { icHeight = try face.verticalAdvance(of: glyph, budget: &budget) * unit }
    }
    cap = face.capHeight.flatMap { $0 > 0 ? $0 * unit : nil } ?? face.ascender * unit
    let height = (face.ascender - face.descender + max(0, face.lineGap)) * unit
    lineHeight = height > 0 ? height : 1.2
  }

  /// Returns a metric to which `font-size-adjust` can refer.
  func value(of metric: FontSizeAdjustment.Metric) -> Double {
    switch metric {
    case .exHeight: ex
    case .capHeight: cap
    case .chWidth: ch
    case .icWidth: ic
    case .icHeight: icHeight
    }
  }
}

/// The metrics of the fonts that units refer to, each of which is looked up once.
///
/// Lengths are resolved where there is no budget. The cost of look-ups is counted, and charged for the next element.
@usableFromInline
package final class FontUnits: Sendable {
  private struct Key: Hashable {
    var font: TextStyle.Font
    var size: Double
  }

  private struct Known {
    var metrics: [Key: FontUnitMetrics] = [:]
    /// The work units that are not charged yet.
    var work = 0
  }

  private static let maximumCount = 4_096
  /// The limits of a look-up. A font whose metrics take more work has those assumed in the absence of a font.
  private static let limits = DecodingLimits(maximumWork: 20_000_000)

  private let provider: FontProvider
  private let known = Mutex(Known())

  package init(_ provider: FontProvider) {
    self.provider = provider
  }

  /// Returns the metrics of the font of a style.
  func metrics(of style: ComputedStyle) -> FontUnitMetrics {
    guard !provider.isEmpty else { return .assumed }
    let font = style.text.font
    let key = Key(font: font, size: font.hasOpticalSizing ? style.fontSize : 0)
    if let metrics = known.withLock({ $0.metrics[key] }) { return metrics }
    var budget = ResourceBudget(Self.limits)
    let metrics = (try? lookUp(font, size: style.fontSize, &budget)) ?? .assumed
    let work = Int(clamping: budget.work)
    known.withLock { known in
      known.work += work
      // A document has a few fonts. If it has very many, the cache starts over.
      if known.metrics.count >= Self.maximumCount { known.metrics = [:] }
      known.metrics[key] = metrics
    }
    return metrics
  }

  private func lookUp(
    _ font: TextStyle.Font, size: Double, _ budget: inout ResourceBudget
  ) throws(CodecError) -> FontUnitMetrics {
    guard let face = try FaceChoice(provider).face(font, size: size, budget: &budget) else { return .assumed }
    return try FontUnitMetrics(face, budget: &budget)
  }

  /// Charges the look-ups since the last call.
  package func charge(_ budget: inout ResourceBudget) throws(CodecError) {
    let work = known.withLock { known in
      defer { known.work = 0 }
      return known.work
    }
    if work > 0 { try budget.chargeWork(work) }
  }
}

/// The element whose font the units of its lengths refer to.
package struct FontReference: Sendable {
  var units: FontUnits
  package var style: ComputedStyle
  /// The style of the root element.
  var root: ComputedStyle?

  package init(units: FontUnits, style: ComputedStyle, root: ComputedStyle? = nil) {
    self.units = units
    self.style = style
    self.root = root
  }

  var metrics: FontUnitMetrics { units.metrics(of: style) }

  /// The line height of the element in user units.
  var lineHeight: Double { lineHeight(of: style) }

  /// The line height of the root element in user units.
  var rootLineHeight: Double { lineHeight(of: root ?? style) }

  private func lineHeight(of style: ComputedStyle) -> Double {
    switch style.text.lines.height {
    case .normal: units.metrics(of: style).lineHeight * style.fontSize
    case .factor(let factor): factor * style.fontSize
    case .length(let length): length.value
    }
  }
}
