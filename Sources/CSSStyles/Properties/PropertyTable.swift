// The table of properties: a row for each, with its name, whether it is inherited, where it is stored and how its value
// is parsed (SVG 2, property index).

internal import VectorGraphics
package import XMLDocuments

/// All properties.
package enum PropertyTable {
  static let rows: [PropertyRow] = painting + compositing + masks + backgrounds + transforms + geometry + text + others

  /// The properties, in the order of ``rows``.
  static let all: [Property] = rows.indices.map { Property(index: UInt8($0)) }

  private static let names = NameTable(all.map { ($0.row.name, $0) })

  /// Returns the property with a name in lower case.
  package static func property(named name: Span<UInt8>) -> Property? { names[name] }

  package static func property(named name: String) -> Property? {
    let bytes = Array(name.utf8)
    return property(named: bytes.span)
  }

  static let color = property(named: "color")
  static let lineHeight = property(named: "line-height")
  package static let transform = property(named: "transform")

  // MARK: Painting

  private static let painting: [PropertyRow] = [
    .inherited(
      "color", \.color, isFirst: true, Parse.color,
      computed: { value, style, context in value.resolved(context.parent.color, isDark: style.isDark) }),
    .inherited("color-scheme", \.isDark, isAttribute: false, isFirst: true, Parse.colorScheme),
    .inherited("fill", \.fill) { PaintValue(parsing: $0) },
    .inherited("fill-opacity", \.fillOpacity, Parse.opacity),
    .inherited("fill-rule", \.fillRule, Parse.rule),
    .inherited("stroke", \.stroke) { PaintValue(parsing: $0) },
    .inherited("stroke-opacity", \.strokeOpacity, Parse.opacity),
    // A negative width disables the stroke, as in resvg.
    .inherited("stroke-width", \.strokeWidth, { Length(parsing: $0) }, computed: Compute.absolute),
    .inherited("stroke-linecap", \.strokeCap) {
      Parse.keyword($0, [("butt", .butt), ("round", .round), ("square", .square)])
    },
    .inherited(
      "stroke-linejoin", \.strokeJoin,
      limitation: { isWord($0, "arcs") ? "joins of the kind arcs are drawn as miters" : nil }
    ) {
      Parse.keyword(
        $0,
        [
          ("miter", .miter), ("miter-clip", .miterClip), ("round", .round), ("bevel", .bevel), ("arcs", .arcs),
        ])
    },
    .inherited("stroke-miterlimit", \.strokeMiterLimit, Parse.number),
    .inherited("stroke-dasharray", \.strokeDashes, Parse.dashes) { list, style, context in
      list.map { Compute.absolute($0, style, context) }
    },
    .inherited("stroke-dashoffset", \.strokeDashOffset, { Length(parsing: $0) }, computed: Compute.absolute),
    .inherited("paint-order", \.paintOrder, Parse.paintOrder),
    .inherited("marker-start", \.markerStart, Parse.reference),
    .inherited("marker-mid", \.markerMid, Parse.reference),
    .inherited("marker-end", \.markerEnd, Parse.reference),
    .shorthand("marker", of: ["marker-start", "marker-mid", "marker-end"]) { bytes in
      guard let reference = Parse.reference(bytes) else { return nil }
      return [
        ("marker-start", .value(StyleValue { style, _ in style.inherited.markerStart = reference })),
        ("marker-mid", .value(StyleValue { style, _ in style.inherited.markerMid = reference })),
        ("marker-end", .value(StyleValue { style, _ in style.inherited.markerEnd = reference })),
      ]
    },
    .inherited("color-interpolation", \.usesLinearColor, Parse.isLinear),
    .inherited("color-interpolation-filters", \.filtersInLinearLight) {
      isWord($0, "auto") ? true : Parse.isLinear($0)
    },
    .inherited("shape-rendering", \.shapeRendering) {
      Parse.keyword(
        $0,
        [
          ("auto", .smooth), ("geometricprecision", .smooth), ("crispedges", .crisp), ("optimizespeed", .crisp),
        ])
    },
    .inherited("image-rendering", \.imageRendering) {
      Parse.keyword(
        $0,
        [
          ("auto", .smooth), ("smooth", .smooth), ("high-quality", .smooth), ("optimizequality", .smooth),
          ("optimizespeed", .crisp), ("pixelated", .crisp), ("crisp-edges", .crisp),
          ("-webkit-optimize-contrast", .crisp), ("-moz-crisp-edges", .crisp),
        ])
    },
    .own("stop-color", \.stopColor, Parse.profileColor, computed: Compute.color),
    .own("stop-opacity", \.stopOpacity, Parse.opacity),
    .own("flood-color", \.floodColor, Parse.profileColor, computed: Compute.color),
    .own("flood-opacity", \.floodOpacity, Parse.opacity),
    .own("lighting-color", \.lightingColor, Parse.profileColor, computed: Compute.color),
    .own(
      "vector-effect", \.hasFixedStroke,
      limitation: { value in
        isWord(value, "none") || isWord(value, "non-scaling-stroke")
          ? nil : "vector-effect has no effect but non-scaling-stroke"
      }
    ) { isWord($0, "non-scaling-stroke") },
  ]

  // MARK: Compositing

  private static let compositing: [PropertyRow] = [
    .own("opacity", \.opacity, Parse.opacity),
    .inherited("visibility", \.isVisible) {
      Parse.keyword($0, [("visible", true), ("hidden", false), ("collapse", false)])
    },
    .own("display", \.isDisplayed, Parse.display),
    overflow,
    .own("clip-path", \.clipPath) { OwnStyle.ClipPath(parsing: $0) },
    .inherited("clip-rule", \.clipRule, Parse.rule),
    .own("mask-type", \.isAlphaMask) { Parse.keyword($0, [("luminance", false), ("alpha", true)]) },
    .own("filter", \.filter) { isWord($0, "none") ? .some(nil) : FilterFunction.parse($0).map { .some($0) } },
    .own("mix-blend-mode", \.blending, isAttribute: false, Parse.blending),
    .own("isolation", \.isIsolated, isAttribute: false) { Parse.keyword($0, [("auto", false), ("isolate", true)]) },
    .unsupported("backdrop-filter", except: "none"),
    .unsupported("mask-border", except: "none"),
    .unsupported("box-shadow", except: "none"),
    .ignored("enable-background"),
    .ignored("clip"),
    .ignored("color-rendering"),
    .ignored("pointer-events"),
    .ignored("cursor"),
    .ignored("will-change", isAttribute: false),
  ]

  /// The initial value differs from that of elements with viewports in the style sheet of browsers, which is `nil`.
  private static let overflow = PropertyRow(
    name: "overflow", isInherited: false, isAttribute: true,
    parse: { bytes in
      Parse.overflow(bytes).map { value in StyleValue { style, _ in style.own.overflow = value } }
    },
    copy: { style, other in style.own.overflow = other.overflow ?? .visible })

  // MARK: Transforms

  private static let transforms: [PropertyRow] = [
    .own("transform", \.transform, isAttribute: true) { TransformList(parsing: $0).map { .some($0) } },
    .own("translate", \.translate, isAttribute: false) { TransformList.translate($0).map { .some($0) } },
    .own("rotate", \.rotate, isAttribute: false) { TransformList.rotate($0).map { .some($0) } },
    .own("scale", \.scale, isAttribute: false) { TransformList.scale($0).map { .some($0) } },
    .own("transform-origin", \.transformOrigin) { TransformOrigin(parsing: $0).map { .some($0) } },
    .own("transform-box", \.transformBox) { bytes in
      bytes.count > 0 ? OwnStyle.ReferenceBox(StyleSheetText.trimmed(bytes)) : nil
    },
    .unsupported("perspective", except: "none"),
    .unsupported("offset-path", except: "none"),
    .unsupported("offset", except: "none"),
    .unsupported("zoom", except: "normal", "1", "100%"),
  ]

  // MARK: Geometry

  /// Geometry is read from the attributes unless a style sheet sets it.
  private static let geometry: [PropertyRow] = [
    length("x", \.x), length("y", \.y), length("width", \.width), length("height", \.height), length("cx", \.cx),
    length("cy", \.cy), length("r", \.r), length("rx", \.rx), length("ry", \.ry),
    .own("d", \.geometry, isAttribute: false, Parse.pathData) { data, style, _ in
      var geometry = style.own.geometry ?? GeometryValues()
      geometry.pathData = data
      return geometry
    },
  ]

  private static func length(
    _ name: String, _ path: any WritableKeyPath<GeometryValues, GeometryValues.Value?> & Sendable
  ) -> PropertyRow {
    .own(
      name, \.geometry, isAttribute: false,
      { bytes -> GeometryValues.Value? in
        if isWord(bytes, "auto") { return .some(nil) }
        return Length(parsing: bytes).map { .some($0) }
      },
      computed: { value, style, _ in
        var geometry = style.own.geometry ?? GeometryValues()
        geometry[keyPath: path] = .some(value)
        return geometry
      })
  }

  // MARK: Others

  /// Properties that have no effect on a static drawing, and those whose effect is not implemented.
  private static let others: [PropertyRow] =
    ["animation", "animation-name", "transition", "filter-margins-set", "shape-margin", "touch-action", "user-select"]
    .map { .ignored($0, isAttribute: false) }
    + [
      .unsupported("shape-inside", isAttribute: true, except: "auto"),
      .unsupported("shape-subtract", isAttribute: true, except: "none"),
      .unsupported("all"),
    ]
}

extension MarkupNames {
  /// The names of SVG, with the properties that attributes set.
  package static let svg = MarkupNames(
    properties: PropertyTable.all.filter(\.row.isAttribute).map { ($0.row.name, $0) })
}
