// An animation element and what it does to its target at time 0 (SVG Animations 2).

internal import CSSStyles
internal import ImageCoding
internal import VectorGraphics
internal import XMLDocuments

/// An animation element.
struct Animation: Sendable {
  typealias NodeIndex = XMLDocument.NodeIndex

  enum Kind: Sendable {
    /// `animate` and `set`.
    case value(AnimationValues)
    /// `animateTransform`, with the name of its function.
    case transform(AnimationValues, function: [UInt8])
    case motion(AnimationMotion)
  }

  let node: NodeIndex
  let target: NodeIndex
  /// The local name of the attribute or the name of the property.
  let attribute: [UInt8]
  let timing: AnimationTiming
  let pacing: AnimationPacing
  let kind: Kind

  /// Reads an element; `nil` if it is not valid.
  init?(_ reader: AnimationReader, target: NodeIndex, maximumSegmentCount: Int) {
    node = reader.node
    self.target = target
    timing = reader.timing
    var pacing = reader.pacing
    let element = reader.document[node].element
    var attribute = reader.bytes(.attributeName) ?? []
    // The prefix of a namespace.
    if let colon = attribute.lastIndex(of: UInt8(ascii: ":")) { attribute.removeFirst(colon + 1) }
    let isTransform = ["transform", "gradientTransform", "patternTransform"].contains {
      attribute.elementsEqual($0.utf8)
    }
    switch element {
    case .set:
      guard let value = reader.bytes(.to), !attribute.isEmpty, !isTransform else { return nil }
      kind = .value(AnimationValues(values: [value]))
      pacing = AnimationPacing()
    case .animate, .animateColor:
      guard !attribute.isEmpty, !isTransform, let values = reader.values(of: attribute) else { return nil }
      kind = .value(values)
    case .animateTransform:
      guard isTransform, let (values, function) = reader.transforms else { return nil }
      kind = .transform(values, function: function)
    case .animateMotion:
      guard let motion = AnimationMotion(reader, maximumSegmentCount: maximumSegmentCount) else { return nil }
      kind = .motion(motion)
      if reader.bytes(.calcMode) == nil { pacing.mode = .paced }
    default: return nil
    }
    self.attribute = attribute
    self.pacing = pacing
  }
}

/// Reads the attributes of an animation element.
struct AnimationReader {
  let document: XMLDocument
  let node: XMLDocument.NodeIndex
  let elements: ElementIDs

  /// The element whose path `mpath` references; `nil` if there is none.
  var motionPathElement: XMLDocument.NodeIndex? {
    guard document[node].element == .animateMotion else { return nil }
    var child = document[node].firstChild
    while child != XMLDocument.noNode {
      if document[child].element == .mpath { return elements.target(of: child, in: document) }
      child = document[child].nextSibling
    }
    return nil
  }

  /// The number of bytes of the path data of another element.
  var motionPathByteCount: Int {
    motionPathElement.flatMap { document.value(.d, of: $0) }.map { Int($0.count) } ?? 0
  }

  /// Returns the bytes of an attribute without white space around them.
  func bytes(_ name: AttributeName) -> [UInt8]? {
    guard let slice = document.value(name, of: node) else { return nil }
    return Array(document.text[StyleSheet.trimmed(slice.range, of: document.text.span)])
  }

  private func seconds(_ name: AttributeName) -> Double? {
    guard let bytes = bytes(name) else { return nil }
    var scanner = TextScanner(bytes.span)
    guard let value = AnimationInstant.clock(&scanner), scanner.isAtEnd, value >= 0 else { return nil }
    return value
  }

  private func isWord(_ name: AttributeName, _ word: String) -> Bool {
    guard let slice = document.value(name, of: node) else { return false }
    return document.equals(slice, word)
  }

  /// Returns the numbers of each item of a list; `nil` if the attribute is missing or has anything but numbers.
  private func numbers(_ name: AttributeName) -> [[Double]]? {
    guard let bytes = bytes(name) else { return nil }
    var list: [[Double]] = []
    for item in AnimationText.items(of: bytes.span) {
      guard let numbers = Self.numbers(bytes.span.extracting(item)) else { return nil }
      list.append(numbers)
    }
    return list
  }

  static func numbers(_ bytes: Span<UInt8>) -> [Double]? {
    var scanner = TextScanner(bytes)
    var numbers: [Double] = []
    scanner.skipSpace()
    while !scanner.isAtEnd {
      guard let number = scanner.number() else { return nil }
      numbers.append(number)
      scanner.skipSpaceAndComma()
    }
    return numbers
  }

  // MARK: Timing

  var timing: AnimationTiming {
    var timing = AnimationTiming()
    if let begin = bytes(.begin) { timing.begins = AnimationInstant.list(begin.span) }
    if let end = bytes(.end) { timing.ends = AnimationInstant.list(end.span) }
    if let duration = seconds(.dur), duration > 0 { timing.duration = duration }
    if isWord(.repeatCount, "indefinite") {
      timing.repeatCount = .infinity
    } else if let count = numbers(.repeatCount)?.first?.first, count > 0 {
      timing.repeatCount = count
    }
    timing.repeatDuration = isWord(.repeatDur, "indefinite") ? .infinity : seconds(.repeatDur)
    timing.minimum = seconds(.min) ?? 0
    timing.maximum = seconds(.max) ?? .infinity
    if isWord(.restart, "never") { timing.restart = .never }
    if isWord(.restart, "whenNotActive") { timing.restart = .whenNotActive }
    for position in document.attributes(of: node) {
      let attribute = document.attributes[position]
      if document.equals(attribute.text, "fill"), document.equals(attribute.value, "freeze") { timing.freezes = true }
    }
    return timing
  }

  var pacing: AnimationPacing {
    var pacing = AnimationPacing()
    if isWord(.calcMode, "discrete") { pacing.mode = .discrete }
    if isWord(.calcMode, "paced") { pacing.mode = .paced }
    if isWord(.calcMode, "spline") { pacing.mode = .spline }
    // Lists that are not valid do not fit any number of values.
    if bytes(.keyTimes) != nil { pacing.times = numbers(.keyTimes)?.flatMap { $0 } ?? [] }
    pacing.splines = numbers(.keySplines) ?? []
    return pacing
  }

  // MARK: Values

  /// Returns the items of `values`, or the ends that `from`, `to` and `by` state; `nil` if there are none.
  ///
  /// - Parameter attribute: the name of the animated attribute.
  func values(of attribute: [UInt8]) -> AnimationValues? {
    var values = AnimationValues(isAdditive: isWord(.additive, "sum"), accumulates: isWord(.accumulate, "sum"))
    if let list = bytes(.values) {
      values.values = AnimationText.items(of: list.span).map { Array(list[$0]) }
      return values.values.isEmpty ? nil : values
    }
    switch (bytes(.from), bytes(.to), bytes(.by)) {
    case (let from?, let to?, _): values.values = [from, to]
    case (let from?, nil, let by?):
      guard let sum = AnimationText.sum(from, by, times: 1, of: attribute) else { return nil }
      values.values = [from, sum]
    case (nil, let to?, _):
      values.values = [to]
      values.startsAtBase = true
      values.isAdditive = false
    case (nil, nil, let by?):
      guard let zero = AnimationText.sum(by, by, times: -1, of: attribute) else { return nil }
      values.values = [zero, by]
      values.isAdditive = true
    default: return nil
    }
    return values
  }

  /// Returns the arguments of the function of `animateTransform` and its name, with all arguments that may be left out.
  var transforms: (values: AnimationValues, function: [UInt8])? {
    let function = bytes(.type) ?? Array("translate".utf8)
    let name = String(decoding: function.prefix(16), as: UTF8.self)
    guard ["translate", "scale", "rotate", "skewX", "skewY"].contains(name), var values = values(of: []) else {
      return nil
    }
    var lists: [[UInt8]] = []
    for value in values.values {
      guard var list = Self.numbers(value.span), !list.isEmpty, list.count <= 3 else { return nil }
      if name == "scale", list.count == 1 { list.append(list[0]) }
      if name == "translate", list.count == 1 { list.append(0) }
      while name == "rotate", list.count < 3 { list.append(0) }
      lists.append(Array(list.map { AnimationText.number($0) }.joined(separator: [32])))
    }
    // The matrix of a transform does not show which function it comes from: `to` starts at zero.
    if values.startsAtBase {
      let count = ["translate": 2, "scale": 2, "rotate": 3][name] ?? 1
      let zero = Array(repeating: AnimationText.number(name == "scale" ? 1 : 0), count: count)
      lists.insert(Array(zero.joined(separator: [32])), at: 0)
      values.startsAtBase = false
    }
    values.values = lists
    return (values, function)
  }
}
