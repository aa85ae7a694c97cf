// The gradients of CSS Images 4: linear-gradient(), radial-gradient(), conic-gradient() and their repeating forms, as
// text. Their geometry follows from the box that they fill.

internal import VectorGraphics
internal import XMLDocuments

/// A gradient function.
package struct CSSGradient: Sendable {
  /// The direction of a linear gradient.
  package enum Direction: Sendable {
    /// Degrees clockwise from upwards.
    case angle(Double)
    /// Towards sides or a corner: −1, 0 or 1 in each direction.
    case toward(x: Double, y: Double)
  }

  /// The extent of a radial gradient.
  package enum Extent: Sendable {
    case closestSide
    case farthestSide
    case closestCorner
    case farthestCorner
    case radii(Length, Length)
  }

  package enum Shape: Sendable {
    case linear(Direction)
    case radial(isCircle: Bool, Extent, ImagePosition)
    /// The angle at the start is in degrees clockwise from upwards.
    case conic(from: Double, ImagePosition)
  }

  /// A colour stop, or a hint at where the middle between two colours is.
  package struct Stop: Sendable {
    /// `nil` for a hint.
    package var color: ColorValue?
    /// The position along the gradient; `nil` if it is in the middle of others. That of a conic gradient is a
    /// percentage of a turn.
    package var position: Length?
  }

  package var shape = Shape.linear(.angle(180))
  package var stops: [Stop] = []
  package var repeats = false
  /// The colour space in which colours are interpolated, and the way around the circle of hues.
  var space = ColorSpaceName.srgb
  var huePath = ColorMix.HuePath.shorter

  /// The maximum number of stops.
  private static let maximumStopCount = 256

  /// Reads a gradient; `nil` if there is none or it is malformed.
  init?(scanning scanner: inout TextScanner) {
    var name = scanner.word()
    if name.count > 8, isKeyword(name.extracting(first: 8), "-webkit-") {
      // The prefixed forms with the syntax of the standard ones differ in the meaning of their angles.
      return nil
    }
    if name.count > 10, isKeyword(name.extracting(first: 10), "repeating-") {
      repeats = true
      name = name.extracting(10...)
    }
    guard scanner.take(UInt8(ascii: "(")) else { return nil }
    scanner.skipSpace()
    let isConic = isKeyword(name, "conic-gradient")
    let start = scanner.position
    let hasPrelude: Bool?
    if isKeyword(name, "linear-gradient") {
      hasPrelude = readLinear(&scanner)
    } else if isKeyword(name, "radial-gradient") {
      hasPrelude = readRadial(&scanner)
    } else {
      hasPrelude = isConic ? readConic(&scanner) : nil
    }
    guard let hasPrelude else { return nil }
    if hasPrelude {
      scanner.skipSpace()
      guard scanner.take(UInt8(ascii: ",")) else { return nil }
    } else {
      scanner.position = start
    }
    guard readStops(&scanner, isConic: isConic) else { return nil }
  }

  // MARK: The part before the stops

  // Each of these returns whether there is such a part, or `nil` if it is malformed.

  /// The result of parsing an optional term.
  private enum Term {
    case read
    case absent
    case malformed
  }

  /// Reads the terms before the stops, in any order. Those of the kind of gradient are read by a closure, which gets
  /// the word at which a term starts; it is empty before a number.
  private mutating func readTerms(
    _ scanner: inout TextScanner, _ read: (_ word: Span<UInt8>, _ scanner: inout TextScanner) -> Term
  ) -> Bool? {
    var isEmpty = true
    while true {
      scanner.skipSpace()
      let start = scanner.position
      let word = scanner.word()
      let term = isKeyword(word, "in") ? readSpace(&scanner) : read(word, &scanner)
      switch term {
      case .read: isEmpty = false
      case .malformed: return nil
      case .absent:
        scanner.position = start
        return !isEmpty
      }
    }
  }

  /// Reads the name of a colour space after `in`.
  private mutating func readSpace(_ scanner: inout TextScanner) -> Term {
    guard let (space, path) = ColorParser.interpolation(&scanner) else { return .malformed }
    (self.space, huePath) = (space, path)
    return .read
  }

  private mutating func readLinear(_ scanner: inout TextScanner) -> Bool? {
    var direction = Direction.angle(180)
    let isPresent = readTerms(&scanner) { word, scanner in
      if isKeyword(word, "to") {
        guard let corner = Self.corner(&scanner) else { return .malformed }
        direction = corner
        return .read
      }
      guard word.count == 0, let angle = parseAngle(&scanner) else { return .absent }
      // Only zero needs no unit.
      if angle != 0, scanner.next == UInt8(ascii: ",") || isSpace(scanner.next),
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= scanner.bytes[scanner.position - 1]
      {
        return .malformed
      }
      direction = .angle(angle)
      return .read
    }
    shape = .linear(direction)
    return isPresent
  }

  private static func corner(_ scanner: inout TextScanner) -> Direction? {
    var (x, y) = (0.0, 0.0)
    for _ in 0..<2 {
      scanner.skipSpace()
      let start = scanner.position
      let word = scanner.word()
      if isKeyword(word, "left"), x == 0 {
        x = -1
      } else if isKeyword(word, "right"), x == 0 {
        x = 1
      } else if isKeyword(word, "top"), y == 0 {
        y = -1
      } else if isKeyword(word, "bottom"), y == 0 {
        y = 1
      } else {
        scanner.position = start
        break
      }
    }
    return x == 0 && y == 0 ? nil : .toward(x: x, y: y)
  }

  private mutating func readRadial(_ scanner: inout TextScanner) -> Bool? {
    var isCircle: Bool?
    var extent: Extent?
    var radii: [Length] = []
    var position = ImagePosition.center
    let isPresent = readTerms(&scanner) { word, scanner in
      if isKeyword(word, "circle") || isKeyword(word, "ellipse") {
        isCircle = isKeyword(word, "circle")
      } else if isKeyword(word, "at") {
        guard let place = ImagePosition(scanning: &scanner) else { return .malformed }
        position = place
      } else if let keyword = Self.extent(word) {
        extent = keyword
      } else {
        guard word.count == 0, radii.count < 2, let length = Length(scanning: &scanner) else { return .absent }
        radii.append(length)
      }
      return .read
    }
    if let first = radii.first {
      guard extent == nil, isCircle != (radii.count == 2), !radii.contains(where: { $0.value < 0 }) else { return nil }
      extent = .radii(first, radii.last ?? first)
      isCircle = radii.count == 1
    }
    shape = .radial(isCircle: isCircle ?? false, extent ?? .farthestCorner, position)
    return isPresent
  }

  private static func extent(_ word: Span<UInt8>) -> Extent? {
    if isKeyword(word, "closest-side") { return .closestSide }
    if isKeyword(word, "farthest-side") { return .farthestSide }
    if isKeyword(word, "closest-corner") { return .closestCorner }
    return isKeyword(word, "farthest-corner") ? .farthestCorner : nil
  }

  private mutating func readConic(_ scanner: inout TextScanner) -> Bool? {
    var angle = 0.0
    var position = ImagePosition.center
    let isPresent = readTerms(&scanner) { word, scanner in
      if isKeyword(word, "from") {
        scanner.skipSpace()
        guard let value = parseAngle(&scanner) else { return .malformed }
        angle = value
      } else if isKeyword(word, "at") {
        guard let place = ImagePosition(scanning: &scanner) else { return .malformed }
        position = place
      } else {
        return .absent
      }
      return .read
    }
    shape = .conic(from: angle, position)
    return isPresent
  }

  // MARK: Stops

  private mutating func readStops(_ scanner: inout TextScanner, isConic: Bool) -> Bool {
    var colorCount = 0
    while stops.count < Self.maximumStopCount {
      scanner.skipSpace()
      var positions = Self.positions(&scanner, isConic: isConic)
      let start = scanner.position
      let color = ColorParser.parse(&scanner)
      if color == nil { scanner.position = start }
      scanner.skipSpace()
      if positions.isEmpty { positions = Self.positions(&scanner, isConic: isConic) }
      guard positions.count <= 2 else { return false }
      if let color {
        colorCount += 1
        stops.append(Stop(color: color, position: positions.first))
        if positions.count == 2 { stops.append(Stop(color: color, position: positions[1])) }
      } else {
        // A hint is between two colours.
        guard positions.count == 1, let last = stops.last, last.color != nil else { return false }
        stops.append(Stop(color: nil, position: positions[0]))
      }
      scanner.skipSpace()
      if scanner.take(UInt8(ascii: ")")) { break }
      guard scanner.take(UInt8(ascii: ",")) else { return false }
    }
    return colorCount > 0 && stops.last?.color != nil && stops.count < Self.maximumStopCount
  }

  private static func positions(_ scanner: inout TextScanner, isConic: Bool) -> [Length] {
    var list: [Length] = []
    while list.count < 3 {
      let start = scanner.position
      if let length = Length(scanning: &scanner), !isConic || length.unit == .percent {
        list.append(length)
      } else {
        scanner.position = start
        guard isConic, let angle = parseAngle(&scanner) else {
          scanner.position = start
          break
        }
        list.append(.percent(angle / 3.6))
      }
      scanner.skipSpace()
    }
    return list
  }
}
