// The position lists of `text` and `tspan`: absolute positions, shifts and rotations of characters (SVG 2, section
// 11.4.2).

internal import CSSStyles
internal import XMLDocuments

/// The positions of the characters of a `text` element.
struct CharacterPositions {
  /// A position; coordinates that are not specified are NaN.
  struct Position {
    var x = Double.nan
    var y = Double.nan
    var dx = 0.0
    var dy = 0.0

    var startsChunk: Bool { !x.isNaN || !y.isNaN }
  }

  private struct Rotations {
    var angles: [Double]
    var start: Int
  }

  private var positions: [Position] = []
  private var rotations: [Rotations] = []
  /// For each span, the list from which it takes rotations; −1 if there is none.
  private var rotationOfSpan: [Int32] = []
  private let spanOfScalar: [Int32]

  /// Reads the lists of all elements.
  init(_ content: TextContent, _ document: StyledDocument, lengths: (ComputedStyle) -> LengthContext) {
    spanOfScalar = content.spanOfScalar
    for span in content.spans {
      readRotations(of: span, document)
      // Lists on `textPath` are ignored.
      guard let element = document.xml[span.node].element, element != .textPath else { continue }
      let context = lengths(span.style)
      read(.x, .horizontal, span, document, context) { $0.x = $1 }
      read(.y, .vertical, span, document, context) { $0.y = $1 }
      read(.dx, .horizontal, span, document, context) { $0.dx = $1 }
      read(.dy, .vertical, span, document, context) { $0.dy = $1 }
    }
  }

  subscript(character: Int) -> Position {
    character < positions.count ? positions[character] : Position()
  }

  /// Returns the rotation of a character in degrees. After the end of a list, its last value applies.
  func rotation(of character: Int) -> Double {
    let owner = rotationOfSpan[Int(spanOfScalar[character])]
    guard owner >= 0 else { return 0 }
    let list = rotations[Int(owner)]
    return list.angles[min(character - list.start, list.angles.count - 1)]
  }

  private mutating func read(
    _ name: AttributeName, _ direction: LengthContext.Direction, _ span: TextContent.Span, _ document: StyledDocument,
    _ context: LengthContext, _ set: (inout Position, Double) -> Void
  ) {
    guard let slice = document.xml.value(name, of: span.node) else { return }
    var scanner = TextScanner(document.xml.text.span.extracting(slice.range))
    scanner.skipSpace()
    // Excess values do not apply to the characters after the element.
    for character in span.characters {
      guard let length = Length(scanning: &scanner) else { return }
      scanner.skipSpaceAndComma()
      if character >= positions.count {
        positions.append(contentsOf: repeatElement(Position(), count: character + 1 - positions.count))
      }
      set(&positions[character], context.resolve(length, direction))
    }
  }

  private mutating func readRotations(of span: TextContent.Span, _ document: StyledDocument) {
    var owner = span.parent >= 0 ? rotationOfSpan[Int(span.parent)] : -1
    if let slice = document.xml.value(.rotate, of: span.node) {
      var scanner = TextScanner(document.xml.text.span.extracting(slice.range))
      var angles: [Double] = []
      scanner.skipSpace()
      while let angle = scanner.number() {
        if angles.count < span.characters.count { angles.append(angle) }
        scanner.skipSpaceAndComma()
      }
      // A list with anything but numbers, such as units, is ignored.
      if !angles.isEmpty, scanner.isAtEnd {
        rotations.append(Rotations(angles: angles, start: span.characters.lowerBound))
        owner = Int32(rotations.count - 1)
      }
    }
    rotationOfSpan.append(owner)
  }
}
