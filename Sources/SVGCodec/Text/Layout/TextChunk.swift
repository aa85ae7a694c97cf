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
  /// The number of the line.
  var line = 0
  /// Whether the chunk is the first of its line.
  var startsLine = false
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
    var line = 0
    for index in scalars.indices {
      if scalars[index] == "\n" {
        line += 1
        continue
      }
      let position = isFirst(index) ? positions[Int(sources[index])] : CharacterPositions.Position()
      let path = content.spans[Int(spans[index])].path
      if let last = chunks.last, last.path == path, last.line == line, !position.startsChunk {
        chunks[chunks.count - 1].characters = last.characters.lowerBound..<index + 1
      } else {
        let startsLine = line > (chunks.last?.line ?? 0)
        chunks.append(
          TextChunk(
            characters: index..<index + 1, x: position.x, y: position.y, path: path, line: line, startsLine: startsLine)
        )
      }
    }
    return chunks
  }

  /// Returns the lines that result from splitting the text at preserved line breaks, which are excluded.
  func lines() -> [Range<Int>] {
    guard hasControls else { return [scalars.indices] }
    var lines: [Range<Int>] = []
    var start = 0
    for index in scalars.indices where scalars[index] == "\n" {
      lines.append(start..<index)
      start = index + 1
    }
    return lines + [start..<scalars.count]
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
