// Transform lists (SVG 2, section 8.5; CSS Transforms 2), the properties `translate`, `rotate` and `scale`,
// `transform-origin`, viewBox and preserveAspectRatio.

internal import ImageCoding
package import VectorGraphics
internal import XMLDocuments

/// A list of transform functions, as one matrix unless percentages or the third dimension are involved.
package struct TransformList: Hashable, Sendable {
  package enum Function: Hashable, Sendable {
    case affine(AffineTransform)
    case translate(Length, Length)
    /// A matrix of the three-dimensional space, column by column.
    case spatial([Double])
  }

  package private(set) var functions: [Function] = []

  package init() {}

  init(_ transform: AffineTransform) {
    functions = [.affine(transform)]
  }

  init(translateX x: Length, y: Length) {
    append(.translate(x, y))
  }

  /// Parses a transform list; `nil` if any function is malformed, which makes the whole value invalid.
  init?(parsing bytes: Span<UInt8>) {
    var scanner = TextScanner(bytes)
    scanner.skipSpaceAndComma()
    while !scanner.isAtEnd {
      let name = scanner.word()
      if isKeyword(name, "none") {
        scanner.skipSpaceAndComma()
        continue
      }
      // `translateX` and similar names end in upper-case letters, `matrix3d` in a digit and a letter.
      let isSpatial = scanner.take(UInt8(ascii: "3"))
      if isSpatial {
        guard isKeyword(scanner.word(), "d") else { return nil }
      }
      scanner.skipSpace()
      guard name.count > 0, scanner.take(UInt8(ascii: "(")), let arguments = Self.arguments(&scanner),
        let function = isSpatial ? Self.spatial(name, arguments) : Self.planar(name, arguments)
      else { return nil }
      append(function)
      scanner.skipSpaceAndComma()
    }
  }

  /// Appends a function, joined with the previous one if both are matrices.
  package mutating func append(_ function: Function) {
    var function = function
    if case .translate(let x, let y) = function, x.unit == .none, y.unit == .none {
      function = .affine(.translation(x: x.value, y: y.value))
    }
    if case .affine(let last) = functions.last, case .affine(let next) = function {
      functions[functions.count - 1] = .affine(last * next)
    } else {
      functions.append(function)
    }
  }

  /// The transform, if it depends on neither a box nor a font.
  var constant: AffineTransform? {
    if functions.isEmpty { return .identity }
    if functions.count == 1, case .affine(let transform) = functions[0] { return transform }
    return nil
  }

  /// Returns the transform with the lengths of a context. Three-dimensional ones are projected onto the plane.
  package func resolved(_ context: LengthContext) -> AffineTransform {
    if let constant { return constant }
    var result = AffineTransform.identity
    var space: [Double]?
    for function in functions {
      let next: AffineTransform
      switch function {
      case .affine(let transform): next = transform
      case .translate(let x, let y):
        next = .translation(x: context.resolve(x, .horizontal), y: context.resolve(y, .vertical))
      case .spatial(let matrix):
        space = Self.product(space ?? Self.matrix(result), matrix)
        continue
      }
      if let known = space { space = Self.product(known, Self.matrix(next)) } else { result = result * next }
    }
    guard let space else { return result }
    return AffineTransform(space[0], space[1], space[4], space[5], space[12], space[13])
  }

  // MARK: Parsing

  /// An argument: a number, a length, or an angle in degrees.
  private struct Argument {
    var length: Length
    /// The number, the angle, or the length in user units.
    var value: Double { length.value }
    var isConstant: Bool { length.unit == .none }
  }

  private static func arguments(_ scanner: inout TextScanner) -> [Argument]? {
    var list: [Argument] = []
    while list.count <= 16 {
      scanner.skipSpaceAndComma()
      if scanner.take(UInt8(ascii: ")")) { return list }
      guard let value = argument(&scanner) else { return nil }
      list.append(value)
    }
    return nil
  }

  private static func argument(_ scanner: inout TextScanner) -> Argument? {
    let start = scanner.position
    if let length = Length(scanning: &scanner) { return Argument(length: length) }
    scanner.position = start
    return parseAngle(&scanner).map { Argument(length: Length($0)) }
  }

  private static func planar(_ name: Span<UInt8>, _ v: [Argument]) -> Function? {
    if isKeyword(name, "translate"), v.count == 1 || v.count == 2 {
      return .translate(v[0].length, v.count == 2 ? v[1].length : .zero)
    }
    if isKeyword(name, "translatex"), v.count == 1 { return .translate(v[0].length, .zero) }
    if isKeyword(name, "translatey"), v.count == 1 { return .translate(.zero, v[0].length) }
    // Percentages of scale() are fractions.
    let isScale = isKeyword(name, "scale") || isKeyword(name, "scalex") || isKeyword(name, "scaley")
    guard v.allSatisfy({ $0.isConstant || isScale && $0.length.unit == .percent }) else { return nil }
    let values = v.map { $0.length.unit == .percent ? $0.value / 100 : $0.value }
    return affine(name, values).map { .affine($0) } ?? turned(name, values)
  }

  private static func affine(_ name: Span<UInt8>, _ v: [Double]) -> AffineTransform? {
    let radians = Double.pi / 180
    switch v.count {
    case 1:
      if isKeyword(name, "scale") { return .scale(x: v[0], y: v[0]) }
      if isKeyword(name, "scalex") { return .scale(x: v[0], y: 1) }
      if isKeyword(name, "scaley") { return .scale(x: 1, y: v[0]) }
      if isKeyword(name, "rotate") || isKeyword(name, "rotatez") { return .rotation(v[0] * radians) }
      if isKeyword(name, "skewx") || isKeyword(name, "skew") { return .skewX(v[0] * radians) }
      if isKeyword(name, "skewy") { return .skewY(v[0] * radians) }
    case 2:
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

  // MARK: Three dimensions

  /// Functions of one argument about axes of the space.
  private static func turned(_ name: Span<UInt8>, _ v: [Double]) -> Function? {
    guard v.count == 1 else { return nil }
    if isKeyword(name, "rotatex") { return .spatial(rotation(1, 0, 0, v[0])) }
    if isKeyword(name, "rotatey") { return .spatial(rotation(0, 1, 0, v[0])) }
    if isKeyword(name, "translatez") { return .spatial(translation(0, 0, v[0])) }
    return isKeyword(name, "scalez") ? .spatial(scale(1, 1, v[0])) : nil
  }

  /// Functions whose names end in `3d`, without perspective.
  private static func spatial(_ name: Span<UInt8>, _ v: [Argument]) -> Function? {
    if isKeyword(name, "translate"), v.count == 3, v[2].isConstant {
      // Without perspective, depth has no effect on what is in the plane, but later rotations turn it.
      if v[2].value == 0 || !v[0].isConstant || !v[1].isConstant { return .translate(v[0].length, v[1].length) }
      return .spatial(translation(v[0].value, v[1].value, v[2].value))
    }
    guard v.allSatisfy(\.isConstant) else { return nil }
    let values = v.map(\.value)
    if isKeyword(name, "scale"), v.count == 3 { return .spatial(scale(values[0], values[1], values[2])) }
    if isKeyword(name, "rotate"), v.count == 4 {
      return .spatial(rotation(values[0], values[1], values[2], values[3]))
    }
    // A matrix with perspective is not affine.
    guard isKeyword(name, "matrix"), v.count == 16, values[3] == 0, values[7] == 0, values[11] == 0, values[15] == 1
    else { return nil }
    return .spatial(values)
  }

  private static func matrix(_ t: AffineTransform) -> [Double] {
    [t.a, t.b, 0, 0, t.c, t.d, 0, 0, 0, 0, 1, 0, t.e, t.f, 0, 1]
  }

  private static func translation(_ x: Double, _ y: Double, _ z: Double) -> [Double] {
    [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]
  }

  private static func scale(_ x: Double, _ y: Double, _ z: Double) -> [Double] {
    [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1]
  }

  /// The rotation about an axis by degrees (CSS Transforms 2, section 12.4).
  private static func rotation(_ x: Double, _ y: Double, _ z: Double, _ degrees: Double) -> [Double] {
    let length = (x * x + y * y + z * z).squareRoot()
    guard length > 0, length.isFinite else { return translation(0, 0, 0) }
    let (x, y, z) = (x / length, y / length, z / length)
    let sine = ElementaryFunctions.sine(degrees * .pi / 180)
    let cosine = ElementaryFunctions.cosine(degrees * .pi / 180)
    let rest = 1 - cosine
    return [
      cosine + x * x * rest, x * y * rest + z * sine, x * z * rest - y * sine, 0, x * y * rest - z * sine,
      cosine + y * y * rest, y * z * rest + x * sine, 0, x * z * rest + y * sine, y * z * rest - x * sine,
      cosine + z * z * rest, 0, 0, 0, 0, 1,
    ]
  }

  private static func product(_ a: [Double], _ b: [Double]) -> [Double] {
    var result = [Double](repeating: 0, count: 16)
    for column in 0..<4 {
      for row in 0..<4 {
        var sum = 0.0
        for index in 0..<4 { sum += a[index * 4 + row] * b[column * 4 + index] }
        result[column * 4 + row] = sum
      }
    }
    return result
  }
}

extension TransformList {
  /// Parses the property `translate`: one to three lengths.
  static func translate(_ bytes: Span<UInt8>) -> TransformList? {
    if isWord(bytes, "none") { return TransformList() }
    var scanner = TextScanner(bytes)
    var list: [Length] = []
    scanner.skipSpace()
    while !scanner.isAtEnd, list.count < 4 {
      guard let length = Length(scanning: &scanner) else { return nil }
      list.append(length)
      scanner.skipSpace()
    }
    guard 1...3 ~= list.count else { return nil }
    return TransformList(translateX: list[0], y: list.count > 1 ? list[1] : .zero)
  }

  /// Parses the property `rotate`: an angle, with an optional axis.
  static func rotate(_ bytes: Span<UInt8>) -> TransformList? {
    if isWord(bytes, "none") { return TransformList() }
    var scanner = TextScanner(bytes)
    var axis: [Double] = []
    var angle: Double?
    scanner.skipSpace()
    while !scanner.isAtEnd {
      let word = scanner.word()
      if isKeyword(word, "x") {
        axis = [1, 0, 0]
      } else if isKeyword(word, "y") {
        axis = [0, 1, 0]
      } else if isKeyword(word, "z") {
        axis = [0, 0, 1]
      } else {
        let start = scanner.position
        guard word.count == 0, let number = scanner.numberOrCalculation() else {
          scanner.position = start
          guard angle == nil, let value = parseAngle(&scanner) else { return nil }
          angle = value
          scanner.skipSpace()
          continue
        }
        if scanner.isAtEnd || isSpace(scanner.next), axis.count < 3 {
          axis.append(number)
        } else {
          scanner.position = start
          guard angle == nil, let value = parseAngle(&scanner) else { return nil }
          angle = value
        }
      }
      scanner.skipSpace()
    }
    guard let angle, axis.isEmpty || axis.count == 3 else { return nil }
    if axis.isEmpty { return TransformList(.rotation(angle * .pi / 180)) }
    var list = TransformList()
    list.append(.spatial(rotation(axis[0], axis[1], axis[2], angle)))
    return list
  }

  /// Parses the property `scale`: one to three numbers or percentages.
  static func scale(_ bytes: Span<UInt8>) -> TransformList? {
    if isWord(bytes, "none") { return TransformList() }
    var scanner = TextScanner(bytes)
    var list: [Double] = []
    scanner.skipSpace()
    while !scanner.isAtEnd, list.count < 4 {
      guard let number = scanner.numberOrCalculation() else { return nil }
      list.append(scanner.take(UInt8(ascii: "%")) ? number / 100 : number)
      scanner.skipSpace()
    }
    guard 1...3 ~= list.count else { return nil }
    return TransformList(.scale(x: list[0], y: list.count > 1 ? list[1] : list[0]))
  }
}

/// The origin of a transform.
package struct TransformOrigin: Hashable, Sendable {
  package var x = Length.percent(50)
  package var y = Length.percent(50)

  /// Creates an origin at the centre.
  package init() {}

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
package struct PreserveAspectRatio: Hashable, Sendable {
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

  package init() {}

  package init?(parsing bytes: Span<UInt8>) {
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
  package func transform(from box: Rect, to viewport: Rect) -> AffineTransform {
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
package func parseViewBox(_ bytes: Span<UInt8>) -> Rect? {
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
