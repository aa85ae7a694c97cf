// Division of a paragraph into lines: each line takes as much as fits.

internal import TextShaping

/// A line of a paragraph.
struct WrappedLine {
  /// The characters, without white space at the end.
  var range: Range<Int>
  /// The start of the next line.
  var end: Int
}

extension Paragraph {
  /// Returns the lines. Linear in the number of characters.
  ///
  /// - Parameter width: the width to fit in; `nil` breaks only where a break is mandatory.
  func lines(width: Double?) -> [WrappedLine] {
    let breaks = LineBreak.opportunities(in: scalars)
    var lines: [WrappedLine] = []
    var start = 0
    var opportunity: Int?
    var index = 1
    func end(_ next: Int) {
      lines.append(WrappedLine(range: start..<trimmed(start..<next), end: next))
      start = next
      opportunity = nil
    }
    while index < scalars.count {
      if breaks[index] == .mandatory {
        end(index)
      } else {
        if breaks[index] == .allowed { opportunity = index }
        // White space at the end of a line does not count.
        if let width, !isSpace(index), widths[index + 1] - widths[start] > width {
          if let place = opportunity {
            end(place)
            index = max(place, index - 1)
          } else if isClusterStart[index], index > start {
            end(index)
          }
        }
      }
      index += 1
    }
    if start < scalars.count || scalars.isEmpty { end(scalars.count) }
    return lines
  }

  private func isSpace(_ index: Int) -> Bool { scalars[index].properties.isWhitespace && scalars[index] != "\u{A0}" }

  private func trimmed(_ range: Range<Int>) -> Int {
    var end = range.upperBound
    while end > range.lowerBound, isSpace(end - 1) { end -= 1 }
    return end
  }
}
