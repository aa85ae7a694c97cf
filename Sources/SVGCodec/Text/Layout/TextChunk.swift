// Division of text at absolute positions and at element boundaries.

/// A sequence of characters that is anchored as a unit: from one absolute position to the next.
struct TextChunk {
  /// The range among the drawn characters.
  var characters: Range<Int>
  /// The absolute position. NaN if the chunk continues at the end of the previous one.
  var x: Double
  var y: Double
  /// The enclosing `textPath`, as an index of the content's elements; −1 if there is none.
  var path: Int32
}

/// Consecutive characters of one element, which are painted together.
struct TextSegment {
  var characters: Range<Int>
  var span: Int
}

extension DrawnText {
  /// Returns the chunks of the text (SVG 2, section 11.4.1).
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

  /// Returns the segments of a range of characters.
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
