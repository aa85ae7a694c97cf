// Myanmar syllables (OpenType, developing fonts for the Myanmar script).

internal import Fonts
internal import ImageCore

/// The syllables of the Myanmar script.
struct MyanmarShaping {
  /// The features applied one after the other to the reordered syllable.
  static let basicFeatures: [Tag] = ["rphf", "pref", "blwf", "pstf"]

  private enum Kind {
    static let consonant = 0
    static let broken = 2
  }

  private static let machine = SyllableMachine(
    symbols: IndicCategory.symbols,
    grammar: """
      j = ZWJ | ZWNJ;
      kinzi = Ra As H;
      c = C | Ra;
      medials = MY? As? MR? ((MW MH? ML? | MH ML? | ML) As?)?;
      mainvowels = (VPre VS?)* VAbv* VBlw* A* (N As?)?;
      postvowels = VPst MH? ML? As* VAbv* A* (N As?)?;
      tones = PT A* N? As?;
      fulltail = As* medials mainvowels postvowels* tones* SM* j?;
      tail = (H (c | V) VS?)* (H | fulltail);
      consonant = (kinzi | CS)? (c | V | PLACEHOLDER | DOTTEDCIRCLE) VS? tail;
      joiner = j;
      broken = kinzi? VS? tail;
      """,
    kinds: ["consonant", "joiner", "broken"])

  private static let consonants = CategorySet(
    .consonant, .consonantWithStacker, .ra, .independentVowel, .placeholder, .dottedCircle)

  func findSyllables(_ buffer: inout GlyphBuffer) { buffer.findSyllables(Self.machine) }

  func reorder(_ buffer: inout GlyphBuffer, circle: GlyphID?) {
    buffer.insertDottedCircles(circle, kind: Kind.broken, category: IndicCategory.dottedCircle.rawValue)
    buffer.forEachSyllable { buffer, range, kind in
      if kind == Kind.consonant || kind == Kind.broken { reorderSyllable(&buffer, range) }
    }
  }

  private func reorderSyllable(_ buffer: inout GlyphBuffer, _ range: Range<Int>) {
    assignPlaces(&buffer, range)
    buffer.sortByPlace(range)
    // Several left vowel signs are in logical order, and those of one syllable are drawn from right to left.
    let left = range.filter { buffer.infos[$0].place == IndicPlace.preMatra.rawValue }
    guard let first = left.first, let last = left.last, first < last else { return }
    buffer.reverse(first..<last + 1)
    var start = first
    for index in first...last where buffer.infos[index].isOf(.vowelBefore) {
      buffer.reverse(start..<index + 1)
      start = index + 1
    }
  }

  private func assignPlaces(_ buffer: inout GlyphBuffer, _ range: Range<Int>) {
    let start = range.lowerBound
    let hasKinzi =
      range.count >= 3 && buffer.infos[start].isOf(.ra) && buffer.infos[start + 1].isOf(.asat)
      && buffer.infos[start + 2].isOf(.halant)
    let afterKinzi = hasKinzi ? start + 3 : start
    let base =
      (afterKinzi..<range.upperBound).first { Self.consonants.contains(buffer.infos[$0]) } ?? start
    var index = start
    func set(_ place: IndicPlace) {
      buffer.infos[index].place = place.rawValue
      index += 1
    }
    while index < afterKinzi { set(.afterMain) }
    while index < base { set(.preBase) }
    if index < range.upperBound { set(.base) }
    var place = IndicPlace.afterMain
    while index < range.upperBound {
      let info = buffer.infos[index]
      if info.isOf(.medialRa) {
        set(.preBase)
      } else if info.isOf(.vowelBefore) {
        set(.preMatra)
      } else if info.isOf(.variationSelector) {
        buffer.infos[index].place = buffer.infos[index - 1].place
        index += 1
      } else if place == .afterMain, info.isOf(.vowelBelow) {
        place = .belowBase
        set(place)
      } else if place == .belowBase, info.isOf(.vedicSign) {
        set(.beforeSub)
      } else {
        if place == .belowBase, !info.isOf(.vowelBelow) { place = .afterSub }
        set(place)
      }
    }
  }
}
