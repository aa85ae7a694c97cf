// The glyphs of a run while they are shaped: substitutions read them from the front and write to an output that takes
// their place at the end of a pass; positioning works in place.

/// A glyph being shaped.
struct GlyphInfo: Sendable {
  /// The character that the glyph started as.
  var character: UInt32
  var glyph: Int = 0
  /// The features that apply, as ``ShapePlan`` numbers them.
  var mask: UInt32 = 0
  var cluster: Int
  var properties: GlyphProperties = []
  var traits: CharacterTraits = []
  /// The order of marks on one base: the canonical combining class, changed where OpenType fonts expect it.
  var combiningClass: UInt8 = 0
  /// What a letter of a cursive script does, as a number of ``ArabicJoining``'s actions.
  var joiningAction: UInt8 = 0
  /// Glyphs of one ligature share a number that is not 0.
  var ligature: UInt16 = 0
  /// For a mark on a ligature, the part that it belongs to, from 1; for a part of what was one glyph, its place.
  var ligaturePart: UInt16 = 0
  /// For a ligature, the number of its parts.
  var partCount: UInt16 = 0

  init(character: UInt32, cluster: Int) {
    self.character = character
    self.cluster = cluster
  }

  /// Whether the glyph is a ligature of this run, whose marks know its parts.
  var isLigatureBase: Bool { partCount > 0 }
  /// The number of parts that the glyph counts in a ligature.
  var ligaturePartCount: Int {
    properties.contains(.ligature) && isLigatureBase ? Int(partCount) : 1
  }
  /// Whether the glyph is an unchanged character that is normally not seen.
  var isIgnorable: Bool { traits.contains(.ignorable) && !properties.contains(.substituted) }
  /// Whether substitutions look past the glyph.
  var isSkippable: Bool { isIgnorable && !traits.contains(.hidden) }
}

/// What shaping wants to know of a character.
struct CharacterTraits: OptionSet, Sendable {
  let rawValue: UInt16

  /// A mark of any kind.
  static let mark = CharacterTraits(rawValue: 1 << 0)
  /// A mark without width.
  static let nonspacingMark = CharacterTraits(rawValue: 1 << 1)
  /// Normally not seen.
  static let ignorable = CharacterTraits(rawValue: 1 << 2)
  /// Not seen, but substitutions see it.
  static let hidden = CharacterTraits(rawValue: 1 << 3)
  static let joiner = CharacterTraits(rawValue: 1 << 4)
  static let nonJoiner = CharacterTraits(rawValue: 1 << 5)
  /// Part of the grapheme that the character before belongs to.
  static let continuation = CharacterTraits(rawValue: 1 << 6)
  static let decimalDigit = CharacterTraits(rawValue: 1 << 7)
  /// A space that the font lacks and U+0020 stands for.
  static let spaceFallback = CharacterTraits(rawValue: 1 << 8)
}

/// Where a glyph stands; whole font units, as OpenType's layout computes.
struct GlyphPosition: Sendable {
  var xAdvance = 0
  var yAdvance = 0
  var xOffset = 0
  var yOffset = 0
  /// How far in the buffer the glyph is that this one hangs on; 0 for none.
  var attachment = 0
  /// Whether the two connect as strokes; else this one is a mark.
  var isCursive = false
}

/// The glyphs of a run.
struct GlyphBuffer: Sendable {
  var infos: [GlyphInfo]
  /// What the pass has written so far.
  var output: [GlyphInfo] = []
  /// Whether ``output`` takes the place of what lies before ``index``.
  var hasOutput = false
  /// The next glyph.
  var index = 0
  var positions: [GlyphPosition] = []
  private var lastLigature: UInt16 = 0

  init(_ infos: [GlyphInfo]) {
    self.infos = infos
  }

  var count: Int { infos.count }
  /// The number of glyphs before the next one.
  var backtrackCount: Int { hasOutput ? output.count : index }
  /// The number of glyphs from the next one on.
  var lookaheadCount: Int { infos.count - index }

  /// A glyph before the next one.
  @inline(__always)
  func backtrack(_ position: Int) -> GlyphInfo { hasOutput ? output[position] : infos[position] }

  /// A new number for the parts of a ligature.
  mutating func makeLigatureNumber() -> UInt16 {
    lastLigature = lastLigature == .max ? 1 : lastLigature + 1
    return lastLigature
  }

  /// Starts to write.
  mutating func startOutput() {
    hasOutput = true
    output.removeAll(keepingCapacity: true)
    output.reserveCapacity(infos.count)
    index = 0
  }

  /// Puts what was written, and what was not read, in the place of the glyphs.
  mutating func finishOutput() {
    hasOutput = false
    if index < infos.count { output.append(contentsOf: infos[index...]) }
    swap(&infos, &output)
    index = 0
  }

  /// Moves past the next glyph.
  @inline(__always)
  mutating func advance() {
    if hasOutput { output.append(infos[index]) }
    index += 1
  }

  /// Moves past the glyphs before a later one.
  mutating func advance(to position: Int) {
    if hasOutput, position > index { output.append(contentsOf: infos[index..<position]) }
    index = position
  }

  /// Moves so that `position` glyphs lie before the next one.
  mutating func move(to position: Int) {
    guard hasOutput else {
      index = min(max(position, 0), infos.count)
      return
    }
    if output.count < position { advance(to: min(index + position - output.count, infos.count)) }
    let surplus = output.count - position
    guard surplus > 0 else { return }
    if index < surplus {
      // No room before the next glyph: the output is longer than what was read.
      let filler = repeatElement(GlyphInfo(character: 0, cluster: 0), count: surplus - index)
      infos.insert(contentsOf: filler, at: 0)
      index = surplus
    }
    index -= surplus
    for offset in 0..<surplus { infos[index + offset] = output[position + offset] }
    output.removeLast(surplus)
  }
}

extension GlyphBuffer {
  /// Gives some glyphs from the next one on, and those that share clusters with them, their smallest cluster.
  mutating func mergeClusters(_ range: Range<Int>) {
    guard range.count > 1 else { return }
    var (start, end) = (range.lowerBound, range.upperBound)
    var cluster = infos[start].cluster
    // One cluster needs no merging, and its ends no looking for.
    if range.allSatisfy({ infos[$0].cluster == cluster }) { return }
    for position in range { cluster = min(cluster, infos[position].cluster) }
    while end < infos.count, infos[end - 1].cluster == infos[end].cluster { end += 1 }
    while start > index, infos[start - 1].cluster == infos[start].cluster { start -= 1 }
    if start == index, hasOutput {
      let old = infos[start].cluster
      var position = output.count
      while position > 0, output[position - 1].cluster == old {
        position -= 1
        output[position].cluster = cluster
      }
    }
    for position in start..<end { infos[position].cluster = cluster }
  }

  /// The same for glyphs that were written.
  mutating func mergeOutputClusters(_ range: Range<Int>) {
    guard range.count > 1 else { return }
    var (start, end) = (range.lowerBound, range.upperBound)
    var cluster = output[start].cluster
    if range.allSatisfy({ output[$0].cluster == cluster }) { return }
    for position in range { cluster = min(cluster, output[position].cluster) }
    while start > 0, output[start - 1].cluster == output[start].cluster { start -= 1 }
    while end < output.count, output[end - 1].cluster == output[end].cluster { end += 1 }
    if end == output.count {
      let old = output[end - 1].cluster
      var position = index
      while position < infos.count, infos[position].cluster == old {
        infos[position].cluster = cluster
        position += 1
      }
    }
    for position in start..<end { output[position].cluster = cluster }
  }

  /// Drops the next glyph; its cluster lives on in a neighbour.
  mutating func deleteNext() {
    let cluster = infos[index].cluster
    let isShared =
      (index + 1 < infos.count && infos[index + 1].cluster == cluster) || output.last?.cluster == cluster
    if !isShared {
      if let last = output.last {
        if cluster < last.cluster {
          var position = output.count
          while position > 0, output[position - 1].cluster == last.cluster {
            position -= 1
            output[position].cluster = cluster
          }
        }
      } else if index + 1 < infos.count {
        mergeClusters(index..<index + 2)
      }
    }
    index += 1
  }

  /// Turns the order around.
  mutating func reverse() {
    infos.reverse()
    positions.reverse()
  }

  /// Turns the order of graphemes around, keeping that within each.
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
