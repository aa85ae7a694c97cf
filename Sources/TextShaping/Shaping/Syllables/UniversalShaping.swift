// Syllables of the scripts without a separate shaping model (OpenType, Universal Shaping Engine).

internal import Fonts
internal import ImageCore

/// The syllables of a script of the Universal Shaping Engine.
struct UniversalShaping {
  /// The features that form glyphs within a syllable.
  static let basicFeatures: [Tag] = ["rkrf", "abvf", "blwf", "half", "pstf", "vatu", "cjct"]
  /// The features of a syllable's position within its word.
  static let topographicFeatures: [Tag] = ["isol", "init", "medi", "fina"]

  let plan: ShapePlan

  private enum Kind {
    static let viramaTerminated = 0
    static let sakotTerminated = 1
    static let standard = 2
    static let symbol = 5
    static let hieroglyphs = 6
    static let nonCluster = 7
    static let broken = 8
    static let other = 9
  }

  private static let machine = SyllableMachine(
    symbols: UniversalCategory.symbols,
    grammar: """
      h = H | HVM | IS | Sk;
      modifiers = CMAbv* CMBlw* ((h B | SUB) CMAbv* CMBlw*)*;
      medials = MPre? MAbv? MBlw? MPst?;
      vowels = VPre* VAbv* VBlw* VPst* | H;
      vowelmodifiers = HVM? VMPre* VMAbv* VMBlw* VMPst*;
      finals = FAbv* FBlw* FPst*;
      finalmodifiers = FMAbv* FMBlw* | FMPst?;
      head = (R | CS)? (B | GB);
      middle = modifiers medials vowels vowelmodifiers (Sk B)*;
      fulltail = middle finals finalmodifiers;
      joinednumbers = (HN N)* HN;
      numbers = (HN N)+;
      symbols = SMAbv+ SMBlw* | SMBlw+;
      viramatail = modifiers IS;
      sakottail = middle Sk;
      tail = fulltail | sakottail | symbols | viramatail;
      virama = head viramatail ZWNJ?;
      sakot = head sakottail ZWNJ?;
      standard = head fulltail ZWNJ?;
      numberjoiner = N joinednumbers ZWNJ?;
      numeral = N numbers? ZWNJ?;
      symbol = (O | GB | SB) tail? ZWNJ?;
      hieroglyphs = (SB+ | SB* G SE* (J SE* (G SE*)?)*) ZWNJ?;
      lonemodifier = FMPst ZWNJ?;
      broken = R? (tail | joinednumbers | numbers) ZWNJ?;
      """,
    kinds: [
      "virama", "sakot", "standard", "numberjoiner", "numeral", "symbol", "hieroglyphs", "lonemodifier", "broken",
    ])

  /// Assigns the category of each character.
  func assignCategories(_ buffer: inout GlyphBuffer) {
    for index in buffer.infos.indices {
      buffer.infos[index].category = UniversalCategory.value(of: buffer.infos[index].character)
    }
  }

  /// Finds the syllables and selects the glyphs for the repha and for the forms in words.
  func findSyllables(_ buffer: inout GlyphBuffer) {
    buffer.findSyllables(Self.machine, where: includedGlyphs(buffer))
    selectRephas(&buffer)
    selectForms(&buffer)
  }

  /// Joiners and marks without effect are not part of the grammar; nor is a non-joiner before a mark.
  private func includedGlyphs(_ buffer: GlyphBuffer) -> [Bool] {
    var result = [Bool](repeating: true, count: buffer.count)
    var nextIsMark = false
    for index in buffer.infos.indices.reversed() {
      let info = buffer.infos[index]
      let category = UniversalCategory(rawValue: info.category)
      if category == .joinerMark {
        result[index] = false
      } else {
        if category == .nonJoiner, nextIsMark { result[index] = false }
        nextIsMark = info.traits.contains(.mark)
      }
    }
    return result
  }

  private func selectRephas(_ buffer: inout GlyphBuffer) {
    let mask = plan.mask("rphf")
    guard mask != 0 else { return }
    buffer.forEachSyllable { buffer, range, _ in
      let isRepha = buffer.infos[range.lowerBound].category == UniversalCategory.repha.rawValue
      for index in range.prefix(isRepha ? 1 : 3) { buffer.infos[index].mask |= mask }
    }
  }

  /// Selects the positional forms of syllables for which the font has features, unless the letters of the script join.
  private func selectForms(_ buffer: inout GlyphBuffer) {
    guard !plan.joinsLetters else { return }
    let masks = Self.topographicFeatures.map { tag in
      plan.mask(tag) == ShapePlan.everywhere ? 0 : plan.mask(tag)
    }
    let all = masks.reduce(0, |)
    guard all != 0 else { return }
    let (isolated, initial, medial, final) = (0, 1, 2, 3)
    var previous = 0..<0
    var form: Int?
    buffer.forEachSyllable { buffer, range, kind in
      defer { previous = range }
      guard ![Kind.hieroglyphs, Kind.nonCluster, Kind.other].contains(kind) else {
        form = nil
        return
      }
      let joins = form == final || form == isolated
      if joins {
        let earlier = form == final ? medial : initial
        for index in previous { buffer.infos[index].mask = buffer.infos[index].mask & ~all | masks[earlier] }
      }
      let own = joins ? final : isolated
      form = own
      for index in range { buffer.infos[index].mask = buffer.infos[index].mask & ~all | masks[own] }
    }
  }

  // MARK: Between features

  /// Forgets which glyphs were substituted.
  func clearSubstitutions(_ buffer: inout GlyphBuffer) {
    for index in buffer.infos.indices { buffer.infos[index].properties.remove(.substituted) }
  }

  /// Records which glyphs became a repha.
  func recordRepha(_ buffer: inout GlyphBuffer) {
    let mask = plan.mask("rphf")
    guard mask != 0 else { return }
    buffer.forEachSyllable { buffer, range, _ in
      for index in range {
        guard buffer.infos[index].mask & mask != 0 else { break }
        if buffer.infos[index].properties.contains(.substituted) {
          buffer.infos[index].category = UniversalCategory.repha.rawValue
          break
        }
      }
    }
  }

  /// Records which glyphs became forms before the base.
  func recordPreBase(_ buffer: inout GlyphBuffer) {
    buffer.forEachSyllable { buffer, range, _ in
      for index in range where buffer.infos[index].properties.contains(.substituted) {
        buffer.infos[index].category = UniversalCategory.vowelBefore.rawValue
        break
      }
    }
  }

  // MARK: Reordering

  func reorder(_ buffer: inout GlyphBuffer, circle: GlyphID?) {
    buffer.insertDottedCircles(
      circle, kind: Kind.broken, category: UniversalCategory.base.rawValue, after: UniversalCategory.repha.rawValue)
    buffer.forEachSyllable { buffer, range, kind in
      switch kind {
      case Kind.viramaTerminated, Kind.sakotTerminated, Kind.standard, Kind.symbol, Kind.broken:
        reorderSyllable(&buffer, range)
      default: break
      }
    }
  }

  private func reorderSyllable(_ buffer: inout GlyphBuffer, _ range: Range<Int>) {
    let start = range.lowerBound
    // A repha moves back, before the first glyph after the base.
    if buffer.infos[start].category == UniversalCategory.repha.rawValue, range.count > 1 {
      let postBase = range.dropFirst().first { index in
        let category = UniversalCategory(rawValue: buffer.infos[index].category)
        return category?.isPostBase ?? false || isHalant(buffer.infos[index])
      }
      let target = postBase.map { $0 - 1 } ?? range.upperBound - 1
      buffer.mergeClusters(start..<target + 1)
      buffer.moveGlyph(from: start, to: target)
    }
    // Forms before the base move to the start or after the last halant.
    var target = start
    for index in range {
      let info = buffer.infos[index]
      if isHalant(info) {
        target = index + 1
      } else if info.category == UniversalCategory.vowelBefore.rawValue
        || info.category == UniversalCategory.vowelModifierBefore.rawValue, info.componentNumber == 0, target < index
      {
        buffer.mergeClusters(target..<index + 1)
        buffer.moveGlyph(from: index, to: target)
      }
    }
  }

  private func isHalant(_ info: GlyphInfo) -> Bool {
    switch UniversalCategory(rawValue: info.category) {
    case .halant, .halantOrVowelModifier, .invisibleStacker: !info.isLigated
    default: false
    }
  }
}
