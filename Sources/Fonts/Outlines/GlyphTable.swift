// The location of TrueType glyph data, and simple contours (OpenType, `loca` and `glyf`).

internal import ImageCore

/// The glyph data of a TrueType font.
struct GlyphTable: Sendable {
  private let glyphs: TableBytes
  private let locations: TableBytes
  private let usesLongLocations: Bool

  init(glyphs: TableBytes, locations: TableBytes, usesLongLocations: Bool) {
    self.glyphs = glyphs
    self.locations = locations
    self.usesLongLocations = usesLongLocations
  }

  /// The bytes of a glyph; empty if it has no contours.
  ///
  /// - Throws: a failure of the glyph if they are outside the table.
  func bytes(of glyph: GlyphID) throws(GlyphFailure) -> TableBytes {
    let entry = usesLongLocations ? 4 : 2
    guard locations.contains(glyph.index * entry, 2 * entry) else {
      throw .malformed("the font has no such glyph")
    }
    let start: Int
    let end: Int
    if usesLongLocations {
      (start, end) = (locations.uint32(at: glyph.index * 4), locations.uint32(at: glyph.index * 4 + 4))
    } else {
      (start, end) = (locations.uint16(at: glyph.index * 2) * 2, locations.uint16(at: glyph.index * 2 + 2) * 2)
    }
    guard end > start else { return .empty }
    guard start < glyphs.count else {
      throw .malformed("a glyph is outside its table", byteOffset: start)
    }
    return glyphs.part(at: start, count: end - start)
  }
}

/// The outlines of glyphs without components.
extension OutlinePoints {
  /// The work units for a contour, besides those of its points.
  private static let workPerContour = 20

  private enum Flag {
    static let onCurve = 0x01
    static let shortX = 0x02
    static let shortY = 0x04
    static let repeats = 0x08
    /// For a short coordinate: it is positive. For a long coordinate: it is zero and not stored.
    static let positiveOrSameX = 0x10
    static let positiveOrSameY = 0x20
  }

  /// Parses a simple glyph.
  ///
  /// - Throws: a failure of the glyph if the values contradict each other or the data ends early, or if it has too many
  ///   points.
  init(
    simpleGlyph bytes: TableBytes, contourCount: Int, limits: inout OutlineBudget, budget: inout ResourceBudget
  ) throws(GlyphFailure) {
    try budget.chargeGlyphWork(contourCount * OutlinePoints.workPerContour)
    var last = -1
    for contour in 0..<contourCount {
      let end = bytes.uint16(at: 10 + contour * 2)
      guard end >= last, bytes.contains(10 + contour * 2, 2) else {
        throw .malformed("the contours of a glyph are out of order")
      }
      contourEnds.append(end + 1)
      last = end
    }
    let pointCount = last + 1
    try limits.spendPoints(pointCount, &budget)
    let instructionCount = bytes.uint16(at: 10 + contourCount * 2)
    var position = 12 + contourCount * 2 + instructionCount
    let flags = try OutlinePoints.readFlags(bytes, at: &position, count: pointCount)
    points.reserveCapacity(pointCount)
    var value = 0
    for flag in flags {
      value += OutlinePoints.readDelta(
        bytes, at: &position, isShort: flag & Flag.shortX != 0, isPositiveOrSame: flag & Flag.positiveOrSameX != 0)
      points.append(Element(x: Double(value), y: 0, isOnCurve: flag & Flag.onCurve != 0))
    }
    value = 0
    for (index, flag) in flags.enumerated() {
      value += OutlinePoints.readDelta(
        bytes, at: &position, isShort: flag & Flag.shortY != 0, isPositiveOrSame: flag & Flag.positiveOrSameY != 0)
      points[index].y = Double(value)
    }
    guard position <= bytes.count else {
      throw .malformed("a glyph ends within its points")
    }
  }

  private static func readFlags(_ bytes: TableBytes, at position: inout Int, count: Int) throws(GlyphFailure) -> [Int] {
    var flags: [Int] = []
    flags.reserveCapacity(count)
    while flags.count < count {
      guard position < bytes.count else {
        throw .malformed("a glyph ends within its flags")
      }
      let flag = bytes.uint8(at: position)
      position += 1
      flags.append(flag)
      guard flag & Flag.repeats != 0 else { continue }
      let repetitions = min(bytes.uint8(at: position), count - flags.count)
      position += 1
      flags.append(contentsOf: repeatElement(flag, count: repetitions))
    }
    return flags
  }

  private static func readDelta(
    _ bytes: TableBytes, at position: inout Int, isShort: Bool, isPositiveOrSame: Bool
  ) -> Int {
    if isShort {
      defer { position += 1 }
      return isPositiveOrSame ? bytes.uint8(at: position) : -bytes.uint8(at: position)
    }
    if isPositiveOrSame { return 0 }
    defer { position += 2 }
    return bytes.int16(at: position)
  }
}
