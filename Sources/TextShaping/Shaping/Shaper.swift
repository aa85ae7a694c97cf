// Shapes one run: maps characters to glyphs, applies substitutions and positions the result (the sequence of HarfBuzz's
// OpenType shaper).

internal import Fonts
internal import ImageCore

/// Shapes one run with one face.
struct Shaper {
  /// The work units for preparing a character, for normalising it, and for positioning a glyph.
  private static let workPerCharacter = 250
  private static let workPerNormalization = 250
  private static let workPerPosition = 150
  /// The work units for a pair of glyphs in a subtable of the `kern` table.
  private static let workPerKerning = 30
  /// The maximum number of characters before and after a run that determine how its letters join.
  private static let contextLength = 64

  private let face: FontFace
  private let layout: FontLayout
  private let plan: ShapePlan
  private let wanted: TextDirection
  /// The direction in which glyphs are substituted: that of the script.
  private let direction: TextDirection
  private var buffer: GlyphBuffer

  /// - Parameter wanted: the direction of the text.
  init(face: FontFace, layout: FontLayout, plan: ShapePlan, native direction: TextDirection, wanted: TextDirection) {
    self.face = face
    self.layout = layout
    self.plan = plan
    self.direction = direction
    self.wanted = wanted
    buffer = GlyphBuffer([])
  }

  /// Returns the glyphs of a part of a text, in visual order.
  ///
  /// - Parameter budget: charged for each stage in parts, so that there are checkpoints between the stages, of which
  ///   each takes a fraction of its units; and for the memory of glyphs beyond one for each character.
  mutating func shape(
    _ text: [Unicode.Scalar], range: Range<Int>, budget: inout ResourceBudget
  ) throws(CodecError) -> [ShapedGlyph] {
    try budget.chargeWorkInParts(count: range.count, unitsEach: Self.workPerCharacter)
    buffer = GlyphBuffer(range.map { GlyphInfo(character: text[$0].value, cluster: $0) })
    CharacterProperties.assignTraits(&buffer.infos)
    formClusters()
    if direction != wanted { buffer.reverseGraphemes() }
    if plan.joinsLetters {
      ArabicJoining.assignForms(
        &buffer.infos, before: text[..<range.lowerBound].suffix(Self.contextLength).reversed(),
        after: text[range.upperBound...].prefix(Self.contextLength))
    }
    let isHangul = plan.model == .hangul
    if isHangul { HangulSyllables(characters: face.tables.characters).compose(&buffer) }
    if plan.model == .thai { ThaiVowels.decompose(&buffer) }
    if plan.model == .indic || plan.model == .universal { VowelConstraints.separate(&buffer) }
    try budget.chargeWorkInParts(count: buffer.count, unitsEach: Self.workPerNormalization)
    assignMasks()
    mirrorCharacters()
    let normalizer = Normalizer(
      characters: face.tables.characters, model: plan.model, hasPositionedMarks: plan.hasPositionedMarks)
    if isHangul { normalizer.mapCharacters(&buffer) } else { normalizer.normalize(&buffer) }
    try substitute(&budget)
    try budget.chargeWorkInParts(count: buffer.count, unitsEach: Self.workPerPosition)
    try position(&budget)
    if direction == .rightToLeft { buffer.reverse() }
    hideIgnorables()
    return shapedGlyphs()
  }

  /// Merges the clusters of each grapheme cluster.
  private mutating func formClusters() {
    var start = 0
    while start < buffer.count {
      var end = start + 1
      while end < buffer.count, buffer.infos[end].traits.contains(.continuation) { end += 1 }
      for index in start..<end { buffer.infos[index].cluster = buffer.infos[start].cluster }
      start = end
    }
  }

  private mutating func mirrorCharacters() {
    if wanted == .topToBottom, plan.mask("vert") == 0 { turnCharacters() }
    guard wanted == .rightToLeft else { return }
    let byFeature = plan.mask("rtlm")
    for index in buffer.infos.indices {
      if let mirrored = CharacterProperties.mirrored(buffer.infos[index].character),
        face.tables.characters.glyph(for: mirrored) != nil
      {
        buffer.infos[index].character = mirrored
      } else {
        buffer.infos[index].mask |= byFeature
      }
    }
  }

  /// Replaces characters with vertical compatibility forms if the font has no vertical substitutions.
  private mutating func turnCharacters() {
    for index in buffer.infos.indices {
      if let turned = CharacterProperties.vertical(buffer.infos[index].character),
        face.tables.characters.glyph(for: turned) != nil
      {
        buffer.infos[index].character = turned
      }
    }
  }

  private mutating func assignMasks() {
    let forms = plan.formFeatures.map { plan.mask($0) }
    for index in buffer.infos.indices {
      buffer.infos[index].mask = plan.initialMask
      let action = Int(buffer.infos[index].joiningAction)
      if action < forms.count { buffer.infos[index].mask |= forms[action] }
    }
    assignFractionMasks()
  }

  /// Marks digits around a fraction slash as numerator and denominator.
  private mutating func assignFractionMasks() {
    let fraction = plan.mask("frac")
    var numerator = plan.mask("numr")
    var denominator = plan.mask("dnom")
    guard fraction != 0 || (numerator != 0 && denominator != 0) else { return }
    if direction == .rightToLeft { swap(&numerator, &denominator) }
    for slash in buffer.infos.indices where buffer.infos[slash].character == 0x2044 {
      var index = slash - 1
      while index >= 0, buffer.infos[index].traits.contains(.decimalDigit) {
        buffer.infos[index].mask |= numerator | fraction
        index -= 1
      }
      buffer.infos[slash].mask |= fraction
      index = slash + 1
      while index < buffer.count, buffer.infos[index].traits.contains(.decimalDigit) {
        buffer.infos[index].mask |= denominator | fraction
        index += 1
      }
    }
  }

  // MARK: Substitution

  private mutating func substitute(_ budget: inout ResourceBudget) throws(CodecError) {
    let definitions = layout.definitions
    for index in buffer.infos.indices {
      buffer.infos[index].properties =
        definitions.hasGlyphClasses
        ? definitions.properties(of: buffer.infos[index].glyph)
        : isMarkWithoutDefinition(buffer.infos[index]) ? .mark : .base
    }
    guard !plan.substitutions.isEmpty else { return }
    let syllables =
      plan.model.hasSyllables
      ? SyllableShaping(plan: plan, layout: layout.substitution, characters: face.tables.characters) : nil
    syllables?.assignCategories(&buffer)
    var pass = LookupApplication(
      buffer, layout: layout.substitution, definitions: definitions, isPositioning: false, direction: direction,
      coordinates: face.coordinates)
    buffer = GlyphBuffer([])
    for stage in plan.substitutions {
      for lookup in stage.lookups { try pass.apply(lookup, budget: &budget) }
      if let step = stage.step { try syllables?.perform(step, &pass.buffer, budget: &budget) }
    }
    buffer = pass.buffer
  }

  private func isMarkWithoutDefinition(_ info: GlyphInfo) -> Bool {
    info.traits.contains(.nonspacingMark) && !info.traits.contains(.ignorable)
  }

  // MARK: Positioning

  private mutating func position(_ budget: inout ResourceBudget) throws(CodecError) {
    buffer.positions = []
    buffer.positions.reserveCapacity(buffer.count)
    for info in buffer.infos {
      let glyph = GlyphID(UInt16(truncatingIfNeeded: info.glyph))
      var position = GlyphPosition()
      if direction.isHorizontal {
        position.xAdvance = Int(try face.advance(of: glyph, budget: &budget).rounded())
      } else {
        let origin = try face.verticalOrigin(of: glyph, budget: &budget)
        position.yAdvance = -Int(try face.verticalAdvance(of: glyph, budget: &budget).rounded())
        position.xOffset = -Int(origin.x.rounded(.down))
        position.yOffset = -Int(origin.y.rounded(.down))
      }
      buffer.positions.append(position)
    }
    try widenSpaces(&budget)
    let marksAreUnplaced = !plan.hasPositioning
    let shiftsMarks = marksAreUnplaced && direction != .rightToLeft
    if plan.model.markWidths == .removedBeforePositioning { narrowMarks(shiftsMarks: shiftsMarks) }
    if plan.hasPositioning, !plan.positioning.isEmpty {
      var pass = LookupApplication(
        buffer, layout: layout.positioning, definitions: layout.definitions, isPositioning: true,
        direction: direction, coordinates: face.coordinates)
      buffer = GlyphBuffer([])
      for lookup in plan.positioning { try pass.apply(lookup, budget: &budget) }
      buffer = pass.buffer
    }
    if plan.usesKernTable { try kern(&budget) }
    if plan.model.markWidths == .removedAfterPositioning { narrowMarks(shiftsMarks: shiftsMarks) }
    for index in buffer.infos.indices where buffer.infos[index].isIgnorable {
      buffer.positions[index].xAdvance = 0
      buffer.positions[index].yAdvance = 0
      buffer.positions[index].xOffset = 0
      buffer.positions[index].yOffset = 0
    }
    buffer.resolveAttachments(direction: direction)
    if marksAreUnplaced, plan.model.placesMarks {
      try MarkPlacement(face: face, direction: direction).place(&buffer, budget: &budget)
    }
  }

  /// Removes the advances of marks; a mark that is not positioned otherwise is shifted back by its advance.
  private mutating func narrowMarks(shiftsMarks: Bool) {
    for index in buffer.infos.indices where buffer.infos[index].properties.contains(.mark) {
      if shiftsMarks {
        buffer.positions[index].xOffset -= buffer.positions[index].xAdvance
        buffer.positions[index].yOffset -= buffer.positions[index].yAdvance
      }
      buffer.positions[index].xAdvance = 0
      buffer.positions[index].yAdvance = 0
    }
  }

  /// Applies the `kern` table; each glyph of a pair takes half of the kerning.
  private mutating func kern(_ budget: inout ResourceBudget) throws(CodecError) {
    let workPerPair = layout.kerning.subtableCount * Self.workPerKerning
    // The table's pairs are in visual order.
    if direction == .rightToLeft { buffer.reverse() }
    let mask = plan.mask("kern") == 0 ? ShapePlan.everywhere : plan.mask("kern")
    var pass = LookupApplication(
      buffer, layout: layout.positioning, definitions: layout.definitions, isPositioning: true, direction: direction,
      coordinates: face.coordinates)
    pass.lookup = Lookup(type: 0, flags: Lookup.Flag.ignoresMarks, subtables: [], digest: GlyphDigest())
    pass.planned = PlannedLookup(index: 0, mask: mask)
    var left = 0
    // The end of the last search, and its outcome.
    var right = 0
    var isPair = false
    while left < buffer.count {
      let takesPart = buffer.infos[left].mask & mask != 0
      if takesPart, left >= right { (right, isPair) = pass.search(after: left) }
      guard takesPart, isPair else {
        left += 1
        continue
      }
      try budget.chargeWork(workPerPair)
      let value = layout.kerning.value(buffer.infos[left].glyph, buffer.infos[right].glyph)
      let half = value >> 1
      buffer.positions[left].xAdvance += half
      buffer.positions[right].xAdvance += value - half
      buffer.positions[right].xOffset += value - half
      left = right
    }
    if direction == .rightToLeft { buffer.reverse() }
  }

  /// Sets the advances of spaces replaced with U+0020 to the widths that their names imply.
  private mutating func widenSpaces(_ budget: inout ResourceBudget) throws(CodecError) {
    guard direction.isHorizontal else { return }
    let em = tables.unitsPerEm
    for index in buffer.infos.indices where buffer.infos[index].traits.contains(.spaceFallback) {
      let width: Int? =
        switch buffer.infos[index].character {
        case 0x2000, 0x2002: (em + 1) / 2
        case 0x2001, 0x2003, 0x3000: em
        case 0x2004: (em + 1) / 3
        case 0x2005: (em + 2) / 4
        case 0x2006: (em + 3) / 6
        case 0x2007: try width(ofAny: Array(0x30...0x39), &budget)
        case 0x2008: try width(ofAny: [0x2E, 0x2C], &budget)
        case 0x2009: (em + 2) / 5
        case 0x200A: (em + 5) / 10
        case 0x202F: buffer.positions[index].xAdvance / 2
        case 0x205F: em * 4 / 18
        default: nil
        }
      if let width { buffer.positions[index].xAdvance = width }
    }
  }

  private var tables: FontTables { face.tables }

  private func width(
    ofAny characters: [UInt32], _ budget: inout ResourceBudget
  ) throws(CodecError) -> Int? {
    for character in characters {
      if let glyph = tables.characters.glyph(for: character) {
        return Int(try face.advance(of: glyph, budget: &budget).rounded())
      }
    }
    return nil
  }

  // MARK: Results

  /// Draws default-ignorable characters as an empty space glyph, or omits them if the font has no space.
  private mutating func hideIgnorables() {
    guard buffer.infos.contains(where: { $0.isIgnorable }) else { return }
    if let space = tables.characters.glyph(for: 0x20) {
      for index in buffer.infos.indices where buffer.infos[index].isIgnorable {
        buffer.infos[index].glyph = space.index
      }
      return
    }
    var kept: [GlyphInfo] = []
    var positions: [GlyphPosition] = []
    for (info, position) in zip(buffer.infos, buffer.positions) where !info.isIgnorable {
      kept.append(info)
      positions.append(position)
    }
    buffer.infos = kept
    buffer.positions = positions
  }

  private func shapedGlyphs() -> [ShapedGlyph] {
    zip(buffer.infos, buffer.positions).map { info, position in
      ShapedGlyph(
        glyph: GlyphID(UInt16(truncatingIfNeeded: info.glyph)), cluster: info.cluster,
        xAdvance: Double(position.xAdvance), yAdvance: Double(position.yAdvance), xOffset: Double(position.xOffset),
        yOffset: Double(position.yOffset))
    }
  }
}
