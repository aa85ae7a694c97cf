// Text of several lines: preserved line ends, and wrapping at `inline-size` (SVG 2, sections 11.4.3 and 11.7; CSS Text 3,
// section 5).

internal import CSSStyles
internal import ImageCoding
internal import TextShaping
internal import VectorGraphics

extension TextLayout {
  /// The division of text into lines of a given length.
  struct Wrapping {
    var lines: [Range<Int>]
    var chunks: [TextChunk]
    /// The length of lines.
    var size: Double
    /// The width of the text before each character.
    var widths: [Double]
    /// Whether each character is the first one of a grapheme cluster.
    var isClusterStart: [Bool]
    var indent: Double

    func width(of range: Range<Int>) -> Double { widths[range.upperBound] - widths[range.lowerBound] }

    /// Whether a line is longer than it may be.
    func exceeds(_ line: Range<Int>) -> Bool { width(of: line) > size + 1e-6 }
  }

  /// Returns the lines of text with an `inline-size`; `nil` if it does not wrap.
  ///
  /// Positions within the text are those of its lines for programs that do not wrap text. If there are any, they are
  /// used, as in browsers.
  ///
  /// - Parameter budget: charged for measuring the text.
  func wrapping(budget: inout ResourceBudget) throws(CodecError) -> Wrapping? {
    let root = content.spans[0]
    guard let length = root.style.ownText.inlineSize, !text.scalars.isEmpty, paths.isEmpty else { return nil }
    let size = lengths(root.style).resolve(length, content.isVertical ? .vertical : .horizontal)
    guard size > 0, size.isFinite, !text.sources.contains(where: { $0 > 0 && positions[Int($0)].startsChunk }) else {
      return nil
    }
    let indent = lengths(root.style).resolve(root.style.text.lines.indent, .horizontal)
    let widths = try measure(&budget)
    let starts = clusterStarts()
    let hyphenWidth = try hyphenWidth(&budget)
    let wrapping = LineWrapping(
      scalars: text.scalars, widths: widths,
      isClusterStart: text.scalars.indices.map { starts[$0] && canBreakInWord($0) },
      breaks: opportunities(starts), keepsSpaces: root.whiteSpace == .breakSpaces, hyphenWidth: hyphenWidth)
    let lines = wrapping.lines(width: size, indent: indent)
    let start = positions[Int(text.sources[0])]
    var chunks: [TextChunk] = []
    for (number, line) in lines.enumerated() where !line.range.isEmpty || number == 0 {
      let isFirst = number == 0
      chunks.append(
        TextChunk(
          characters: line.range, x: isFirst ? start.x : .nan, y: isFirst ? start.y : .nan, path: -1, line: number,
          startsLine: !isFirst))
    }
    return Wrapping(
      lines: lines.map(\.range), chunks: chunks, size: size, widths: widths, isClusterStart: starts,
      indent: indent)
  }

  /// Returns the width of the text before each character.
  private func measure(_ budget: inout ResourceBudget) throws(CodecError) -> [Double] {
    var measuring = TextShaper(content, document, fonts: shaper.fonts)
    let range = try measuring.shape(text.scalars.indices, of: text, budget: &budget)
    var clusters = Array(measuring.clusters[range])
    addSpacing(&clusters)
    var advances = [Double](repeating: 0, count: text.scalars.count)
    for cluster in clusters where text.scalars[cluster.character] != "\n" {
      advances[cluster.character] += cluster.advance
    }
    var widths = [0.0]
    widths.reserveCapacity(advances.count + 1)
    for advance in advances { widths.append((widths.last ?? 0) + advance) }
    return widths
  }

  private func lineStyle(_ character: Int) -> LineStyle { content.spans[Int(text.spans[character])].style.text.lines }

  /// Returns for each character whether it is the first one of a grapheme cluster.
  private func clusterStarts() -> [Bool] {
    var starts = [Bool](repeating: false, count: text.scalars.count)
    for cluster in GraphemeClusters(text.scalars) { starts[cluster.lowerBound] = true }
    return starts
  }

  private func opportunities(_ isClusterStart: [Bool]) -> [LineBreak] {
    var breaks = LineBreak.opportunities(in: text.scalars) { lineStyle($0).tailoring }
    for index in breaks.indices.dropFirst() where breaks[index] != .mandatory {
      let style = lineStyle(index)
      let previous = text.scalars[index - 1]
      if style.breaksAnywhere && isClusterStart[index]
        || previous == " " && content.spans[Int(text.spans[index - 1])].whiteSpace == .breakSpaces
      {
        breaks[index] = .allowed
      }
      if previous == "\u{AD}", style.hyphens == .none { breaks[index] = .prohibited }
      if !style.wraps { breaks[index] = .prohibited }
    }
    return breaks
  }

  /// Whether a line may begin with a character within a word if there is no other opportunity.
  private func canBreakInWord(_ character: Int) -> Bool {
    let style = lineStyle(character)
    return style.wraps && (style.breaksLongWords || style.breaksAnywhere)
  }

  // MARK: Line ends

  /// The hyphen that a soft hyphen at the end of a line shows.
  private var hyphen: Unicode.Scalar? {
    guard let face = text.faces.first(where: { $0 >= 0 }) else { return nil }
    return (["\u{2010}", "-"] as [Unicode.Scalar]).first { shaper.fonts.faces[Int(face)].glyph(for: $0) != nil }
  }

  private func hyphenWidth(_ budget: inout ResourceBudget) throws(CodecError) -> Double {
    guard text.scalars.contains("\u{AD}"), let hyphen else { return 0 }
    return try width(of: hyphen, like: 0, &budget)
  }

  /// Returns the width of a character in the font of another one.
  private func width(
    of scalar: Unicode.Scalar, like character: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> Double {
    let number = Int(text.spans[character])
    let face = shaper.fonts.faces[Int(text.faces[number])]
    guard let glyph = face.glyph(for: scalar) else { return 0 }
    return try face.advance(of: glyph, budget: &budget) / max(face.unitsPerEm, 1) * content.spans[number].style.fontSize
  }

  /// Shows the hyphen at the end of a line, or replaces the text that exceeds its length as `text-overflow` says.
  mutating func finish(
    _ chunk: inout TextChunk, _ wrapping: Wrapping, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    if let last = chunk.characters.last, text.scalars[last] == "\u{AD}", lineStyle(last).hyphens != .none, let hyphen {
      replace(last, by: hyphen)
    }
    guard wrapping.exceeds(chunk.characters), let first = chunk.characters.first,
      let mark = overflowMark(like: first)
    else { return }
    var markWidth = 0.0
    for scalar in mark { markWidth += try width(of: scalar, like: first, &budget) }
    let available = wrapping.size - markWidth
    var end = first
    while end < chunk.characters.upperBound, wrapping.width(of: first..<end + 1) <= available { end += 1 }
    while end > first, end < chunk.characters.upperBound, !wrapping.isClusterStart[end] { end -= 1 }
    // The mark replaces as many of the characters; one that does not fit is cut.
    let count = min(mark.count, chunk.characters.upperBound - end)
    for offset in 0..<count { replace(end + offset, by: mark[offset]) }
    chunk.characters = first..<end + count
  }

  /// Returns what is drawn at the end of a line that is too long; `nil` if it is clipped.
  private func overflowMark(like character: Int) -> [Unicode.Scalar]? {
    switch content.spans[0].style.ownText.overflow {
    case .clip: return nil
    case .ellipsis:
      let face = shaper.fonts.faces[Int(text.faces[Int(text.spans[character])])]
      return face.glyph(for: "\u{2026}") != nil ? ["\u{2026}"] : [".", ".", "."]
    case .string(let string): return Array(string.unicodeScalars.prefix(Self.maximumMarkCount))
    }
  }

  /// The maximum number of characters of a mark; further ones are left out.
  private static var maximumMarkCount: Int { 64 }

  // MARK: Positions

  /// Returns the distances of lines from the first one.
  func lineOffsets(_ lines: [Range<Int>]) -> [Double] {
    guard lines.count > 1 else { return [0] }
    var offsets: [Double] = []
    var baseline = 0.0
    var below = 0.0
    for (number, line) in lines.enumerated() {
      let extent = extent(of: line)
      if number > 0 { baseline += below + extent.above }
      below = extent.below
      offsets.append(baseline)
    }
    return offsets
  }

  /// Returns the extent of a line above and below its baseline, which is at least that of the `text` element.
  private func extent(of line: Range<Int>) -> (above: Double, below: Double) {
    var extent = extent(ofElement: 0)
    var last: Int32 = 0
    for character in line where text.spans[character] != last {
      last = text.spans[character]
      let own = self.extent(ofElement: Int(last))
      extent = (max(extent.above, own.above), max(extent.below, own.below))
    }
    return extent
  }

  /// Returns the extent of an element's text, with half of the leading on each side (CSS Inline 3, section 5.3).
  private func extent(ofElement index: Int) -> (above: Double, below: Double) {
    let style = content.spans[index].style
    let face = text.faces[index] >= 0 ? text.faces[index] : text.faces.first { $0 >= 0 } ?? 0
    let metrics = shaper.fonts.metrics[Int(face)]
    let height: Double =
      switch style.text.lines.height {
      case .normal: (metrics.height + metrics.lineGap) * style.fontSize
      case .factor(let factor): factor * style.fontSize
      case .length(let length): length.value
      }
    let half = (height - metrics.height * style.fontSize) / 2
    return (metrics.ascent * style.fontSize + half, -metrics.descent * style.fontSize + half)
  }

  /// Returns the position of a line that begins below the first one.
  func lineStart(_ line: Int, _ origin: Point, _ offsets: [Double]) -> Point {
    let offset = line < offsets.count ? offsets[line] : 0
    guard content.isVertical else { return Point(x: origin.x, y: origin.y + offset) }
    return Point(x: origin.x + (content.spans[0].style.text.stacksRightwards ? offset : -offset), y: origin.y)
  }

  /// Moves the start of the first line.
  func indent(_ start: inout Point, _ wrapping: Wrapping) {
    let style = content.spans[0].style.text
    var distance = style.isRightToLeft ? -wrapping.indent : wrapping.indent
    if style.anchor == .middle { distance /= 2 }
    if style.anchor == .end { distance = 0 }
    if content.isVertical { start.y += distance } else { start.x += distance }
  }

  /// Returns the area that lines may cover, if one of them exceeds its length and is not to be marked.
  func clip(of wrapping: Wrapping, _ origin: Point) -> Rect? {
    guard content.spans[0].style.ownText.overflow == .clip, wrapping.lines.contains(where: wrapping.exceeds) else {
      return nil
    }
    let style = content.spans[0].style.text
    let start: Double =
      switch (style.anchor, style.isRightToLeft) {
      case (.start, false), (.end, true): 0
      case (.middle, _): -wrapping.size / 2
      default: -wrapping.size
      }
    let reach = 1e6
    return content.isVertical
      ? Rect(x: origin.x - reach, y: origin.y + start, width: 2 * reach, height: wrapping.size)
      : Rect(x: origin.x + start, y: origin.y - reach, width: wrapping.size, height: 2 * reach)
  }
}
