// The element and attribute names of SVG as integers, found by hash.

/// The elements that are drawn, referenced or read. All others are `unknown`.
enum ElementName: String, CaseIterable, Sendable {
  case unknown = ""
  case a, circle, clipPath, defs, desc, ellipse, feBlend, feColorMatrix, feComponentTransfer, feComposite
  case feConvolveMatrix, feDiffuseLighting, feDisplacementMap, feDistantLight, feDropShadow, feFlood, feFuncA, feFuncB
  case feFuncG, feFuncR, feGaussianBlur, feImage, feMerge, feMergeNode, feMorphology, feOffset, fePointLight
  case feSpecularLighting, feSpotLight, feTile, feTurbulence, filter, foreignObject, g, image, line, linearGradient
  case marker, mask, metadata, path, pattern, polygon, polyline, radialGradient, rect, script, stop, style, svg
  case `switch`, symbol, text, textPath, title, tref, tspan, use, view

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

  /// Whether the element is a basic shape or a path.
  var isShape: Bool {
    switch self {
    case .circle, .ellipse, .line, .path, .polygon, .polyline, .rect: true
    default: false
    }
  }
}

/// The supported attributes and properties.
enum AttributeName: String, CaseIterable, Sendable {
  case `class`, clipPathUnits, cx, cy, d, dx, dy, fr, fx, fy, gradientTransform, gradientUnits, height, href, id, lang
  case lengthAdjust, markerHeight, markerUnits, markerWidth, maskContentUnits, maskUnits, offset, orient
  case path, pathLength, patternContentUnits, patternTransform, patternUnits, points, preserveAspectRatio, r, refX, refY
  case requiredExtensions, requiredFeatures, rotate, rx, ry, side, space, spreadMethod, startOffset, style
  case systemLanguage
  case textLength, transform, type, media, version, viewBox, width, x, x1, x2, y, y1, y2
  // Filter Effects: attributes of the primitives.
  case amplitude, azimuth, baseFrequency, bias, diffuseConstant, divisor, edgeMode, elevation, exponent, filterUnits
  case `in`, in2, intercept, k1, k2, k3, k4, kernelMatrix, kernelUnitLength, limitingConeAngle, mode, numOctaves
  case `operator`, order, pointsAtX, pointsAtY, pointsAtZ, preserveAlpha, primitiveUnits, radius, result, scale, seed
  case slope, specularConstant, specularExponent, stdDeviation, stitchTiles, surfaceScale, tableValues, targetX
  case targetY, values, xChannelSelector, yChannelSelector, z
  // Presentation attributes.
  case alignmentBaseline = "alignment-baseline"
  case baselineShift = "baseline-shift"
  case backgroundColor = "background-color"
  case clip
  case clipPath = "clip-path"
  case clipRule = "clip-rule"
  case color
  case colorInterpolation = "color-interpolation"
  case colorInterpolationFilters = "color-interpolation-filters"
  case direction
  case display
  case dominantBaseline = "dominant-baseline"
  case enableBackground = "enable-background"
  case fill
  case fillOpacity = "fill-opacity"
  case fillRule = "fill-rule"
  case filter
  case floodColor = "flood-color"
  case floodOpacity = "flood-opacity"
  case font
  case fontFamily = "font-family"
  case fontFeatureSettings = "font-feature-settings"
  case fontKerning = "font-kerning"
  case fontOpticalSizing = "font-optical-sizing"
  case fontSize = "font-size"
  case fontSizeAdjust = "font-size-adjust"
  case fontStretch = "font-stretch"
  case fontStyle = "font-style"
  case fontVariant = "font-variant"
  case fontVariantCaps = "font-variant-caps"
  case fontVariationSettings = "font-variation-settings"
  case fontWeight = "font-weight"
  case glyphOrientationHorizontal = "glyph-orientation-horizontal"
  case glyphOrientationVertical = "glyph-orientation-vertical"
  case imageRendering = "image-rendering"
  case isolation
  case kerning
  case letterSpacing = "letter-spacing"
  case lightingColor = "lighting-color"
  case lineHeight = "line-height"
  case marker
  case markerEnd = "marker-end"
  case markerMid = "marker-mid"
  case markerStart = "marker-start"
  case mask
  case maskType = "mask-type"
  case mixBlendMode = "mix-blend-mode"
  case opacity
  case overflow
  case paintOrder = "paint-order"
  case shapeRendering = "shape-rendering"
  case stopColor = "stop-color"
  case stopOpacity = "stop-opacity"
  case stroke
  case strokeDasharray = "stroke-dasharray"
  case strokeDashoffset = "stroke-dashoffset"
  case strokeLinecap = "stroke-linecap"
  case strokeLinejoin = "stroke-linejoin"
  case strokeMiterlimit = "stroke-miterlimit"
  case strokeOpacity = "stroke-opacity"
  case strokeWidth = "stroke-width"
  case textAnchor = "text-anchor"
  case textDecoration = "text-decoration"
  case textDecorationLine = "text-decoration-line"
  case textOrientation = "text-orientation"
  case textRendering = "text-rendering"
  case transformBox = "transform-box"
  case transformOrigin = "transform-origin"
  case unicodeBidi = "unicode-bidi"
  case vectorEffect = "vector-effect"
  case visibility
  case whiteSpace = "white-space"
  case wordSpacing = "word-spacing"
  case writingMode = "writing-mode"

  /// Whether a style sheet may set the property.
  var isProperty: Bool {
    if rawValue.utf8.contains(UInt8(ascii: "-")) || isGeometryProperty { return true }
    switch self {
    case .clip, .color, .direction, .display, .fill, .filter, .font, .isolation, .kerning, .marker, .mask, .opacity,
      .overflow, .stroke, .transform, .visibility:
      return true
    default: return false
    }
  }

  /// Whether an attribute of this name sets the property. Shorthands and compositing properties can be set only in
  /// style sheets. Geometry is read from the attributes unless a style sheet sets it.
  var isPresentationAttribute: Bool {
    switch self {
    case .marker, .font, .fontKerning, .isolation, .mixBlendMode: false
    default: isProperty && !isGeometryProperty
    }
  }

  /// Whether the attribute is also a property since SVG 2 (section 7.2).
  var isGeometryProperty: Bool {
    switch self {
    case .cx, .cy, .d, .height, .r, .rx, .ry, .width, .x, .y: true
    default: false
    }
  }
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
