// Normalises characters to what the font supports: missing ones are decomposed, marks are reordered, and supported
// compositions are composed (the method of HarfBuzz's normaliser).

internal import Fonts
internal import ImageCore

/// Canonical decomposition and composition of pairs, including Hangul.
enum CanonicalForms {
  /// Returns the canonical decomposition of a character; the second part is 0 if there is only one.
  static func decomposition(of character: UInt32) -> (first: UInt32, second: UInt32)? {
    if (0xAC00...0xD7A3).contains(character) {
      let index = character - 0xAC00
      let final = index % 28
      // With a final consonant, the parts are the syllable without it and the consonant; otherwise the two letters.
      if final != 0 { return (character - final, 0x11A7 + final) }
      return (0x1100 + index / 588, 0x1161 + index % 588 / 28)
    }
    return tables.decompositions[character]
  }

  /// Returns the composition of two characters.
  static func composition(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if (0x1100...0x1112).contains(first), (0x1161...0x1175).contains(second) {
      return 0xAC00 + (first - 0x1100) * 588 + (second - 0x1161) * 28
    }
    if (0xAC00...0xD7A3).contains(first), (first - 0xAC00) % 28 == 0, (0x11A8...0x11C2).contains(second) {
      return first + second - 0x11A7
    }
    return tables.compositions[UInt64(first) << 32 | UInt64(second)]
  }

  private static let tables: (decompositions: [UInt32: (UInt32, UInt32)], compositions: [UInt64: UInt32]) = {
    let words = TableWords(DecompositionTable.words).words
    var decompositions: [UInt32: (UInt32, UInt32)] = [:]
    var compositions: [UInt64: UInt32] = [:]
    for index in stride(from: 0, to: words.count - 2, by: 3) {
      let isExcluded = words[index].hasPrefix("!")
      let character = UInt32(isExcluded ? words[index].dropFirst() : words[index], radix: 16) ?? 0
      let first = UInt32(words[index + 1], radix: 16) ?? 0
      let second = UInt32(words[index + 2], radix: 16) ?? 0
      decompositions[character] = (first, second)
      if !isExcluded { compositions[UInt64(first) << 32 | UInt64(second)] = character }
    }
    return (decompositions, compositions)
  }()
}

/// Maps the characters of a run to glyphs.
struct Normalizer {
  /// The maximum number of marks on one base that are reordered.
  private static let maximumMarkCount = 32

  let characters: CharacterMap
  let model: ShapingModel
  let hasPositionedMarks: Bool

  /// Assigns a glyph to each character of a buffer. Characters missing from the font get glyph 0.
  func normalize(_ buffer: inout GlyphBuffer) {
    buffer.startOutput()
    let isSimple = decompose(&buffer)
    buffer.finishOutput()
    if isSimple { return }
    orderMarks(&buffer)
    releaseJoiners(&buffer)
    buffer.startOutput()
    recompose(&buffer)
    buffer.finishOutput()
  }

  /// Assigns a glyph to each character without normalising.
  func mapCharacters(_ buffer: inout GlyphBuffer) {
    buffer.startOutput()
    while buffer.index < buffer.count { decomposeNext(&buffer, prefersShort: true) }
    buffer.finishOutput()
  }

  // MARK: Decomposition

  /// Returns whether there are no marks on bases.
  private func decompose(_ buffer: inout GlyphBuffer) -> Bool {
    var isSimple = true
    while buffer.index < buffer.count {
      var end = buffer.index + 1
      while end < buffer.count, !buffer.infos[end].traits.contains(.mark) { end += 1 }
      // A base is left for the marks that follow it.
      if end < buffer.count { end -= 1 }
      while buffer.index < end { decomposeNext(&buffer, prefersShort: !model.hasSyllables) }
      guard buffer.index < buffer.count else { break }
      isSimple = false
      end = buffer.index + 1
      while end < buffer.count, buffer.infos[end].traits.contains(.mark) { end += 1 }
      decomposeCluster(&buffer, end: end)
    }
    return isSimple
  }

  private func decomposeCluster(_ buffer: inout GlyphBuffer, end: Int) {
    while buffer.index < end {
      let next = buffer.index + 1
      if next < end, CharacterProperties.isVariationSelector(buffer.infos[next].character) {
        let info = buffer.infos[buffer.index]
        let selector = buffer.infos[next].character
        if let glyph = characters.glyph(for: info.character, variationSelector: selector) {
          buffer.mergeClusters(buffer.index..<next + 1)
          append(&buffer, info.character, glyph.index)
          buffer.index += 2
          continue
        }
      }
      decomposeNext(&buffer, prefersShort: false)
    }
  }

  /// - Parameter prefersShort: whether characters that the font has remain composed.
  private func decomposeNext(_ buffer: inout GlyphBuffer, prefersShort: Bool) {
    let character = buffer.infos[buffer.index].character
    if prefersShort, let glyph = characters.glyph(for: character) {
      append(&buffer, character, glyph.index)
    } else if appendDecomposition(&buffer, of: character, prefersShort: prefersShort) {
      // The parts have been written.
    } else if !prefersShort, let glyph = characters.glyph(for: character) {
      append(&buffer, character, glyph.index)
    } else if let glyph = substituteGlyph(for: character) {
      append(&buffer, character, glyph.index)
      if CharacterProperties.isSpace(character) {
        buffer.output[buffer.output.count - 1].traits.insert(.spaceFallback)
      }
    } else {
      append(&buffer, character, 0)
    }
    buffer.index += 1
  }

  /// Returns the substitute for a special space or hyphen that the font lacks.
  private func substituteGlyph(for character: UInt32) -> GlyphID? {
    if CharacterProperties.isSpace(character) { return characters.glyph(for: 0x20) }
    // The non-breaking hyphen.
    return character == 0x2011 ? characters.glyph(for: 0x2010) : nil
  }

  /// Writes the parts of a character if the font has them all. Decompositions are only a few levels deep.
  private func appendDecomposition(
    _ buffer: inout GlyphBuffer, of character: UInt32, prefersShort: Bool
  ) -> Bool {
    guard let (first, second) = decomposition(of: character) else { return false }
    var secondGlyph: GlyphID?
    if second != 0 {
      guard let glyph = characters.glyph(for: second) else { return false }
      secondGlyph = glyph
    }
    let firstGlyph = characters.glyph(for: first)
    if prefersShort, let firstGlyph {
      append(&buffer, first, firstGlyph.index)
    } else if appendDecomposition(&buffer, of: first, prefersShort: prefersShort) {
      // The parts have been written.
    } else if let firstGlyph {
      append(&buffer, first, firstGlyph.index)
    } else {
      return false
    }
    if let secondGlyph { append(&buffer, second, secondGlyph.index) }
    return true
  }

  private func append(_ buffer: inout GlyphBuffer, _ character: UInt32, _ glyph: Int) {
    var info = buffer.infos[buffer.index]
    if info.character != character { setCharacter(&info, character) }
    info.glyph = glyph
    buffer.output.append(info)
  }

  private func setCharacter(_ info: inout GlyphInfo, _ character: UInt32) {
    let isContinuation = info.traits.contains(.continuation)
    info.character = character
    info.traits = CharacterProperties.traits(of: character)
    info.combiningClass = info.traits.contains(.mark) ? CharacterProperties.markOrder(of: character) : 0
    if isContinuation { info.traits.insert(.continuation) }
  }

  // MARK: Reordering

  private func orderMarks(_ buffer: inout GlyphBuffer) {
    var start = 0
    while start < buffer.count {
      guard buffer.infos[start].combiningClass != 0 else {
        start += 1
        continue
      }
      var end = start + 1
      while end < buffer.count, buffer.infos[end].combiningClass != 0 { end += 1 }
      if end - start <= Normalizer.maximumMarkCount {
        sortMarks(&buffer, start..<end)
        if model == .arabic { ArabicMarks.reorder(&buffer, start..<end) }
        if model == .hebrew { HebrewForms.reorderMarks(&buffer, start..<end) }
      }
      start = end
    }
  }

  /// A combining grapheme joiner that kept no marks from being reordered is skipped by substitutions.
  private func releaseJoiners(_ buffer: inout GlyphBuffer) {
    for index in buffer.infos.indices.dropFirst().dropLast() where buffer.infos[index].character == 0x034F {
      let next = buffer.infos[index + 1].combiningClass
      if next == 0 || buffer.infos[index - 1].combiningClass <= next { buffer.infos[index].traits.remove(.hidden) }
    }
  }

  /// Sorts marks by class with a stable sort. Reordered marks share a cluster.
  private func sortMarks(_ buffer: inout GlyphBuffer, _ range: Range<Int>) {
    for index in range.dropFirst() {
      let combiningClass = buffer.infos[index].combiningClass
      var place = index
      while place > range.lowerBound, buffer.infos[place - 1].combiningClass > combiningClass { place -= 1 }
      if place == index { continue }
      buffer.index = 0
      buffer.mergeClusters(place..<index + 1)
      buffer.moveGlyph(from: index, to: place)
    }
  }

  // MARK: Composition

  private func recompose(_ buffer: inout GlyphBuffer) {
    var starter = 0
    buffer.advance()
    while buffer.index < buffer.count {
      let info = buffer.infos[buffer.index]
      let last = buffer.output.count - 1
      let isFree = starter == last || buffer.output[last].combiningClass < info.combiningClass
      if info.traits.contains(.mark), isFree,
        let composed = compose(buffer.output[starter].character, info.character),
        let glyph = characters.glyph(for: composed)
      {
        buffer.advance()
        buffer.mergeOutputClusters(starter..<buffer.output.count)
        buffer.output.removeLast()
        setCharacter(&buffer.output[starter], composed)
        buffer.output[starter].glyph = glyph.index
        continue
      }
      buffer.advance()
      if buffer.output[buffer.output.count - 1].combiningClass == 0 { starter = buffer.output.count - 1 }
    }
  }

  private func compose(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if model == .indic || model == .khmer || model == .universal {
      // Vowel signs of several parts remain separate, since their parts are reordered.
      if CharacterProperties.traits(of: first).contains(.mark) { return nil }
      // Bengali YYA, which is excluded from composition.
      if model == .indic, first == 0x09AF, second == 0x09BC { return 0x09DF }
    }
    if let composed = CanonicalForms.composition(first, second) { return composed }
    // Fonts without mark positioning have precomposed Hebrew letters with points.
    return model == .hebrew && !hasPositionedMarks ? HebrewForms.composition(first, second) : nil
  }

  private func decomposition(of character: UInt32) -> (first: UInt32, second: UInt32)? {
    switch (model, character) {
    // Letters that are not a consonant and a mark for their script.
    case (.indic, 0x0931), (.indic, 0x09DC), (.indic, 0x09DD), (.indic, 0x0B94): return nil
    // The left part of Khmer vowel signs is drawn before the syllable.
    case (.khmer, 0x17BE), (.khmer, 0x17BF), (.khmer, 0x17C0), (.khmer, 0x17C4), (.khmer, 0x17C5):
      return (0x17C1, character)
    default: return CanonicalForms.decomposition(of: character)
    }
  }
}

/// Returns the canonical decomposition of a character; `nil` if it has none.
package func canonicalDecomposition(of scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
  guard let (first, second) = CanonicalForms.decomposition(of: scalar.value) else { return nil }
  return [first, second].filter { $0 != 0 }.compactMap(Unicode.Scalar.init)
}

/// Returns the character that two characters compose to; `nil` if there is none.
package func canonicalComposition(of scalars: [Unicode.Scalar]) -> Unicode.Scalar? {
  guard scalars.count == 2 else { return nil }
  return CanonicalForms.composition(scalars[0].value, scalars[1].value).flatMap(Unicode.Scalar.init)
}
