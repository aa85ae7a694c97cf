// The grammars of `mask` and `background` and of their longhands.

internal import VectorGraphics
internal import XMLDocuments

extension ImageLayers {
  /// Parses each item of a list that is separated by commas; `nil` if any of them is malformed.
  static func list<Value>(_ bytes: Span<UInt8>, _ parse: (Span<UInt8>) -> Value?) -> [Value]? {
    var scanner = CSSScanner(bytes, range: 0..<bytes.count)
    var values: [Value] = []
    while values.count < maximumCount {
      let start = scanner.position
      scanner.skip(to: UInt8(ascii: ","))
      let range = StyleSheet.trimmed(start..<scanner.position, of: bytes)
      guard !range.isEmpty, let value = parse(bytes.extracting(range)) else { return nil }
      values.append(value)
      if scanner.isAtEnd { return values }
      scanner.position += 1
    }
    return nil
  }

  /// Parses a value that a scanner reads completely.
  static func whole<Value>(_ bytes: Span<UInt8>, _ read: (inout TextScanner) -> Value?) -> Value? {
    var scanner = TextScanner(bytes)
    scanner.skipSpace()
    guard let value = read(&scanner) else { return nil }
    scanner.skipSpace()
    return scanner.isAtEnd ? value : nil
  }

  /// Reads a pair of keywords for repetition.
  static func repetition(_ scanner: inout TextScanner) -> (x: ImageRepetition, y: ImageRepetition)? {
    let start = scanner.position
    let word = scanner.word()
    if isKeyword(word, "repeat-x") { return (.repeated, .once) }
    if isKeyword(word, "repeat-y") { return (.once, .repeated) }
    guard let x = ImageRepetition(word) else {
      scanner.position = start
      return nil
    }
    scanner.skipSpace()
    let second = scanner.position
    if let y = ImageRepetition(scanner.word()) { return (x, y) }
    scanner.position = second
    return (x, x)
  }

  static func box(_ scanner: inout TextScanner) -> OwnStyle.ReferenceBox? {
    let start = scanner.position
    if let box = OwnStyle.ReferenceBox(scanner.word()) { return box }
    scanner.position = start
    return nil
  }

  static func area(_ scanner: inout TextScanner) -> Area? {
    let start = scanner.position
    if isKeyword(scanner.word(), "no-clip") { return .unlimited }
    scanner.position = start
    return box(&scanner).map { .box($0) }
  }

  /// Reads `alpha`, `luminance` or `match-source`, the outer optional being `nil` if there is none of them.
  static func mode(_ scanner: inout TextScanner) -> Bool?? {
    let start = scanner.position
    let word = scanner.word()
    if isKeyword(word, "alpha") { return .some(false) }
    if isKeyword(word, "luminance") { return .some(true) }
    if isKeyword(word, "match-source") { return .some(nil) }
    scanner.position = start
    return nil
  }

  static func compositing(_ scanner: inout TextScanner) -> MaskCompositing? {
    let start = scanner.position
    let word = scanner.word()
    if isKeyword(word, "add") { return .add }
    if isKeyword(word, "subtract") { return .subtract }
    if isKeyword(word, "intersect") { return .intersect }
    if isKeyword(word, "exclude") { return .exclude }
    scanner.position = start
    return nil
  }

  /// Parses a value of `mask` or `background`.
  ///
  /// - Parameters:
  ///   - isMask: whether modes and operators are part of the value.
  ///   - color: the colour that the last layer of a background may have.
  init?(shorthand bytes: Span<UInt8>, isMask: Bool, color: inout ColorValue?) {
    self.init()
    if isWord(bytes, "none") { return }
    var found: ColorValue?
    let layers = Self.list(bytes) { item -> Layer? in
      // A colour is valid in the last layer only.
      guard found == nil else { return nil }
      return Self.layer(item, isMask: isMask, color: &found)
    }
    guard let layers, !isMask || found == nil else { return nil }
    color = found
    images = layers.map(\.image)
    positions = layers.map(\.position)
    sizes = layers.map(\.size)
    repetitions = layers.map(\.repetition)
    origins = layers.map(\.origin)
    areas = layers.map(\.area)
    modes = layers.map(\.usesLuminance)
    compositings = layers.map(\.compositing)
    if images.count == 1, case .none = images[0] { images = [] }
  }

  private static func layer(_ bytes: Span<UInt8>, isMask: Bool, color: inout ColorValue?) -> Layer? {
    var scanner = TextScanner(bytes)
    var image: CSSImage?
    var position: ImagePosition?
    var size = ImageSizing.lengths(nil, nil)
    var repetition: (x: ImageRepetition, y: ImageRepetition)?
    var boxes: [Area] = []
    var usesLuminance: Bool??
    var compositing: MaskCompositing?
    scanner.skipSpace()
    while !scanner.isAtEnd {
      if image == nil, let value = CSSImage(scanning: &scanner) {
        image = value
      } else if repetition == nil, let value = Self.repetition(&scanner) {
        repetition = value
      } else if boxes.count < 2, let value = area(&scanner) {
        boxes.append(value)
      } else if isMask, usesLuminance == nil, let value = mode(&scanner) {
        usesLuminance = value
      } else if isMask, compositing == nil, let value = Self.compositing(&scanner) {
        compositing = value
      } else if !isMask, attachment(&scanner) {
        // Nothing scrolls.
      } else if position == nil, let value = ImagePosition(scanning: &scanner) {
        position = value
        scanner.skipSpace()
        if scanner.take(UInt8(ascii: "/")) {
          scanner.skipSpace()
          guard let value = ImageSizing(scanning: &scanner) else { return nil }
          size = value
        }
      } else if !isMask, color == nil, let value = ColorParser.parse(&scanner) {
        color = value
      } else {
        return nil
      }
      scanner.skipSpace()
    }
    var origin = OwnStyle.ReferenceBox.stroke
    if case .box(let box)? = boxes.first(where: { $0 != .unlimited }) { origin = box }
    return Layer(
      image: image ?? .none, position: position ?? ImagePosition(), size: size,
      repetition: repetition ?? (.repeated, .repeated), origin: origin, area: boxes.last ?? .box(origin),
      usesLuminance: usesLuminance ?? nil, compositing: compositing ?? .add)
  }

  private static func attachment(_ scanner: inout TextScanner) -> Bool {
    let start = scanner.position
    let word = scanner.word()
    if isKeyword(word, "scroll") || isKeyword(word, "fixed") || isKeyword(word, "local") { return true }
    scanner.position = start
    return false
  }
}

extension ImageRepetition {
  init?(_ word: Span<UInt8>) {
    if isKeyword(word, "repeat") {
      self = .repeated
    } else if isKeyword(word, "no-repeat") {
      self = .once
    } else if isKeyword(word, "space") {
      self = .spaced
    } else if isKeyword(word, "round") {
      self = .rounded
    } else {
      return nil
    }
  }
}

extension CSSImage {
  /// Reads an image; `nil` if there is none or it is of an unknown kind.
  init?(scanning scanner: inout TextScanner) {
    let start = scanner.position
    if isKeyword(scanner.word(), "none") {
      self = .none
      return
    }
    scanner.position = start
    if let reference = parseReference(&scanner) {
      self =
        reference == .external
        ? .picture(Self.url(scanner.bytes.extracting(start..<scanner.position))) : .element(reference)
      return
    }
    scanner.position = start
    guard let gradient = CSSGradient(scanning: &scanner) else {
      scanner.position = start
      return nil
    }
    self = .gradient(gradient)
  }

  /// Returns the URL in `url(…)`.
  private static func url(_ bytes: Span<UInt8>) -> [UInt8] {
    var scanner = CSSScanner(bytes, range: 4..<bytes.count)
    scanner.skipSpace()
    if let string = scanner.string() { return string }
    return StyleSheet.trimmed(scanner.position..<bytes.count - 1, of: bytes).map { bytes[$0] }
  }
}

extension ImageSizing {
  /// Reads a size.
  init?(scanning scanner: inout TextScanner) {
    func side(_ scanner: inout TextScanner) -> Length?? {
      let start = scanner.position
      if let length = Length(scanning: &scanner) { return length.value < 0 ? nil : .some(length) }
      if isKeyword(scanner.word(), "auto") { return .some(nil) }
      scanner.position = start
      return nil
    }
    let start = scanner.position
    let word = scanner.word()
    if isKeyword(word, "contain") {
      self = .contain
      return
    }
    if isKeyword(word, "cover") {
      self = .cover
      return
    }
    scanner.position = start
    guard let width = side(&scanner) else { return nil }
    scanner.skipSpace()
    self = .lengths(width, side(&scanner) ?? nil)
  }
}

extension ImagePosition {
  private enum Part {
    case horizontal(isEnd: Bool)
    case vertical(isEnd: Bool)
    case center
    case length(Length)
  }

  /// Reads one to four values: keywords, and distances from edges.
  init?(scanning scanner: inout TextScanner) {
    let first = scanner.position
    var parts: [Part] = []
    while parts.count < 4 {
      scanner.skipSpace()
      let start = scanner.position
      if let length = Length(scanning: &scanner) {
        parts.append(.length(length))
        continue
      }
      scanner.position = start
      let word = scanner.word()
      if isKeyword(word, "left") || isKeyword(word, "right") {
        parts.append(.horizontal(isEnd: isKeyword(word, "right")))
      } else if isKeyword(word, "top") || isKeyword(word, "bottom") {
        parts.append(.vertical(isEnd: isKeyword(word, "bottom")))
      } else if isKeyword(word, "center") {
        parts.append(.center)
      } else {
        scanner.position = start
        break
      }
    }
    guard !parts.isEmpty else { return nil }
    guard let position = Self.position(of: parts) else {
      scanner.position = first
      return nil
    }
    self = position
  }

  /// Returns the position that keywords and distances state; `nil` if they contradict each other.
  private static func position(of parts: [Part]) -> ImagePosition? {
    var position = ImagePosition.center
    var (hasX, hasY) = (false, false)
    var index = 0
    while index < parts.count {
      var offset = Length.percent(0)
      switch parts[index] {
      case .horizontal(let isEnd), .vertical(let isEnd):
        // With three or four values, keywords are followed by distances.
        if parts.count > 2, index + 1 < parts.count, case .length(let length) = parts[index + 1] {
          offset = length
        }
        if case .horizontal = parts[index] {
          guard !hasX else { return nil }
          (position.x, hasX) = (Offset(length: offset, isFromEnd: isEnd), true)
        } else {
          guard !hasY else { return nil }
          (position.y, hasY) = (Offset(length: offset, isFromEnd: isEnd), true)
        }
        if parts.count > 2, index + 1 < parts.count, case .length = parts[index + 1] { index += 1 }
      case .center: break
      case .length(let length):
        // The first of two values is horizontal, unless the second one is.
        if index == 0 {
          if parts.count > 1, case .horizontal = parts[1] { return nil }
          (position.x, hasX) = (Offset(length: length), true)
        } else {
          guard index == 1, !hasY else { return nil }
          (position.y, hasY) = (Offset(length: length), true)
        }
      }
      index += 1
    }
    return position
  }
}
