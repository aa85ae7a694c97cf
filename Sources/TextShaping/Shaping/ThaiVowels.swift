// The Thai and Lao vowel AM, which fonts draw as a ring above (nikhahit) and the vowel AA. The ring is moved before the
// tone marks.

enum ThaiVowels {
  /// Decomposes the vowel wherever it occurs.
  static func decompose(_ buffer: inout GlyphBuffer) {
    guard buffer.infos.contains(where: { isAM($0.character) }) else { return }
    buffer.startOutput()
    while buffer.index < buffer.count {
      let info = buffer.infos[buffer.index]
      guard isAM(info.character) else {
        buffer.advance()
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
      buffer.index += 1
      let end = buffer.output.count
      var start = end - 2
      while start > 0, isMarkAbove(buffer.output[start - 1].character) { start -= 1 }
      if start < end - 2 {
        buffer.mergeOutputClusters(start..<end)
        let moved = buffer.output.remove(at: end - 2)
        buffer.output.insert(moved, at: start)
      } else if start > 0 {
        buffer.mergeOutputClusters(start - 1..<end)
      }
    }
    buffer.finishOutput()
  }

  private static func isAM(_ character: UInt32) -> Bool { character & ~0x80 == 0x0E33 }

  private static func isMarkAbove(_ character: UInt32) -> Bool {
    switch character & ~0x80 {
    case 0x0E34...0x0E37, 0x0E47...0x0E4E, 0x0E31, 0x0E3B: true
    default: false
    }
  }
}
