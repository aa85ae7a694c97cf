// Changes to the fonts that are found: sizes adjusted to a metric, and synthesised bold, oblique and small letters.

import SVGCodec
import TestSupport
import Testing

@Suite struct FontAdjustmentTests {
  private static func font(_ family: String = "Boxes", weight: Int = 400, zero: Int = 500) -> RectangleFont {
    RectangleFont(
      family: family, weight: weight,
      glyphs: [
        .init(character: "0", advance: zero, box: (0, 0, 100, 100)),
        .init(character: "A", advance: 1000, box: (200, 0, 700, 500)),
        .init(character: "a", advance: 1000, box: (200, 0, 700, 500)),
        .init(character: "\u{6C34}", advance: 800, box: (0, 0, 100, 100)),
      ])
  }

  /// The letter at ten pixels a unit: its edges, found by its coverage, in units.
  private func edges(
    _ style: String, _ content: String = "a", row: Double = 17, fonts: RectangleFont...
  ) throws -> (left: Double, right: Double, top: Double, bottom: Double) {
    let body = "<text y='18' font-size='20' style='\(style)'>\(content)</text>"
    var provider = FontProvider(data: (fonts.isEmpty ? [Self.font()] : fonts).map(\.bytes))
    provider.defaultFamily = "Boxes"
    let document = try SVGDocument(parsing: markup(body), options: SVGDocument.Options(fonts: provider))
    let bitmap = try document.render(width: 200)
    func edges(_ alphas: [Int]) -> (Double, Double) {
      let first = alphas.firstIndex { $0 > 0 } ?? 0
      let last = alphas.lastIndex { $0 > 0 } ?? -1
      guard last > first else { return (0, 0) }
      return (Double(first + 1) - Double(alphas[first]) / 255, Double(last) + Double(alphas[last]) / 255)
    }
    let (left, right) = edges((0..<200).map { Int(bitmap[$0, Int(row * 10)].alpha) })
    let column = Int((left + right) / 2)
    let (top, bottom) = edges((0..<200).map { Int(bitmap[column, $0].alpha) })
    return (left / 10, right / 10, top / 10, bottom / 10)
  }

  private func expect(
    _ found: (left: Double, right: Double, top: Double, bottom: Double), _ expected: [Double],
    _ tolerance: Double = 0.011, location: SourceLocation = #_sourceLocation
  ) {
    for (a, b) in zip([found.left, found.right, found.top, found.bottom], expected) {
      #expect(abs(a - b) < tolerance, "\(found), not \(expected)", sourceLocation: location)
    }
  }

  // MARK: Sizes

  /// The x-height of the font is 0.5, its capitals are 0.7 high; the zero and the ideograph are 0.5 and 0.8 wide.
  @Test(
    arguments: [
      ("none", 1), ("0.5", 1), ("0.25", 0.5), ("ex-height .55", 1.1), ("cap-height 0.35", 0.5), ("ch-width 0.6", 1.2),
      ("ic-width 0.4", 0.5), ("ic-height 0.5", 0.5), ("from-font", 1), ("cap-height from-font", 1), ("0", 0),
      ("-1", 1), ("ex-height", 1), ("0.5 ex-height", 1), ("width 2", 1), ("calc(1 / 4)", 0.5),
    ] as [(String, Double)])
  func sizesFollowAMetric(_ value: String, _ factor: Double) throws {
    let found = try edges("font-size-adjust:\(value)")
    guard factor > 0 else {
      #expect(found == (0, 0, 0, 0))
      return
    }
    expect(found, [4 * factor, 14 * factor, 18 - 10 * factor, 18])
  }

  @Test func metricsOfAFontAreInherited() throws {
    let fonts = (Self.font(), Self.font("Wide", zero: 1000))
    let inner = "<tspan x='0' style='font-family:Wide'>a</tspan>"
    expect(
      try edges("font-size-adjust:ch-width from-font", inner, fonts: fonts.0, fonts.1), [2, 7, 13, 18])
    expect(try edges("", inner, fonts: fonts.0, fonts.1), [4, 14, 8, 18])
    // The shorthand resets it, and units refer to the adjusted font.
    expect(try edges("font-size-adjust:0.25;font:20px Boxes"), [4, 14, 8, 18])
    expect(try edges("font-size-adjust:0.25", "<tspan x='1ex'>a</tspan>"), [7, 12, 13, 18])
  }

  /// Browsers do not read the attribute.
  @Test func theAttributeHasNoEffect() throws {
    let body = "<text y='18' font-size='20' font-size-adjust='0.25'>a</text>"
    #expect(coveredBox(try draw(body, options: options(fonts: Self.font()))) == [4, 8, 13, 17])
  }

  // MARK: Bold and oblique

  /// The width that Skia adds: 1/24 of the size up to 9 pixels, 1/32 from 36 on.
  private func extra(_ size: Double) -> Double {
    size <= 9 ? size / 24 : size >= 36 ? size / 32 : size * (1 / 24.0 - (1 / 24.0 - 1 / 32.0) * (size - 9) / 27)
  }

  @Test(arguments: [6.0, 9, 20, 24, 36]) func boldLettersAreWidened(_ size: Double) throws {
    let half = extra(size) / 2
    let (left, right, top) = (0.2 * size, 0.7 * size, 18 - 0.5 * size)
    let style = "font-size:\(size)px;font-weight:bold"
    // Larger letters do not fit.
    let scaled = min(1, 14 / size)
    let fitted = "font-size:\(size)px;font-weight:bold;transform:translateY(18px) scale(\(scaled)) translateY(-18px)"
    let found = try edges(scaled < 1 ? fitted : style)
    let expected = [left - half, right + half, top - half, 18 + half]
    expect(found, [expected[0] * scaled, expected[1] * scaled] + expected[2...].map { 18 + ($0 - 18) * scaled })
  }

  @Test func boldLettersKeepTheirAdvance() throws {
    let found = try edges("font-weight:700;font-size:10px", "<tspan fill='none'>a</tspan>a")
    expect(found, [12 - extra(10) / 2, 17 + extra(10) / 2, 13 - extra(10) / 2, 18 + extra(10) / 2])
  }

  @Test(arguments: [
    ("font-weight:500", 400, false), ("font-weight:600", 400, true), ("font-weight:600", 600, false),
    ("font-weight:900", 500, true), ("font-weight:900", 700, false),
    ("font-weight:bold;font-synthesis:none", 400, false),
    ("font-weight:bold;font-synthesis:style small-caps", 400, false),
    ("font-weight:bold;font-synthesis:weight", 400, true),
    ("font-weight:bold;font-synthesis-weight:none", 400, false),
    ("font-weight:bold;font-synthesis:none;font-synthesis-weight:auto", 400, true),
    ("font-weight:bold;font-synthesis:weight weight", 400, true),
    ("font-weight:bold;font-synthesis-weight:none;font-synthesis-style:initial", 400, false),
  ])
  func weightsAreSynthesised(_ style: String, _ weight: Int, _ isWidened: Bool) throws {
    let half = isWidened ? extra(20) / 2 : 0
    expect(try edges(style, fonts: Self.font(weight: weight)), [4 - half, 14 + half, 8 - half, 18 + half])
  }

  /// A quarter of the height. The row is in the middle of that of pixels at half a pixel more.
  @Test(arguments: [
    ("font-style:italic", true), ("font-style:oblique", true), ("font-style:normal", false),
    ("font-style:italic;font-synthesis:weight", false), ("font-style:italic;font-synthesis-style:none", false),
    ("font-style:italic;font-synthesis:none;font-synthesis:style", true),
    ("font-style:italic;font-synthesis-style:oblique-only", false),
    ("font-style:oblique;font-synthesis-style:oblique-only", true),
  ])
  func slopesAreSynthesised(_ style: String, _ isSlanted: Bool) throws {
    for row in [9.0, 13, 17] {
      let shift = isSlanted ? (18 - row - 0.05) / 4 : 0
      let found = try edges(style, row: row)
      #expect(abs(found.left - 4 - shift) < 0.06 && abs(found.right - 14 - shift) < 0.06, "\(found)")
    }
  }

  @Test func capitalsAreSynthesised() throws {
    expect(try edges("font-variant-caps:small-caps"), [2.8, 9.8, 11, 18])
    expect(try edges("font-variant-caps:small-caps;font-synthesis-small-caps:none"), [4, 14, 8, 18])
    expect(try edges("font-variant-caps:small-caps;font-synthesis:weight style"), [4, 14, 8, 18])
    expect(try edges("font-variant-position:super;font-synthesis-position:none"), [4, 14, 8, 18])
  }
}
