// SMIL animations at time 0: a static drawing shows what a browser shows before any time has passed. Animated
// attributes and declarations replace those of the document before its style sheets are applied.

internal import CSSStyles
internal import ImageCoding
internal import XMLDocuments

/// The animations of a document.
struct Animations {
  typealias NodeIndex = XMLDocument.NodeIndex

  /// An animated attribute or property of an element.
  private struct Key: Hashable {
    var target: NodeIndex
    var attribute: [UInt8]
  }

  /// The attributes and declarations that animations set on an element.
  private struct Changes {
    var attributes: [(name: [UInt8], value: [UInt8])] = []
    var style: [UInt8] = []
  }

  /// The work units for an animation, in addition to its text.
  private static let workPerAnimation = 4_000
  /// The bytes of an element of a list, besides those of its text.
  private static let bytesPerListedValue = 96
  /// The number of bytes that an animation holds.
  private static let bytesPerAnimation = MemoryLayout<Animation>.stride * 2
  /// The maximum number of animations that begin one after the other.
  private static let maximumChainLength = 8

  private var list: [Animation] = []
  private var intervals: [[AnimationTiming.Interval]] = []
  private var values: [Key: [UInt8]] = [:]
  private var places: [NodeIndex: AnimationMotion.Place] = [:]

  /// Applies the animations of a document to the elements that they animate.
  static func apply(
    to document: inout XMLDocument, maximumSegmentCount: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard document.nodes.contains(where: { $0.element?.isAnimation == true }) else { return }
    let held = budget.heldByteCount
    var animations = Animations()
    try animations.read(&document, maximumSegmentCount: maximumSegmentCount, budget: &budget)
    try animations.resolveTimes(of: document, budget: &budget)
    try animations.evaluate(in: document, budget: &budget)
    let (textByteCount, attributeCount) = (document.text.count, document.attributes.count)
    try animations.write(to: &document, budget: &budget)
    // The document keeps what has been written. Arrays grow by doubling.
    let added = (document.attributes.count - attributeCount) * MemoryLayout<XMLDocument.Attribute>.stride
    budget.settle(heldByteCount: held + 2 * (document.text.count - textByteCount + added))
  }

  private mutating func read(
    _ document: inout XMLDocument, maximumSegmentCount: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    try budget.chargeWork(count: document.nodes.count, unitsEach: 60)
    try budget.allocate(count: document.nodes.count, bytesEach: 24)
    let elements = ElementIDs(document)
    for index in document.nodes.indices where document.nodes[index].element?.isAnimation == true {
      let node = NodeIndex(index)
      var (byteCount, listedCount) = (0, 0)
      for index in document.attributes(of: node) {
        let range = document.attributes[index].value.range
        byteCount += range.count
        for place in range where document.text[place] == UInt8(ascii: ";") { listedCount += 1 }
      }
      try budget.chargeWork(Self.workPerAnimation + byteCount * 40)
      try budget.allocate(Self.bytesPerAnimation + byteCount * 4 + listedCount * Self.bytesPerListedValue)
      var target = document[node].parent
      if document.value(.href, of: node) != nil {
        target = elements.target(of: node, in: document) ?? XMLDocument.noNode
      }
      guard target != XMLDocument.noNode else { continue }
      let reader = AnimationReader(document: document, node: node, elements: elements)
      try budget.chargeWork(reader.motionPathByteCount * 100)
      try budget.allocate(reader.motionPathByteCount * 8)
      if let animation = Animation(reader, target: target, maximumSegmentCount: maximumSegmentCount) {
        list.append(animation)
      } else {
        document.note("an animation with malformed attributes has no effect", at: Int(document[node].byteOffset))
      }
    }
  }

  // MARK: Times

  private mutating func resolveTimes(
    of document: XMLDocument, budget: inout ResourceBudget
  ) throws(CodecError) {
    intervals = list.map { $0.timing.intervals { _, _ in [] } }
    let relative = list.indices.filter { list[$0].timing.isRelative }
    guard !relative.isEmpty else { return }
    var byID: [[UInt8]: Int] = [:]
    for index in list.indices {
      guard let id = document.value(.id, of: list[index].node) else { continue }
      let key = Array(document.text[id.range])
      if byID[key] == nil { byID[key] = index }
    }
    for _ in 0..<Self.maximumChainLength {
      var hasChanged = false
      let known = intervals
      for index in relative {
        try budget.chargeWork(Self.workPerAnimation)
        let next = list[index].timing.intervals { id, isEnd in
          guard let other = byID[id] else { return [] }
          return known[other].map { isEnd ? $0.end : $0.begin }
        }
        if next != intervals[index] {
          intervals[index] = next
          hasChanged = true
        }
      }
      guard hasChanged else { return }
    }
  }

  // MARK: Values

  private mutating func evaluate(in document: XMLDocument, budget: inout ResourceBudget) throws(CodecError) {
    var active: [(index: Int, progress: AnimationTiming.Progress)] = []
    for index in list.indices {
      if let progress = list[index].timing.progress(in: intervals[index]) { active.append((index, progress)) }
    }
    // Animations that begin later have priority, then those that follow in the document.
    active.sort { ($0.progress.begin, $0.index) < ($1.progress.begin, $1.index) }
    for (index, progress) in active {
      let animation = list[index]
      try budget.chargeWork(Self.workPerAnimation)
      switch animation.kind {
      case .value(let animated):
        let key = Key(target: animation.target, attribute: animation.attribute)
        let base = values[key] ?? document.attribute(key.attribute, of: key.target)
        try budget.chargeWork(count: animated.values.reduce(base?.count ?? 0) { $0 + $1.count }, unitsEach: 40)
        if let value = animated.value(at: progress, animation.pacing, base: base, of: key.attribute) {
          values[key] = value
        }
      case .transform(let animated, let function):
        let key = Key(target: animation.target, attribute: animation.attribute)
        var arguments = animated
        arguments.isAdditive = false
        guard let list = arguments.value(at: progress, animation.pacing, base: nil, of: key.attribute) else { continue }
        let text = function + [UInt8(ascii: "(")] + list + [UInt8(ascii: ")")]
        if !animated.isAdditive {
          values[key] = text
        } else {
          // The text is extended in place, since there may be many functions.
          if values[key] == nil { values[key] = document.attribute(key.attribute, of: key.target) ?? [] }
          values[key]?.append(32)
          values[key]?.append(contentsOf: text)
        }
        try budget.allocate(text.count * 2)
      case .motion(let motion):
        guard var place = motion.place(at: progress.fraction, animation.pacing) else { continue }
        if motion.isAdditive, let base = places[animation.target] {
          place = AnimationMotion.Place(x: base.x + place.x, y: base.y + place.y, angle: base.angle + place.angle)
        }
        places[animation.target] = place
      }
    }
  }

  // MARK: Writing

  private func write(to document: inout XMLDocument, budget: inout ResourceBudget) throws(CodecError) {
    var changes: [NodeIndex: Changes] = [:]
    for key in values.keys.sorted(by: { $0.attribute.lexicographicallyPrecedes($1.attribute) }) {
      guard let value = values[key] else { continue }
      add(value, key, document, to: &changes[key.target, default: Changes()])
    }
    for (target, place) in places {
      let translation = AnimationText.number(place.x) + Array("px ".utf8) + AnimationText.number(place.y)
      changes[target, default: Changes()].style +=
        Array("translate:".utf8) + translation + Array("px;rotate:".utf8) + AnimationText.number(place.angle)
        + Array("deg;".utf8)
    }
    for target in changes.keys.sorted() {
      guard let change = changes[target] else { continue }
      try document.set(change.attributes, style: change.style, of: target, budget: &budget)
    }
  }

  /// Adds a value as a declaration if the attribute sets a property, since animations override style sheets.
  private func add(_ value: [UInt8], _ key: Key, _ document: XMLDocument, to changes: inout Changes) {
    let transforms = ["transform", "gradientTransform", "patternTransform"]
    let isTransform = transforms.contains { key.attribute.elementsEqual($0.utf8) }
    let property = isTransform ? PropertyTable.transform : PropertyTable.property(named: key.attribute.span)
    if let property, property.row.isAttribute, !value.contains(UInt8(ascii: ";")) {
      changes.style += Array(property.row.name.utf8) + [UInt8(ascii: ":")] + value + [UInt8(ascii: ";")]
      return
    }
    changes.attributes.append((key.attribute, value))
    // Geometry of style sheets has priority over the attribute.
    if property != nil, document[key.target].element?.hasGeometryProperties == true,
      !value.contains(UInt8(ascii: ";"))
    {
      changes.style += key.attribute + [UInt8(ascii: ":")] + value + [UInt8(ascii: ";")]
    }
  }
}

extension ElementName {
  /// Whether the geometry of the element can be set by style sheets.
  fileprivate var hasGeometryProperties: Bool {
    switch self {
    case .circle, .ellipse, .image, .rect, .svg, .use, .foreignObject: true
    default: false
    }
  }
}

/// The elements of a document by their identifiers.
struct ElementIDs: Sendable {
  private var nodes: [UInt64: XMLDocument.NodeIndex] = [:]

  init(_ document: XMLDocument) {
    for index in document.nodes.indices {
      let node = XMLDocument.NodeIndex(index)
      guard let id = document.value(.id, of: node) else { continue }
      let key = XMLDocument.hash(document.text.span.extracting(id.range))
      if nodes[key] == nil { nodes[key] = node }
    }
  }

  /// Returns the element that a `href` references.
  func target(of node: XMLDocument.NodeIndex, in document: XMLDocument) -> XMLDocument.NodeIndex? {
    guard let slice = document.value(.href, of: node) else { return nil }
    let bytes = document.text.span.extracting(slice.range)
    return parseFragment(bytes).flatMap { nodes[XMLDocument.hash(bytes.extracting($0))] }
  }
}

extension XMLDocument {
  /// Returns the value of an attribute with any name.
  fileprivate func attribute(_ name: [UInt8], of node: NodeIndex) -> [UInt8]? {
    for position in attributes(of: node) where text[attributes[position].text.range].elementsEqual(name) {
      if attributes[position].namespace != .other { return Array(text[attributes[position].value.range]) }
    }
    return nil
  }

  /// Sets attributes of an element, and appends declarations to its `style`.
  fileprivate mutating func set(
    _ changes: [(name: [UInt8], value: [UInt8])], style: [UInt8], of node: NodeIndex, budget: inout ResourceBudget
  ) throws(CodecError) {
    var own = attributes(of: node).map { attributes[$0] }
    try budget.allocate(count: own.count + changes.count + 1, bytesEach: MemoryLayout<Attribute>.stride * 2)
    var changes = changes
    if !style.isEmpty {
      let name = Array("style".utf8)
      changes.append((name, (attribute(name, of: node) ?? []) + [UInt8(ascii: ";")] + style))
    }
    for change in changes {
      try budget.chargeWork(count: own.count, unitsEach: 20)
      let value = TextSlice(try append(change.value, budget: &budget))
      let known = own.firstIndex { text[$0.text.range].elementsEqual(change.name) && $0.namespace != .other }
      if let known {
        own[known].value = value
        continue
      }
      let meaning = MarkupNames.svg.attributes[change.name.span]
      own.append(
        Attribute(
          name: meaning?.name, namespace: .none, text: TextSlice(try append(change.name, budget: &budget)),
          value: value, property: meaning?.property))
    }
    nodes[Int(node)].attributeStart = Int32(clamping: attributes.count)
    nodes[Int(node)].attributeCount = Int32(clamping: own.count)
    attributes += own
  }
}
