// The steps that all shaping models with syllables share: finding the syllables, marking broken ones with a dotted
// circle, and moving glyphs.

internal import Fonts

extension GlyphBuffer {
  /// Numbers the syllables and records their kinds.
  ///
  /// - Parameter isIncluded: whether a glyph counts; others belong to the syllable before them, if there is one.
  mutating func findSyllables(_ machine: SyllableMachine, where isIncluded: [Bool]? = nil) {
    var indices = Array(infos.indices)
    if let isIncluded { indices = indices.filter { isIncluded[$0] } }
    let categories = indices.map { infos[$0].category }
    var serial: Int32 = 0
    var start = 0
    while start < indices.count {
      let syllable = machine.syllable(in: categories, from: start)
      serial += 1
      let last = syllable.end < indices.count ? indices[syllable.end] : infos.count
      for index in indices[start]..<last { infos[index].syllable = serial << 4 | Int32(syllable.kind) }
      start = syllable.end
    }
  }

  /// Forgets the syllables.
  mutating func clearSyllables() {
    for index in infos.indices { infos[index].syllable = 0 }
  }

  /// Calls a function with each syllable's range and kind.
  mutating func forEachSyllable(_ body: (inout GlyphBuffer, Range<Int>, Int) -> Void) {
    // Glyphs before the first syllable are left alone.
    var start = infos.firstIndex { $0.syllable != 0 } ?? infos.count
    while start < infos.count {
      let syllable = infos[start].syllable
      var end = start + 1
      while end < infos.count, infos[end].syllable == syllable { end += 1 }
      body(&self, start..<end, Int(syllable & 15))
      start = end
    }
  }

  /// Inserts a dotted circle at the start of each broken syllable, after a repha.
  mutating func insertDottedCircles(
    _ circle: GlyphID?, kind: Int, category: UInt8, place: UInt8 = 0, after repha: UInt8? = nil
  ) {
    guard let circle, infos.contains(where: { $0.syllable != 0 && Int($0.syllable & 15) == kind }) else { return }
    var result: [GlyphInfo] = []
    result.reserveCapacity(infos.count + 1)
    var last: Int32 = 0
    var index = 0
    while index < infos.count {
      let info = infos[index]
      if info.syllable != last, info.syllable != 0, Int(info.syllable & 15) == kind {
        last = info.syllable
        var inserted = GlyphInfo(character: 0x25CC, cluster: info.cluster)
        inserted.glyph = circle.index
        inserted.mask = info.mask
        inserted.syllable = info.syllable
        inserted.category = category
        inserted.place = place
        while let repha, index < infos.count, infos[index].syllable == last, infos[index].category == repha {
          result.append(infos[index])
          index += 1
        }
        result.append(inserted)
      } else {
        result.append(info)
        index += 1
      }
    }
    infos = result
  }

  /// Moves a glyph to an earlier or later position; those between give way.
  mutating func moveGlyph(from old: Int, to new: Int) {
    let info = infos[old]
    if old < new {
      for index in old..<new { infos[index] = infos[index + 1] }
    } else {
      for index in stride(from: old, to: new, by: -1) { infos[index] = infos[index - 1] }
    }
    infos[new] = info
  }

  /// Sorts the glyphs of a syllable by their places with a stable sort. Glyphs that move past each other share a
  /// cluster.
  mutating func sortByPlace(_ range: Range<Int>) {
    for index in range.dropFirst() {
      var target = index
      while target > range.lowerBound, infos[target - 1].place > infos[index].place { target -= 1 }
      if target == index { continue }
      mergeClusters(target..<index + 1)
      moveGlyph(from: index, to: target)
    }
  }

  /// Reverses the order of some glyphs.
  mutating func reverse(_ range: Range<Int>) {
    infos[range].reverse()
  }
}

extension GlyphInfo {
  /// Whether the glyph results from a ligature substitution.
  var isLigated: Bool { properties.contains(.ligated) }
  /// Whether it is a ligature that no later substitution divided.
  var isLigatedOnly: Bool { properties.contains(.ligated) && !properties.contains(.multiplied) }
  /// The position of the glyph in a multiple substitution.
  var componentNumber: Int { isLigatureBase ? 0 : Int(ligaturePart) }
}
