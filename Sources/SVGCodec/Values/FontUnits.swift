// The units of lengths that refer to the font in use (CSS Values 4, section 6.1.1).

internal import TextShaping
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

  init(_ face: FontFace) {
    let unit = 1 / max(face.unitsPerEm, 1)
    func advance(of scalar: Unicode.Scalar) -> Double? {
      face.glyph(for: scalar).map { face.advance(of: $0) * unit }
    }
    ex = face.xHeight.flatMap { $0 > 0 ? $0 * unit : nil } ?? 0.5
    ch = advance(of: "0") ?? 0.5
    let ideograph: Unicode.Scalar = "\u{6C34}"
    ic = advance(of: ideograph) ?? 1
    if face.hasVerticalMetrics, let glyph = face.glyph(for: ideograph) {
      icHeight = face.verticalAdvance(of: glyph) * unit
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
final class FontUnits: Sendable {
  private struct Key: Hashable {
    var font: TextStyle.Font
    var size: Double
  }

  private static let maximumCount = 4_096

  private let provider: FontProvider
  private let known = Mutex<[Key: FontUnitMetrics]>([:])

  init(_ provider: FontProvider) {
    self.provider = provider
  }

  /// Returns the metrics of the font of a style.
  func metrics(of style: ComputedStyle) -> FontUnitMetrics {
    guard !provider.isEmpty else { return .assumed }
    let font = style.text.font
    let key = Key(font: font, size: font.hasOpticalSizing ? style.fontSize : 0)
    if let metrics = known.withLock({ $0[key] }) { return metrics }
    let face = FaceChoice(provider).face(font, size: style.fontSize)
    let metrics = face.map { FontUnitMetrics($0) } ?? .assumed
    known.withLock { if $0.count < Self.maximumCount { $0[key] = metrics } }
    return metrics
  }
}

/// The element whose font the units of its lengths refer to.
struct FontReference: Sendable {
  var units: FontUnits
  var style: ComputedStyle
  /// The style of the root element.
  var root: ComputedStyle?

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
