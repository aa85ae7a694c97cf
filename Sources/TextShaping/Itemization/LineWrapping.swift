// Division of a paragraph into lines: each line takes as much as fits (CSS Text 3, section 5).

/// The characters of a paragraph and their widths, ready to be divided into lines.
package struct LineWrapping {
  /// A line of a paragraph.
  package struct Line: Hashable, Sendable {
    /// The characters, without the white space at the end that hangs.
    package var range: Range<Int>
    /// The start of the next line.
    package var end: Int

    package init(range: Range<Int>, end: Int) {
      self.range = range
      self.end = end
    }
  }

  private let scalars: [Unicode.Scalar]
  private let widths: [Double]
  private let isClusterStart: [Bool]
  private let breaks: [LineBreak]
  /// Whether white space at the end of a line takes up space.
  private let keepsSpaces: Bool
  /// The width of the hyphen that a line ending in a soft hyphen shows.
  private let hyphenWidth: Double

  /// - Parameters:
  ///   - widths: the width of the text before each character, and of the whole text.
  ///   - isClusterStart: whether a line can begin with a character if it has no other opportunity to break.
  ///   - breaks: the opportunities before the characters; by default those of the standard.
  package init(
    scalars: [Unicode.Scalar], widths: [Double], isClusterStart: [Bool], breaks: [LineBreak]? = nil,
    keepsSpaces: Bool = false, hyphenWidth: Double = 0
  ) {
    self.scalars = scalars
    self.widths = widths
    self.isClusterStart = isClusterStart
    self.breaks = breaks ?? LineBreak.opportunities(in: scalars)
    self.keepsSpaces = keepsSpaces
    self.hyphenWidth = hyphenWidth
  }

  /// Returns the lines. Linear in the number of characters.
  ///
  /// - Parameters:
  ///   - width: the width to fit in; `nil` breaks only where a break is mandatory.
  ///   - indent: the width of the first line that is not available to text.
  package func lines(width: Double?, indent: Double = 0) -> [Line] {
    var lines: [Line] = []
    var start = 0
    var opportunity: Int?
    var index = 1
    func end(_ next: Int) {
      lines.append(Line(range: start..<trimmed(start..<next), end: next))
      start = next
      opportunity = nil
    }
    while index < scalars.count {
      if breaks[index] == .mandatory {
        end(index)
      } else {
        let available = width.map { lines.isEmpty ? $0 - indent : $0 }
        if breaks[index] == .allowed, opportunity == nil || fits(start..<index, available) { opportunity = index }
        if let available, !hangs(index), widths[index + 1] - widths[start] > available {
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

  /// Whether a line that may end in a soft hyphen fits with its hyphen.
  private func fits(_ range: Range<Int>, _ available: Double?) -> Bool {
    guard let available, hyphenWidth > 0, scalars[range.upperBound - 1] == "\u{AD}" else { return true }
    return widths[range.upperBound] - widths[range.lowerBound] + hyphenWidth <= available
  }

  /// Whether a character may extend beyond the end of a line.
  private func hangs(_ index: Int) -> Bool { !keepsSpaces && isSpace(index) }

  private func isSpace(_ index: Int) -> Bool { scalars[index].properties.isWhitespace && scalars[index] != "\u{A0}" }

  private func trimmed(_ range: Range<Int>) -> Int {
    var end = range.upperBound
    while end > range.lowerBound, isSpace(end - 1), !keepsSpaces || isNewline(end - 1) { end -= 1 }
    return end
  }

  private func isNewline(_ index: Int) -> Bool {
    switch scalars[index] {
    case "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }
}
