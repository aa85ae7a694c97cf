// A paragraph: its characters with their faces, scripts and directions, and their widths.

internal import Fonts
internal import ImageCore
internal import TextShaping

/// A positioned glyph on a line; distances are in pixels, y downwards.
struct PlacedGlyph: Hashable, Sendable {
  var face: Int32
  var glyph: GlyphID
  var x: Double
  var y: Double
}

/// A paragraph before it is divided into lines.
struct Paragraph {
  /// The properties of a character that delimit items: only characters with equal ones are shaped together.
  private struct Item: Equatable {
    var face: Int32
    var script: Script
    var level: UInt8
  }

  let scalars: [Unicode.Scalar]
  private let style: TextStyle
  private let faces: [FontFace]
  private var items: [Item] = []
  private var levels: [UInt8] = []
  /// The widths of the characters before each position, in logical order. A cluster has the width of its first
  /// character.
  private(set) var widths: [Double] = [0]
  /// Whether a line can begin with a character, if need be.
  private(set) var isClusterStart: [Bool] = []

  /// - Parameter budget: charged for choosing faces and for shaping.
  init(
    _ scalars: [Unicode.Scalar], _ style: TextStyle, _ faces: inout TextFaces, budget: inout ResourceBudget
  ) throws(CodecError) {
    self.scalars = scalars
    self.style = style
    levels = BidiLevels(scalars, baseLevel: nil).levels
    let numbers = try faces.faces(of: scalars, budget: &budget)
    self.faces = faces.faces
    let runs = Self.runs(of: levels)
    let scripts = Script.scripts(of: scalars, in: runs)
    items = scalars.indices.map { Item(face: numbers[$0], script: scripts[$0], level: levels[$0]) }
    try measure(&budget)
  }

  /// Whether the paragraph is written from right to left.
  var isRightToLeft: Bool {
    for scalar in scalars {
      switch BidiClass(scalar) {
      case .leftToRight: return false
      case .rightToLeft, .arabicLetter: return true
      default: continue
      }
    }
    return false
  }

  private static func runs(of levels: [UInt8]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    for index in levels.indices where index > start && levels[index] != levels[start] {
      runs.append(start..<index)
      start = index
    }
    if start < levels.count { runs.append(start..<levels.count) }
    return runs
  }

  private func ranges(in range: Range<Int>) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var start = range.lowerBound
    for index in range where index > start && items[index] != items[start] {
      result.append(start..<index)
      start = index
    }
    if start < range.upperBound { result.append(start..<range.upperBound) }
    return result
  }

  private func shape(
    _ range: Range<Int>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> [ShapedGlyph] {
    let item = items[range.lowerBound]
    var features: [FontFeature] = []
    if style.letterSpacing != 0 { features = [FontFeature("liga", 0), FontFeature("clig", 0)] }
    return try faces[Int(item.face)].shape(
      scalars, range: range, script: item.script, direction: item.level & 1 == 1 ? .rightToLeft : .leftToRight,
      language: style.language, features: features, budget: &budget)
  }

  private func scale(_ range: Range<Int>) -> Double {
    style.size / max(faces[Int(items[range.lowerBound].face)].unitsPerEm, 1)
  }

  private mutating func measure(_ budget: inout ResourceBudget) throws(CodecError) {
    var advances = [Double](repeating: 0, count: scalars.count)
    isClusterStart = [Bool](repeating: false, count: scalars.count)
    for range in ranges(in: 0..<scalars.count) {
      let scale = scale(range)
      for glyph in try shape(range, &budget) {
        advances[glyph.cluster] += glyph.xAdvance * scale
        isClusterStart[glyph.cluster] = true
      }
    }
    for index in scalars.indices where isClusterStart[index] { advances[index] += style.letterSpacing }
    // A font may have several glyphs for what users perceive as a character.
    for cluster in GraphemeClusters(scalars) {
      for index in cluster.dropFirst() { isClusterStart[index] = false }
    }
    widths.reserveCapacity(scalars.count + 1)
    for advance in advances { widths.append((widths.last ?? 0) + advance) }
  }

  /// Returns the glyphs of a line in visual order, from x = 0 on the baseline, and its width.
  ///
  /// - Parameter budget: charged for shaping.
  func glyphs(
    of line: Range<Int>, budget: inout ResourceBudget
  ) throws(CodecError) -> (glyphs: [PlacedGlyph], width: Double) {
    var result: [PlacedGlyph] = []
    var x = 0.0
    for run in BidiLevels.visualRuns(levels[line]) {
      let run = run.range.lowerBound + line.lowerBound..<run.range.upperBound + line.lowerBound
      let parts = ranges(in: run)
      for part in items[run.lowerBound].level & 1 == 1 ? parts.reversed() : parts {
        let scale = scale(part)
        var cluster: Int?
        for glyph in try shape(part, &budget) {
          if let cluster, glyph.cluster != cluster { x += style.letterSpacing }
          cluster = glyph.cluster
          result.append(
            PlacedGlyph(
              face: items[part.lowerBound].face, glyph: glyph.glyph, x: x + glyph.xOffset * scale,
              y: -glyph.yOffset * scale))
          x += glyph.xAdvance * scale
        }
        if cluster != nil { x += style.letterSpacing }
      }
    }
    return (result, x)
  }
}
