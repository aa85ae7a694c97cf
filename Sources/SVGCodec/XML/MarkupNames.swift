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

/// Looks up an enumeration case by the bytes of its name.
struct NameTable<Name: RawRepresentable & CaseIterable & Sendable>: Sendable where Name.RawValue == String {
  private let cases: [UInt64: Name]

  init() {
    var cases: [UInt64: Name] = [:]
    for name in Name.allCases {
      let bytes = Array(name.rawValue.utf8)
      cases[XMLDocument.hash(bytes.span)] = name
    }
    self.cases = cases
  }

  subscript(name: Span<UInt8>) -> Name? {
    guard let found = cases[XMLDocument.hash(name)] else { return nil }
    let expected = found.rawValue.utf8
    guard expected.count == name.count else { return nil }
    var index = 0
    for byte in expected {
      if byte != name[index] { return nil }
      index += 1
    }
    return found
  }
}

/// The tables of names, created once.
enum MarkupNames {
  static let elements = NameTable<ElementName>()
  static let attributes = NameTable<AttributeName>()
}
