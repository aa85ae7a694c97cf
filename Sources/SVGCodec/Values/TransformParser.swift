// Transform lists (SVG 2, section 8.5; the 2D functions of CSS Transforms 1 with their units), `transform-origin`,
// viewBox and preserveAspectRatio.

internal import VectorGraphics

/// Parses transforms.
enum TransformParser {
  /// Parses a transform list; `nil` if any function is malformed, which makes the whole value invalid.
  static func parse(_ bytes: Span<UInt8>) -> AffineTransform? {
    var scanner = TextScanner(bytes)
    var result = AffineTransform.identity
    scanner.skipSpaceAndComma()
    while !scanner.isAtEnd {
      let name = scanner.word()
      if isKeyword(name, "none") {
        scanner.skipSpaceAndComma()
        continue
      }
      // `translateX` and similar names end in upper-case letters, so the word is complete here.
      scanner.skipSpace()
      guard name.count > 0, scanner.take(UInt8(ascii: "(")), let arguments = arguments(&scanner),
        let transform = transform(name, arguments)
      else { return nil }
      result = result * transform
      scanner.skipSpaceAndComma()
    }
    return result
  }

  private static func arguments(_ scanner: inout TextScanner) -> [Double]? {
    var list: [Double] = []
    while list.count <= 6 {
      scanner.skipSpaceAndComma()
      if scanner.take(UInt8(ascii: ")")) { return list }
      guard let value = argument(&scanner) else { return nil }
      list.append(value)
    }
    return nil
  }

  /// Reads a number, a length in user units or an angle in degrees.
  private static func argument(_ scanner: inout TextScanner) -> Double? {
    let start = scanner.position
    guard let value = scanner.number() else { return nil }
    if scanner.word().count == 0 { return scanner.next == UInt8(ascii: "%") ? nil : value }
    scanner.position = start
    if let length = Length(scanning: &scanner), length.unit == .none { return length.value }
    scanner.position = start
    return parseAngle(&scanner)
  }

  private static func transform(_ name: Span<UInt8>, _ v: [Double]) -> AffineTransform? {
    let radians = Double.pi / 180
    switch v.count {
    case 1:
      if isKeyword(name, "translate") || isKeyword(name, "translatex") { return .translation(x: v[0], y: 0) }
      if isKeyword(name, "translatey") { return .translation(x: 0, y: v[0]) }
      if isKeyword(name, "scale") { return .scale(x: v[0], y: v[0]) }
      if isKeyword(name, "scalex") { return .scale(x: v[0], y: 1) }
      if isKeyword(name, "scaley") { return .scale(x: 1, y: v[0]) }
      if isKeyword(name, "rotate") { return .rotation(v[0] * radians) }
      if isKeyword(name, "skewx") || isKeyword(name, "skew") { return .skewX(v[0] * radians) }
      if isKeyword(name, "skewy") { return .skewY(v[0] * radians) }
    case 2:
      if isKeyword(name, "translate") { return .translation(x: v[0], y: v[1]) }
      if isKeyword(name, "scale") { return .scale(x: v[0], y: v[1]) }
      if isKeyword(name, "skew") {
        let x = AffineTransform.skewX(v[0] * radians)
        let y = AffineTransform.skewY(v[1] * radians)
        return AffineTransform(1, y.b, x.c, 1, 0, 0)
      }
    case 3:
      if isKeyword(name, "rotate") {
        return .translation(x: v[1], y: v[2]) * .rotation(v[0] * radians) * .translation(x: -v[1], y: -v[2])
      }
    case 6:
      if isKeyword(name, "matrix") { return AffineTransform(v[0], v[1], v[2], v[3], v[4], v[5]) }
    default: break
    }
    return nil
  }
}

/// The origin of a transform.
struct TransformOrigin: Hashable, Sendable {
  var x = Length.percent(50)
  var y = Length.percent(50)

  /// Creates an origin at the centre.
  init() {}

  /// Parses one to three values; the third, the depth, is ignored.
  init?(parsing bytes: Span<UInt8>) {
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    var horizontal: Length?
    var vertical: Length?
    var centers = 0
    var count = 0
    while !scanner.isAtEnd, count < 2 {
      count += 1
      if let length = Length(scanning: &scanner) {
        if horizontal == nil, count == 1 { horizontal = length } else { vertical = length }
      } else {
        let word = scanner.word()
        if isKeyword(word, "left") {
          horizontal = .percent(0)
        } else if isKeyword(word, "right") {
          horizontal = .percent(100)
        } else if isKeyword(word, "top") {
          vertical = .percent(0)
        } else if isKeyword(word, "bottom") {
          vertical = .percent(100)
        } else if isKeyword(word, "center") {
          centers += 1
        } else {
          return nil
        }
      }
      scanner.skipSpaceAndComma()
    }
    guard count > 0 else { return nil }
    _ = centers
    x = horizontal ?? .percent(50)
    y = vertical ?? .percent(50)
  }
}

/// The way in which content is fitted into a viewport.
struct PreserveAspectRatio: Hashable, Sendable {
  enum Alignment: Hashable, Sendable {
    case minimum
    case middle
    case maximum

    var fraction: Double {
      switch self {
      case .minimum: 0
      case .middle: 0.5
      case .maximum: 1
      }
    }
  }

  /// Whether content is stretched in both directions.
  var isNone = false
  var x = Alignment.middle
  var y = Alignment.middle
  /// Whether content covers the viewport instead of fitting into it.
  var isSlice = false

  init() {}

  init?(parsing bytes: Span<UInt8>) {
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    var word = scanner.word()
    if isKeyword(word, "defer") {
      scanner.skipSpace()
      word = scanner.word()
    }
    if isKeyword(word, "none") {
      isNone = true
    } else {
      guard word.count == 8, lowercased(word[0]) == UInt8(ascii: "x"), lowercased(word[4]) == UInt8(ascii: "y"),
        let horizontal = Self.alignment(word.extracting(1..<4)), let vertical = Self.alignment(word.extracting(5..<8))
      else { return nil }
      x = horizontal
      y = vertical
    }
    scanner.skipSpace()
    isSlice = isKeyword(scanner.word(), "slice")
  }

  private static func alignment(_ word: Span<UInt8>) -> Alignment? {
    if isKeyword(word, "min") { return .minimum }
    if isKeyword(word, "mid") { return .middle }
    return isKeyword(word, "max") ? .maximum : nil
  }

  /// Returns the transform from a view box to a viewport (SVG 2, section 8.2).
  func transform(from box: Rect, to viewport: Rect) -> AffineTransform {
    var scaleX = viewport.width / box.width
    var scaleY = viewport.height / box.height
    if !isNone {
      scaleX = isSlice ? max(scaleX, scaleY) : min(scaleX, scaleY)
      scaleY = scaleX
    }
    var offsetX = viewport.x - box.x * scaleX
    var offsetY = viewport.y - box.y * scaleY
    if !isNone {
      offsetX += (viewport.width - box.width * scaleX) * x.fraction
      offsetY += (viewport.height - box.height * scaleY) * y.fraction
    }
    return AffineTransform(scaleX, 0, 0, scaleY, offsetX, offsetY)
  }
}

/// Parses a `viewBox`; `nil` unless it consists of four numbers with a positive size.
func parseViewBox(_ bytes: Span<UInt8>) -> Rect? {
  var scanner = TextScanner(bytes)
  var values: [Double] = []
  while values.count < 4 {
    scanner.skipSpaceAndComma()
    guard let value = scanner.number() else { return nil }
    values.append(value)
  }
  guard values[2] > 0, values[3] > 0 else { return nil }
  return Rect(x: values[0], y: values[1], width: values[2], height: values[3])
}
