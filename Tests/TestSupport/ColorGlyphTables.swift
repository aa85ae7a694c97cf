// Tables of colour glyphs, made byte by byte (OpenType 1.9, `COLR` version 1 and `CPAL`).

/// A paint of a colour glyph.
package indirect enum GlyphPaintRecord {
  package struct Stop {
    package var offset: Double
    package var entry: Int
    package var alpha: Double

    package init(_ offset: Double, entry: Int, alpha: Double = 1) {
      self.offset = offset
      self.entry = entry
      self.alpha = alpha
    }
  }

  case solid(entry: Int, alpha: Double)
  /// Angles are in half turns; `extend` is 0 to pad, 1 to repeat, 2 to reflect.
  case sweep(center: (Int, Int), start: Double, end: Double, extend: UInt8, [Stop])
  /// A paint within the outline of a glyph.
  case glyph(Int, GlyphPaintRecord)
  case composite(source: GlyphPaintRecord, mode: Int, backdrop: GlyphPaintRecord)

  /// The bytes of the paint, followed by those of the paints that it refers to.
  fileprivate var bytes: [UInt8] {
    switch self {
    case .solid(let entry, let alpha): return [2] + word(entry) + fraction(alpha)
    case .sweep(let center, let start, let end, let extend, let stops):
      let line =
        [extend] + word(stops.count)
        + stops.flatMap { fraction($0.offset) + word($0.entry) + fraction($0.alpha) }
      return [8] + offset(12) + word(center.0) + word(center.1) + fraction(start - 1) + fraction(end - 1) + line
    case .glyph(let glyph, let paint): return [10] + offset(6) + word(glyph) + paint.bytes
    case .composite(let source, let mode, let backdrop):
      let first = source.bytes
      return [32] + offset(8) + [UInt8(mode)] + offset(8 + first.count) + first + backdrop.bytes
    }
  }
}

/// Builds the tables of colour glyphs.
package enum ColorGlyphTables {
  /// The modes of `COLR` in the order of their numbers, by their names in Compositing and Blending Level 1.
  package static let modes = [
    "clear", "copy", "destination", "source-over", "destination-over", "source-in", "destination-in", "source-out",
    "destination-out", "source-atop", "destination-atop", "xor", "lighter", "screen", "overlay", "darken", "lighten",
    "color-dodge", "color-burn", "hard-light", "soft-light", "difference", "exclusion", "multiply", "hue", "saturation",
    "color", "luminosity",
  ]

  /// The table `COLR` with a paint for each glyph, in the order of glyphs.
  package static func paints(_ paints: [(glyph: Int, paint: GlyphPaintRecord)]) -> [UInt8] {
    var records: [UInt8] = []
    var data: [UInt8] = []
    for (glyph, paint) in paints {
      records += word(glyph) + long(4 + paints.count * 6 + data.count)
      data += paint.bytes
    }
    return word(1) + word(0) + long(0) + long(0) + word(0) + long(34) + long(0) + long(0) + long(0) + long(0)
      + long(paints.count) + records + data
  }

  /// The table `CPAL` with palettes of equally many colours: red, green, blue, alpha.
  ///
  /// - Parameter types: the flags of each palette, 1 for light and 2 for dark backgrounds; none if empty.
  package static func palettes(_ palettes: [[[UInt8]]], types: [Int] = []) -> [UInt8] {
    let entryCount = palettes.first?.count ?? 0
    let header = 12 + palettes.count * 2 + (types.isEmpty ? 0 : 12)
    var table = word(types.isEmpty ? 0 : 1) + word(entryCount) + word(palettes.count)
    table += word(palettes.count * entryCount) + long(header)
    for index in palettes.indices { table += word(index * entryCount) }
    let colors = palettes.flatMap { $0 }.flatMap { [$0[2], $0[1], $0[0], $0[3]] }
    if !types.isEmpty { table += long(header + colors.count) + long(0) + long(0) }
    return table + colors + types.flatMap { long($0) }
  }
}

private func word(_ value: Int) -> [UInt8] {
  [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
}
private func offset(_ value: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: value >> 16)] + word(value) }
private func long(_ value: Int) -> [UInt8] { word(value >> 16) + word(value) }
/// A number with 14 bits after the point.
private func fraction(_ value: Double) -> [UInt8] { word(Int((value * 16384).rounded())) }
