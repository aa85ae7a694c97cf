// The element and attribute names of SVG as integers, found by hash.

/// The elements that are drawn, referenced or read. All others are `unknown`.
@usableFromInline package enum ElementName: String, CaseIterable, Sendable {
  case unknown = ""
  case a, animate, animateColor, animateMotion, animateTransform, circle, clipPath, defs, desc, ellipse, feBlend
  case feColorMatrix, feComponentTransfer, feComposite, feConvolveMatrix, feDiffuseLighting, feDisplacementMap
  case feDistantLight, feDropShadow, feFlood, feFuncA, feFuncB, feFuncG, feFuncR, feGaussianBlur, feImage, feMerge
  case feMergeNode, feMorphology, feOffset, fePointLight, feSpecularLighting, feSpotLight, feTile, feTurbulence
  case filter, foreignObject, g, image, line, linearGradient, marker, mask, metadata, mpath, path, pattern, polygon
  case polyline, radialGradient, rect, script, set, stop, style, svg, `switch`, symbol, text, textPath, title, tref
  case tspan, use, view

  /// Whether the element is a container or a shape that is drawn at its place in the document.
  package var isGraphic: Bool {
    switch self {
    case .a, .circle, .ellipse, .g, .image, .line, .path, .polygon, .polyline, .rect, .svg, .switch, .text, .use: true
    default: false
    }
  }

  /// Whether character data in the element may be drawn or read: that of text, of style sheets, and of the targets of
  /// `tref`.
  var keepsText: Bool { self == .text || self == .style || self == .title || self == .desc || isShape }

  /// Whether the element is a filter primitive or a part of one.
  package var isFilterPart: Bool {
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
  package var isAnimation: Bool {
    switch self {
    case .animate, .animateColor, .animateMotion, .animateTransform, .set: true
    default: false
    }
  }

  /// Whether the element is a basic shape or a path.
  package var isShape: Bool {
    switch self {
    case .circle, .ellipse, .line, .path, .polygon, .polyline, .rect: true
    default: false
    }
  }
}

/// The supported attributes other than those that set properties; see ``MarkupNames``.
package enum AttributeName: String, CaseIterable, Sendable {
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

/// A property that an attribute sets, as a number that the owner of the properties assigns.
package struct Property: Hashable, Sendable {
  package let index: UInt8

  package init(index: UInt8) {
    self.index = index
  }
}

/// The names that documents are read with. Created once.
package final class MarkupNames: Sendable {
  /// The element that a local name denotes.
  struct ElementMeaning: Sendable {
    var element: ElementName
    /// The number of the name among those of elements; see ``NameNumbers``.
    var number: NameNumber
  }

  /// The attribute that a name without a namespace denotes.
  package struct AttributeMeaning: Sendable {
    package var name: AttributeName?
    /// The number of the name among those of attributes; see ``NameNumbers``.
    var number: NameNumber = 0
    /// The property that the attribute sets.
    package var property: Property?
  }

  /// The elements.
  static let elements = NameTable(
    ElementName.allCases.enumerated().map { index, element in
      (element.rawValue, ElementMeaning(element: element, number: NameNumber(index)))
    })

  /// The attributes, with the properties that they set.
  package let attributes: NameTable<AttributeMeaning>

  /// Creates the table of the attributes of SVG.
  ///
  /// - Parameter properties: the properties that attributes of their names set.
  package init(properties: [(name: String, property: Property)]) {
    var meanings: [String: AttributeMeaning] = [:]
    for name in AttributeName.allCases { meanings[name.rawValue] = AttributeMeaning(name: name) }
    for (name, property) in properties { meanings[name, default: AttributeMeaning()].property = property }
    attributes = NameTable(
      meanings.enumerated().map { index, entry in
        var meaning = entry.value
        meaning.number = NameNumber(index)
        return (entry.key, meaning)
      })
  }
}
