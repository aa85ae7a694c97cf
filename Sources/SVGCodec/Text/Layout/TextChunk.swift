// Text cut where it is anchored anew and where its element changes.

/// A run of characters that is aligned as a whole: from one absolute position to the next.
struct TextChunk {
  /// Of the characters that are drawn.
  var characters: Range<Int>
  /// NaN where the chunk goes on where the one before ended.
  var x: Double
  var y: Double
  /// The `textPath` around it, as an index of the content's elements; -1 when there is none.
  var path: Int32
}

/// Characters of one element next to each other: what is painted together.
struct TextSegment {
  var characters: Range<Int>
  var span: Int
}

extension DrawnText {
  /// The chunks of the text (SVG 2, section 11.4.1).
  func chunks(_ content: TextContent, _ positions: CharacterPositions) -> [TextChunk] {
    var chunks: [TextChunk] = []
    for index in scalars.indices {
      let position = positions[Int(sources[index])]
      let path = content.spans[Int(spans[index])].path
      if let last = chunks.last, last.path == path, !position.startsChunk {
        chunks[chunks.count - 1].characters = last.characters.lowerBound..<index + 1
      } else {
        chunks.append(TextChunk(characters: index..<index + 1, x: position.x, y: position.y, path: path))
      }
    }
    return chunks
  }

  /// The segments of some characters.
  func segments(of range: Range<Int>) -> [TextSegment] {
    var segments: [TextSegment] = []
    for index in range {
      if let last = segments.last, last.span == Int(spans[index]) {
        segments[segments.count - 1].characters = last.characters.lowerBound..<index + 1
      } else {
        segments.append(TextSegment(characters: index..<index + 1, span: Int(spans[index])))
      }
    }
    return segments
  }
}
