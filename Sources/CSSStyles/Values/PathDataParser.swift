// Parsing of path data (SVG 2, section 9.3). After an error, the path up to the error is kept, as section 9.5.4
// requires.

package import ImageCoding
package import VectorGraphics

/// Parses the `d` attribute.
package struct PathDataParser: ~Escapable {
  private var scanner: TextScanner
  private let maximumSegmentCount: Int
  private var segmentCount = 0
  private var current = Point.zero
  private var start = Point.zero
  /// The last control point of a curve, used by subsequent smooth commands.
  private var control: Point?
  private var controlIsCubic = false
  /// Checked between segments.
  private let interruption: Interruption
  private var failure: CodecError?

  private static let segmentsBetweenChecks = 4096

  @_lifetime(copy bytes)
  private init(_ bytes: Span<UInt8>, maximumSegmentCount: Int, interruption: Interruption) {
    scanner = TextScanner(bytes)
    self.maximumSegmentCount = maximumSegmentCount
    self.interruption = interruption
  }

  /// Returns the path of path data, up to the first error or the limit of segments.
  package static func parse(_ bytes: Span<UInt8>, maximumSegmentCount: Int) -> Path {
    (try? parse(bytes, maximumSegmentCount: maximumSegmentCount, interruption: Interruption())) ?? Path()
  }

  /// Returns the path of path data, up to the first error or the limit of segments.
  ///
  /// - Throws: `CodecError.Kind.cancelled`, `CodecError.Kind.deadlineExceeded`.
  package static func parse(
    _ bytes: Span<UInt8>, maximumSegmentCount: Int, interruption: Interruption
  ) throws(CodecError) -> Path {
    var path = Path()
    path.reserveCapacity(verbs: bytes.count / 16, points: bytes.count / 10)
    var parser = PathDataParser(bytes, maximumSegmentCount: maximumSegmentCount, interruption: interruption)
    parser.parse(into: &path)
    if let failure = parser.failure { throw failure }
    return path
  }

  /// Whether decoding has been cancelled or takes too long.
  @_lifetime(self: copy self)
  private mutating func isInterrupted() -> Bool {
    do throws(CodecError) { try interruption.check() } catch { failure = error }
    return failure != nil
  }

  @_lifetime(self: copy self)
  private mutating func parse(into path: inout Path) {
    scanner.skipSpace()
    guard scanner.next | 0x20 == UInt8(ascii: "m") else { return }
    while !scanner.isAtEnd {
      let command = scanner.next
      scanner.position += 1
      scanner.skipSpace()
      guard parse(command, into: &path) else { return }
      scanner.skipSpace()
    }
  }

  /// Reads the arguments of a command including repetitions. Returns whether to continue.
  @_lifetime(self: copy self)
  private mutating func parse(_ command: UInt8, into path: inout Path) -> Bool {
    let isRelative = command >= UInt8(ascii: "a")
    var kind = command | 0x20
    if kind == UInt8(ascii: "z") {
      path.close()
      current = start
      control = nil
      return UInt8(ascii: "A")...UInt8(ascii: "z") ~= command
    }
    var isFirst = true
    while true {
      guard segmentCount < maximumSegmentCount else { return false }
      segmentCount &+= 1
      if segmentCount % Self.segmentsBetweenChecks == 0, isInterrupted() { return false }
      guard segment(kind, isRelative: isRelative, into: &path) else { return false }
      if kind == UInt8(ascii: "m"), isFirst { kind = UInt8(ascii: "l") }
      isFirst = false
      let before = scanner.position
      scanner.skipSpaceAndComma()
      guard isNumberStart(scanner.next) else {
        // A comma before a command is an error.
        return !hasComma(from: before) || scanner.isAtEnd
      }
    }
  }

  private func hasComma(from position: Int) -> Bool {
    for index in position..<scanner.position where scanner.bytes[index] == UInt8(ascii: ",") { return true }
    return false
  }

  @inline(__always)
  private func isNumberStart(_ byte: UInt8) -> Bool {
    byte &- 48 < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
  }

  @_lifetime(self: copy self)
  private mutating func segment(_ kind: UInt8, isRelative: Bool, into path: inout Path) -> Bool {
    let origin = isRelative ? current : .zero
    switch kind {
    case UInt8(ascii: "m"):
      guard let point = point(origin) else { return false }
      path.move(to: point)
      start = point
      advance(to: point)
    case UInt8(ascii: "l"):
      guard let point = point(origin) else { return false }
      path.line(to: point)
      advance(to: point)
    case UInt8(ascii: "h"):
      guard let x = coordinate() else { return false }
      let point = Point(x: origin.x + x, y: current.y)
      path.line(to: point)
      advance(to: point)
    case UInt8(ascii: "v"):
      guard let y = coordinate() else { return false }
      let point = Point(x: current.x, y: origin.y + y)
      path.line(to: point)
      advance(to: point)
    case UInt8(ascii: "c"):
      guard let first = point(origin), let second = point(origin), let end = point(origin) else { return false }
      path.cubic(to: end, control1: first, control2: second)
      advance(to: end, control: second, isCubic: true)
    case UInt8(ascii: "s"):
      guard let second = point(origin), let end = point(origin) else { return false }
      path.cubic(to: end, control1: reflectedControl(isCubic: true), control2: second)
      advance(to: end, control: second, isCubic: true)
    case UInt8(ascii: "q"):
      guard let middle = point(origin), let end = point(origin) else { return false }
      path.quad(to: end, control: middle)
      advance(to: end, control: middle, isCubic: false)
    case UInt8(ascii: "t"):
      guard let end = point(origin) else { return false }
      let middle = reflectedControl(isCubic: false)
      path.quad(to: end, control: middle)
      advance(to: end, control: middle, isCubic: false)
    case UInt8(ascii: "a"):
      return arc(origin, into: &path)
    default: return false
    }
    return true
  }

  @inline(__always)
  @_lifetime(self: copy self)
  private mutating func advance(to point: Point, control: Point? = nil, isCubic: Bool = false) {
    current = point
    self.control = control
    controlIsCubic = isCubic
  }

  private func reflectedControl(isCubic: Bool) -> Point {
    guard let control, controlIsCubic == isCubic else { return current }
    return Point(x: 2 * current.x - control.x, y: 2 * current.y - control.y)
  }

  @inline(__always)
  @_lifetime(self: copy self)
  private mutating func coordinate() -> Double? {
    scanner.skipSpaceAndComma()
    return scanner.number()
  }

  @inline(__always)
  @_lifetime(self: copy self)
  private mutating func point(_ origin: Point) -> Point? {
    scanner.skipSpaceAndComma()
    guard let x = scanner.number() else { return nil }
    scanner.skipSpaceAndComma()
    guard let y = scanner.number() else { return nil }
    return Point(x: origin.x + x, y: origin.y + y)
  }

  @_lifetime(self: copy self)
  private mutating func arc(_ origin: Point, into path: inout Path) -> Bool {
    guard let rx = coordinate(), let ry = coordinate(), let rotation = coordinate(), let large = flag(),
      let sweep = flag(), let end = point(origin)
    else { return false }
    let angle = rotation.truncatingRemainder(dividingBy: 360) * .pi / 180
    path.arc(to: end, radiusX: rx, radiusY: ry, rotation: angle, isLarge: large, isSweep: sweep)
    advance(to: end)
    return true
  }

  /// Reads a flag: a single character that need not be followed by a separator.
  @_lifetime(self: copy self)
  private mutating func flag() -> Bool? {
    scanner.skipSpaceAndComma()
    if scanner.take(UInt8(ascii: "0")) { return false }
    if scanner.take(UInt8(ascii: "1")) { return true }
    return nil
  }
}
