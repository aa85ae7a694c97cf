// The Thai and Lao vowel AM, which fonts draw as a ring above (nikhahit) and the vowel AA. The ring is moved before the
// tone marks.

enum ThaiVowels {
  /// Decomposes the vowel wherever it occurs.
  static func decompose(_ buffer: inout GlyphBuffer) {
    guard buffer.infos.contains(where: { isAM($0.character) }) else { return }
    buffer.startOutput()
    var joints = ClusterJoints()
    while buffer.index < buffer.count {
      let info = buffer.infos[buffer.index]
      guard isAM(info.character) else {
        buffer.advance()
        joints.append()
        continue
      }
      var ring = info
      // U+0E33 decomposes to U+0E4D and U+0E32; Lao is 0x80 higher.
      ring.character = info.character - 0x0E33 + 0x0E4D
      ring.traits = CharacterProperties.traits(of: ring.character)
      ring.combiningClass = CharacterProperties.markOrder(of: ring.character)
      var vowel = info
      vowel.character = info.character - 1
      buffer.output.append(ring)
      buffer.output.append(vowel)
      joints.append()
      joints.append()
      buffer.index += 1
      let end = buffer.output.count
      var start = end - 2
      while start > 0, isMarkAbove(buffer.output[start - 1].character) { start -= 1 }
      if start < end - 2 {
        joints.join(start..<end, buffer.output)
        for place in stride(from: end - 2, to: start, by: -1) { buffer.output[place] = buffer.output[place - 1] }
        buffer.output[start] = ring
      } else if start > 0 {
        joints.join(start - 1..<end, buffer.output)
      }
    }
    buffer.finishOutput()
    joints.merge(&buffer.infos)
  }

  /// The glyphs whose clusters are merged with those before them. They are merged together at the end, since clusters grow
  /// with each vowel of a sequence.
  private struct ClusterJoints {
    private var isJoined: [Bool] = []

    /// Adds a glyph.
    mutating func append() { isJoined.append(false) }

    /// Joins the clusters of a range of glyphs, the first of which may share its cluster with the glyph before it.
    mutating func join(_ range: Range<Int>, _ infos: [GlyphInfo]) {
      let first = range.lowerBound
      if first > 0, infos[first - 1].cluster == infos[first].cluster { isJoined[first] = true }
      for index in range.dropFirst() { isJoined[index] = true }
    }

    /// Assigns to joined clusters the smallest of them.
    func merge(_ infos: inout [GlyphInfo]) {
      var start = 0
      while start < infos.count {
        var end = start + 1
        var cluster = infos[start].cluster
        while end < infos.count, isJoined[end] || infos[end].cluster == infos[end - 1].cluster {
          cluster = min(cluster, infos[end].cluster)
          end += 1
        }
        for index in start..<end { infos[index].cluster = cluster }
        start = end
      }
    }
  }

  private static func isAM(_ character: UInt32) -> Bool { character & ~0x80 == 0x0E33 }

  private static func isMarkAbove(_ character: UInt32) -> Bool {
    switch character & ~0x80 {
    case 0x0E34...0x0E37, 0x0E47...0x0E4E, 0x0E31, 0x0E3B: true
    default: false
    }
  }
}
