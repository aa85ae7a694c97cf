// The glyphs of a run during shaping. Substitutions read them from the front and write to an output buffer, which
// replaces them at the end of each pass. Positioning works in place.

/// A glyph being shaped.
struct GlyphInfo: Sendable {
  /// The character from which the glyph originated.
  var character: UInt32
  var glyph: Int = 0
  /// The features that apply, as bits assigned by ``ShapePlan``.
  var mask: UInt32 = 0
  var cluster: Int
  var properties: GlyphProperties = []
  var traits: CharacterTraits = []
  /// The sort order of marks on one base: the canonical combining class, modified as OpenType fonts expect.
  var combiningClass: UInt8 = 0
  /// The joining action of a letter in a cursive script, as defined by ``ArabicJoining``.
  var joiningAction: UInt8 = 0
  /// The category in the grammar of syllables of the shaping model.
  var category: UInt8 = 0
  /// The place among the glyphs of a syllable; a raw value of ``IndicPlace``.
  var place: UInt8 = 0
  /// The number of the syllable · 16 + its kind; 0 if syllables do not matter.
  var syllable: Int32 = 0
  /// A nonzero number shared by the glyphs of one ligature.
  var ligature: UInt16 = 0
  /// For a mark on a ligature, the number of the component it belongs to, from 1. For a glyph produced by multiple
  /// substitution, its position.
  var ligaturePart: UInt16 = 0
  /// For a ligature, the number of its components.
  var partCount: UInt16 = 0

  init(character: UInt32, cluster: Int) {
    self.character = character
    self.cluster = cluster
  }

  /// Whether the glyph is a ligature formed in this run, whose marks know their components.
  var isLigatureBase: Bool { partCount > 0 }
  /// The number of components that the glyph contributes to a ligature.
  var ligaturePartCount: Int {
    properties.contains(.ligature) && isLigatureBase ? Int(partCount) : 1
  }
  /// Whether the glyph is an unsubstituted default-ignorable character.
  var isIgnorable: Bool { traits.contains(.ignorable) && !properties.contains(.substituted) }
  /// Whether substitutions skip the glyph.
  var isSkippable: Bool { isIgnorable && !traits.contains(.hidden) }
}

/// The traits of a character that shaping uses.
struct CharacterTraits: OptionSet, Sendable {
  let rawValue: UInt16

  /// A mark of any kind.
  static let mark = CharacterTraits(rawValue: 1 << 0)
  /// A nonspacing mark.
  static let nonspacingMark = CharacterTraits(rawValue: 1 << 1)
  /// A default-ignorable character.
  static let ignorable = CharacterTraits(rawValue: 1 << 2)
  /// Invisible, but not skipped by substitutions.
  static let hidden = CharacterTraits(rawValue: 1 << 3)
  static let joiner = CharacterTraits(rawValue: 1 << 4)
  static let nonJoiner = CharacterTraits(rawValue: 1 << 5)
  /// A continuation of the grapheme cluster of the previous character.
  static let continuation = CharacterTraits(rawValue: 1 << 6)
  static let decimalDigit = CharacterTraits(rawValue: 1 << 7)
  /// A space missing from the font, replaced with U+0020.
  static let spaceFallback = CharacterTraits(rawValue: 1 << 8)
}

/// The position of a glyph in whole font units, as in OpenType layout.
struct GlyphPosition: Sendable {
  var xAdvance = 0
  var yAdvance = 0
  var xOffset = 0
  var yOffset = 0
  /// The distance in the buffer to the glyph that this one is attached to; 0 if it is not attached.
  var attachment = 0
  /// Whether the attachment is cursive; otherwise this glyph is a mark.
  var isCursive = false
}

/// The glyphs of a run.
struct GlyphBuffer: Sendable {
  var infos: [GlyphInfo]
  /// The output of the current pass so far.
  var output: [GlyphInfo] = []
  /// Whether ``output`` replaces the glyphs before ``index``.
  var hasOutput = false
  /// The index of the next glyph.
  var index = 0
  var positions: [GlyphPosition] = []
  private var lastLigature: UInt16 = 0
  /// The number of glyphs that were moved or changed by moves and merges, since it was last asked for.
  private var rewrittenCount = 0

  init(_ infos: [GlyphInfo]) {
    self.infos = infos
  }

  var count: Int { infos.count }
  /// The number of glyphs before the next one.
  var backtrackCount: Int { hasOutput ? output.count : index }
  /// The number of glyphs starting with the next one.
  var lookaheadCount: Int { infos.count - index }

  /// The number of glyphs before and after the position, without the input that the output replaces.
  @inline(__always)
  var totalCount: Int { hasOutput ? output.count &+ infos.count &- index : infos.count }

  /// Returns the cost of moves and merges since the last call, in operations, a fraction of which each glyph is.
  @inline(__always)
  mutating func takeRewritingCost() -> Int {
    let cost = rewrittenCount >> 2
    rewrittenCount &= 3
    return cost
  }

  /// Returns a glyph before the next one.
  @inline(__always)
  func backtrack(_ position: Int) -> GlyphInfo { hasOutput ? output[position] : infos[position] }

  /// Returns an unused number for the components of a ligature.
  mutating func makeLigatureNumber() -> UInt16 {
    lastLigature = lastLigature == .max ? 1 : lastLigature + 1
    return lastLigature
  }

  /// Begins writing output.
  mutating func startOutput() {
    hasOutput = true
    output.removeAll(keepingCapacity: true)
    output.reserveCapacity(infos.count)
    index = 0
  }

  /// Replaces the glyphs with the output and the unread remainder.
  mutating func finishOutput() {
    hasOutput = false
    if index < infos.count { output.append(contentsOf: infos[index...]) }
    swap(&infos, &output)
    index = 0
  }

  /// Advances past the next glyph.
  @inline(__always)
  mutating func advance() {
    if hasOutput { output.append(infos[index]) }
    index += 1
  }

  /// Advances to a later glyph.
  mutating func advance(to position: Int) {
    if hasOutput, position > index { output.append(contentsOf: infos[index..<position]) }
    index = position
  }

  /// Moves so that `position` glyphs precede the next one.
  mutating func move(to position: Int) {
    guard hasOutput else {
      index = min(max(position, 0), infos.count)
      return
    }
    if output.count < position { advance(to: min(index + position - output.count, infos.count)) }
    let surplus = output.count - position
    guard surplus > 0 else { return }
    rewrittenCount &+= surplus
    if index < surplus {
      // There is no room before the next glyph, because the output is longer than the input read. The room grows with the
      // number of glyphs, lest each of many moves make some.
      let added = max(surplus - index, infos.count / 4)
      rewrittenCount &+= added &+ infos.count
      infos.insert(contentsOf: repeatElement(GlyphInfo(character: 0, cluster: 0), count: added), at: 0)
      index += added
    }
    index -= surplus
    for offset in 0..<surplus { infos[index + offset] = output[position + offset] }
    output.removeLast(surplus)
  }
}

extension GlyphBuffer {
  /// Merges the clusters of a range of glyphs, and of those that share their clusters, into the smallest one.
  ///
  /// Glyphs that have the smallest cluster already are not visited: each merge of ascending clusters costs no more than
  /// the glyphs that it changes.
  mutating func mergeClusters(_ range: Range<Int>) {
    guard range.count > 1 else { return }
    var (start, end) = (range.lowerBound, range.upperBound)
    var cluster = infos[start].cluster
    // A single cluster needs no merging and no search for its ends.
    if range.allSatisfy({ infos[$0].cluster == cluster }) { return }
    for position in range { cluster = min(cluster, infos[position].cluster) }
    if infos[end - 1].cluster != cluster {
      while end < infos.count, infos[end - 1].cluster == infos[end].cluster { end += 1 }
    }
    if infos[start].cluster != cluster {
      while start > index, infos[start - 1].cluster == infos[start].cluster { start -= 1 }
      if start == index, hasOutput { rewriteOutput(from: infos[start].cluster, to: cluster) }
    }
    for position in start..<end { infos[position].cluster = cluster }
    rewrittenCount &+= end - start
  }

  /// The same for output glyphs.
  mutating func mergeOutputClusters(_ range: Range<Int>) {
    guard range.count > 1 else { return }
    var (start, end) = (range.lowerBound, range.upperBound)
    var cluster = output[start].cluster
    if range.allSatisfy({ output[$0].cluster == cluster }) { return }
    for position in range { cluster = min(cluster, output[position].cluster) }
    if output[start].cluster != cluster {
      while start > 0, output[start - 1].cluster == output[start].cluster { start -= 1 }
    }
    if output[end - 1].cluster != cluster {
      while end < output.count, output[end - 1].cluster == output[end].cluster { end += 1 }
      if end == output.count {
        let old = output[end - 1].cluster
        var position = index
        while position < infos.count, infos[position].cluster == old {
          infos[position].cluster = cluster
          position += 1
        }
        rewrittenCount &+= position - index
      }
    }
    for position in start..<end { output[position].cluster = cluster }
    rewrittenCount &+= end - start
  }

  /// Replaces the cluster of the last output glyphs.
  private mutating func rewriteOutput(from old: Int, to cluster: Int) {
    var position = output.count
    while position > 0, output[position - 1].cluster == old {
      position -= 1
      output[position].cluster = cluster
    }
    rewrittenCount &+= output.count - position
  }

  /// Deletes the next glyph; a neighbour takes over its cluster.
  mutating func deleteNext() {
    let cluster = infos[index].cluster
    let isShared =
      (index + 1 < infos.count && infos[index + 1].cluster == cluster) || output.last?.cluster == cluster
    if !isShared {
      if let last = output.last {
        if cluster < last.cluster { rewriteOutput(from: last.cluster, to: cluster) }
      } else if index + 1 < infos.count {
        mergeClusters(index..<index + 2)
      }
    }
    index += 1
  }

  /// Reverses the order of all glyphs.
  mutating func reverse() {
    infos.reverse()
    positions.reverse()
  }

  /// Reverses the order of grapheme clusters, keeping the order within each.
  mutating func reverseGraphemes() {
    var result: [GlyphInfo] = []
    result.reserveCapacity(infos.count)
    var end = infos.count
    while end > 0 {
      var start = end - 1
      while start > 0, infos[start].traits.contains(.continuation) { start -= 1 }
      result.append(contentsOf: infos[start..<end])
      end = start
    }
    infos = result
  }
}
