// The element and attribute names of SVG as integers, found by hash.

/// The elements that are drawn, referenced or read. All others are `unknown`.
enum ElementName: String, CaseIterable, Sendable {
  case unknown = ""
  case a, animate, animateColor, animateMotion, animateTransform, circle, clipPath, defs, desc, ellipse, feBlend
  case feColorMatrix, feComponentTransfer, feComposite, feConvolveMatrix, feDiffuseLighting, feDisplacementMap
  case feDistantLight, feDropShadow, feFlood, feFuncA, feFuncB, feFuncG, feFuncR, feGaussianBlur, feImage, feMerge
  case feMergeNode, feMorphology, feOffset, fePointLight, feSpecularLighting, feSpotLight, feTile, feTurbulence
  case filter, foreignObject, g, image, line, linearGradient, marker, mask, metadata, mpath, path, pattern, polygon
  case polyline, radialGradient, rect, script, set, stop, style, svg, `switch`, symbol, text, textPath, title, tref
  case tspan, use, view

  /// Whether the element is a container or a shape that is drawn at its place in the document.
  var isGraphic: Bool {
    switch self {
    case .a, .circle, .ellipse, .g, .image, .line, .path, .polygon, .polyline, .rect, .svg, .switch, .text, .use: true
    default: false
    }
  }

  /// Whether character data in the element may be drawn or read: that of text, of style sheets, and of the targets of
  /// `tref`.
  var keepsText: Bool { self == .text || self == .style || self == .title || self == .desc || isShape }

  /// Whether the element is a filter primitive or a part of one.
  var isFilterPart: Bool {
    switch self {
    case .feBlend, .feColorMatrix, .feComponentTransfer, .feComposite, .feConvolveMatrix, .feDiffuseLighting,
      .feDisplacementMap, .feDistantLight, .feDropShadow, .feFlood, .feFuncA, .feFuncB, .feFuncG, .feFuncR,
      .feGaussianBlur, .feImage, .feMerge, .feMergeNode, .feMorphology, .feOffset, .fePointLight, .feSpecularLighting,
      .feSpotLight, .feTile, .feTurbulence:
      true
    default: false
    }
  }

  /// Whether the element animates another one.
  var isAnimation: Bool {
    switch self {
    case .animate, .animateColor, .animateMotion, .animateTransform, .set: true
    default: false
    }
  }

  /// Whether the element is a basic shape or a path.
  var isShape: Bool {
    switch self {
    case .circle, .ellipse, .line, .path, .polygon, .polyline, .rect: true
    default: false
    }
  }
}

/// The supported attributes other than those that set properties; see ``PropertyTable``.
enum AttributeName: String, CaseIterable, Sendable {
  case `class`, clipPathUnits, cx, cy, d, dx, dy, fr, fx, fy, gradientTransform, gradientUnits, height, href, id, lang
  case lengthAdjust, markerHeight, markerUnits, markerWidth, maskContentUnits, maskUnits, method, offset
  case orient
  case path, pathLength, patternContentUnits, patternTransform, patternUnits, points, preserveAspectRatio, r, refX, refY
  case requiredExtensions, requiredFeatures, rotate, rx, ry, side, space, spreadMethod, startOffset, style
  case systemLanguage
  case textLength, transform, type, media, version, viewBox, width, x, x1, x2, y, y1, y2
  // SVG Animations.
  case accumulate, additive, attributeName, attributeType, begin, by, calcMode, dur, end, from, keyPoints, keySplines
  case keyTimes, max, min, repeatCount, repeatDur, restart, to
  // Filter Effects: attributes of the primitives.
  case amplitude, azimuth, baseFrequency, bias, diffuseConstant, divisor, edgeMode, elevation, exponent, filterUnits
  case `in`, in2, intercept, k1, k2, k3, k4, kernelMatrix, kernelUnitLength, limitingConeAngle, mode, numOctaves
  case `operator`, order, pointsAtX, pointsAtY, pointsAtZ, preserveAlpha, primitiveUnits, radius, result, scale, seed
  case slope, specularConstant, specularExponent, stdDeviation, stitchTiles, surfaceScale, tableValues, targetX
  case targetY, values, xChannelSelector, yChannelSelector, z
}

/// Values by the bytes of their names: a hash table with open addressing, in which most names are found at once.
struct NameTable<Value: Sendable>: Sendable {
  private struct Slot: Sendable {
    var name: Range<Int>
    var value: Value
  }

  /// At most a quarter of the slots are used, and their number is a power of two.
  private var slots: [Slot?]
  /// The names, one after the other.
  private var names: [UInt8] = []
  /// The length of the longest name.
  private var maximumByteCount = 0

  /// Creates a table of names that differ from each other.
  init(_ entries: [(name: String, value: Value)]) {
    var count = 16
    while count < entries.count * 4 { count *= 2 }
    slots = Array(repeating: nil, count: count)
    for entry in entries {
      let start = names.count
      names += Array(entry.name.utf8)
      maximumByteCount = max(maximumByteCount, names.count - start)
      var index = firstIndex(of: names.span.extracting(start...))
      while slots[index] != nil { index = (index &+ 1) & (count &- 1) }
      slots[index] = Slot(name: start..<names.count, value: entry.value)
    }
  }

  subscript(name: Span<UInt8>) -> Value? {
    guard name.count <= maximumByteCount else { return nil }
    var index = firstIndex(of: name)
    while let slot = slots[index] {
      if isEqual(name, slot.name) { return slot.value }
      index = (index &+ 1) & (slots.count &- 1)
    }
    return nil
  }

  private func firstIndex(of name: Span<UInt8>) -> Int {
    Int(truncatingIfNeeded: XMLDocument.hash(name)) & (slots.count &- 1)
  }

  private func isEqual(_ name: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard name.count == range.count else { return false }
    let known = names.span.extracting(range)
    for index in name.indices where name[index] != known[index] { return false }
    return true
  }
}

/// The tables of names, created once.
enum MarkupNames {
  /// What the local name of an element means.
  struct ElementMeaning: Sendable {
    var element: ElementName
    /// The number of the name among those of elements; see ``NameNumbers``.
    var number: NameNumber
  }

  /// What the name of an attribute without a namespace means.
  struct AttributeMeaning: Sendable {
    var name: AttributeName?
    /// The number of the name among those of attributes; see ``NameNumbers``.
    var number: NameNumber = 0
    /// The property that the attribute sets.
    var property: Property?
  }

  static let elements = NameTable(
    ElementName.allCases.enumerated().map { index, element in
      (element.rawValue, ElementMeaning(element: element, number: NameNumber(index)))
    })

  static let attributes: NameTable<AttributeMeaning> = {
    var meanings: [String: AttributeMeaning] = [:]
    for name in AttributeName.allCases { meanings[name.rawValue] = AttributeMeaning(name: name) }
    for property in PropertyTable.all where property.row.isAttribute {
      meanings[property.row.name, default: AttributeMeaning()].property = property
    }
    return NameTable(
      meanings.enumerated().map { index, entry in
        var meaning = entry.value
        meaning.number = NameNumber(index)
        return (entry.key, meaning)
      })
  }()
}
