// The directions of the characters of a chunk: `direction` and `unicode-bidi` are translated to control characters
// around the text of elements (CSS Writing Modes 3, section 2.4), then the bidirectional algorithm is applied.

internal import CSSStyles
internal import TextShaping

/// Determines the visual order.
enum TextDirections {
  /// Returns runs of one direction from left to right, as ranges relative to the start of the chunk.
  static func visualRuns(
    of range: Range<Int>, _ text: DrawnText, _ content: TextContent
  ) -> [(range: Range<Int>, level: UInt8)] {
    let root = content.spans[0].style.text
    let isPlain = !root.isRightToLeft && range.allSatisfy { BidiClass.isAlwaysLeftToRight(text.scalars[$0]) }
    if isPlain, !content.hasBidiControls { return [(0..<range.count, 0)] }
    // Upright text in vertical lines has the same direction in all scripts.
    var scalars: [Unicode.Scalar] = []
    var places: [Int] = []
    var open: [Int32] = []
    for index in range {
      if content.hasBidiControls { move(from: &open, to: text.spans[index], content, &scalars) }
      places.append(scalars.count)
      scalars.append(text.scalars[index])
    }
    let isPlaintext = content.spans[0].style.ownText.bidi == .plaintext
    let levels = BidiLevels(scalars, baseLevel: isPlaintext ? nil : root.isRightToLeft ? 1 : 0).levels
    return BidiLevels.visualRuns(places.map { levels[$0] })
  }

  /// Appends the control characters for the transition between two elements.
  private static func move(
    from open: inout [Int32], to span: Int32, _ content: TextContent, _ scalars: inout [Unicode.Scalar]
  ) {
    // The enclosing elements with control characters, innermost first.
    var path: [Int32] = []
    var current = content.bidiOwners[Int(span)]
    while current >= 0, path.count < Int(BidiLevels.maximumDepth) {
      path.append(current)
      let parent = content.spans[Int(current)].parent
      current = parent >= 0 ? content.bidiOwners[Int(parent)] : -1
    }
    path.reverse()
    if path == open { return }
    var common = 0
    while common < path.count, common < open.count, path[common] == open[common] { common += 1 }
    for index in open[common...].reversed() { scalars += controls(of: content.spans[Int(index)]).close }
    for index in path[common...] { scalars += controls(of: content.spans[Int(index)]).open }
    open = path
  }

  private static func controls(of span: TextContent.Span) -> (open: [Unicode.Scalar], close: [Unicode.Scalar]) {
    let isRight = span.style.text.isRightToLeft
    switch span.style.ownText.bidi {
    case .normal: return ([], [])
    case .embed: return ([isRight ? "\u{202b}" : "\u{202a}"], ["\u{202c}"])
    case .isolate: return ([isRight ? "\u{2067}" : "\u{2066}"], ["\u{2069}"])
    case .override: return ([isRight ? "\u{202e}" : "\u{202d}"], ["\u{202c}"])
    case .isolateOverride:
      return (["\u{2068}", isRight ? "\u{202e}" : "\u{202d}"], ["\u{202c}", "\u{2069}"])
    case .plaintext: return (["\u{2068}"], ["\u{2069}"])
    }
  }
}
